import type { KeyObject } from 'node:crypto'
import { Freshness } from '../../identity/tokens/freshness.ts'
import type { Clock, TimeSource } from '../../platform/common/clock.ts'
import { systemClock, WOKEN } from '../../platform/common/clock.ts'
import type { RetrySchedule } from '../../platform/config/webhooks.ts'
import type { Answer, Line } from '../../platform/outbound/line.ts'
import type { Store } from '../../platform/storage/store.ts'
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
import { longestMs } from './schedule.ts'
import { signature, signatureKey } from './signature.ts'
import type { Withdrawal } from './states.ts'
import { mayReceive } from './validity.ts'
import { withdrawn, withdrawnAmong } from './withdrawal.ts'

/** Deliveries per read. */
const BATCH = 256
/** When fewer than this are in memory, more are read. */
const LOW = 64
/** Maximum number of deliveries in memory: waiting to be sent, or sent and not yet recorded. */
const MAX_TAKEN = 1_024
/** Deliveries that one transaction ends without sending them. */
const END_AT_ONCE = 500
/** Initial limit of requests in progress. Each success raises it by one. */
const FIRST_LIMIT = 4
/** After this many failures in a row, the circuit opens: after each pause, only one delivery is tried. */
const OPEN_AFTER = 10
const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 60_000
const FIRST_BACKOFF_MS = 100
const LAST_BACKOFF_MS = 10_000

/** The outcome of a delivery that was taken. */
export interface Recording {
  lane: Lane
  seq: number
  /**
   * The outcome of an attempt. Undefined if the delivery must wait for an earlier one of the same subject that is not
   * due yet.
   */
  outcome: Outcome | undefined
  /** Whether the webhook wants to receive nothing more. */
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
  lineTo(target: Target): Line | undefined
  secretOf(target: Target): string
  /** From 0 up to 1. */
  random(): number
  /** Whether this node still has the lease of the lane's share. If not, the lane is stopped. */
  isOwn(lane: Lane): boolean
  /** Takes a slot for a request of the node. Returns false when there is none, and calls `pump` once there is one. */
  enter(lane: Lane): boolean
  leave(lane: Lane): void
  record(recording: Recording): void
  /** Removes the deliveries of a webhook that no longer exists. */
  gone(webhook: string): Promise<void>
  onError(error: unknown): void
}

/** The webhook of a lane, and the lease of its share under which it sends. */
interface LaneOf {
  webhook: string
  share: number
  lease: number | undefined
}

/** Sends the deliveries of one webhook. */
export class Lane {
  readonly webhook: string
  readonly share: number
  readonly lease: number | undefined
  readonly #parts: LaneParts
  #line: Line | undefined
  #target: Target | undefined
  #key: KeyObject | undefined
  /** The freshness of the target and of the deliveries in memory. */
  readonly #freshness: Freshness
  /** In the order of sending. */
  readonly #ready: Due[] = []
  /** Deliveries in memory whose outcome is not recorded yet. */
  readonly #taken = new Set<number>()
  /** The taken deliveries that must be read again before they are sent. */
  readonly #held = new Set<number>()
  /** Subjects with a delivery in progress, and the deliveries that wait for it. */
  readonly #busy = new Map<string, Due[]>()
  #underWay = 0
  /** Outcomes that are passed on and not recorded yet. */
  #unrecorded = 0
  #limit: number
  /** Failures in a row. */
  #failures = 0
  #pauses = 0
  #pausedUntil = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined
  /** More deliveries may be due than were read. */
  #hasMore = false
  #hasBacklog = false
  #timer: { at: number; over: AbortController } | undefined
  #usedAt = performance.now()
  readonly #waiters: (() => void)[] = []
  readonly #stopping = new AbortController()
  #stopped: Promise<void> | undefined
  #isClosed = false
  #storeFailures = 0

  constructor({ webhook, share, lease }: LaneOf, parts: LaneParts) {
    this.webhook = webhook
    this.share = share
    this.lease = lease
    this.#parts = parts
    this.#limit = Math.min(FIRST_LIMIT, parts.maxConcurrent)
    this.#freshness = new Freshness(parts.monotonic)
  }

  /** The app whose webhook this is; empty until the webhook is read, before anything is sent. */
  get app(): string {
    return this.#target?.app_id ?? ''
  }

  /** Milliseconds since it last had something to do. */
  get idleMs(): number {
    const isIdle = this.#taken.size === 0 && !this.#reading && !this.#timer && !this.#hasMore
    return isIdle ? performance.now() - this.#usedAt : 0
  }

  /** Announces that a delivery is due at a time. */
  wake(dueAt: number): void {
    this.#usedAt = performance.now()
    if (dueAt > this.#parts.clock.now()) this.#waitUntil(dueAt)
    else {
      this.#hasMore = true
      this.pump()
    }
  }

  /**
   * Sends what may be sent now, and reads more when few deliveries are left. `isRead`: the conditions for sending have
   * just been read. With a slow store, even these are stale already; without this exception, nothing would ever be
   * sent.
   */
  pump(isRead = false): void {
    const { clock, isOwn } = this.#parts
    if (this.isStopped || !isOwn(this)) return
    if (this.#pausedUntil > clock.now()) {
      this.#waitUntil(this.#pausedUntil)
      return
    }
    const isStale = this.#freshness.isStale
    if (!isStale || isRead) this.#sendReady()
    if (this.#reading || this.#taken.size >= MAX_TAKEN) return
    // Deliveries that are left after a read wait for a response, which pumps again.
    const needsTarget = isStale && !isRead && this.#ready.length > 0
    if (needsTarget || (this.#hasMore && this.#ready.length < LOW)) this.#read()
  }

  get isStopped(): boolean {
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
    const { clock, schedule, random, leave } = this.#parts
    this.#underWay--
    leave(this)
    if (answer.kind === 'closed') {
      this.#forget(due)
    } else {
      const nowMs = clock.now()
      this.#judge(answer, nowMs)
      const outcome = outcomeOf(due, answer, { sent, nowMs, schedule, random: random() })
      if (outcome.ended_at === null) this.#held.add(due.seq)
      this.#record({ seq: due.seq, outcome, isGone: isGone(answer) })
      this.#continueSubject(due, outcome)
    }
    this.#tellWhenDrained()
    this.pump()
  }

  #record(recording: Omit<Recording, 'lane'>): void {
    this.#unrecorded++
    this.#parts.record({ lane: this, ...recording })
  }

  /** Adjusts the limit of requests in progress to the response. */
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

  /** Sends nothing until a time. The deliveries in memory are read again then. */
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

  /** Forgets a delivery that was not sent, so that it is read again. */
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

  /** Delays a delivery until the earlier one of the same subject is due. */
  #delay(seq: number): void {
    this.#taken.add(seq)
    this.#held.add(seq)
    this.#record({ seq, outcome: undefined, isGone: false })
  }

  /** Called when its outcome is stored. */
  recorded({ seq, outcome, isGone }: Recording): void {
    this.#unrecorded--
    this.#tellWhenDrained()
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
        // The store needs real time to recover, whatever time users see.
        const wait = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(this.#storeFailures++, 16), LAST_BACKOFF_MS)
        await systemClock.at(systemClock.now() + wait, this.#stopping.signal)
      })
      .finally(() => {
        this.#reading = undefined
        this.pump(isRead)
      })
  }

  /** Resolves to whether the target and the conditions for sending were read too. */
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
    // The lane may have been stopped or paused meanwhile.
    if (this.isStopped || this.#pausedUntil > now) {
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

  /** The app may no longer be allowed to see deliveries that wait in memory. */
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
    this.#record({ seq: due.seq, outcome, isGone: false })
  }

  /** Ends deliveries in several transactions. */
  async #end(
    some: (at: { share: number; webhook: string; now: number; limit: number }) => Promise<number>,
  ): Promise<void> {
    for (;;) {
      const now = this.#parts.clock.now()
      const ended = await some({ share: this.share, webhook: this.webhook, now, limit: END_AT_ONCE })
      if (ended < END_AT_ONCE || this.isStopped) return
    }
  }

  /** Ends pending deliveries beyond the limit. Called from time to time. */
  async dropSurplus(): Promise<void> {
    if (!this.#hasBacklog || this.isStopped) return
    const { store, maxPending: kept } = this.#parts
    await this.#end((at) => store.write((tx) => tx.run(dropDeliveries, { ...at, kept })))
  }

  /** Reads the target and the signing key. Returns false when nothing may be sent. */
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
    this.#line ??= lineTo(target)
    return true
  }

  /** The webhook may not receive anything: ends its pending deliveries. */
  async #skipAll(): Promise<void> {
    this.#forgetReady()
    this.#hasMore = false
    const { store } = this.#parts
    // Deliveries in progress get outcomes of their own.
    if (!this.#isDrained) {
      this.#hasMore = true
      await this.#drained()
      return
    }
    await this.#end((at) => store.write((tx) => tx.run(skipDeliveries, at)))
  }

  #waitUntil(timeMs: number): void {
    if (this.isStopped || (this.#timer && this.#timer.at <= timeMs)) return
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

  /** Whether nothing is in progress and every outcome is recorded. A lane that was closed waits for no record. */
  get #isDrained(): boolean {
    return this.#underWay === 0 && (this.#unrecorded === 0 || this.#isClosed)
  }

  async #drained(): Promise<void> {
    while (!this.#isDrained) await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  #tellWhenDrained(): void {
    if (this.#isDrained) for (const drained of this.#waiters.splice(0)) drained()
  }

  /** Stops sending. Resolves when nothing is in progress and every outcome is recorded. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    this.#timer?.over.abort()
    await this.#drained()
    await this.#reading
    this.#line?.close()
  }

  /** Aborts what is in progress. */
  close(): void {
    this.#isClosed = true
    this.#stopping.abort()
    this.#line?.close()
    this.#tellWhenDrained()
  }
}
