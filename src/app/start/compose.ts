import { objects } from '../../api/core/objects/objects.ts'
import { createWebhookChecks } from '../../api/core/webhooks/checks.ts'
import { ActivityFeeds } from '../../delivery/activities/feed.ts'
import { streamsOf } from '../../delivery/streams/open.ts'
import { PostViews } from '../../domain/analytics/views.ts'
import type { Membership } from '../../domain/audience-members/membership.ts'
import { openMembership } from '../../domain/audience-members/open.ts'
import { adDelivery } from '../../api/ads/delivery/delivery.ts'
import { keywordInsights } from '../../domain/insights/insights.ts'
import { postCounter } from '../../domain/posts/daily.ts'
import { indexTurns, postSearch } from '../../domain/search/search.ts'
import { postUsage } from '../../domain/usage/usage.ts'
import { type Clock, monotonicTime } from '../../platform/common/clock.ts'
import type { Disposer } from '../../platform/common/disposer.ts'
import { jsonText } from '../../platform/common/exact-json.ts'
import { once } from '../../platform/common/lookup.ts'
import { POLL_MS } from '../../platform/common/loop.ts'
import { systemRandom } from '../../platform/common/random.ts'
import { VERSION } from '../../platform/common/version.ts'
import type { Config } from '../../platform/config/config.ts'
import type { CatchUp } from '../../platform/events/catch-up.ts'
import type { Naming } from '../../platform/http/contract.ts'
import { createOutbound, type Outbound, type OutboundOptions } from '../../platform/outbound/outbound.ts'
import { type Reserved, reservedBy } from '../../platform/outbound/reserved.ts'
import { Leases } from '../../platform/queue/leases.ts'
import type { Base } from './base.ts'
import { authoritiesOf } from './certificates.ts'
import type { Context } from './context.ts'
import type { StartOverrides } from './given.ts'
import type { Sockets } from './sockets.ts'
import { membershipPlace, openSearchIndex } from './state.ts'
import { withWakeups } from './wakeups.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024

/**
 * Identifies the node, also after a restart: it takes over at once what its earlier process had
 * leased. The embedded store belongs to one process, whatever its number.
 */
export const holderOf = ({ store, config }: Pick<Context, 'store' | 'config'>): string =>
  store.dialect === 'sqlite' ? 'embedded' : `node ${config.node}`

/** Opens the members of audiences. */
export const membershipOf = ({ config, given, ...base }: Base & { given: StartOverrides }): Membership =>
  openMembership({
    place: membershipPlace(config, base),
    clock: base.clock,
    vocabulary: base.vocabulary,
    delaySeconds: config.audienceDelaySeconds,
    maxWaitingBytes: config.audienceQueueMegabytes * BYTES_PER_MEGABYTE,
    ...(given.backgroundTasks !== false && { lookEveryMs: POLL_MS.housekeeping }),
    onError: (error) => base.log.error({ err: error }, 'audience members could not be merged'),
  })

/** Creates what handlers and tasks receive. */
export function compose(
  config: Config,
  given: StartOverrides,
  {
    indexes,
    sockets,
    membership,
    disposer,
    onCall,
    ...base
  }: Base & {
    indexes: CatchUp
    sockets: Sockets
    membership: Membership
    disposer: Disposer
    onCall: OutboundOptions['onCall']
  },
): Context {
  const {
    clock,
    machineClock,
    ids,
    random,
    sealer,
    files,
    ffmpeg,
    cluster,
    credentials,
    log,
    vocabulary,
    dictionary,
  } = base
  const coreOrigin = sockets.urls.core
  const own = Object.values(sockets.listening).map((port) => ({ host: 'localhost', port }))
  const outbound = disposer.add(
    given.outbound ?? outboundOf(config, machineClock, { caPem: base.certificates.caPem, own, onCall }),
    (outbound) => outbound.close(),
  )
  const store = withWakeups(base.store, base.bus, systemRandom.bytes(8).toString('hex'))
  const searchIndex = disposer.add(openSearchIndex(config, { ...base, store }), (index) => index.close())
  const turns = indexTurns(searchIndex, indexes)
  const naming = { vocabulary, problemBase: config.problemBase ?? coreOrigin }
  const mediaOrigin = config.mediaUrl ?? coreOrigin
  const { monotonic = monotonicTime } = given
  const core = { config, clock, monotonic, ids, random, store, sealer }
  const parts = { ...core, cluster, credentials, outbound, naming, log }
  const usage = postUsage(parts)
  const views = disposer.add(
    new PostViews({
      ...{ store, clock, background: given.backgroundTasks ?? true },
      onError: (error) => log.error({ err: error }, 'views of posts could not be counted yet'),
    }),
    (one) => one.close(),
  )
  const streams = streamsOf(
    { ...parts, mediaOrigin, usage, views, bus: base.bus, holder: base.holder },
    disposer,
  )
  return {
    ...parts,
    dictionary,
    machineClock,
    files,
    ffmpeg,
    membership,
    searchIndex,
    indexes,
    search: postSearch(store, turns),
    usage,
    views,
    insights: keywordInsights(store, turns),
    delivery: adDelivery({ ...core, membership }),
    countPost: postCounter({
      count: (bucket, limit, windowSeconds) => cluster.count(bucket, limit, windowSeconds),
      uncount: (bucket, resetSeconds) => cluster.uncount(bucket, resetSeconds),
      get limitRules() {
        return config.rateLimits
      },
    }),
    coreOrigin,
    coreDocument: once(() => coreDocumentOf(naming, coreOrigin)),
    mediaOrigin,
    graph: objects,
    ...streams,
    activityFeeds: new ActivityFeeds({ ...parts, onError: streams.streamFailed }),
    checks: createWebhookChecks(parts, new Leases({ ...parts, holder: holderOf(parts) })),
  }
}

/** The version of the core API that is emulated. */
const CORE_VERSION = '2.166'

/** Made at its first request, because that takes a while. */
async function coreDocumentOf(naming: Naming, core: string): Promise<string> {
  const [{ openApi }, { endpoints }] = await Promise.all([
    import('../openapi/openapi.ts'),
    import('../endpoints.ts'),
  ])
  return jsonText(openApi('core', endpoints, { ...naming, version: CORE_VERSION, servers: { core } }))
}

const MAX_ANSWER_BYTES = 64 * 1024
const MAX_OUTBOUND = 64
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Calls to URLs that users configured. `own` are the listeners of this process. */
function outboundOf(
  config: Config,
  clock: Clock,
  {
    caPem,
    own,
    onCall,
  }: {
    caPem: string | undefined
    own: readonly Reserved[]
    onCall: OutboundOptions['onCall']
  },
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
    onCall,
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
