import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { importPostFile } from '../../src/workbench/imports/post-imports.ts'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys, type Keys } from '../support/client.ts'
import { seededApp } from '../support/seeded-app.ts'
import { type Opened, stages } from '../support/stages.ts'

// What posts and profiles show with their links: what is known of a page when the post is written.

type Data = Record<string, unknown>
interface Link extends Data {
  url: string
}

const PAGE = {
  title: 'The bridge is open',
  description: 'After two years.',
  unwound_url: 'https://news.example.com/bridge?full=1',
  status: 200,
  images: [{ url: 'https://news.example.com/bridge.png', width: 600, height: 400 }],
}

for (const stage of stages) {
  describe(`previews of links on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let keys: Keys
    let bearer: string

    before(async () => {
      opened = await stage.open(
        {
          rateLimits: 'off',
          seed: {
            users: [
              { screen_name: 'ann', name: 'Ann', url: 'https://seeded.example.com/ann' },
              { screen_name: 'bob', name: 'Bob', description: 'See https://seeded.example.com/ann' },
            ],
            apps: [seededApp('ann')],
            link_previews: [{ url: 'https://seeded.example.com/ann', title: 'Seeded', status: 404 }],
            posts: [
              { author: 'bob', text: 'https://seeded.example.com/ann', created_at: '-2h' },
              {
                ...{ author: 'bob', text: 'https://own.example.com/', created_at: '-1h' },
                entities: { urls: [{ url: 'https://own.example.com/', title: 'Own' }] },
              },
            ],
          },
        },
        { usesOwnClock: true },
      )
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      keys = demoKeys(opened.plaza)
      bearer = await client.bearer(keys)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const get = async (path: string) => {
      const { status, json, text } = await client.signed('GET', path, keys)
      assert.equal(status, 200, text)
      return (json as { data: Data }).data
    }
    const linksOf = async (id: unknown, field = 'entities') => {
      const post = await get(`/2/posts/${id}?post.fields=${field}`)
      const member = post[field] as { urls?: Link[]; entities?: { urls: Link[] } }
      return (member.urls ?? member.entities?.urls ?? []).map(
        ({ start, end, url, expanded_url, display_url, ...preview }) => preview,
      )
    }
    const write = (text: string, more: object = {}) =>
      admin.call('POST', '/posts', { author: 'ann', text, ...more })
    const newest = async (user: string) => (await admin.all<Data>(`/users/${user}/posts`)).map(({ id }) => id)

    test('a stored preview is that of links in later posts, and an edit of it changes no post', async () => {
      const before = await write('Read https://news.example.com/bridge today')
      assert.deepEqual(
        await admin.call('PUT', '/link_previews', { url: 'https://news.example.com/bridge#top', ...PAGE }),
        { url: 'https://news.example.com/bridge', ...PAGE },
      )
      const text =
        'https://news.example.com/bridge#here and HTTPS://NEWS.example.com/bridge and https://news.example.com/'
      const post = await write(text)
      const past = await write('news.example.com/bridge', { created_at: '-1d' })
      assert.deepEqual(await linksOf(before.id), [{}])
      assert.deepEqual(await linksOf(post.id), [PAGE, PAGE, {}])
      assert.deepEqual(await linksOf(past.id), [{}], 'http is another page')
      const long = await write(`${'long '.repeat(80)} https://news.example.com/bridge`)
      assert.deepEqual(await linksOf(long.id, 'note_post'), [PAGE])
      const { repost_id } = await admin.call('PUT', `/users/bob/posts/${post.id}/reposts`)
      assert.deepEqual((await linksOf(repost_id))[0], PAGE)

      await admin.call('PUT', '/link_previews', { url: 'https://news.example.com/bridge', title: 'Closed' })
      assert.deepEqual((await linksOf(post.id))[0], PAGE)
      assert.deepEqual(await linksOf((await write('https://news.example.com/bridge')).id), [
        { title: 'Closed' },
      ])
      assert.deepEqual(await admin.all('/link_previews'), [
        { url: 'https://news.example.com/bridge', title: 'Closed' },
        { url: 'https://seeded.example.com/ann', title: 'Seeded', status: 404 },
      ])
      await admin.call('DELETE', '/link_previews?url=https://news.example.com/bridge')
      assert.deepEqual(await admin.wrong('DELETE', '/link_previews?url=https://news.example.com/bridge'), [
        404,
        'There is no preview of https://news.example.com/bridge.',
      ])
      assert.deepEqual(await admin.wrong('PUT', '/link_previews', { url: 'https://[news/' }), [
        400,
        'https://[news/ is not a URL of a page.',
      ])
      const [status, says] = await admin.wrong('PUT', '/link_previews', { url: 'https://a.b/', status: 600 })
      assert.deepEqual([status, says.includes('status')], [400, true])
      assert.equal((await admin.send('GET', '/link_previews?pagination_token=AAAA')).status, 200)
    })

    test('a link to a public post shows its author, text and medium, while everyone sees it', async () => {
      const target = await write('A public post')
      const link = `https://plaza.example.com/ann/status/${target.id}`
      const post = await admin.call('POST', '/posts', { author: 'bob', text: `Look: ${link}` })
      const preview = {
        ...{ title: 'Ann (@ann)', description: 'A public post', unwound_url: link, status: 200 },
      }
      assert.deepEqual(await linksOf(post.id), [preview])
      const wrongName = await write(`https://plaza.example.com/bob/status/${target.id}`)
      assert.deepEqual(await linksOf(wrongName.id), [{}])
      const given = await write(link, { entities: { urls: [{ url: link, title: 'Mine' }] } })
      assert.deepEqual(await linksOf(given.id), [{ title: 'Mine' }])

      await admin.call('PUT', '/users/ann', { protected: true })
      assert.deepEqual(await linksOf(post.id), [{}])
      const later = await admin.call('POST', '/posts', { author: 'bob', text: link })
      await admin.call('PUT', '/users/ann', { protected: false })
      assert.deepEqual(await linksOf(post.id), [preview])
      assert.deepEqual(await linksOf(later.id), [{}], 'it was not public when the post was written')
      for (const [path, member] of [
        [`/posts/${target.id}`, 'dropped'],
        ['/users/ann', 'suspended'],
      ] as const)
        for (const hidden of [true, false]) {
          await admin.call('PUT', path, { [member]: hidden })
          const { json } = await client.send('GET', `/2/posts/${post.id}?post.fields=entities`, {
            headers: { authorization: `Bearer ${bearer}` },
          })
          const { entities } = (json as { data: { entities: { urls: Link[] } } }).data
          assert.equal(entities.urls[0]?.title, hidden ? undefined : 'Ann (@ann)', `${member} ${hidden}`)
        }
      await admin.call('DELETE', `/posts/${target.id}`)
      assert.deepEqual(await linksOf(post.id), [{}])
    })

    test('the first links of a text with many get previews, which show the beginning of a long post', async () => {
      const target = await write('b'.repeat(24_000))
      const link = `https://plaza.example.com/ann/status/${target.id}`
      const post = await admin.call('POST', '/posts', { author: 'bob', text: `${link} `.repeat(25).trim() })
      const shown = await linksOf(post.id, 'note_post')
      assert.deepEqual(
        shown.map(({ description }) => String(description ?? '').length),
        [...Array(20).fill(279), ...Array(5).fill(0)],
      )
      const text = 'https://often.example.com/ '.repeat(150).trim()
      await write(text, { entities: { urls: [{ url: 'https://often.example.com/', title: 'Often' }] } })
      const seed = await admin.call<{ posts: { text: string; entities?: object }[] }>('GET', '/seed')
      assert.deepEqual(seed.posts.find((one) => one.text === text)?.entities, {
        urls: [{ url: 'https://often.example.com/', title: 'Often' }],
      })
    })

    test('profiles, posts of seeds and imported posts show previews; an export keeps them', async (t) => {
      const users = (await get('/2/users/by?usernames=ann,bob&user.fields=entities')) as unknown as Data[]
      const of = (at: number, member: string) => {
        const entities = users[at]?.entities as Record<string, { urls: Link[] }> | undefined
        return entities?.[member]?.urls[0]
      }
      assert.deepEqual([of(0, 'url')?.title, of(0, 'url')?.status], ['Seeded', 404])
      assert.equal(of(1, 'description')?.title, 'Seeded')

      const folder = mkdtempSync(join(tmpdir(), 'plaza-previews-'))
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      const file = join(folder, 'posts.jsonl')
      const lines = [
        {
          entities: {
            urls: [{ start: 0, url: 'https://x.example.com/', title: 'Imported', description: '' }],
          },
        },
        { entities: { urls: [{ url: 'https://x.example.com/', status: 'high' }], mentions: null } },
      ]
      writeFileSync(
        file,
        lines
          .map((more) => ({
            username: 'bob',
            text: 'https://x.example.com/',
            created_at: '2026-01-01T00:00:00Z',
            ...more,
          }))
          .map((line) => JSON.stringify(line))
          .join('\n'),
      )
      const rejected: string[] = []
      await importPostFile(
        file,
        { name: 'posts', again: false, createAuthors: false },
        { ...opened.plaza.context, vocabulary: opened.plaza.context.naming.vocabulary },
        {
          signal: AbortSignal.timeout(60_000),
          say: ({ rejected: one }) => {
            if (one) rejected.push(one.reason)
          },
        },
      )
      assert.equal(rejected.length, 1)
      assert.match(rejected[0] ?? '', /status/)
      const shown = await Promise.all((await newest('bob')).map((id) => linksOf(id)))
      const titles = shown.map(([link]) => link?.title)
      for (const title of ['Imported', 'Own', 'Seeded']) assert.ok(titles.includes(title), title)

      const seed = await admin.call<{
        posts: { text: string; entities?: object }[]
        link_previews: object[]
      }>('GET', '/seed')
      assert.deepEqual(seed.posts.find(({ text }) => text === 'https://own.example.com/')?.entities, {
        urls: [{ url: 'https://own.example.com/', title: 'Own' }],
      })
      assert.deepEqual(seed.link_previews, [
        { url: 'https://seeded.example.com/ann', title: 'Seeded', status: 404 },
      ])
    })
  })
}
