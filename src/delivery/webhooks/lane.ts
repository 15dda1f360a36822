import type { KeyObject } from 'node:crypto'
import { Freshness } from '../../identity/tokens/freshness.ts'
import type { Clock, TimeSource } from '../../platform/common/clock.ts'
import { AT_ONCE, Loop, SHORT_PAUSES, WHEN_WOKEN } from '../../platform/common/loop.ts'
import type { RetrySchedule } from '../../platform/config/webhooks.ts'
import type { Answer, Line } from '../../platform/outbound/line.ts'
import type { Store } from '../../platform/storage/store.ts'
import { longestMs, outcomeOf, type SentRequest } from './attempt.ts'
import {
  dueAmong,
  emptyLane,
  isOpen,
  isRecording,
  type LaneEvent,
  type LaneState,
  nextToSend,
  step,
  waitingIn,
} from './lane-state.ts'
import {
  type DueDelivery,
  deliveriesToSend,
  deliveryTarget,
  dropDeliveries,
  expireDeliveries,
  nextDeliveries,
  type Outcome,
  skipDeliveries,
  type Target,
} from './queries.ts'
import { signature, signatureKey } from './signature.ts'
import { mayReceive, type Withdrawal } from './states.ts'
import { withdrawn, withdrawnAmong } from './withdrawal.ts'

/** Deliveries per read. */
const BATCH = 256
/** When fewer than this are ready, more are read. */
const LOW = 64
/** Maximum number of deliveries in memory: waiting to be sent, or sent and not yet recorded. */
const MAX_IN_MEMORY = 1_024
/** Deliveries that one transaction ends without sending them. */
const END_AT_ONCE = 500

/** What becomes of a delivery. */
export interface Recording {
  lane: Lane
  seq: number
  /**
   * The outcome of an attempt. Undefined if the delivery must wait for an earlier one of the same
   * subject that is not due yet.
   */
  outcome: Outcome | undefined
  /** Whether the webhook wants to receive nothing more. */
  isGone: boolean
}

/** Stands between a delivery and its request: posts it, now or later, or answers for the server. */
export type Interpose = (
  to: { readonly webhook: string; readonly url: string; readonly appId: string },
  post: (done: (answer: Answer) => void) => void,
  done: (answer: Answer) => void,
) => void

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
  readonly interpose?: Interpose | undefined
  lineTo(target: Target): Line | undefined
  secretOf(target: Target): string
  /** From 0 up to 1. */
  random(): number
  /** Whether this node still has the lease of the lane's share. If not, the lane is stopped. */
  isOwn(lane: Lane): boolean
  /**
   * Takes a slot for a request of the node. Returns false when there is none, and calls `pump` once
   * there is one.
   */
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

/** Sends the deliveries of one webhook: performs what `lane-state.ts` decides. */
export class Lane {
  readonly webhook: string
  readonly share: number
  readonly lease: number | undefined
  readonly #parts: LaneParts
  readonly #state: LaneState
  /** Reads deliveries, and waits until the next one is due. */
  readonly #loop: Loop
  #line: Line | undefined
  #target: Target | undefined
  #key: KeyObject | undefined
  /** The freshness of the target and of the deliveries in memory. */
  readonly #freshness: Freshness
  /** When the first delivery is due that is not due yet. */
  #dueAt = WHEN_WOKEN
  /** More deliveries may be due than were read. */
  #hasMore = false
  #hasBacklog = false
  #usedAt = performance.now()
  /** Called when nothing is in progress any more. */
  readonly #waiters: (() => void)[] = []
  #stopped: Promise<void> | undefined
  #isClosed = false

  constructor({ webhook, share, lease }: LaneOf, parts: LaneParts) {
    this.webhook = webhook
    this.share = share
    this.lease = lease
    this.#parts = parts
    this.#state = emptyLane(parts.maxConcurrent)
    this.#freshness = new Freshness(parts.monotonic)
    const { clock, onError } = parts
    this.#loop = new Loop({
      clock,
      round: (isDue) => this.#round(isDue),
      onError: (error) => {
        this.#hasMore = true
        onError(error)
      },
      pauses: SHORT_PAUSES,
    })
    this.#loop.start()
  }

  /** The app whose webhook this is; empty until the webhook is read, before anything is sent. */
  get app(): string {
    return this.#target?.app_id ?? ''
  }

  /** Milliseconds since it last had something to do. */
  get idleMs(): number {
    const isIdle = this.#state.deliveries.size === 0 && this.#dueAt === WHEN_WOKEN && !this.#hasMore
    return isIdle ? performance.now() - this.#usedAt : 0
  }

  get isStopped(): boolean {
    return this.#loop.stopping.aborted
  }

  /** Announces that a delivery is due at a time. */
  wake(dueAt: number): void {
    this.#usedAt = performance.now()
    if (dueAt > this.#parts.clock.now()) this.#waitUntil(dueAt)
    else this.#hasMore = true
    this.pump()
  }

  /** Sends what may be sent now, and reads more when few deliveries are left. */
  pump(): void {
    if (!this.#maySend()) return
    if (!this.#freshness.isStale) this.#sendReady()
    if (this.#mustRead()) this.#loop.wake()
  }

  #maySend(): boolean {
    if (this.isStopped || !this.#parts.isOwn(this)) return false
    const { pausedUntil } = this.#state.pace
    if (pausedUntil <= this.#parts.clock.now()) return true
    this.#waitUntil(pausedUntil)
    return false
  }

  /**
   * `isRead`: the conditions for sending have just been read. Deliveries that are left then wait
   * for an answer, which pumps again.
   */
  #mustRead(isRead = false): boolean {
    const { deliveries, ready } = this.#state
    if (deliveries.size >= MAX_IN_MEMORY) return false
    const mustReadTarget = this.#freshness.isStale && !isRead && ready.length > 0
    return mustReadTarget || (this.#hasMore && ready.length < LOW)
  }

  #waitUntil(timeMs: number): void {
    if (timeMs >= this.#dueAt) return
    this.#dueAt = timeMs
    this.#loop.wake()
  }

  /** Reads what is needed, and sends what may be sent. `isDue`: something has become due. */
  async #round(isDue: boolean): Promise<number> {
    if (isDue) {
      this.#dueAt = WHEN_WOKEN
      // The webhook may have changed during the wait.
      this.#freshness.expire()
      this.#hasMore = true
    }
    if (!this.#maySend() || !this.#mustRead()) return this.#dueAt
    const isRead = await this.#readDue()
    if (!this.#maySend()) return this.#dueAt
    // With a slow store, even what was just read is stale: without this exception, nothing would
    // ever be sent.
    if (isRead || !this.#freshness.isStale) this.#sendReady()
    return this.#mustRead(isRead) ? AT_ONCE : this.#dueAt
  }

  #apply(event: LaneEvent): void {
    for (const action of step(this.#state, event)) {
      if (action.kind === 'read') this.#hasMore = true
      else this.#parts.record({ lane: this, ...action })
    }
  }

  #sendReady(): void {
    for (let due = nextToSend(this.#state); due && this.#parts.enter(this); due = nextToSend(this.#state)) {
      this.#apply({ kind: 'sent', due })
      this.#send(due)
    }
  }

  #send(due: DueDelivery): void {
    const { clock, signatureHeader, interpose } = this.#parts
    const at = clock.now()
    const began = performance.now()
    const done = (answer: Answer, signed: Pick<SentRequest, 'signature'>) =>
      this.#answered(due, answer, { at, ms: performance.now() - began, ...signed })
    const [line, target] = [this.#line, this.#target]
    if (!line || !target || !this.#key) {
      done({ kind: 'rejected', reason: 'the URL may not be called' }, {})
      return
    }
    const body = Buffer.from(due.body)
    const signed = signature(this.#key, body)
    const headers = ['content-type', 'application/json', signatureHeader, signed]
    const post = (answered: (answer: Answer) => void) => line.post(headers, body, answered)
    const answered = (answer: Answer) => done(answer, { signature: signed })
    if (!interpose) post(answered)
    else interpose({ webhook: this.webhook, url: target.url, appId: target.app_id }, post, answered)
  }

  #answered(due: DueDelivery, answer: Answer, sent: SentRequest): void {
    const { clock, schedule, random, leave, maxConcurrent } = this.#parts
    leave(this)
    if (answer.kind === 'closed') this.#apply({ kind: 'aborted', due })
    else {
      const at = { nowMs: clock.now(), maxConcurrent, random: random() }
      const outcome = outcomeOf(due, answer, { sent, schedule, ...at })
      this.#apply({ kind: 'answered', due, answer, outcome, at })
    }
    this.#tellWhenDrained()
    this.pump()
  }

  /** Called when it is stored. */
  recorded({ seq, outcome, isGone }: Recording): void {
    this.#apply({ kind: 'recorded', seq })
    this.#tellWhenDrained()
    if (isGone) this.#freshness.expire()
    this.#usedAt = performance.now()
    if (outcome?.ended_at === null) this.#waitUntil(outcome.due_at)
    this.pump()
  }

  /** Resolves to whether the target and the conditions for sending were read too. */
  async #readDue(): Promise<boolean> {
    const { store, clock } = this.#parts
    this.#usedAt = performance.now()
    const { deliveries, ready, pace } = this.#state
    const hadMore = this.#hasMore
    this.#hasMore = false
    const { isStale } = this.#freshness
    if (isStale && !(await this.#readTarget())) return false
    if (ready.length >= LOW) {
      this.#hasMore ||= hadMore
      return isStale
    }
    const now = clock.now()
    const batch = isOpen(pace) ? 1 : BATCH
    const limit = deliveries.size + batch
    const keys = await store.all(nextDeliveries, { share: this.share, webhook: this.webhook, limit })
    const { due, fresh, hasMore } = dueAmong(keys, this.#state, { nowMs: now, limit, batch })
    this.#hasBacklog = keys.length === limit
    if (hasMore) this.#hasMore = true
    if (fresh.length > 0) await this.#take(fresh, now)
    const next = keys[due]
    if (next && !this.#hasMore) this.#waitUntil(next.due_at)
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
    // The lane may have been stopped or paused meanwhile.
    if (this.isStopped || this.#state.pace.pausedUntil > now) {
      this.#hasMore = true
      return
    }
    const bySeq = new Map(rows.map((row) => [row.seq, row]))
    const due = seqs.flatMap((seq) => bySeq.get(seq) ?? [])
    this.#apply({ kind: 'read', due, ended: this.#outcomesOf(due, forbidden) })
  }

  #outcomesOf(due: readonly DueDelivery[], forbidden: ReadonlyMap<number, Withdrawal>): Map<number, Outcome> {
    const now = this.#parts.clock.now()
    return new Map(
      due.flatMap((row): [number, Outcome][] => {
        const withdrawal = forbidden.get(row.seq)
        return withdrawal === undefined ? [] : [[row.seq, withdrawn(row, withdrawal, now)]]
      }),
    )
  }

  /** The app may no longer be allowed to see deliveries that wait in memory. */
  async #withdrawWaiting(): Promise<void> {
    const { store, clock } = this.#parts
    const seqs = waitingIn(this.#state).map(({ seq }) => seq)
    const forbidden = await withdrawnAmong(store, seqs, clock.now())
    if (forbidden.size === 0) return
    // Others wait by now, too.
    this.#apply({ kind: 'withdrawn', ended: this.#outcomesOf(waitingIn(this.#state), forbidden) })
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
      this.#apply({ kind: 'forgotten' })
      this.#hasMore = false
      await gone(this.webhook)
      return false
    }
    if (!mayReceive(target, { nowMs: clock.now(), invalidAfterSeconds })) {
      await this.#skipAll()
      return false
    }
    await this.#withdrawWaiting()
    if (target.consumer_secret_sealed !== this.#target?.consumer_secret_sealed)
      this.#key = signatureKey(secretOf(target))
    this.#target = target
    isFresh()
    this.#line ??= lineTo(target)
    return true
  }

  /** The webhook may not receive anything: ends its pending deliveries. */
  async #skipAll(): Promise<void> {
    const { store } = this.#parts
    this.#apply({ kind: 'forgotten' })
    // Deliveries in progress get outcomes of their own.
    this.#hasMore = !this.#isDrained
    if (this.#hasMore) await this.#drained()
    else await this.#end((at) => store.write((tx) => tx.run(skipDeliveries, at)))
  }

  /**
   * Whether nothing is in progress and every outcome is recorded. A lane that was closed waits for
   * no record.
   */
  get #isDrained(): boolean {
    return this.#state.inProgress === 0 && (this.#isClosed || !isRecording(this.#state))
  }

  async #drained(): Promise<void> {
    while (!this.#isDrained) await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  #tellWhenDrained(): void {
    if (this.#waiters.length > 0 && this.#isDrained) for (const drained of this.#waiters.splice(0)) drained()
  }

  /** Stops sending. Resolves when nothing is in progress and every outcome is recorded. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    const ended = this.#loop.stop()
    await this.#drained()
    await ended
    this.#line?.close()
  }

  /** Aborts what is in progress. */
  close(): void {
    this.#isClosed = true
    void this.#loop.stop()
    this.#line?.close()
    this.#tellWhenDrained()
  }
}
