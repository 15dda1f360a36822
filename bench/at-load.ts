import { CONNECTIONS, type Load, median, type Wire } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { collectGarbage } from './garbage.ts'
import { type OpenLoopResult, openLoop } from './open-loop.ts'
import { PUBLIC_HOST } from './processes.ts'

/** The share of the maximum at which latency is measured. */
const LOAD = 0.7
/** Times the bare route's, at the same rate. */
const TARGET_P99_RATIO = 3
/**
 * Short, because other virtual machines on a shared host can slow this one down for tenths of a
 * second.
 */
const WINDOW_SECONDS = 1

interface AtLoad {
  name: string
  /** Ports of Plaza and of the bare server. */
  plaza: number
  bare: number
  tls: boolean
  seconds: number
  rounds: number
  /** What Plaza did as fast as it goes. */
  maximum: readonly Load[]
  /** This many requests, made before any is sent. */
  requests(count: number): readonly Wire[]
  add(figure: Figure): void
}

/**
 * Latency at a fixed rate, beside the bare route at the same one. Resolves to the number of
 * requests that failed.
 */
export async function latencyAtLoad(of: AtLoad): Promise<number> {
  const { name, add } = of
  const windows = Math.ceil((of.seconds * of.rounds) / WINDOW_SECONDS)
  const rate = LOAD * median(of.maximum.map(({ perSecond }) => perSecond))
  // The first windows compile what only this kind of load runs, on either side.
  for (let second = 0; second < of.seconds; second += WINDOW_SECONDS)
    for (const port of [of.plaza, of.bare]) await oneWindow(of, port, rate)
  const ours: OpenLoopResult[] = []
  const theirs: OpenLoopResult[] = []
  for (let window = 0; window < windows; window++) {
    ours.push(await oneWindow(of, of.plaza, rate))
    theirs.push(await oneWindow(of, of.bare, rate))
  }
  const p99s = (results: readonly OpenLoopResult[]) => results.map((one) => one.p99)
  const [p99, bareP99] = [median(p99s(ours)), median(p99s(theirs))]
  add({
    name: `${name}: p99 at ${Math.round(rate)}/s`,
    unit: 'ms',
    plaza: p99,
    bare: bareP99,
    ratio: p99 / bareP99,
    target: `ratio ≤ ${TARGET_P99_RATIO}`,
    pass: p99 <= TARGET_P99_RATIO * bareP99,
  })
  add({
    name: `${name}: p99 at ${Math.round(rate)}/s, in the worst second`,
    unit: 'ms',
    plaza: Math.max(...p99s(ours)),
    bare: Math.max(...p99s(theirs)),
  })
  add({
    name: `${name}: p50 at ${Math.round(rate)}/s`,
    unit: 'ms',
    plaza: median(ours.map(({ p50 }) => p50)),
    bare: median(theirs.map(({ p50 }) => p50)),
  })
  add({
    name: `${name}: achieved at ${Math.round(rate)}/s`,
    unit: '/s',
    plaza: median(ours.map(({ achieved }) => achieved)),
    bare: median(theirs.map(({ achieved }) => achieved)),
  })
  return ours.reduce((sum, { missed }) => sum + missed, 0)
}

function oneWindow({ tls, requests }: AtLoad, port: number, rate: number) {
  const texts = requests(Math.ceil(rate * WINDOW_SECONDS)).map(wireText)
  collectGarbage()
  let at = 0
  return openLoop({
    target: { port, tls },
    rate,
    seconds: WINDOW_SECONDS,
    connections: CONNECTIONS,
    next: () => texts[at++ % texts.length] as string,
    status: 200,
  })
}

function wireText({ method, path, headers, body = '' }: Wire): string {
  const all = {
    host: PUBLIC_HOST,
    ...headers,
    ...(body && { 'content-length': String(body.length) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
