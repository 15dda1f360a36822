import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { consumerSecretOf } from '../../identity/tokens/credentials.ts'
import { Freshness } from '../../identity/tokens/freshness.ts'
import type { Clock, TimeSource } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { Answer, Line } from '../../platform/outbound/line.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import {
  again,
  DONE,
  exponential,
  type Finish,
  type Outcome,
  retry,
  type TaskKind,
  taskType,
} from '../../platform/queue/task.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { isSuccess, type LoggedAttempt, loggedAttempt } from './attempt.ts'
import { enqueueDeliveries } from './enqueue.ts'
import {
  addReplay,
  deliveryTarget,
  logReplayed,
  moveReplay,
  replayById,
  replayedDeliveries,
  type Target,
} from './queries.ts'
import { SIGNATURE_HEADER, signature, signatureKey } from './signature.ts'
import { mayReceive, type Withdrawal } from './states.ts'
import type { WebhookReplayRow } from './tables.ts'
import { loggedWithdrawal, withdrawnAmong } from './withdrawal.ts'

/** Deliveries that are sent before the position of a replay is stored. */
const PAGE = 250
/** Deliveries per second (core reference, 02 section 4). */
const MAX_PER_SECOND = 2_500
const PAGE_MS = (PAGE / MAX_PER_SECOND) * 1_000
/** A replay ends after this many failures in a row. */
const GIVE_UP_AFTER = 10
/**
 * Afterwards, a page sends nothing more, so that replays of other apps get their turns. In real
 * time.
 */
const MAX_PAGE_MS = 2_000
/** In addition to the time of a page and the time limit of its last deliveries. */
const LEASE_MARGIN_MS = 30_000
const FIRST_BACKOFF_MS = 1_000
const LAST_BACKOFF_MS = 60_000

/** Sends the events of a window again that were delivered or attempted. */
const replayWebhook = taskType<Replay>('replay deliveries', {
  owner: ({ app }) => app,
  subject: ({ replay }) => replay,
})

export interface Replay {
  replay: string
  app: string
}

/**
 * Starts a replay in a transaction. A webhook has at most one replay at a time.
 * @throws UniqueViolation While another one is running. The transaction throws it.
 */
export async function startReplay(
  tx: Transaction,
  { webhookId, app, from, to }: { webhookId: string; app: string; from: number; to: number },
  ids: IdSource,
): Promise<WebhookReplayRow> {
  const row = {
    id: ids.next(),
    webhook_id: webhookId,
    from_at: from,
    to_at: to,
    at_created: from,
    at_seq: 0,
    failed: 0,
    failures_in_a_row: 0,
    created_at: tx.now,
    ended_at: null,
  }
  await tx.run(addReplay, row)
  await enqueue(tx, replayWebhook.task({ replay: row.id, app }))
  return row
}

export interface ReplayParts {
  readonly store: Store
  readonly clock: Clock
  readonly monotonic: TimeSource
  readonly log: Pick<Logger, 'error'>
  readonly outbound: Pick<Outbound, 'line'>
  readonly sealer: Sealer
  readonly naming: { readonly vocabulary: Vocabulary }
  readonly config: Pick<Config, 'deliveryConcurrency' | 'deliveryTimeoutMs' | 'invalidAfterSeconds'>
}

export const webhookReplay = (parts: ReplayParts): TaskKind<Replay> => ({
  type: replayWebhook,
  leaseMs: MAX_PAGE_MS + parts.config.deliveryTimeoutMs + LEASE_MARGIN_MS,
  maxAttempts: Number.POSITIVE_INFINITY,
  backoff: exponential(FIRST_BACKOFF_MS, LAST_BACKOFF_MS),
  concurrency: 4,
  run: async ({ replay: id }, { signal }) => {
    const replay = await parts.store.first(replayById, { id })
    if (!replay || replay.ended_at !== null) return DONE
    return new ReplayPage(parts, replay).send(signal)
  },
})

type Replayed = { seq: number; body: string; created_at: number }

/** Sends the next deliveries of a replay. Failed ones are not retried. */
class ReplayPage {
  readonly #parts: ReplayParts
  readonly #replay: WebhookReplayRow
  readonly #began: number
  /** What is added to the logs of deliveries. */
  readonly #attempts: { seq: number; attempt: string }[] = []
  #failed = 0
  #failuresInARow: number
  #key: KeyObject | undefined
  /** Deliveries that must not be sent any more. */
  #forbidden: ReadonlyMap<number, Withdrawal> = new Map()
  /** The webhook was deleted, or may not receive anything. */
  #isOver = false
  /** The error that interrupted the page. */
  #interruption: { readonly error: unknown } | undefined
  readonly #freshness: Freshness
  #reading: Promise<unknown> | undefined

  constructor(parts: ReplayParts, replay: WebhookReplayRow) {
    this.#parts = parts
    this.#replay = replay
    this.#began = parts.clock.now()
    this.#failuresInARow = replay.failures_in_a_row
    this.#freshness = new Freshness(parts.monotonic)
  }

  async send(signal: AbortSignal): Promise<Finish> {
    const { store, outbound } = this.#parts
    const { webhook_id: webhook, from_at: from, to_at: to, at_created, at_seq } = this.#replay
    const window = { webhook, from, to, created: at_created, seq: at_seq, limit: PAGE }
    const rows = await store.all(replayedDeliveries, window)
    const target = await this.#readTarget(rows)
    if (!target) return this.#end(1)
    if (rows.length === 0) return this.#end(0)
    const line = outbound.line(target.url, target.app_id)
    if (!line) return this.#end(1)
    const close = () => line.close()
    signal.addEventListener('abort', close)
    try {
      await this.#sendAll(rows, line)
    } finally {
      signal.removeEventListener('abort', close)
      line.close()
    }
    // Deliveries that a stop interrupted are sent again by the next run.
    signal.throwIfAborted()
    return this.#finish(rows)
  }

  /**
   * Reads the signing key, and which deliveries must not be sent. Undefined when nothing may be
   * sent.
   */
  async #readTarget(rows: readonly Replayed[]): Promise<Target | undefined> {
    const { store, clock, sealer, config } = this.#parts
    const now = clock.now()
    const isFresh = this.#freshness.begin()
    const target = await store.first(deliveryTarget, { webhook: this.#replay.webhook_id })
    const at = { nowMs: now, invalidAfterSeconds: config.invalidAfterSeconds }
    this.#isOver = !target || !mayReceive(target, at)
    if (!target || this.#isOver) return undefined
    const seqs = rows.map(({ seq }) => seq)
    this.#forbidden = await withdrawnAmong(store, seqs, now)
    const { app_id: id, consumer_secret_sealed } = target
    this.#key = signatureKey(consumerSecretOf({ id, consumer_secret_sealed }, sealer))
    isFresh()
    return target
  }

  /**
   * A page may take minutes, during which all of that may change. If it cannot be read, nothing
   * more is sent, but what was sent is recorded, so that it is not sent again.
   */
  async #refresh(rows: readonly Replayed[]): Promise<void> {
    if (!this.#freshness.isStale) return
    this.#reading ??= this.#readTarget(rows)
      .catch((error: unknown) => {
        this.#interruption = { error }
      })
      .finally(() => {
        this.#reading = undefined
      })
    await this.#reading
  }

  async #sendAll(rows: readonly Replayed[], line: Line): Promise<void> {
    let next = 0
    const { monotonic } = this.#parts
    const endsAt = monotonic.now() + MAX_PAGE_MS
    const work = async () => {
      for (;;) {
        if (this.#failuresInARow >= GIVE_UP_AFTER || this.#interruption) return
        if (next > 0 && monotonic.now() >= endsAt) return
        const row = rows[next++]
        if (!row) return
        await this.#refresh(rows)
        if (this.#isOver || this.#interruption) return
        await this.#sendOne(row, line)
      }
    }
    await Promise.all(Array.from({ length: this.#parts.config.deliveryConcurrency }, work))
  }

  async #sendOne(row: Replayed, line: Line): Promise<void> {
    const at = this.#parts.clock.now()
    const withdrawal = this.#forbidden.get(row.seq)
    if (withdrawal !== undefined) {
      this.#note(row, loggedWithdrawal(withdrawal, at))
      return
    }
    if (!this.#key) return
    const began = performance.now()
    const body = Buffer.from(row.body)
    const signed = signature(this.#key, body)
    const answer = await this.#post(line, body, signed)
    this.#note(row, loggedAttempt(answer, { at, ms: performance.now() - began, signature: signed }))
    if (isSuccess(answer)) this.#failuresInARow = 0
    else {
      this.#failed++
      this.#failuresInARow++
    }
  }

  #note({ seq }: Replayed, attempt: LoggedAttempt): void {
    this.#attempts.push({ seq, attempt: JSON.stringify({ ...attempt, replay: this.#replay.id }) })
  }

  #post(line: Line, body: Buffer, signed: string): Promise<Answer> {
    const header = this.#parts.naming.vocabulary.header(SIGNATURE_HEADER)
    return new Promise((resolve) =>
      line.post(['content-type', 'application/json', header, signed], body, resolve),
    )
  }

  #finish(rows: readonly Replayed[]): Finish {
    if (this.#isOver || this.#failuresInARow >= GIVE_UP_AFTER) return this.#end(1)
    const isDone = new Set(this.#attempts.map(({ seq }) => seq))
    const undone = rows.findIndex(({ seq }) => !isDone.has(seq))
    const last = undone === -1 ? rows.at(-1) : rows[undone - 1]
    if (!this.#interruption) return this.#move(last, again(this.#began + PAGE_MS))
    const { error } = this.#interruption
    this.#parts.log.error(
      { err: error, replay: this.#replay.id },
      'a replay was interrupted; it will continue',
    )
    return this.#move(last, retry(String(error)))
  }

  /** The position from which to continue: after a delivery, or at the beginning of the page. */
  #move(last: Replayed | undefined, outcome: Outcome): Finish {
    const { id, at_created, at_seq, failed } = this.#replay
    const moved = {
      ...{ id, at_created: last?.created_at ?? at_created, at_seq: last?.seq ?? at_seq },
      ...{ failed: failed + this.#failed, failures_in_a_row: this.#failuresInARow, ended_at: null },
    }
    return async (tx) => {
      await this.#log(tx)
      await tx.run(moveReplay, moved)
      return outcome
    }
  }

  async #log(tx: Transaction): Promise<void> {
    if (this.#attempts.length > 0) await tx.run(logReplayed, { attempts: JSON.stringify(this.#attempts) })
  }

  /**
   * Ends the replay, and notifies the webhook. `missed`: deliveries that were not sent count as
   * failed.
   */
  #end(missed: number): Finish {
    return async (tx) => {
      await this.#log(tx)
      const failed = this.#replay.failed + this.#failed + missed
      const { id, webhook_id, at_created, at_seq } = this.#replay
      const at = { id, at_created, at_seq, failed, failures_in_a_row: this.#failuresInARow }
      const ended = await tx.run(moveReplay, { ...at, ended_at: tx.now })
      if (ended > 0) await enqueueDeliveries(tx, [this.#notice(webhook_id, failed === 0)])
      return DONE
    }
  }

  /** Core reference, 02 section 4. */
  #notice(webhookId: string, isComplete: boolean) {
    const { vocabulary } = this.#parts.naming
    const status = {
      webhook_id: webhookId,
      job_state: isComplete ? 'Complete' : 'Incomplete',
      job_state_description: isComplete
        ? 'Job completed successfully'
        : 'Job failed to deliver all events, please retry your replay job',
      job_id: this.#replay.id,
    }
    const renamed = Object.fromEntries(
      Object.entries(status).map(([name, value]) => [vocabulary.name(name), value]),
    )
    const body = JSON.stringify({ [vocabulary.name('replay_job_status')]: renamed })
    return { webhookId, eventId: this.#replay.id, body, notice: true }
  }
}
