import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { gif, png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { stages } from '../support/stages.ts'
import { runPlaza, temporaryFolder } from './cli.fixture.ts'

// Posts of a seed show files beside the seed, or files inside it.

type Data = Record<string, unknown>

const app = {
  ...{ name: 'Tool', website: 'https://tool.example/', owner: 'ann', callbacks: [] },
  ...{ permission: 'read-write', kind: 'web', sign_in: false },
  grants: [{ user: 'ann', access: 'read-write' }],
}
const seedOf = (...posts: object[]) => ({
  users: [{ screen_name: 'ann', name: 'Ann', created_at: '-9d' }],
  apps: [app],
  posts: posts.map((post) => ({ author: 'ann', lang: 'en', created_at: '-2h', ...post })),
})

for (const stage of stages) {
  describe(`media of a seed on ${stage.name}`, { skip: stage.skip }, () => {
    test('are shown by posts, and exported with them', async (t) => {
      const folder = temporaryFolder(t)
      const pictures = [png(3, 2), png(5, 4)]
      mkdirSync(join(folder, 'pictures'))
      writeFileSync(join(folder, 'pictures/bridge.png'), pictures[0] as Buffer)
      const file = join(folder, 'seed.json')
      const moving = gif(7, 6)
      writeFileSync(
        file,
        JSON.stringify(
          seedOf(
            {
              text: 'Two pictures',
              media: [
                { file: 'pictures/bridge.png', alt_text: 'A bridge' },
                { data: pictures[1]?.toString('base64') },
              ],
              thread: [{ media: [{ data: moving.toString('base64') }] }],
            },
            { text: 'No picture', created_at: '-1h' },
          ),
        ),
      )
      const opened = await stage.open({ seed: file }, { usesOwnClock: true })
      const client = new Client(opened.plaza)
      try {
        await opened.plaza.tasks.runDue('process medium')
        const ann = opened.plaza.seeded?.users[0]?.id
        const fields =
          'expansions=attachments.media_keys&media.fields=alt_text,height,preview_image_url,type,url,width'
        const reply = await client.signed('GET', `/2/users/${ann}/posts?${fields}`, demoKeys(opened.plaza))
        const { data, includes } = reply.json as { data: Data[]; includes: { media: Data[] } }
        assert.deepEqual(
          data.map(({ text, attachments }) => [
            text,
            (attachments as { media_keys: string[] } | undefined)?.media_keys.length,
          ]),
          [
            ['No picture', undefined],
            ['', 1],
            ['Two pictures', 2],
          ],
        )
        assert.deepEqual(
          includes.media.map(({ type, width, height, alt_text }) => [type, width, height, alt_text]),
          [
            ['animated_gif', 7, 6, undefined],
            ['photo', 3, 2, 'A bridge'],
            ['photo', 5, 4, undefined],
          ],
        )
        assert.match(String(includes.media[0]?.preview_image_url), /\/media\/[0-9a-f]{64}\.gif$/)
        for (const [index, content] of pictures.entries()) {
          const url = String(includes.media[index + 1]?.url)
          assert.ok(url.endsWith(`/media/${createHash('sha256').update(content).digest('hex')}.png`), url)
          const { status, headers } = await client.send('GET', url)
          assert.deepEqual([status, headers['content-length']], [200, String(content.length)])
        }

        const admin = new Admin(opened.plaza, client)
        const first = await admin.call<Data>('GET', '/seed')
        assert.deepEqual(
          (first.posts as Data[]).map(({ media }) => media),
          [
            [
              { data: pictures[0]?.toString('base64'), alt_text: 'A bridge' },
              { data: pictures[1]?.toString('base64') },
            ],
            [{ data: moving.toString('base64') }],
            undefined,
          ],
        )
        const again = await startPlaza({ seed: first }, { usesOwnClock: true })
        try {
          assert.deepEqual(await new Admin(again, new Client(again)).call<Data>('GET', '/seed'), first)
        } finally {
          await again.close()
        }
        // The newest have room, and a post without text and media is none.
        const less = await admin.call<Data>('GET', `/seed?media_bytes=${moving.length}`)
        assert.deepEqual(
          (less.posts as Data[]).map(({ text, media }) => [text, media !== undefined]),
          [
            ['Two pictures', false],
            ['', true],
            ['No picture', false],
          ],
        )
        const none = await admin.call<Data>('GET', '/seed?media_bytes=0')
        assert.deepEqual(
          (none.posts as Data[]).map(({ text }) => text),
          ['Two pictures', 'No picture'],
        )
      } finally {
        await client.close()
        await opened.close()
      }
    })

    test('that posts cannot show fail the start with their place', async () => {
      const fails = async (post: object, ...messages: string[]) =>
        assert.rejects(stage.open({ seed: seedOf(post), mediaPerUser: 1000 }), (error: Error) => {
          assert.deepEqual(error.message.split('\n'), messages)
          return true
        })
      const data = (content: Buffer) => ({ data: content.toString('base64') })
      const missing = join(process.cwd(), 'none.png')
      await fails(
        {
          text: 'x',
          media: [{ file: 'none.png' }, {}],
          poll: { options: [{ label: 'a' }, { label: 'b' }], duration_minutes: 5 },
        },
        'seed: at /posts/0/media: a post has one of quotes, poll, media, not several',
        `seed: at /posts/0/media/0/file: there is no file "${missing}"`,
        'seed: at /posts/0/media/1: a medium has either `file` or `data`',
      )
      await fails(
        { thread: [{ media: [data(Buffer.from('GIF89a, but no picture'))] }], text: 'x' },
        'seed: at /posts/0/thread/0/media/0: The file is not a complete image, GIF or video, and not subtitles.',
      )
      await fails(
        { media: [data(png(3, 3)), data(gif(3, 3))] },
        'seed: at /posts/0/media: a post has up to 4 images, or 1 GIF, or 1 video',
      )
      const large = Buffer.concat([png(3, 3), Buffer.alloc(1000)])
      await fails(
        { media: [data(large)] },
        `seed: at /posts/0/media/0: The media of this user take 0 of 1000 bytes: there is no room for ${large.length} more.`,
      )
    })
  })
}

test('a seed of a stopped Plaza contains its media', async (t) => {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  const picture = png(9, 8)
  const seed = seedOf({ text: 'Kept', media: [{ data: picture.toString('base64') }] })
  const plaza = await startPlaza({ data, seed })
  await plaza.close()
  const { code, stdout, stderr } = await runPlaza(t, ['seed', 'export', `--data=${data}`, '--format=json'])
  assert.equal(code, 0, stderr)
  const { posts } = JSON.parse(stdout) as { posts: Data[] }
  assert.deepEqual(posts[0]?.media, [{ data: picture.toString('base64') }])
})
