import { consumerSecretOf } from '../../identity/tokens/credentials.ts'
import { type Clock, systemClock, type TimeSource } from '../../platform/common/clock.ts'
import { AT_ONCE, Loop, POLL_MS, SHORT_PAUSES, WHEN_WOKEN } from '../../platform/common/loop.ts'
import { fractions, type RandomSource } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { type Interpose, Lane, type LaneParts, type Recording } from './lane.ts'
import { delayBehindSubject, pendingWebhooks, recordOutcomes } from './queries.ts'
import { channelOf, everyShare, type Shares } from './shares.ts'
import { removeDeliveries } from './tasks.ts'

/** Maximum number of requests in progress on one node. */
const MAX_UNDER_WAY = 512
/** Maximum number of outcomes that one transaction records. */
const RECORD_AT_ONCE = 500
/**
 * With fewer outcomes, waits this long for more: a transaction costs as much as the outcomes of
 * many deliveries.
 */
const RECORD_SOON = 100
const RECORD_MS = 5
/** A lane that has had nothing to do for this long is closed. */
const IDLE_MS = 30_000

export interface SenderParts {
  readonly store: Store
  readonly clock: Clock
  readonly monotonic: TimeSource
  readonly random: RandomSource
  readonly outbound: Pick<Outbound, 'line'>
  readonly sealer: Sealer
  readonly shares: Shares
  readonly config: Pick<
    Config,
    'deliveryRetries' | 'deliveryConcurrency' | 'deliveryQueue' | 'invalidAfterSeconds'
  >
  /** The name of the signature header, renamed by the vocabulary. */
  readonly signatureHeader: string
  /** Faults of deliveries. */
  readonly interpose?: Interpose | undefined
  /** Invalidates a webhook that wants to receive nothing more. */
  stopWebhook(tx: Transaction, webhook: string): Promise<void>
  onError(error: unknown): void
}

/** Sends the deliveries of this node's shares. */
export interface Sender {
  /**
   * Waits for the requests in progress and records their outcomes. Those that have not ended after
   * `timeoutMs` are sent again later.
   */
  stop(timeoutMs: number): Promise<void>
}

export function startSender(parts: SenderParts): Sender {
  const sender = new DeliverySender(parts)
  sender.start()
  return sender
}

class DeliverySender implements Sender {
  readonly #parts: SenderParts
  readonly #laneParts: LaneParts
  readonly #lanes = new Map<string, Lane>()
  readonly #stopping = new AbortController()
  #underWay = 0
  /** The apps that have requests in progress, and how many. */
  readonly #underWayOf = new Map<string, number>()
  /** Lanes that wait for a slot for a request. */
  readonly #waitingForSlot = new Set<Lane>()
  /** Shares in which something may be due. */
  readonly #woken = new Set<number>()
  /** When to look at all shares, because something is due. */
  #lookAt = 0
  readonly #recordings: Recording[] = []
  #giving: Promise<void> | undefined
  readonly #looking: Loop
  readonly #recording: Loop
  readonly #upkeep: Loop

  constructor(parts: SenderParts) {
    const { clock, onError } = parts
    this.#parts = parts
    this.#laneParts = this.#partsOfLanes()
    this.#looking = new Loop({
      clock,
      wakeUps: () => this.#listen(),
      round: (isPoll) => this.#look(isPoll),
      onError,
      pauses: SHORT_PAUSES,
    })
    this.#recording = new Loop({ round: () => this.#recordNext(), onError, pauses: SHORT_PAUSES })
    // Leases are renewed before they expire, whatever fails.
    const pauses = { longestMs: POLL_MS.housekeeping }
    this.#upkeep = new Loop({ round: () => this.#maintain(), onError, pauses })
  }

  start(): void {
    for (const loop of [this.#looking, this.#recording, this.#upkeep]) loop.start()
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort()
    const ended = new AbortController()
    void systemClock.at(systemClock.now() + timeoutMs, ended.signal).then((isTime) => {
      if (!isTime) return
      for (const lane of this.#lanes.values()) lane.close()
      // Deliveries whose outcome could not be recorded are sent again.
      void this.#recording.stop()
    })
    await Promise.all([this.#upkeep.stop(), this.#looking.stop(), this.#giving])
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()))
    await this.#recording.stop()
    ended.abort()
    const { shares } = this.#parts
    await shares.release(shares.held()).catch(() => undefined)
  }

  #partsOfLanes(): LaneParts {
    const { store, clock, monotonic, random, outbound, sealer, config, signatureHeader, interpose, onError } =
      this.#parts
    return {
      store,
      clock,
      monotonic,
      schedule: config.deliveryRetries,
      maxConcurrent: config.deliveryConcurrency,
      maxPending: config.deliveryQueue,
      invalidAfterSeconds: config.invalidAfterSeconds,
      signatureHeader,
      interpose,
      lineTo: ({ url, app_id }) => outbound.line(url, app_id),
      secretOf: ({ app_id, consumer_secret_sealed }) =>
        consumerSecretOf({ id: app_id, consumer_secret_sealed }, sealer),
      random: fractions(random),
      isOwn: (lane) => this.#isOwn(lane),
      enter: (lane) => this.#enter(lane),
      leave: (lane) => this.#leave(lane),
      record: (recording) => this.#record(recording),
      gone: (webhook) => store.write((tx) => enqueue(tx, removeDeliveries.task({ webhook }))),
      onError,
    }
  }

  #enter(lane: Lane): boolean {
    if (!this.#hasRoomFor(lane)) {
      this.#waitingForSlot.add(lane)
      return false
    }
    this.#underWay++
    this.#underWayOf.set(lane.app, (this.#underWayOf.get(lane.app) ?? 0) + 1)
    return true
  }

  /**
   * An app has at most as many requests in progress as there are free slots, so slow webhooks leave
   * room for those of other apps: one app uses up to half of the slots, two up to a third each.
   */
  #hasRoomFor({ app }: Lane): boolean {
    return (this.#underWayOf.get(app) ?? 0) < MAX_UNDER_WAY - this.#underWay
  }

  #leave({ app }: Lane): void {
    this.#underWay--
    const left = (this.#underWayOf.get(app) ?? 0) - 1
    if (left > 0) this.#underWayOf.set(app, left)
    else this.#underWayOf.delete(app)
    for (const lane of this.#waitingForSlot) {
      if (!this.#hasRoomFor(lane)) continue
      this.#waitingForSlot.delete(lane)
      queueMicrotask(() => lane.pump())
      return
    }
  }

  #listen(): Disposable {
    const listeners = new DisposableStack()
    for (const share of everyShare)
      listeners.use(
        this.#parts.store.listen(channelOf(share), () => {
          if (this.#parts.shares.lease(share) !== undefined) this.#wake([share])
        }),
      )
    return listeners
  }

  /** Something may be due in some shares. */
  #wake(shares: Iterable<number>): void {
    for (const share of shares) this.#woken.add(share)
    if (this.#woken.size > 0) this.#looking.wake()
  }

  /** Looks for webhooks with deliveries that are due. */
  async #look(isPoll: boolean): Promise<number> {
    const { store, clock, shares } = this.#parts
    // One commit wakes several shares, one after another.
    await Promise.resolve()
    const now = clock.now()
    // Beyond the interval of the poll, the clock was set back.
    if (isPoll || now >= this.#lookAt || this.#lookAt > now + POLL_MS.announced) {
      for (const share of shares.held()) this.#woken.add(share)
      this.#lookAt = now + POLL_MS.announced
    }
    const woken = [...this.#woken]
    this.#woken.clear()
    if (woken.length === 0) return this.#lookAt
    const pending = await store.all(pendingWebhooks, { shares: JSON.stringify(woken) }).catch((error) => {
      this.#wake(woken)
      throw error
    })
    for (const { webhook_id, share, due_at } of pending) {
      const lane = this.#lanes.get(webhook_id)
      if (lane) lane.wake(due_at)
      else if (due_at <= now) this.#openLane(webhook_id, share).wake(due_at)
      else this.#lookAt = Math.min(this.#lookAt, due_at)
    }
    return this.#lookAt
  }

  #openLane(webhook: string, share: number): Lane {
    const lane = new Lane({ webhook, share, lease: this.#parts.shares.lease(share) }, this.#laneParts)
    this.#lanes.set(webhook, lane)
    if (this.#stopping.signal.aborted) lane.close()
    return lane
  }

  /**
   * Whether a lane may send. After its share was lost, another node may have sent what the lane has
   * in memory, so it is stopped, and another lane takes its place when this node has the share
   * again.
   */
  #isOwn(lane: Lane): boolean {
    const { shares } = this.#parts
    if (lane.lease !== undefined && lane.lease === shares.lease(lane.share)) return true
    if (!lane.isStopped) void this.#replace(lane)
    return false
  }

  async #replace(lane: Lane): Promise<void> {
    await lane.stop()
    if (this.#lanes.get(lane.webhook) === lane) this.#lanes.delete(lane.webhook)
    const isHeld = this.#parts.shares.lease(lane.share) !== undefined
    if (isHeld) this.#wake([lane.share])
  }

  #record(recording: Recording): void {
    this.#recordings.push(recording)
    this.#recording.wake()
  }

  async #recordNext(): Promise<number> {
    if (this.#recordings.length === 0) return WHEN_WOKEN
    if (this.#recordings.length < RECORD_SOON)
      await systemClock.at(systemClock.now() + RECORD_MS, this.#stopping.signal)
    const some = this.#recordings.slice(0, RECORD_AT_ONCE)
    await this.#recordSome(some)
    this.#recordings.splice(0, some.length)
    for (const recording of some) recording.lane.recorded(recording)
    return AT_ONCE
  }

  async #recordSome(some: readonly Recording[]): Promise<void> {
    const outcomes = some.flatMap(({ outcome }) => outcome ?? [])
    const delayed = some.filter(({ outcome }) => !outcome).map(({ seq }) => seq)
    const gone = new Set(some.filter(({ isGone }) => isGone).map(({ lane }) => lane.webhook))
    await this.#parts.store.write(async (tx) => {
      await recordOutcomes(tx, outcomes)
      if (delayed.length > 0) await tx.run(delayBehindSubject, { seqs: JSON.stringify(delayed) })
      for (const webhook of gone) await this.#parts.stopWebhook(tx, webhook)
    })
  }

  /** Renews leases, and closes idle lanes. */
  async #maintain(): Promise<number> {
    this.#wake(await this.#parts.shares.renew())
    this.#giving ??= this.#giveSurplus().finally(() => {
      this.#giving = undefined
    })
    for (const lane of this.#lanes.values()) await lane.dropSurplus()
    this.#closeIdle()
    return systemClock.now() + POLL_MS.housekeeping
  }

  /** Other running nodes have fewer shares, and take those that are released. */
  async #giveSurplus(): Promise<void> {
    const { shares } = this.#parts
    const surplus = new Set(shares.surplus())
    if (surplus.size === 0) return
    const lanes = [...this.#lanes.values()].filter(({ share }) => surplus.has(share))
    const drained = Promise.all(lanes.map((lane) => lane.stop()))
    await shares.release([...surplus], drained).catch(this.#parts.onError)
    for (const lane of lanes) if (this.#lanes.get(lane.webhook) === lane) this.#lanes.delete(lane.webhook)
  }

  #closeIdle(): void {
    for (const lane of this.#lanes.values()) {
      if (!this.#isOwn(lane) || lane.idleMs <= IDLE_MS) continue
      lane.close()
      this.#lanes.delete(lane.webhook)
    }
  }
}
