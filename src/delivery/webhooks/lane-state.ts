import type { Answer } from '../../platform/outbound/line.ts'
import { isGone, isSuccess, pauseMs } from './attempt.ts'
import type { DueDelivery, Outcome } from './queries.ts'

// What a lane decides, without time, store or network: `lane.ts` performs it.

/** The state of a delivery that a lane has in memory. */
export type DeliveryState =
  /** It may be sent. */
  | 'ready'
  /** It waits for the end of an earlier delivery of its subject that is in progress. */
  | 'behind'
  | 'in progress'
  /** It has ended, and its outcome is being recorded. */
  | 'ended'
  /** It is due later, which is being recorded. It is read again before it is sent. */
  | 'postponed'

/** How fast a lane sends. */
export interface Pace {
  /** Maximum number of requests in progress. */
  readonly limit: number
  /** Failures in a row. */
  readonly failures: number
  /** Pauses in a row after too many failures. */
  readonly pauses: number
  /** Nothing is sent before this time. */
  readonly pausedUntil: number
}

export interface LaneState {
  /** By the number of the delivery. */
  readonly deliveries: Map<number, DeliveryState>
  /** The deliveries that are ready, in the order of sending. */
  readonly ready: DueDelivery[]
  /** The subjects of deliveries in progress, with the deliveries behind them. */
  readonly subjects: Map<string, DueDelivery[]>
  inProgress: number
  pace: Pace
}

export type LaneEvent =
  /**
   * Deliveries were read, in the order of sending. Those that must not be sent any more have an
   * outcome.
   */
  | {
      readonly kind: 'read'
      readonly due: readonly DueDelivery[]
      readonly ended: ReadonlyMap<number, Outcome>
    }
  /** Some of the deliveries that wait must not be sent any more. */
  | { readonly kind: 'withdrawn'; readonly ended: ReadonlyMap<number, Outcome> }
  /** A delivery that `nextToSend` returned was sent. */
  | { readonly kind: 'sent'; readonly due: DueDelivery }
  | {
      readonly kind: 'answered'
      readonly due: DueDelivery
      readonly answer: Answer
      readonly outcome: Outcome
      readonly at: PaceAt
    }
  /** Its request was aborted: it may or may not have arrived. */
  | { readonly kind: 'aborted'; readonly due: DueDelivery }
  | { readonly kind: 'recorded'; readonly seq: number }
  /** What waits must be read again before it is sent. */
  | { readonly kind: 'forgotten' }

export type LaneAction =
  /**
   * Record what becomes of a delivery. Without an outcome, it must wait for an earlier one of its
   * subject that is not due yet.
   */
  | {
      readonly kind: 'record'
      readonly seq: number
      readonly outcome: Outcome | undefined
      readonly isGone: boolean
    }
  /** Read again: deliveries were forgotten. */
  | { readonly kind: 'read' }

/** What the pace depends on besides answers. */
interface PaceAt {
  readonly nowMs: number
  readonly maxConcurrent: number
  /** From 0 up to 1. */
  readonly random: number
}

/** Initial limit of requests in progress. Each success raises it by one. */
const FIRST_LIMIT = 4
/**
 * After this many failures in a row, the circuit opens: after each pause, only one delivery is
 * tried.
 */
const OPEN_AFTER = 10
const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 60_000
/** Doubling more often than that exceeds every pause. */
const MAX_DOUBLINGS = 16

const READ: LaneAction = { kind: 'read' }

export const emptyLane = (maxConcurrent: number): LaneState => ({
  deliveries: new Map(),
  ready: [],
  subjects: new Map(),
  inProgress: 0,
  pace: {
    limit: Math.min(FIRST_LIMIT, maxConcurrent),
    failures: 0,
    pauses: 0,
    pausedUntil: Number.NEGATIVE_INFINITY,
  },
})

/** Whether only one delivery is tried at a time, because too many have failed. */
export const isOpen = ({ failures }: Pace): boolean => failures >= OPEN_AFTER

/** Whether outcomes are being recorded. */
export const isRecording = ({ deliveries }: LaneState): boolean =>
  [...deliveries.values()].some((state) => state === 'ended' || state === 'postponed')

/** The deliveries that are not sent yet. */
export const waitingIn = ({ ready, subjects }: LaneState): DueDelivery[] =>
  [ready, ...subjects.values()].flat()

/** The next delivery to send. Undefined if the limit is reached, or none is ready. */
export function nextToSend(lane: LaneState): DueDelivery | undefined {
  while (lane.inProgress < lane.pace.limit) {
    const [next] = lane.ready
    const behind = next?.subject == null ? undefined : lane.subjects.get(next.subject)
    if (!next || !behind) return next
    behind.push(next)
    lane.deliveries.set(next.seq, 'behind')
    lane.ready.shift()
  }
  return undefined
}

/**
 * Of the pending deliveries that a read returned in the order of sending: how many are due, which
 * of them to take into memory, and whether others are due.
 */
export function dueAmong<Key extends { readonly seq: number; readonly due_at: number }>(
  keys: readonly Key[],
  { deliveries }: Pick<LaneState, 'deliveries'>,
  { nowMs, limit, batch }: { nowMs: number; limit: number; batch: number },
): { due: number; fresh: Key[]; hasMore: boolean } {
  const due = keys.filter(({ due_at }) => due_at <= nowMs)
  // Includes those that were in memory when the read began and have been recorded since.
  const fresh = due.filter(({ seq }) => !deliveries.has(seq))
  return {
    due: due.length,
    fresh: fresh.slice(0, batch),
    hasMore: due.length === limit || fresh.length > batch,
  }
}

/** Changes the state of a lane after an event. Returns what follows. */
export function step(lane: LaneState, event: LaneEvent): LaneAction[] {
  switch (event.kind) {
    case 'read':
      return event.due.flatMap((due) => add(lane, due, event.ended.get(due.seq)))
    case 'withdrawn':
      return [lane.ready, ...lane.subjects.values()].flatMap((waiting) =>
        withdraw(lane, waiting, event.ended),
      )
    case 'sent':
      lane.ready.shift()
      lane.inProgress++
      lane.deliveries.set(event.due.seq, 'in progress')
      if (event.due.subject !== null) lane.subjects.set(event.due.subject, [])
      return []
    case 'answered':
      return answered(lane, event)
    case 'aborted':
      lane.inProgress--
      lane.deliveries.delete(event.due.seq)
      for (const due of leaveSubject(lane, event.due)) lane.deliveries.delete(due.seq)
      return [READ]
    case 'recorded':
      lane.deliveries.delete(event.seq)
      return []
    case 'forgotten':
      return forget(lane)
  }
}

function add(lane: LaneState, due: DueDelivery, outcome: Outcome | undefined): LaneAction[] {
  if (outcome) return [end(lane, due, outcome)]
  const before = due.behind === null ? undefined : lane.deliveries.get(due.behind)
  if (due.behind !== null && (before === undefined || before === 'postponed')) return [postpone(lane, due)]
  lane.deliveries.set(due.seq, 'ready')
  lane.ready.push(due)
  return []
}

function end(lane: LaneState, { seq }: DueDelivery, outcome: Outcome): LaneAction {
  lane.deliveries.set(seq, 'ended')
  return { kind: 'record', seq, outcome, isGone: false }
}

/** Until the earlier delivery of its subject is due. */
function postpone(lane: LaneState, { seq }: DueDelivery): LaneAction {
  lane.deliveries.set(seq, 'postponed')
  return { kind: 'record', seq, outcome: undefined, isGone: false }
}

function withdraw(
  lane: LaneState,
  waiting: DueDelivery[],
  ended: ReadonlyMap<number, Outcome>,
): LaneAction[] {
  return waiting.splice(0).flatMap((due) => {
    const outcome = ended.get(due.seq)
    if (outcome) return [end(lane, due, outcome)]
    waiting.push(due)
    return []
  })
}

function answered(
  lane: LaneState,
  { due, answer, outcome, at }: LaneEvent & { kind: 'answered' },
): LaneAction[] {
  lane.inProgress--
  const { pausedUntil } = lane.pace
  lane.pace = paceAfter(lane.pace, answer, at)
  const forgotten = lane.pace.pausedUntil > pausedUntil ? forget(lane) : []
  const isEnded = outcome.ended_at !== null
  lane.deliveries.set(due.seq, isEnded ? 'ended' : 'postponed')
  const recorded: LaneAction = { kind: 'record', seq: due.seq, outcome, isGone: isGone(answer) }
  const behind = leaveSubject(lane, due)
  if (!isEnded) return [...forgotten, recorded, ...behind.map((next) => postpone(lane, next))]
  lane.ready.unshift(...behind)
  for (const { seq } of behind) lane.deliveries.set(seq, 'ready')
  return [...forgotten, recorded]
}

/** The end of a delivery in progress. Returns those that waited for it. */
function leaveSubject(lane: LaneState, { subject }: DueDelivery): DueDelivery[] {
  if (subject === null) return []
  const behind = lane.subjects.get(subject) ?? []
  lane.subjects.delete(subject)
  return behind
}

function forget(lane: LaneState): LaneAction[] {
  for (const waiting of [lane.ready, ...lane.subjects.values()])
    for (const { seq } of waiting.splice(0)) lane.deliveries.delete(seq)
  return [READ]
}

/**
 * Adjusts the pace to an answer: more after a success, less after a failure, nothing for a while
 * after many.
 */
export function paceAfter(pace: Pace, answer: Answer, { nowMs, maxConcurrent, random }: PaceAt): Pace {
  if (isSuccess(answer))
    return { ...pace, failures: 0, pauses: 0, limit: Math.min(pace.limit + 1, maxConcurrent) }
  const failed = { ...pace, failures: pace.failures + 1, limit: Math.max(1, pace.limit >> 1) }
  const paused = (until: number) => ({ limit: 1, pausedUntil: Math.max(pace.pausedUntil, until) })
  const asked = pauseMs(answer, nowMs)
  if (asked !== undefined) return { ...failed, ...paused(nowMs + asked) }
  if (!isOpen(failed) || pace.pausedUntil > nowMs) return failed
  const waitMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(pace.pauses, MAX_DOUBLINGS), LAST_PAUSE_MS)
  return { ...failed, pauses: pace.pauses + 1, ...paused(nowMs + Math.ceil(waitMs * (1 + random / 10))) }
}
