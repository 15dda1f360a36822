import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GeneratedPosts } from '../../src/app/seed/generated/posts.ts'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import { pageOfSpaces } from '../../src/domain/spaces/queries.ts'
import { generateOptions } from '../../src/workbench/imports/post-imports.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

// What the admin API generates has polls, images, conversations and spaces as requested, once.

type Data = Record<string, unknown>

const DAY_MS = 86_400_000

for (const stage of stages) {
  describe(`generated content on ${stage.name}`, { skip: stage.skip }, () => {
    const generated = async (
      options: object,
      work: (at: { opened: Opened; client: Client; again: () => Promise<Data> }) => Promise<void>,
    ) => {
      const opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true })
      const client = new Client(opened.plaza)
      try {
        const again = async () => {
          const url = `${opened.plaza.urls.console}/admin/v1/posts/generate`
          const reply = await fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ count: 400, authors: 20, days: 4, ...options }),
          })
          const text = await reply.text()
          assert.equal(reply.status, 200, text)
          const lines = text
            .trim()
            .split('\n')
            .map((line) => (JSON.parse(line) as { data: { result?: Data } }).data)
          return lines.at(-1)?.result ?? {}
        }
        const { added, rejected } = await again()
        assert.deepEqual([added, rejected], [400, 0])
        await work({ opened, client, again })
      } finally {
        await client.close()
        await opened.close()
      }
    }
    const read = async (client: Client, opened: Opened, path: string) => {
      const reply = await client.signed('GET', path, demoKeys(opened.plaza))
      assert.equal(reply.status, 200, reply.text)
      return reply.json as { data?: Data[]; includes?: { polls?: Data[]; media?: Data[] } }
    }
    /** The posts of the authors, whose names follow from the seed. */
    const posts = async (client: Client, opened: Opened) => {
      const values = generateOptions({ count: 400, authors: 20, days: 4 })
      const names = new GeneratedPosts({ ...values, endMs: 0 }).authors.map(({ user }) => user.screen_name)
      const users = await read(client, opened, `/2/users/by?usernames=${names.join()}`)
      const ids = (users.data ?? []).map(({ id }) => String(id))
      assert.equal(ids.length, 20)
      const fields =
        'post.fields=referenced_posts,attachments&expansions=attachments.poll_ids,attachments.media_keys&poll.fields=duration_minutes,options,voting_status&media.fields=alt_text,height,type,url,width'
      const pages = []
      for (const id of ids)
        pages.push(await read(client, opened, `/2/users/${id}/posts?max_results=100&${fields}`))
      return {
        ids,
        all: pages.flatMap(({ data = [] }) => data),
        polls: pages.flatMap(({ includes }) => includes?.polls ?? []),
        media: pages.flatMap(({ includes }) => includes?.media ?? []),
      }
    }

    test('has polls and many replies', async () => {
      await generated({ polls: 20, replies: 50 }, async ({ opened, client, again }) => {
        const { all, polls } = await posts(client, opened)
        const kinds = all.map(({ referenced_posts }) => (referenced_posts as Data[] | undefined)?.[0]?.type)
        const replies = kinds.filter((kind) => kind === 'replied_to').length
        assert.ok(replies > all.length * 0.3, `${replies} of ${all.length}`)
        assert.ok(
          polls.length > all.length * 0.1 && polls.length < all.length * 0.35,
          `${polls.length} of ${all.length}`,
        )
        for (const { options, duration_minutes } of polls) {
          const labels = (options as Data[]).map(({ label }) => String(label))
          assert.ok(labels.length >= 2 && labels.length <= 4 && new Set(labels).size === labels.length)
          assert.ok(labels.every((label) => label.length >= 1 && label.length <= 25))
          assert.ok((options as { votes: number }[]).every(({ votes }) => votes >= 1))
          assert.ok([60, 1440, 4320, 10_080].includes(Number(duration_minutes)))
        }
        assert.deepEqual((await again()).repeated, true)
      })
    })

    test('has images, which go with their posts', async () => {
      // More polls than posts that may have one.
      await generated({ images: 30, polls: 50, replies: 80 }, async ({ opened, client, again }) => {
        const { all, media } = await posts(client, opened)
        const keysOf = ({ attachments }: Data) => (attachments as { media_keys?: string[] })?.media_keys ?? []
        const withImages = all.filter((post) => keysOf(post).length > 0)
        const share = withImages.length / all.length
        assert.ok(share > 0.2 && share < 0.4, `${withImages.length} of ${all.length}`)
        const counts = new Set(withImages.map((post) => keysOf(post).length))
        assert.deepEqual([...counts].sort(), [1, 2, 3, 4])
        assert.equal(media.length, withImages.flatMap(keysOf).length)
        for (const { media_key, type, width, height, alt_text } of media) {
          assert.match(String(media_key), /^3_[0-9]+$/)
          assert.deepEqual([type, width, height], ['photo', 640, 400])
          assert.match(String(alt_text), /^A gradient from [a-z]+ to [a-z]+$/)
        }
        const urls = [...new Set(media.map(({ url }) => String(url)))]
        assert.ok(urls.length > 20 && urls.length <= 56, String(urls.length))
        const [url = ''] = urls
        const file = await client.send('GET', new URL(url).pathname)
        assert.deepEqual([file.status, file.headers['content-type']], [200, 'image/png'])

        const differences: Difference[] = []
        const options = { repair: false, found: (one: Difference) => void differences.push(one) }
        for await (const _ of compareAll(opened.plaza.context.store, comparisons, options));
        assert.deepEqual(differences, [])
        const [first] = withImages
        const path = `${opened.plaza.urls.console}/admin/v1/posts/${first?.id}`
        const { ok } = await fetch(path, { method: 'DELETE' })
        assert.ok(ok)
        const gone = await posts(client, opened)
        assert.equal(gone.media.length, media.length - keysOf(first ?? {}).length)
        assert.deepEqual((await again()).repeated, true)
      })
    })

    test('has spaces that are over, live and scheduled', async () => {
      await generated({ spaces: 120, replies: 0, bursts: 0 }, async ({ opened, client }) => {
        const { ids, all, polls } = await posts(client, opened)
        assert.equal(polls.length, 0)
        assert.ok(
          !all.some(
            ({ referenced_posts }) => (referenced_posts as Data[] | undefined)?.[0]?.type === 'replied_to',
          ),
        )
        const current = await read(
          client,
          opened,
          `/2/spaces/by/creator_ids?user_ids=${ids.join()}&space.fields=creator_id,scheduled_start,state,title`,
        )
        const spaces = current.data ?? []
        assert.ok(spaces.length > 30 && spaces.length < 60, String(spaces.length))
        const stored = await opened.plaza.context.store.all(pageOfSpaces, { after: '', limit: 1000 })
        assert.equal(stored.length, 120)
        assert.ok(spaces.every(({ state }) => state === 'live' || state === 'scheduled'))
        const latest = Math.max(
          ...spaces.map(({ scheduled_start }) => Date.parse(String(scheduled_start))).filter(Number.isFinite),
        )
        assert.ok(latest > Date.now() + DAY_MS / 2)
        assert.ok(latest < Date.now() + 3 * DAY_MS)
      })
    })

    test('is rejected with numbers out of bounds', async () => {
      const opened = await stage.open({}, { usesOwnClock: true })
      const client = new Client(opened.plaza)
      try {
        const url = `${opened.plaza.urls.console}/admin/v1/posts/generate`
        for (const wrong of [
          { polls: 51 },
          { replies: 81 },
          { bursts: 25 },
          { spaces: -1 },
          { images: 51 },
          { pictures: 1 },
        ]) {
          const { status, text } = await client.send('POST', url, { json: { count: 10, ...wrong } })
          assert.equal(status, 400, text)
          assert.ok(text.includes(Object.keys(wrong)[0] ?? ''), text)
        }
      } finally {
        await client.close()
        await opened.close()
      }
    })
  })
}
