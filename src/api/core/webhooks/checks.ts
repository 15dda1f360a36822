import type { Logger } from 'pino'
import type { WebhookRow } from '../../../delivery/webhooks/tables.ts'
import type { App } from '../../../identity/apps/app.ts'
import type { Credentials } from '../../../identity/tokens/credentials.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { RandomSource } from '../../../platform/common/random.ts'
import type { Config } from '../../../platform/config/config.ts'
import { emit } from '../../../platform/events/log.ts'
import { msg } from '../../../platform/http/message.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { Naming } from '../../../platform/protocols/protocols.ts'
import { LeaseLost, type Leases } from '../../../platform/queue/leases.ts'
import { again, DONE, type Finish, type TaskKind } from '../../../platform/queue/task.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { type CrcResult, challenge } from './crc.ts'
import { webhookInvalidated, webhookValidated } from './events.ts'
import { recordCheck, webhookById } from './queries.ts'
import { checkWebhook } from './register.ts'

/** Checks webhooks, with at most one check of a webhook at a time, and stores their validity. */
export interface WebhookChecks {
  /** Challenges a URL that is not registered yet. Nothing is stored. */
  probe(app: App, url: string): Promise<CrcResult>
  /** Checks a webhook unless a check of it is running, on this node or another. */
  check(app: App, webhook: WebhookRow): Promise<CrcResult>
  /** The periodic checks. */
  readonly kind: TaskKind<{ webhook: string; app: string }>
}

/** Webhooks that one node checks at the same time. */
const CONCURRENCY = 20
/** In addition to the time limit of a response. Afterwards, another node may try. */
const LEASE_MARGIN_MS = 5_000

/** What checks need. */
interface CheckDependencies {
  readonly config: Pick<
    Config,
    'crcTimeoutMs' | 'invalidAfterSeconds' | 'revalidateAfterSeconds' | 'revalidateEverySeconds'
  >
  readonly clock: Clock
  readonly random: RandomSource
  readonly store: Store
  readonly outbound: Outbound
  readonly credentials: Pick<Credentials, 'appById'>
  readonly naming: Naming
  readonly log: Logger
}

export function createWebhookChecks(parts: CheckDependencies, leases: Leases): WebhookChecks {
  const { config, clock, random, store, outbound, credentials, naming, log } = parts
  const pauseMs = config.revalidateEverySeconds * 1000

  async function probe(app: App, url: string): Promise<CrcResult> {
    const vocabulary = naming.vocabulary
    const result = await challenge(url, app, { outbound, random, vocabulary })
    // Paths and queries of webhooks may hold secrets: only the origin is logged.
    if (result.kind === 'failed')
      log.info({ app: app.id, webhook: new URL(url).origin, problem: result.detail }, 'CRC check failed')
    return result
  }

  /** Records the outcome of a check, and when the next one is due. */
  const recording =
    (result: CrcResult, webhook: WebhookRow): Finish =>
    async (tx) => {
      const now = clock.now()
      const passed = result.kind === 'passed'
      const permanent = result.kind === 'failed' && result.permanent
      const silent = now - webhook.last_success_at >= config.invalidAfterSeconds * 1000
      const valid = passed ? 1 : permanent || silent ? 0 : webhook.valid
      const known = await tx.run(recordCheck, {
        id: webhook.id,
        valid,
        last_success_at: passed ? now : webhook.last_success_at,
      })
      // It may have been deleted during the check.
      if (known === 0) return DONE
      if (valid !== webhook.valid) {
        const about = { webhook_id: webhook.id, app_id: webhook.app_id }
        await emit(tx, valid === 1 ? webhookValidated : webhookInvalidated, about)
      }
      return again(now + (passed ? config.revalidateAfterSeconds * 1000 : pauseMs))
    }

  const kind: TaskKind<{ webhook: string; app: string }> = {
    type: checkWebhook,
    leaseMs: config.crcTimeoutMs + LEASE_MARGIN_MS,
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: () => pauseMs,
    concurrency: CONCURRENCY,
    async run({ webhook: id }) {
      const webhook = await store.first(webhookById, { id })
      if (!webhook) return DONE
      const app = await credentials.appById(webhook.app_id)
      if (!app) return again(clock.now() + pauseMs)
      return recording(await probe(app, webhook.url), webhook)
    },
  }

  return {
    probe,
    kind,
    async check(app, webhook) {
      const leased = await leases.lease(kind, webhook.id)
      if (!leased)
        return { kind: 'not attempted', explanation: msg`another check of this webhook is running` }
      const result = await probe(app, webhook.url)
      await leased.end(recording(result, webhook)).catch((error: unknown) => {
        // Another check of it has begun and will record the result.
        if (!(error instanceof LeaseLost)) throw error
      })
      return result
    },
  }
}
