import type { KeyObject } from 'node:crypto'
import type { Clock, TimeSource } from '../common/clock.ts'
import { WOKEN } from '../common/clock.ts'
import { systemClock } from '../common/clock.ts'
import type { Answer, Line } from '../outbound/line.ts'
import { Freshness } from '../identity/freshness.ts'
import type { Store } from '../storage/store.ts'
import type { Sent } from './attempt.ts'
import { isGone, isSuccess, outcomeOf, pauseMs } from './attempt.ts'
import type { Due, Outcome, Target } from './queries.ts'
import {
  deliveriesToSend,
  deliveryTarget,
  dropDeliveries,
  expireDeliveries,
  nextDeliveries,
  skipDeliveries,
} from './queries.ts'
import type { RetrySchedule } from '../config/webhooks.ts'
import { longestMs } from './schedule.ts'
import { signature, signatureKey } from './signature.ts'
import { mayReceive } from './validity.ts'
import type { Withdrawal } from './states.ts'
import { withdrawn, withdrawnAmong } from './withdrawal.ts'

/** Deliveries that are read at a time. */
const BATCH = 256
/** With fewer than so many in memory, more are read. */
const LOW = 64
/** What is sent and not recorded yet, and what waits to be sent: beyond it nothing is read. */
const MAX_TAKEN = 1_024
/** Deliveries that end in one transaction without being sent. */
const END_AT_ONCE = 500
/** Requests in progress at first; each success allows one more. */
const FIRST_LIMIT = 4
/** After so many failures in a row the circuit opens: only one delivery is tried, after each pause. */
const OPEN_AFTER = 10
const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 60_000
const FIRST_BACKOFF_MS = 100
const LAST_BACKOFF_MS = 10_000

/** What becomes of a delivery that was taken. */
export interface Recording {
  lane: Lane
  seq: number
  /** Of an attempt. Undefined: it waits for one before it of the same subject, which is not due yet. */
  outcome: Outcome | undefined
  /** Whether the webhook asked that nothing more is sent. */
  isGone: boolean
}

/** What lanes share. */
export interface LaneParts {
  readonly store: Store
  readonly clock: Clock
  readonly monotonic: TimeSource
  readonly schedule: RetrySchedule
  readonly maxConcurrent: number
  readonly maxPending: number
  readonly invalidAfterSeconds: number
  readonly signatureHeader: string
  lineTo(url: string): Line | undefined
  secretOf(target: Target): string
  /** From 0 up to 1. */
  random(): number
  /** Whether this node may send what belongs to a share. */
  isOwn(share: number): boolean
  /** Takes a place of the requests of the node; false when there is none, and then calls `pump` when there is one. */
  enter(lane: Lane): boolean
  leave(): void
  record(recording: Recording): void
  /** There is no such webhook. */
  gone(webhook: string): Promise<void>
  onError(error: unknown): void
}

/** Sends the deliveries of one webhook. */
export class Lane {
  readonly webhook: string
  readonly share: number
  readonly #parts: LaneParts
  #line: Line | undefined
  #target: Target | undefined
  #key: KeyObject | undefined
  /** Of the target, and of what is in memory. */
  readonly #freshness: Freshness
  /** In the order in which they are sent. */
  readonly #ready: Due[] = []
  /** Those that are in memory, until their outcome is recorded. */
  readonly #taken = new Set<number>()
  /** Those of them that are not sent before they are read again. */
  readonly #held = new Set<number>()
  /** Subjects of which one is in progress, with what waits for it. */
  readonly #busy = new Map<string, Due[]>()
  #underWay = 0
  #limit: number
  /** In a row. */
  #failures = 0
  #pauses = 0
  #pausedUntil = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined
  /** More may be due than was read. */
  #hasMore = false
  #hasBacklog = false
  #timer: { at: number; over: AbortController } | undefined
  #usedAt = performance.now()
  readonly #waiters: (() => void)[] = []
  readonly #stopping = new AbortController()
  #storeFailures = 0

  constructor(webhook: string, share: number, parts: LaneParts) {
    this.webhook = webhook
    this.share = share
    this.#parts = parts
    this.#limit = Math.min(FIRST_LIMIT, parts.maxConcurrent)
    this.#freshness = new Freshness(parts.monotonic)
  }

  /** Milliseconds since something was to be done. */
  get idleMs(): number {
    const isIdle = this.#taken.size === 0 && !this.#reading && !this.#timer && !this.#hasMore
    return isIdle ? performance.now() - this.#usedAt : 0
  }

  /** A delivery is due at a time. */
  wake(dueAt: number): void {
    this.#usedAt = performance.now()
    if (dueAt > this.#parts.clock.now()) this.#waitUntil(dueAt)
    else {
      this.#hasMore = true
      this.pump()
    }
  }

  /**
   * Sends what may be sent now, and reads more when little is left. `isRead`: it was read a moment ago what may be sent. With
   * a slow store that is too long ago already, and nothing would ever be sent.
   */
  pump(isRead = false): void {
    const { clock, isOwn } = this.#parts
    if (this.#isStopped || !isOwn(this.share)) return
    if (this.#pausedUntil > clock.now()) {
      this.#waitUntil(this.#pausedUntil)
      return
    }
    const isStale = this.#freshness.isStale
    if (!isStale || isRead) this.#sendReady()
    if (this.#reading || this.#taken.size >= MAX_TAKEN) return
    // What is left after a reading waits for an answer, which pumps again.
    const needsTarget = isStale && !isRead && this.#ready.length > 0
    if (needsTarget || (this.#hasMore && this.#ready.length < LOW)) this.#read()
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  #sendReady(): void {
    while (this.#underWay < this.#limit) {
      const next = this.#ready[0]
      if (!next) return
      const waiting = next.subject === null ? undefined : this.#busy.get(next.subject)
      if (waiting) {
        waiting.push(next)
        this.#ready.shift()
        continue
      }
      if (!this.#parts.enter(this)) return
      this.#ready.shift()
      if (next.subject !== null) this.#busy.set(next.subject, [])
      this.#send(next)
    }
  }

  #send(due: Due): void {
    this.#underWay++
    const { clock, signatureHeader } = this.#parts
    const at = clock.now()
    const began = performance.now()
    const done = (answer: Answer, signed: Pick<Sent, 'signature'>) =>
      this.#answered(due, answer, { at, ms: performance.now() - began, ...signed })
    if (!this.#line || !this.#key) {
      done({ kind: 'rejected', reason: 'the URL may not be called' }, {})
      return
    }
    const body = Buffer.from(due.body)
    const signed = signature(this.#key, body)
    const headers = ['content-type', 'application/json', signatureHeader, signed]
    this.#line.post(headers, body, (answer) => done(answer, { signature: signed }))
  }

  #answered(due: Due, answer: Answer, sent: Sent): void {
    const { clock, schedule, random, record, leave } = this.#parts
    this.#underWay--
    leave()
    if (answer.kind === 'closed') {
      this.#forget(due)
    } else {
      const nowMs = clock.now()
      this.#judge(answer, nowMs)
      const outcome = outcomeOf(due, answer, { sent, nowMs, schedule, random: random() })
      if (outcome.ended_at === null) this.#held.add(due.seq)
      record({ lane: this, seq: due.seq, outcome, isGone: isGone(answer) })
      this.#continueSubject(due, outcome)
    }
    if (this.#underWay === 0) for (const drained of this.#waiters.splice(0)) drained()
    this.pump()
  }

  /** Decides how much the webhook is trusted with next. */
  #judge(answer: Answer, nowMs: number): void {
    if (isSuccess(answer)) {
      this.#failures = 0
      this.#pauses = 0
      this.#limit = Math.min(this.#limit + 1, this.#parts.maxConcurrent)
      return
    }
    this.#failures++
    this.#limit = Math.max(1, this.#limit >> 1)
    const asked = pauseMs(answer, nowMs)
    if (asked !== undefined) this.#pause(nowMs + asked)
    else if (this.#failures >= OPEN_AFTER && this.#pausedUntil <= nowMs) {
      const wait = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.#pauses++, 16), LAST_PAUSE_MS)
      this.#pause(nowMs + Math.ceil(wait * (1 + this.#parts.random() / 10)))
    }
  }

  /** Nothing is sent until a time; what is in memory is read again then. */
  #pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
    this.#limit = 1
    this.#forgetReady()
  }

  #forgetReady(): void {
    for (const due of this.#ready.splice(0)) this.#taken.delete(due.seq)
    for (const waiting of this.#busy.values())
      for (const due of waiting.splice(0)) this.#taken.delete(due.seq)
    this.#hasMore = true
  }

  /** It was not sent, and is read again. */
  #forget(due: Due): void {
    this.#taken.delete(due.seq)
    this.#hasMore = true
    if (due.subject === null) return
    for (const waiting of this.#busy.get(due.subject) ?? []) this.#taken.delete(waiting.seq)
    this.#busy.delete(due.subject)
  }

  #continueSubject({ subject }: Due, { ended_at }: Outcome): void {
    if (subject === null) return
    const waiting = this.#busy.get(subject) ?? []
    this.#busy.delete(subject)
    if (ended_at !== null) this.#ready.unshift(...waiting)
    else for (const due of waiting) this.#delay(due.seq)
  }

  /** It waits until the one before it of the same subject is due. */
  #delay(seq: number): void {
    this.#taken.add(seq)
    this.#held.add(seq)
    this.#parts.record({ lane: this, seq, outcome: undefined, isGone: false })
  }

  /** It is in the store. */
  recorded({ seq, outcome, isGone }: Recording): void {
    if (isGone) this.#freshness.expire()
    this.#taken.delete(seq)
    this.#held.delete(seq)
    this.#usedAt = performance.now()
    if (outcome?.ended_at === null) this.#waitUntil(outcome.due_at)
    this.pump()
  }

  #read(): void {
    let isRead = false
    this.#reading = this.#readDue()
      .then((isTargetRead) => {
        isRead = isTargetRead
      })
      .catch(async (error: unknown) => {
        this.#parts.onError(error)
        this.#hasMore = true
        // The store needs time, whatever the clock of the interface shows.
        const wait = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(this.#storeFailures++, 16), LAST_BACKOFF_MS)
        await systemClock.at(systemClock.now() + wait, this.#stopping.signal)
      })
      .finally(() => {
        this.#reading = undefined
        this.pump(isRead)
      })
  }

  /** Resolves to whether it was read, too, where to send and what not. */
  async #readDue(): Promise<boolean> {
    const { store, clock } = this.#parts
    const hadMore = this.#hasMore
    this.#hasMore = false
    const { isStale } = this.#freshness
    if (isStale && !(await this.#readTarget())) return false
    if (this.#ready.length >= LOW) {
      this.#hasMore ||= hadMore
      return isStale
    }
    const now = clock.now()
    const batch = this.#failures >= OPEN_AFTER ? 1 : BATCH
    const limit = this.#taken.size + batch
    const keys = await store.all(nextDeliveries, { share: this.share, webhook: this.webhook, limit })
    const due = keys.filter(({ due_at }) => due_at <= now)
    const fresh = due.filter(({ seq }) => !this.#taken.has(seq)).slice(0, batch)
    this.#hasBacklog = keys.length === limit
    if (due.length === limit) this.#hasMore = true
    if (fresh.length > 0) await this.#take(fresh, now)
    const next = keys[due.length]
    if (next && !this.#hasMore) this.#waitUntil(next.due_at)
    this.#storeFailures = 0
    return isStale
  }

  async #take(keys: readonly { seq: number }[], now: number): Promise<void> {
    const { store } = this.#parts
    const seqs = keys.map(({ seq }) => seq)
    const [rows, forbidden] = await Promise.all([
      store.all(deliveriesToSend, { seqs: JSON.stringify(seqs) }),
      withdrawnAmong(store, seqs, now),
    ])
    const before = now - longestMs(this.#parts.schedule)
    if (rows.some(({ since }) => since < before)) {
      await this.#end((at) => store.write((tx) => tx.run(expireDeliveries, { ...at, before })))
      this.#hasMore = true
      return
    }
    const bySeq = new Map(rows.map((row) => [row.seq, row]))
    // It may have been stopped or paused meanwhile.
    if (this.#isStopped || this.#pausedUntil > now) {
      this.#hasMore = true
      return
    }
    for (const { seq } of keys) {
      const row = bySeq.get(seq)
      if (!row) continue
      const { behind } = row
      const withdrawal = forbidden.get(seq)
      if (withdrawal !== undefined) this.#withdraw(row, withdrawal)
      else if (behind !== null && (!this.#taken.has(behind) || this.#held.has(behind))) this.#delay(seq)
      else {
        this.#taken.add(seq)
        this.#ready.push(row)
      }
    }
  }

  /** What waits in memory may be what the app may not see any more. */
  async #withdrawReady(): Promise<void> {
    const { store, clock } = this.#parts
    const waiting = () => [this.#ready, ...this.#busy.values()]
    const seqs = waiting().flatMap((list) => list.map(({ seq }) => seq))
    const forbidden = await withdrawnAmong(store, seqs, clock.now())
    if (forbidden.size === 0) return
    for (const list of waiting())
      for (const due of list.splice(0)) {
        const withdrawal = forbidden.get(due.seq)
        if (withdrawal === undefined) list.push(due)
        else this.#withdraw(due, withdrawal)
      }
  }

  #withdraw(due: Due, withdrawal: Withdrawal): void {
    this.#taken.add(due.seq)
    const outcome = withdrawn(due, withdrawal, this.#parts.clock.now())
    this.#parts.record({ lane: this, seq: due.seq, outcome, isGone: false })
  }

  /** Ends deliveries in several transactions. */
  async #end(
    some: (at: { share: number; webhook: string; now: number; limit: number }) => Promise<number>,
  ): Promise<void> {
    for (;;) {
      const now = this.#parts.clock.now()
      const ended = await some({ share: this.share, webhook: this.webhook, now, limit: END_AT_ONCE })
      if (ended < END_AT_ONCE || this.#isStopped) return
    }
  }

  /** Ends what is pending beyond the limit. Called now and then. */
  async dropSurplus(): Promise<void> {
    if (!this.#hasBacklog || this.#isStopped) return
    const { store, maxPending: kept } = this.#parts
    await this.#end((at) => store.write((tx) => tx.run(dropDeliveries, { ...at, kept })))
  }

  /** Reads where to send, and with which key. False when nothing may be sent. */
  async #readTarget(): Promise<boolean> {
    const { store, clock, invalidAfterSeconds, secretOf, lineTo, gone } = this.#parts
    const isFresh = this.#freshness.begin()
    const target = await store.first(deliveryTarget, { webhook: this.webhook })
    if (!target) {
      this.#forgetReady()
      this.#hasMore = false
      await gone(this.webhook)
      return false
    }
    if (!mayReceive(target, { nowMs: clock.now(), invalidAfterSeconds })) {
      await this.#skipAll()
      return false
    }
    await this.#withdrawReady()
    if (target.consumer_secret_sealed !== this.#target?.consumer_secret_sealed)
      this.#key = signatureKey(secretOf(target))
    this.#target = target
    isFresh()
    this.#line ??= lineTo(target.url)
    return true
  }

  /** A webhook that may receive nothing: what is pending is not kept for it. */
  async #skipAll(): Promise<void> {
    this.#forgetReady()
    this.#hasMore = false
    const { store } = this.#parts
    // What is in progress has an outcome of its own.
    if (this.#underWay > 0) {
      this.#hasMore = true
      await this.#drained()
      return
    }
    await this.#end((at) => store.write((tx) => tx.run(skipDeliveries, at)))
  }

  #waitUntil(timeMs: number): void {
    if (this.#isStopped || (this.#timer && this.#timer.at <= timeMs)) return
    this.#timer?.over.abort(WOKEN)
    const timer = { at: timeMs, over: new AbortController() }
    this.#timer = timer
    void this.#parts.clock.at(timeMs, timer.over.signal).then((came) => {
      if (!came) return
      this.#timer = undefined
      // The webhook may have changed during the wait.
      this.#freshness.expire()
      this.#hasMore = true
      this.pump()
    })
  }

  async #drained(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  /** Sends nothing more. Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#timer?.over.abort()
    await this.#drained()
    await this.#reading
    this.#line?.close()
  }

  /** Gives up what is in progress. */
  close(): void {
    this.#stopping.abort()
    this.#line?.close()
  }
}
