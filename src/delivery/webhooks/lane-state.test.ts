import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '../../platform/outbound/line.ts'
import {
  type DeliveryState,
  dueAmong,
  emptyLane,
  type LaneAction,
  type LaneEvent,
  type LaneState,
  nextToSend,
  type Pace,
  paceAfter,
  step,
} from './lane-state.ts'
import type { DueDelivery, Outcome } from './queries.ts'

const NOW_MS = 1_000_000
const MAX_CONCURRENT = 8

const due = (
  seq: number,
  { subject = null as string | null, behind = null as number | null } = {},
): DueDelivery => ({
  ...{ seq, subject, behind },
  ...{ event_id: String(seq), body: '{}', attempts: 0, due_at: NOW_MS, since: NOW_MS },
})

const outcome = (seq: number, state: 'delivered' | 'failed' | 'withdrawn' | 'pending'): Outcome => ({
  ...{ seq, state, attempts: 1, due_at: NOW_MS, attempt: '{}' },
  ended_at: state === 'pending' ? null : NOW_MS,
})

const answer = (status: number, retryAfter?: string): Answer => ({
  ...{ kind: 'answered', status, retryAfter, start: Buffer.alloc(0) },
})
const LATE: Answer = { kind: 'timeout' }

const read = (...rows: readonly DueDelivery[]): LaneEvent => ({ kind: 'read', due: rows, ended: new Map() })
const at = { nowMs: NOW_MS, maxConcurrent: MAX_CONCURRENT, random: 0 }
const answered = (
  row: DueDelivery,
  status: number,
  state: 'delivered' | 'failed' | 'pending',
): LaneEvent => ({
  ...{ kind: 'answered', due: row, answer: answer(status), outcome: outcome(row.seq, state), at },
})

/**
 * What is recorded: the state, `later` for a delivery that waits for its subject, with `gone` after
 * a 410.
 */
const textOf = (action: LaneAction) =>
  action.kind === 'read'
    ? 'read'
    : `${action.seq} ${action.outcome?.state ?? 'later'}${action.isGone ? ' gone' : ''}`

/** Sends what may be sent now. */
function send(lane: LaneState): number[] {
  const sent: number[] = []
  for (let next = nextToSend(lane); next; next = nextToSend(lane)) {
    step(lane, { kind: 'sent', due: next })
    sent.push(next.seq)
  }
  return sent
}

interface Case {
  readonly name: string
  /** What is read and sent before. */
  readonly before: readonly DueDelivery[]
  readonly event: LaneEvent
  readonly actions: readonly string[]
  readonly states: Readonly<Record<number, DeliveryState>>
  /** What is sent next. */
  readonly next?: readonly number[]
}

const [a1, a2, a3] = [
  due(1, { subject: 'a' }),
  due(2, { subject: 'a', behind: 1 }),
  due(3, { subject: 'a', behind: 2 }),
]
const free = [due(11), due(12), due(13), due(14), due(15), due(16)]

const CASES: readonly Case[] = [
  {
    name: 'deliveries without a subject are sent together, up to the limit',
    before: [],
    event: read(...free),
    actions: [],
    states: { 11: 'ready', 12: 'ready', 13: 'ready', 14: 'ready', 15: 'ready', 16: 'ready' },
    next: [11, 12, 13, 14],
  },
  {
    name: 'deliveries of a subject wait for the one in progress',
    before: [a1],
    event: read(a2, due(11)),
    actions: [],
    states: { 1: 'in progress', 2: 'ready', 11: 'ready' },
    next: [11],
  },
  {
    name: 'a delivery that must not be sent any more ends, and the one behind it may be sent',
    before: [],
    event: { kind: 'read', due: [a1, a2], ended: new Map([[1, outcome(1, 'withdrawn')]]) },
    actions: ['1 withdrawn'],
    states: { 1: 'ended', 2: 'ready' },
    next: [2],
  },
  {
    name: 'a delivery waits for an earlier one of its subject that is not due yet',
    before: [],
    event: read(a2, a3),
    actions: ['2 later', '3 later'],
    states: { 2: 'postponed', 3: 'postponed' },
    next: [],
  },
  {
    name: 'a success lets the next one of the subject go first',
    before: [a1, a2, a3, due(11)],
    event: answered(a1, 200, 'delivered'),
    actions: ['1 delivered'],
    states: { 1: 'ended', 2: 'ready', 3: 'ready', 11: 'in progress' },
    next: [2],
  },
  {
    name: 'the last failure lets the next one of the subject go, too',
    before: [a1, a2],
    event: answered(a1, 500, 'failed'),
    actions: ['1 failed'],
    states: { 1: 'ended', 2: 'ready' },
    next: [2],
  },
  {
    name: 'a failure that is retried postpones those behind it',
    before: [a1, a2, a3, due(11)],
    event: answered(a1, 500, 'pending'),
    actions: ['1 pending', '2 later', '3 later'],
    states: { 1: 'postponed', 2: 'postponed', 3: 'postponed', 11: 'in progress' },
    next: [],
  },
  {
    name: 'an answer that the webhook is gone is reported',
    before: [due(11)],
    event: answered(due(11), 410, 'failed'),
    actions: ['11 failed gone'],
    states: { 11: 'ended' },
  },
  {
    name: 'an aborted request is forgotten with those behind it, to be read again',
    before: [a1, a2, due(11)],
    event: { kind: 'aborted', due: a1 },
    actions: ['read'],
    states: { 11: 'in progress' },
    next: [],
  },
  {
    name: 'a pause forgets what waits, to be read again after it',
    before: [a1, a2, ...free],
    event: { ...answered(a1, 503, 'pending'), answer: answer(503, '30') } as LaneEvent,
    actions: ['read', '1 pending'],
    states: { 1: 'postponed', 11: 'in progress', 12: 'in progress', 13: 'in progress' },
    next: [],
  },
  {
    name: 'what waits and must not be sent any more ends, ready or behind another one',
    before: [a1, a2, a3, ...free],
    event: {
      kind: 'withdrawn',
      ended: new Map([
        [2, outcome(2, 'withdrawn')],
        [15, outcome(15, 'withdrawn')],
      ]),
    },
    actions: ['15 withdrawn', '2 withdrawn'],
    states: {
      ...{ 1: 'in progress', 2: 'ended', 3: 'behind', 11: 'in progress', 12: 'in progress' },
      ...{ 13: 'in progress', 14: 'ready', 15: 'ended', 16: 'ready' },
    },
    next: [],
  },
  {
    name: 'what is recorded leaves the memory',
    before: [a1],
    event: { kind: 'recorded', seq: 1 },
    actions: [],
    states: {},
  },
]

describe('a lane', () => {
  for (const { name, before, event, actions, states, next } of CASES)
    test(name, () => {
      const lane = emptyLane(MAX_CONCURRENT)
      step(lane, read(...before))
      send(lane)
      assert.deepEqual(step(lane, event).map(textOf), actions)
      assert.deepEqual(Object.fromEntries(lane.deliveries), states)
      if (next) assert.deepEqual(send(lane), next)
    })

  test('sends the deliveries of a subject one after the other, whatever else arrives', () => {
    const lane = emptyLane(MAX_CONCURRENT)
    step(lane, read(a1, a2, a3))
    const sent: number[] = []
    for (let [seq] = send(lane); seq !== undefined; [seq] = send(lane)) {
      sent.push(seq)
      step(lane, answered([a1, a2, a3][seq - 1] ?? a1, 200, 'delivered'))
      step(lane, { kind: 'recorded', seq })
    }
    assert.deepEqual(sent, [1, 2, 3])
    assert.deepEqual([lane.deliveries.size, lane.inProgress, lane.subjects.size], [0, 0, 0])
  })
})

interface PaceCase {
  readonly name: string
  readonly before?: Partial<Pace>
  readonly answer: Answer
  readonly random?: number
  readonly after: Partial<Pace>
}

const PACES: readonly PaceCase[] = [
  { name: 'a success raises the limit by one', answer: answer(200), after: { limit: 5 } },
  { name: 'up to the maximum', before: { limit: 8 }, answer: answer(204), after: { limit: 8 } },
  {
    name: 'a success ends the count of failures and pauses',
    before: { failures: 12, pauses: 3 },
    answer: answer(200),
    after: { failures: 0, pauses: 0 },
  },
  { name: 'a failure halves the limit', answer: answer(500), after: { limit: 2, failures: 1 } },
  { name: 'down to one', before: { limit: 1 }, answer: LATE, after: { limit: 1, failures: 1 } },
  {
    name: 'the tenth failure in a row pauses for a second',
    before: { limit: 1, failures: 9 },
    answer: LATE,
    after: { failures: 10, pauses: 1, pausedUntil: NOW_MS + 1_000 },
  },
  {
    name: 'and up to a tenth of it longer',
    before: { limit: 1, failures: 9 },
    answer: LATE,
    random: 0.5,
    after: { pausedUntil: NOW_MS + 1_050 },
  },
  {
    name: 'each further pause is twice as long',
    before: { limit: 1, failures: 12, pauses: 3 },
    answer: answer(500),
    after: { pauses: 4, pausedUntil: NOW_MS + 8_000 },
  },
  {
    name: 'up to a minute',
    before: { limit: 1, failures: 100, pauses: 90 },
    answer: answer(500),
    after: { pausedUntil: NOW_MS + 60_000 },
  },
  {
    name: 'a request of before a pause does not prolong it',
    before: { limit: 1, failures: 12, pauses: 3, pausedUntil: NOW_MS + 500 },
    answer: LATE,
    after: { failures: 13, pauses: 3, pausedUntil: NOW_MS + 500 },
  },
  {
    name: 'Retry-After of a 429 pauses',
    before: { limit: 8 },
    answer: answer(429, '30'),
    after: { limit: 1, failures: 1, pauses: 0, pausedUntil: NOW_MS + 30_000 },
  },
  {
    name: 'Retry-After of a 503 does not shorten a pause',
    before: { pausedUntil: NOW_MS + 40_000 },
    answer: answer(503, '30'),
    after: { pausedUntil: NOW_MS + 40_000 },
  },
  {
    name: 'Retry-After of another status does not pause',
    answer: answer(500, '30'),
    after: { pausedUntil: Number.NEGATIVE_INFINITY },
  },
]

describe('the pace of a lane', () => {
  for (const { name, before, answer: given, random = 0, after } of PACES)
    test(name, () => {
      const pace = { ...emptyLane(MAX_CONCURRENT).pace, ...before }
      const changed = paceAfter(pace, given, { ...at, random })
      assert.deepEqual({ ...changed, ...after }, changed)
    })

  test('begins with few requests in progress, and at most the maximum', () => {
    assert.deepEqual([emptyLane(32).pace.limit, emptyLane(2).pace.limit], [4, 2])
  })
})

describe('what a read of pending deliveries returned', () => {
  const keys = [1, 2, 3, 4, 5].map((seq) => ({ seq, due_at: NOW_MS }))
  const inMemory = (...seqs: number[]) => ({
    deliveries: new Map(seqs.map((seq) => [seq, 'ready' as const])),
  })
  const seqsOf = (lane: Pick<LaneState, 'deliveries'>, limit: number) => {
    const { fresh, hasMore } = dueAmong(keys, lane, { nowMs: NOW_MS, limit, batch: 2 })
    return { fresh: fresh.map(({ seq }) => seq), hasMore }
  }

  test('is taken if it is not in memory', () => {
    assert.deepEqual(seqsOf(inMemory(1, 2, 3), 6), { fresh: [4, 5], hasMore: false })
  })

  test('may have more behind it when it is as long as it may be', () => {
    assert.deepEqual(seqsOf(inMemory(1, 2, 3), 5), { fresh: [4, 5], hasMore: true })
  })

  test('is read again when deliveries that were recorded meanwhile take the places of others', () => {
    assert.deepEqual(seqsOf(inMemory(2), 6), { fresh: [1, 3], hasMore: true })
  })

  test('leaves what is due later', () => {
    const later = [...keys, { seq: 6, due_at: NOW_MS + 1 }]
    const found = dueAmong(later, inMemory(1, 2, 3), { nowMs: NOW_MS, limit: 9, batch: 2 })
    assert.deepEqual([found.due, found.fresh.map(({ seq }) => seq), found.hasMore], [5, [4, 5], false])
  })
})
