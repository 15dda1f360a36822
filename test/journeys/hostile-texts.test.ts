import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { adHocQuery } from '../../src/app/tables.ts'
import { idAt } from '../../src/platform/common/ids.ts'
import { parses } from '../../src/platform/text/find-links.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { bestWaitsBeside, MAX_WAIT_MS } from '../support/other-caller.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

// What another caller waits while a server handles texts, queries and rules that are slow to read.

const subscribe = adHocQuery<{ id: string }>('subscribeHostileAuthor', (db, at) =>
  db.updateTable('users').set({ subscription_type: 'Premium' }).where('id', '=', at.id),
)

const MAX_LENGTH = 25_000
const MAX_MESSAGE_LENGTH = 10_000
const filled = (pattern: string, length = MAX_LENGTH - 20) =>
  pattern.repeat(Math.floor(length / Array.from(pattern).length))

/** Texts of posts. Posts may not say the same again, so each has a number in front. */
const TEXTS: Readonly<Record<string, string>> = {
  'long words of dots': `x ${`${'中.'.repeat(2_040)} `.repeat(6)}`,
  'one word of dots': filled('中.'),
  'a word without spaces': filled('中'),
  'names of hosts': filled('a.'),
  'long links': filled('https://a.co/(b(c)d '),
  'many mentions': filled('@a '),
  'accents on every letter': filled('é '),
  'thirty marks on every letter': filled(`a${'\u0316\u0301'.repeat(15)}`),
  'writing from right to left': filled('\u202eשָׁלוֹם.'),
  'emoji of families': filled('👨‍👩‍👧‍👦'),
  joiners: `😀${filled('\u200d')}🏽`,
  'squares that are words': filled('㌖'),
  'Thai without spaces': filled('ภาษาไทย'),
  quotes: filled('“a'),
}

const FIELDS = 'post.fields=entities,note_post,display_text_range,lang&expansions=entities.mentions.username'

describe('what another caller waits beside hostile texts', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let client: Client
  let bearer: string
  let author: Person
  let reader: Person
  let count = 0

  const join = async () => {
    const person = await Person.join(plaza, client)
    await plaza.context.store.write((tx) => tx.run(subscribe, { id: person.id }))
    return person
  }
  before(async () => {
    plaza = await startPlaza({ rateLimits: 'off' })
    client = new Client(plaza)
    bearer = await client.bearer(demoKeys(plaza))
    author = await join()
    reader = await Person.join(plaza, client)
    // The first posts load the tables of languages and places.
    for (const text of ['These are words of a post', 'Это слова поста', 'คำของโพสต์']) await publish(text)
    await plaza.caughtUp
  })
  after(async () => {
    await client.close()
    await plaza.close()
  })

  const get = async (target: string): Promise<Reply> => {
    const reply = await client.send('GET', target, { headers: { authorization: `Bearer ${bearer}` } })
    assert.equal(reply.status, 200, reply.text)
    return reply
  }
  const another = () => get(`/2/users/${reader.id}`)
  const isQuick = async (description: string, work: () => Promise<unknown>) => {
    const { turnMs, callMs } = await bestWaitsBeside(work, another)
    assert.ok(
      Math.max(turnMs, callMs) <= MAX_WAIT_MS,
      `${description}: a turn of ${turnMs} ms, a call of ${callMs} ms`,
    )
  }
  const post = (text: string, as = author) => as.core('POST', '/2/posts', { text })
  const publish = async (text: string): Promise<string> => {
    const reply = await post(`${++count} ${text}`)
    assert.equal(reply.status, 201, reply.text)
    return (reply.json as { data: { id: string } }).data.id
  }
  const isFound = (id: string) =>
    until('the search index has the post', async () => {
      const before = idAt(plaza.clock.now() + 1, 0, 0)
      const { json } = await get(
        `/2/posts/search/recent?query=from:${author.id}&until_id=${before}&max_results=100`,
      )
      return (json as { data?: { id: string }[] }).data?.some((one) => one.id === id) ?? false
    })

  for (const [description, text] of Object.entries(TEXTS))
    test(`posts, searches, reposts and messages: ${description}`, async () => {
      author = await join()
      await isQuick('a post, until it can be found', async () => isFound(await publish(text)))
      const id = await publish(text)
      await isQuick('the post', () => get(`/2/posts/${id}?${FIELDS}`))
      await isQuick('the timeline', () => get(`/2/users/${author.id}/posts?max_results=100&${FIELDS}`))
      await isQuick('a repost', async () => {
        await reader.core('POST', `/2/users/${reader.id}/reposts`, { post_id: await publish(text) })
      })
      const message = Array.from(text).slice(0, MAX_MESSAGE_LENGTH).join('')
      await isQuick('a message', async () => {
        const sent = await author.core('POST', `/2/dm_conversations/with/${reader.id}/messages`, {
          text: message,
        })
        assert.equal(sent.status, 201, sent.text)
        await reader.core('GET', `/2/dm_conversations/with/${author.id}/dm_events?dm_event.fields=entities`)
      })
      await isQuick('a page of a search', () =>
        get(`/2/posts/search/recent?query=from:${author.id}&until_id=9223372036854775807&${FIELDS}`),
      )
    })

  test('texts are searched for entities when they are written, and never when they are read', async () => {
    let parsed = 0
    const count = () => void parsed++
    author = await join()
    parses.subscribe(count)
    try {
      const id = await publish(
        `@${reader.screenName} #tag $CASH https://example.com/a ${'word '.repeat(200)}`,
      )
      const short = await publish('see example.com #tag')
      await reader.core('POST', `/2/users/${reader.id}/reposts`, { post_id: id })
      const path = `/2/dm_conversations/with/${reader.id}`
      assert.equal((await author.core('POST', `${path}/messages`, { text: 'see example.com' })).status, 201)
      assert.ok(parsed > 0)
      parsed = 0
      await isFound(id)
      await get(`/2/posts?ids=${id},${short}&${FIELDS}`)
      await get(`/2/users/${author.id}/posts?${FIELDS}`)
      await get(`/2/users/${reader.id}/posts?${FIELDS}`)
      await get(`/2/users/${author.id}?user.fields=entities`)
      await get(`/2/posts/search/recent?query=from:${author.id}&until_id=9223372036854775807&${FIELDS}`)
      await author.core('GET', `${path}/dm_events?dm_event.fields=entities`)
      await author.core('GET', '/1.1/account/verify_credentials.json')
      assert.equal(parsed, 0)
    } finally {
      parses.unsubscribe(count)
    }
  })

  test('texts that are rejected', async () => {
    const marks = `a${filled('\u0316\u0301', 24_000)}`
    await isQuick('marks', async () => assert.equal((await post(marks)).status, 400))
    await isQuick('marks that are also too many characters', async () =>
      assert.equal((await post(marks, reader)).status, 400),
    )
    for (const [description, text] of Object.entries(TEXTS))
      await isQuick(`too long: ${description}`, async () => {
        assert.equal((await post(text, reader)).status, 400)
        assert.ok([400, 413].includes((await post(text.repeat(2), reader)).status))
      })
  })

  test('rules that are slow to match with a long post', async () => {
    const rules = [
      ...Array.from({ length: 10 }, (_, n) => `"a b c${n}"~6`),
      ...Array.from({ length: 10 }, (_, n) => `"${'a b '.repeat(100)}c${n}"`),
      ...Array.from({ length: 10 }, (_, n) => `url_contains:"${n}a"`),
    ]
    const headers = { authorization: `Bearer ${bearer}` }
    const added = await client.send('POST', '/2/posts/search/stream/rules', {
      headers,
      json: { add: rules.map((value) => ({ value })) },
    })
    assert.equal(added.status, 201, added.text)
    const stream = await StreamReader.open(plaza, bearer)
    try {
      const cs = Array.from({ length: 10 }, (_, n) => `c${n}`).join(' ')
      await isQuick('words near each other', async () => {
        const id = await publish(`${filled('a b ', 24_000)}${cs}`)
        await until('the stream has the post', () => stream.items.some(({ data }) => data?.id === id))
      })
      await isQuick('links', async () => {
        const id = await publish(`${filled('a.co ', 24_000)}3a.co`)
        await until('the stream has the post', () => stream.items.some(({ data }) => data?.id === id))
      })
    } finally {
      stream.close()
    }
  })

  test('queries that are slow to read', async () => {
    const queries = [
      `"${'a.'.repeat(240)}"`,
      `${'('.repeat(200)}a${')'.repeat(200)}`,
      `${'-'.repeat(500)}a`,
      '"a\\"'.repeat(120),
      'a OR '.repeat(100),
      filled('中', 500),
      `a${filled('\u0316\u0301', 500)}`,
      filled('#a', 500),
      filled('[', 500),
    ]
    for (const query of queries)
      await isQuick(query, () =>
        client.send('GET', `/2/posts/search/recent?${new URLSearchParams({ query })}`, {
          headers: { authorization: `Bearer ${bearer}` },
        }),
      )
  })
})
