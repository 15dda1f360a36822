import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { SearchDocument } from '../../src/domain/search/index/search-index.ts'
import { idAt } from '../../src/platform/common/ids.ts'
import { newPerson, type Person } from '../support/ads-desk.ts'
import { Client, demoKeys } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { bestWaitsBeside, MAX_WAIT_MS } from '../support/other-caller.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DOCUMENTS = 12_000
const DOCUMENTS_AT_ONCE = 1_000
/** Posts have some of these words, and each pair of two in a row never occurs in one post. */
const WORDS = Array.from({ length: 40 }, (_, n) => `word${n}`)
const PHRASE = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

const repeated = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
/** As long as a query may be. */
const quoted = (text: string) => `"${repeated(text, 4_000)}"`

/** Queries that are expensive, or that a database may not be able to answer. */
const HOSTILE: Record<string, string> = {
  'a phrase of one word': quoted('a.'),
  'a phrase of some words': quoted(PHRASE.map((word) => `${word}.`).join('')),
  'a phrase to exclude': `word1 -${quoted(PHRASE.map((word) => `${word}.`).join(''))}`,
  'a link with a phrase': `url:${quoted('a.')}`,
  'many pairs of words': WORDS.flatMap((one, n) =>
    [1, 3].map((step) => `(${one} ${WORDS[(n + step) % WORDS.length]})`),
  ).join(' OR '),
  'many phrases': Array.from({ length: 150 }, (_, n) => `"a b c${n % 7}"`).join(' OR '),
  'many words to exclude': `word1 ${Array.from({ length: 190 }, (_, n) => `-word${n + 2}`).join(' ')}`,
  'nested groups': `${Array.from({ length: 90 }, (_, n) => `(word${n} OR (word${n + 1} `).join('')}word1${'))'.repeat(90)}`,
  'words of many letters': repeated('é'.repeat(400), 4_000),
  'letters with many marks': `a${'\u0301'.repeat(3_900)}`,
  'alternatives with counts': Array.from({ length: 60 }, (_, n) => `(word${n % 40} min_likes:${n})`).join(
    ' OR ',
  ),
  'halves of characters': `"${'\ud83d '.repeat(500)}"`,
}

/** Sends requests in a thread of its own, so that what it does for the replies does not count. */
class CallerThread {
  readonly #thread: Worker
  readonly #waiting = new Map<number, (status: number) => void>()
  #calls = 0

  constructor(options: { ca: string | undefined; authorization: string }) {
    this.#thread = new Worker(CALLER, { eval: true, workerData: options })
    this.#thread.on('message', ({ call, status }: { call: number; status: number }) => {
      this.#waiting.get(call)?.(status)
      this.#waiting.delete(call)
    })
  }

  /** The status of the reply to a GET request; 0 if there is none. */
  statusOf(url: string): Promise<number> {
    const call = this.#calls++
    return new Promise((resolve) => {
      this.#waiting.set(call, resolve)
      this.#thread.postMessage({ call, url })
    })
  }

  close(): Promise<number> {
    return this.#thread.terminate()
  }
}

const CALLER = `
  const { Agent, request } = require('node:https')
  const { parentPort, workerData: { ca, authorization } } = require('node:worker_threads')
  const agent = new Agent({ keepAlive: true, ca })
  parentPort.on('message', ({ call, url }) => {
    const tell = (status) => parentPort.postMessage({ call, status })
    request(url, { agent, headers: { authorization } }, (reply) => {
      reply.resume().on('end', () => tell(reply.statusCode))
    }).on('error', () => tell(0)).end()
  })`

for (const stage of stages.filter(({ name }) => name !== 'SQLite file')) {
  describe(`expensive searches on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let other: Person
    let hostile: string
    let hostileCaller: CallerThread

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', ruleAccess: 'enterprise' })
      const { plaza } = opened
      client = new Client(plaza)
      hostile = `Bearer ${await client.bearer(demoKeys(plaza))}`
      other = await newPerson(plaza)
      hostileCaller = new CallerThread({ ca: plaza.caPem, authorization: hostile })
      await plaza.caughtUp
      await makePost(plaza.context, { authorId: other.id, text: 'cheap' })
      await allEventsHandled(plaza.context.store)
      plaza.clock.advance(MINUTE_MS)
      const now = plaza.clock.now()
      const documentOf = (n: number): SearchDocument => ({
        id: idAt(now - DAY_MS - n * MINUTE_MS, 0, n % 1_000),
        // Two words, an odd and an even number apart from each other.
        words: [...repeatedWords(n), WORDS[n % 40] ?? '', WORDS[(n + 2) % 40] ?? ''],
        links: [],
        terms: [],
        numbers: { likes: n % 10, replies: 0, reposts: 0 },
      })
      for (let first = 0; first < DOCUMENTS; first += DOCUMENTS_AT_ONCE)
        await plaza.context.searchIndex.apply(
          Array.from({ length: DOCUMENTS_AT_ONCE }, (_, n) => ({
            kind: 'put',
            document: documentOf(first + n),
          })),
        )
    })
    after(async () => {
      await hostileCaller.close()
      await client.close()
      await opened.close()
    })

    /**
     * A hundredth of the posts consists of the words of phrases, in an order that no phrase has.
     */
    const repeatedWords = (n: number) =>
      n % 10 === 1 ? Array.from({ length: 200 }, (_, at) => PHRASE[(at * 3) % 8] ?? '') : []

    const start = () => new Date(opened.plaza.clock.now() - 31 * DAY_MS).toISOString()
    const pathOf = (what: 'search' | 'counts', query: string, more: Record<string, string> = {}) =>
      `/2/posts/${what}/all?${new URLSearchParams({ query, start_time: start(), ...more })}`
    const statusOf = (path: string) => hostileCaller.statusOf(`${opened.plaza.urls.core}${path}`)
    const me = () => client.signed('GET', `${opened.plaza.urls.core}/2/users/me`, other.keys)
    const cheap = () =>
      client.signed('GET', `${opened.plaza.urls.core}/2/posts/search/recent?query=cheap`, other.keys)

    test('counts by minute leave the event loop to others', async () => {
      const path = pathOf('counts', 'word1 OR word2 OR word3', { granularity: 'minute' })
      const { turnMs, callMs } = await bestWaitsBeside(
        async () => assert.equal(await statusOf(path), 200),
        me,
      )
      assert.ok(Math.max(turnMs, callMs) <= MAX_WAIT_MS, `others wait ${turnMs} and ${callMs} ms`)
    })

    for (const [what, query] of Object.entries(HOSTILE))
      test(`${what}: an answer, and no wait for others in the event loop`, async () => {
        const statuses: number[] = []
        const { turnMs, callMs } = await bestWaitsBeside(async () => {
          statuses.push(await statusOf(pathOf('search', query)), await statusOf(pathOf('counts', query)))
        }, me)
        for (const status of statuses) assert.ok([200, 400].includes(status), `status ${status}`)
        assert.ok(Math.max(turnMs, callMs) <= MAX_WAIT_MS, `others wait ${turnMs} and ${callMs} ms`)
      })

    test('a cheap search of another caller waits for two of the expensive ones that began earlier', async () => {
      const ended: string[] = []
      const query = HOSTILE['many pairs of words'] ?? ''
      const expensive = Array.from({ length: 5 }, async () => {
        assert.equal(await statusOf(pathOf('search', query)), 200)
        ended.push('expensive')
      })
      const reply = await cheap()
      ended.push('cheap')
      assert.equal((reply.json as { meta: { result_count: number } }).meta.result_count, 1)
      await Promise.all(expensive)
      assert.ok(ended.indexOf('cheap') <= 2, ended.join())
    })

    test('a phrase is compared in a limited number of posts for each page', async () => {
      const reply = await client.send('GET', pathOf('search', HOSTILE['a phrase of some words'] ?? ''), {
        headers: { authorization: hostile },
      })
      assert.equal(reply.status, 200, reply.text)
      const { meta } = reply.json as { meta: { result_count: number; next_token?: string } }
      assert.equal(meta.result_count, 0)
      if (stage.name === 'SQLite in memory') assert.ok(meta.next_token)
    })
  })
}
