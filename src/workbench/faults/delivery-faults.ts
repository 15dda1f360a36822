import { STATUS_CODES } from 'node:http'
import type { Interpose } from '../../delivery/webhooks/lane.ts'
import { systemClock } from '../../platform/common/clock.ts'
import type { Answer } from '../../platform/outbound/line.ts'
import type { Faults } from './faults.ts'
import type { FaultRule } from './rule.ts'

interface DeliveryFaultsOptions {
  readonly faults: Faults
  /** How long a server may take. */
  readonly timeoutMs: number
}

/** Fails deliveries to webhooks, as their rules say. Retries follow the usual schedule. */
export const deliveryFaults =
  ({ faults, timeoutMs }: DeliveryFaultsOptions): Interpose =>
  (to, post, done) => {
    const active = faults.isEmpty ? undefined : faults.ofDelivery(to)
    if (!active) return post(done)
    const { rule } = active
    const waitMs = rule.kind === 'webhook_timeout' ? timeoutMs : Math.min(active.latencyMs(), timeoutMs)
    const isOver = waitMs === 0 || systemClock.at(systemClock.now() + waitMs, faults.closing)
    void Promise.resolve(isOver).then((came) => {
      if (!came) return done({ kind: 'closed' })
      if (waitMs >= timeoutMs) return done({ kind: 'timeout' })
      const answer = answerOf(rule)
      return answer ? done(answer) : post(done)
    })
  }

/** Undefined if the server answers itself. */
function answerOf({ kind, status = 500 }: FaultRule): Answer | undefined {
  switch (kind) {
    case 'webhook_status':
      return {
        kind: 'answered',
        status,
        retryAfter: undefined,
        start: Buffer.from(STATUS_CODES[status] ?? ''),
      }
    case 'webhook_tls':
      return { kind: 'tls', detail: 'a fault rule rejects the certificate' }
    case 'webhook_unreachable':
      return { kind: 'unreachable', detail: 'a fault rule refuses the connection' }
    default:
      return undefined
  }
}
