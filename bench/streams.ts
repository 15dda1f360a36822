import { setTimeout as sleep } from 'node:timers/promises'
import { bearerOf, Client, expectStatus, signedHeader } from './client.ts'
import { closedLoop, median } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { Corpus } from './matcher-corpus.ts'
import { type RunningPlaza, spareOf, startPlaza, startRow } from './processes.ts'
import { BenchStream } from './stream-reader.ts'

// Posts on open streams, among many rules: the time from the request that publishes a post to the
// line that a reader receives; the time until 1,000 streams have one post; and the rate of posts
// compared with a bare route that commits one row. npm run bench -- streams [--seconds N]

const RULES = 25_000
const RULES_OF_A_CALL = 1_000
const STREAMS = 50
const POSTS_PER_SECOND = 500
const MANY_STREAMS = 1_000
const FANNED_OUT = 10
const AUTHORS = 20
const TARGET_LINE_MS = 50
const TARGET_FAN_OUT_MS = 100
const TARGET_RATIO = 0.2
/** How long to wait for lines after the last post. */
const GRACE_MS = 5_000
const WORD = 'benchmarked'
/** A post may have a weighted length of 280, and a character counts 2 at most. */
const MAX_TEXT_LENGTH = 140
/** After that, little is left to compile. */
const WARM_UP_SECONDS = 6

/** Limits that allow what is measured. */
export const STREAM_ARGS = [
  '--stream-connections-per-app',
  '2000',
  '--stream-posts-per-second',
  '1000000',
  '--stream-rules-per-app',
  '30000',
  '--stream-rules-per-project',
  '30000',
  '--rule-access',
  'enterprise',
]

type Add = (figure: Figure) => void

export const percentile = (values: readonly number[], share: number) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN

let written = 0

/**
 * Publishes a post with a unique number in its text, and resolves to that number. Without an
 * author, authors take turns.
 */
export async function publish(client: Client, text: string, author?: number): Promise<number> {
  const number = written++
  const as = spareOf(author ?? number % AUTHORS)
  const json = { text: `${WORD} n${number} ${text}`.slice(0, MAX_TEXT_LENGTH).toWellFormed() }
  const path = '/2/posts'
  const authorization = signedHeader('POST', path, as)
  expectStatus(await client.send({ method: 'POST', path, authorization, json }), 201, 'a post')
  return number
}

/** The number in the text of the post in a line. */
export const numberIn = (line: string) => Number(/ n([0-9]+)[ "]/.exec(line)?.[1])

export async function addRules(client: Client, bearer: string, values: readonly string[]): Promise<void> {
  const authorization = `Bearer ${bearer}`
  const path = '/2/posts/search/stream/rules'
  for (let at = 0; at < values.length; at += RULES_OF_A_CALL) {
    const add = values.slice(at, at + RULES_OF_A_CALL).map((value) => ({ value }))
    expectStatus(await client.send({ method: 'POST', path, authorization, json: { add } }), 201, 'rules')
  }
}

export async function measureStreams(
  folder: string,
  { add, seconds }: { add: Add; seconds: number },
): Promise<void> {
  console.log(`\nstreams: ${RULES} rules, ${STREAMS} streams, ${POSTS_PER_SECOND} posts/s for ${seconds} s`)
  const plaza = await startPlaza({ folder, spares: AUTHORS, more: STREAM_ARGS })
  const client = new Client({ port: plaza.process.port, tls: false, connections: 32 })
  try {
    const bearer = await bearerOf(client)
    const corpus = new Corpus('streams')
    const rules = new Set([WORD])
    while (rules.size < RULES) rules.add(corpus.rule())
    await addRules(client, bearer, [...rules])
    const parts = { plaza, client, bearer, add }
    await measureLines(parts, corpus, seconds)
    await measureFanOut(parts)
    await measureRatio(folder, parts, seconds)
  } finally {
    await client.close()
    await plaza.process.stop()
  }
}

interface Parts {
  plaza: RunningPlaza
  client: Client
  bearer: string
  add: Add
}

async function measureLines({ plaza, client, bearer, add }: Parts, corpus: Corpus, seconds: number) {
  const sentAt = new Map<number, number>()
  const waited: number[] = []
  const streams = await openStreams(STREAMS, { port: plaza.process.port, bearer }, (line) => {
    const at = sentAt.get(numberIn(line))
    if (at !== undefined) waited.push(performance.now() - at)
  })
  const total = POSTS_PER_SECOND * seconds
  const publishAll = async (count: number) => {
    const began = performance.now()
    const posts: Promise<unknown>[] = []
    for (let n = 0; n < count; n++) {
      const dueMs = began + (n * 1_000) / POSTS_PER_SECOND - performance.now()
      if (dueMs > 1) await sleep(dueMs)
      sentAt.set(written, performance.now())
      posts.push(publish(client, corpus.post().text))
    }
    await Promise.all(posts)
    const achieved = (count * 1_000) / (performance.now() - began)
    for (let ms = 0; ms < GRACE_MS && waited.length < count * STREAMS; ms += 50) await sleep(50)
    return achieved
  }
  await publishAll(POSTS_PER_SECOND * WARM_UP_SECONDS)
  waited.length = 0
  const achieved = await publishAll(total)
  const expected = total * STREAMS
  for (const stream of streams) stream.close()
  const p99 = percentile(waited, 0.99)
  add({ name: 'streams: posts published', unit: '/s', plaza: achieved })
  add({
    name: 'streams: lines that did not come',
    unit: '',
    plaza: expected - waited.length,
    target: '0',
    pass: waited.length === expected,
  })
  add({ name: 'streams: from POST to the line, p50', unit: 'ms', plaza: percentile(waited, 0.5) })
  add({
    name: 'streams: from POST to the line, p99',
    unit: 'ms',
    plaza: p99,
    target: `< ${TARGET_LINE_MS}`,
    pass: p99 < TARGET_LINE_MS,
  })
}

async function openStreams(
  count: number,
  at: { port: number; bearer: string },
  take: (line: string, stream: number) => void,
): Promise<BenchStream[]> {
  const streams: BenchStream[] = []
  for (let n = 0; n < count; n++) streams.push(await BenchStream.open(at, (line) => take(line, n)))
  return streams
}

async function measureFanOut({ plaza, client, bearer, add }: Parts): Promise<void> {
  let came = 0
  let lastAt = 0
  const streams = await openStreams(MANY_STREAMS, { port: plaza.process.port, bearer }, () => {
    came++
    lastAt = performance.now()
  })
  const took: number[] = []
  for (let n = 0; n < FANNED_OUT; n++) {
    came = 0
    const began = performance.now()
    await publish(client, 'to all')
    while (came < MANY_STREAMS) await sleep(1)
    took.push(lastAt - began)
  }
  for (const stream of streams) stream.close()
  const name = `streams: one post to ${MANY_STREAMS} streams, the last line`
  add({ name: `${name}, p50 of ${FANNED_OUT} posts`, unit: 'ms', plaza: median(took) })
  const worst = Math.max(...took)
  add({
    name: `${name}, the slowest of ${FANNED_OUT} posts`,
    unit: 'ms',
    plaza: worst,
    target: `< ${TARGET_FAN_OUT_MS}`,
    pass: worst < TARGET_FAN_OUT_MS,
  })
}

async function measureRatio(folder: string, { plaza, add }: Parts, seconds: number): Promise<void> {
  const row = await startRow(folder)
  try {
    const bare = await closedLoop(
      row,
      { method: 'POST', path: '/row', headers: { 'content-type': 'application/json' }, body: '{"text":"a"}' },
      { tls: false, seconds },
    )
    const posts = await closedLoop(plaza.process, nextPost, { tls: false, seconds })
    const ratio = posts.perSecond / bare.perSecond
    add({
      name: 'POST /2/posts beside a route that commits a row',
      unit: '/s',
      plaza: posts.perSecond,
      bare: bare.perSecond,
      ratio,
      target: `≥ ${TARGET_RATIO}`,
      pass: ratio >= TARGET_RATIO && posts.errors === 0,
    })
  } finally {
    await row.stop()
  }
}

function nextPost() {
  const number = written++
  const authorization = signedHeader('POST', '/2/posts', spareOf(number % AUTHORS))
  const headers = { authorization, 'content-type': 'application/json' }
  return {
    method: 'POST' as const,
    path: '/2/posts',
    headers,
    body: JSON.stringify({ text: `post n${number}` }),
  }
}
