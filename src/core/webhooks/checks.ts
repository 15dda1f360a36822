import type { Context } from '../../context.ts'
import type { App } from '../../identity/app.ts'
import { msg } from '../../http/message.ts'
import type { WebhookRow } from '../../storage/tables.ts'
import type { CrcResult } from './crc.ts'
import { challenge } from './crc.ts'
import { leaseCheck, leaseDueChecks, recordCheck } from './queries.ts'

/** Checks webhooks, one check at a time each, and keeps their validity. */
export interface WebhookChecks {
  /** A challenge for a URL that is not registered yet; nothing is recorded. */
  probe(app: App, url: string): Promise<CrcResult>
  /** Checks a webhook unless somebody is already at it, on this node or another. */
  check(app: App, webhook: WebhookRow): Promise<CrcResult>
  /** Checks every webhook whose periodic check is due. Resolves to how many it checked. */
  checkDue(): Promise<number>
}

/** Webhooks that one node checks at the same time. */
const BATCH = 20
/** On top of the time that an answer may take: after it, another node may try. */
const LEASE_MARGIN_MS = 5_000

type Parts = Pick<
  Context,
  'config' | 'clock' | 'random' | 'store' | 'outbound' | 'credentials' | 'speech' | 'log'
>

export function createWebhookChecks(parts: Parts): WebhookChecks {
  const { config, clock, random, store, outbound, credentials, speech, log } = parts
  const leaseMs = config.crcTimeoutMs + LEASE_MARGIN_MS

  async function probe(app: App, url: string): Promise<CrcResult> {
    const vocabulary = speech.vocabulary
    const result = await challenge(url, app.consumerSecret, { outbound, random, vocabulary })
    // Paths and queries of webhooks may hold secrets: only the origin is logged.
    if (result.kind === 'failed')
      log.info({ app: app.id, webhook: new URL(url).origin, problem: result.detail }, 'CRC check failed')
    return result
  }

  /** Challenges a webhook that this node holds the lease of. */
  async function checkLeased(app: App, webhook: WebhookRow): Promise<CrcResult> {
    const result = await probe(app, webhook.url)
    await store.write((tx) => tx.run(recordCheck, { id: webhook.id, ...validityAfter(result, webhook) }))
    log.debug({ webhook: webhook.id, result }, 'webhook checked')
    return result
  }

  function validityAfter(result: CrcResult, webhook: WebhookRow) {
    const now = clock.now()
    if (result.kind === 'passed') {
      return { valid: 1, lastSuccessAt: now, nextCheckAt: now + config.revalidateAfterSeconds * 1000 }
    }
    const nextCheckAt = now + config.revalidateEverySeconds * 1000
    const lasting = result.kind === 'failed' && result.lasting
    const silent = now - webhook.last_success_at >= config.invalidAfterSeconds * 1000
    return {
      valid: lasting || silent ? 0 : webhook.valid,
      lastSuccessAt: webhook.last_success_at,
      nextCheckAt,
    }
  }

  async function checkOne(webhook: WebhookRow): Promise<void> {
    const app = await credentials.appById(webhook.app_id)
    if (app) await checkLeased(app, webhook)
  }

  return {
    probe,
    async check(app, webhook) {
      const now = clock.now()
      const leased = await store.write((tx) =>
        tx.run(leaseCheck, { id: webhook.id, now, until: now + leaseMs }),
      )
      if (leased === 0)
        return { kind: 'not attempted', explanation: msg`another check of this webhook is running` }
      return checkLeased(app, webhook)
    },
    async checkDue() {
      let checked = 0
      for (;;) {
        const now = clock.now()
        const due = await store.write((tx) =>
          tx.all(leaseDueChecks, { now, until: now + leaseMs, limit: BATCH }),
        )
        if (due.length === 0) return checked
        await Promise.all(due.map(checkOne))
        checked += due.length
      }
    },
  }
}
