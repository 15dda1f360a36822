import type { Clock } from '../../platform/common/clock.ts'
import { VERSION } from '../../platform/common/version.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { Reserved } from '../../platform/outbound/reserved.ts'
import { reservedBy } from '../../platform/outbound/reserved.ts'
import { authoritiesOf } from './certificates.ts'

const MAX_ANSWER_BYTES = 64 * 1024
const MAX_OUTBOUND = 64
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Calls to URLs that users configured. `own` are the listeners of this process. */
export function outboundOf(
  config: Config,
  clock: Clock,
  caPem: string | undefined,
  own: readonly Reserved[],
): Outbound {
  const reserved = [...own, ...servicesOf(config)]
  return createOutbound({
    clock,
    allow: config.outboundAllow ?? (config.hardened ? [] : LOOPBACK),
    reserved,
    timeoutMs: config.crcTimeoutMs,
    lineTimeoutMs: config.deliveryTimeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    maxConcurrent: MAX_OUTBOUND,
    userAgent: `Plaza/${VERSION}`,
    ca: [
      ...(caPem === undefined ? [] : [caPem]),
      ...(config.outboundCa === undefined ? [] : [authoritiesOf(config.outboundCa)]),
    ],
  })
}

/** The services that Plaza depends on: its database, its Redis, its store of media. */
export const servicesOf = ({ databaseUrl, redisUrl, mediaEndpoint }: Config): Reserved[] => [
  ...reservedBy(databaseUrl, 5432),
  ...reservedBy(redisUrl, 6379),
  ...reservedBy(mediaEndpoint, mediaEndpoint?.startsWith('https:') ? 443 : 80),
]
