import { rmSync } from 'node:fs'
import type { Logger } from 'pino'
import { memberRemoval } from '../api/ads/audiences/removal.ts'
import { cardRelease } from '../api/ads/cards/release.ts'
import { catalogTasks } from '../api/ads/catalogs/work.ts'
import { publication } from '../api/ads/scheduled-posts/work.ts'
import { objects } from '../api/core/objects/objects.ts'
import { createWebhookChecks } from '../api/core/webhooks/checks.ts'
import { stopWebhook } from '../api/core/webhooks/register.ts'
import { signInRemoval } from '../api/oauth/forget.ts'
import { activityProducer } from '../delivery/activities/producer.ts'
import { activityTrimming } from '../delivery/activities/trim.ts'
import { connectionUpkeep } from '../delivery/streams/connections/upkeep.ts'
import { StreamLinkDelivery } from '../delivery/streams/links/deliveries.ts'
import { webhookReplay } from '../delivery/webhooks/replay.ts'
import type { Sender } from '../delivery/webhooks/sender.ts'
import { startSender } from '../delivery/webhooks/sender.ts'
import { leasedShares, ownShares } from '../delivery/webhooks/shares.ts'
import { SIGNATURE_HEADER } from '../delivery/webhooks/signature.ts'
import { deliveryRemoval, deliveryTrimming } from '../delivery/webhooks/tasks.ts'
import { openMembership } from '../domain/audience-members/open.ts'
import { keywordInsights } from '../domain/insights/insights.ts'
import { insightRemoval } from '../domain/insights/removal.ts'
import { KEYWORD_INSIGHTS, keywordRollups } from '../domain/insights/rollup.ts'
import { ffmpegOf } from '../domain/media/poster/ffmpeg.ts'
import { accountRelease, fileDeletion, mediaCollection, mediaProcessing } from '../domain/media/work.ts'
import { newsPostFollowing } from '../domain/news/posts.ts'
import { newsRefresh, refreshNews } from '../domain/news/refresh.ts'
import { NOTE_CANDIDATES, noteCandidateFollowing, noteCandidateRemoval } from '../domain/notes/candidates.ts'
import { postCounter } from '../domain/posts/daily.ts'
import { reactionRemoval } from '../domain/posts/reaction-removal.ts'
import { SEARCH_INDEX, searchIndexing } from '../domain/search/indexing.ts'
import { postSearch } from '../domain/search/search.ts'
import { spaceAnnouncing } from '../domain/spaces/announcing.ts'
import { usageRemoval } from '../domain/usage/removal.ts'
import { postUsage } from '../domain/usage/usage.ts'
import type { PlazaEndpoint } from '../identity/auth/endpoint.ts'
import { requestAcceptance } from '../identity/relations/pending-requests.ts'
import { createCredentials } from '../identity/tokens/credentials.ts'
import type { Bus } from '../platform/cluster/bus.ts'
import { announce } from '../platform/cluster/presence.ts'
import type { Clock, TimeSource } from '../platform/common/clock.ts'
import { monotonicTime, systemClock } from '../platform/common/clock.ts'
import type { RandomSource } from '../platform/common/random.ts'
import { systemRandom } from '../platform/common/random.ts'
import type { Config } from '../platform/config/config.ts'
import { drainSecondsOf } from '../platform/config/operation.ts'
import { CatchUp } from '../platform/events/catch-up.ts'
import type { Consumer } from '../platform/events/follower.ts'
import { follow } from '../platform/events/follower.ts'
import { reportTo } from '../platform/events/report.ts'
import { eventTrimming } from '../platform/events/trim.ts'
import { auditLog } from '../platform/log/audit.ts'
import { createLog } from '../platform/log/log.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { Leases } from '../platform/queue/leases.ts'
import type { TaskKind } from '../platform/queue/task.ts'
import type { Worker } from '../platform/queue/worker.ts'
import { startWorker } from '../platform/queue/worker.ts'
import { openFolder } from '../platform/storage/folder.ts'
import { masterKey } from '../platform/storage/master-key.ts'
import { openStore } from '../platform/storage/open.ts'
import { watchOutsideCommits } from '../platform/storage/outside-commits.ts'
import { createSealer } from '../platform/storage/seal.ts'
import { checkMasterKey } from '../platform/storage/settings.ts'
import { endpoints } from './endpoints.ts'
import { seedStore } from './seed/seed.ts'
import type { Seeded } from './seed/seeded.ts'
import { recallSeeded } from './seed/seeded.ts'
import { certificatesOf } from './start/certificates.ts'
import type { Context } from './start/context.ts'
import { Disposer } from './start/disposer.ts'
import { Listeners } from './start/hosts.ts'
import { outboundOf } from './start/outbound.ts'
import { createReadiness } from './start/readiness.ts'
import type { Sockets } from './start/sockets.ts'
import { openSockets } from './start/sockets.ts'
import { firstRandom, openSources } from './start/sources.ts'
import {
  membershipPlace,
  openBus,
  openCluster,
  openFiles,
  openLease,
  openSearchIndex,
  storeLocation,
} from './start/state.ts'
import { rulesOf, streamsOf } from './start/streams.ts'
import { openVocabulary, vocabularyWarning } from './start/vocabulary.ts'
import { withWakeups } from './start/wakeups.ts'
import { warningsOf } from './start/warnings.ts'

/** A running Plaza. */
export interface Plaza extends Pick<Sockets, 'urls' | 'listening'> {
  /**
   * The file of the local certificate authority; undefined when the operator provided the certificate, or nothing is
   * stored.
   */
  readonly caFile: string | undefined
  readonly caPem: string | undefined
  /** What the seed created, including secrets; undefined if it created nothing. */
  readonly seeded: Seeded | undefined
  readonly context: Context
  /** Runs background tasks. */
  readonly tasks: Worker
  /** Sentences for the operator. */
  readonly warnings: readonly string[]
  /**
   * Says that it is not ready and goes on for the configured time, or until the signal is aborted, so that a load balancer
   * sends requests elsewhere. `close` follows.
   */
  drain(atOnce: AbortSignal): Promise<void>
  /**
   * Resolves once every index that replies depend on has caught up with changes made before the start, to true; to false
   * if it closes first.
   */
  readonly caughtUp: Promise<boolean>
  /** Stops listening, lets requests in progress finish within the configured time, stops tasks, closes the store. */
  close(): Promise<void>
}

/** Parts that tests replace. */
export interface Given {
  clock?: Clock
  /** Real time, to measure intervals. */
  monotonic?: TimeSource
  random?: RandomSource
  outbound?: Outbound
  log?: Logger
  endpoints?: readonly PlazaEndpoint<Context>[]
  /** Whether the function of each write runs twice, the first time in vain. */
  runWritesTwice?: boolean
  /** Whether tasks run by themselves. If false, only those that `tasks.runDue` is asked for. */
  backgroundTasks?: boolean
  /** Whether deliveries to webhooks are sent by themselves. Defaults to the value of `tasks`. */
  backgroundDeliveries?: boolean
  /** How long the position of a consumer that ignored its events may stay unstored, in milliseconds. */
  storeIgnoredAfterMs?: number
  /**
   * The number of rounds of the seed's password hashes. The usual number takes a quarter of a second for each hash.
   */
  passwordRounds?: number
}

/** The interval at which pending uploads of audience members are polled, for those that no wake-up announces. */
const MEMBERS_LOOK_MS = 5_000
const BYTES_PER_MEGABYTE = 1024 * 1024
const HOUR_MS = 3_600_000

/** Composes and starts Plaza: the only place where its parts meet. */
export async function startServer(config: Config, given: Given = {}): Promise<Plaza> {
  const disposer = new Disposer()
  try {
    const base = await openBase(config, given, disposer)
    const { certificates, warnings, log, store, sealer } = base
    const sockets = await openSockets(config, {
      log,
      tls: certificates.tls,
      opened: (port) => disposer.add(port, (one) => one.end()),
    })
    // After the ports are open: a start that fails for a port creates nothing.
    const seeded = await seedStore(store, config, { ...base.seeding, passwordRounds: given.passwordRounds })
    const indexes = await CatchUp.open(base)
    const context = compose(config, given, { ...base, indexes, sockets, disposer })
    await context.connections.records.closeOfEnded()
    await new Leases({ ...context, holder: holderOf(context) }).freeOwn()
    const ready = createReadiness({ ...base, indexes: context.indexes, folder: base.folder?.path })
    const listeners = disposer.add(new Listeners(context, { sockets, certificates, ready }), (one) =>
      one.close(),
    )
    await listeners.serve(given.endpoints ?? endpoints)
    const shutdownMs = config.shutdownSeconds * 1000
    const holder = holderOf(context)
    const tasks = disposer.add(
      await startWorker(
        taskKindsOf(context),
        { ...context, holder },
        { background: given.backgroundTasks ?? true },
      ),
      (one) => one.stop(shutdownMs),
    )
    const sender = disposer.add(sendWith(context, base, given), (one) => one?.stop(shutdownMs))
    const consumers = consumersOf(context)
    for (const consumer of consumers) disposer.add(followWith(consumer, context, given), (one) => one.stop())
    context.indexes.add(consumers)
    const caughtUp = disposer.add(context.indexes, (one) => one.close()).run()
    // Requests and tasks have the same time to end, and both end before the parts that they use.
    disposer.add(listeners, (one) =>
      Promise.all([one.close(), tasks.stop(shutdownMs), sender?.stop(shutdownMs)]),
    )
    return {
      urls: sockets.urls,
      listening: sockets.listening,
      caFile: certificates.caFile,
      caPem: certificates.caPem,
      seeded: seeded ?? (await recallSeeded(store, sealer)),
      context,
      tasks,
      warnings: [...warnings, ...warningsOf(config)],
      async drain(atOnce) {
        const seconds = atOnce.aborted ? 0 : drainSecondsOf(config)
        if (seconds === 0) return
        base.log.info({ seconds }, 'this node is not ready any more and will stop')
        listeners.drain()
        await systemClock.at(systemClock.now() + seconds * 1000, atOnce)
      },
      caughtUp,
      close: () => disposer.all(),
    }
  } catch (error) {
    await disposer.afterFailure()
    throw error
  }
}

type Base = Awaited<ReturnType<typeof openBase>>

/** Opens the data of Plaza, and what it shares with other nodes. */
async function openBase(config: Config, given: Given, disposer: Disposer) {
  const clock = given.clock ?? systemClock
  const log = given.log ?? createLog(config.logLevel)
  const vocabulary = openVocabulary(config, given.endpoints ?? endpoints)
  const folder = config.memory
    ? undefined
    : disposer.add(openFolder(config.data, { server: true }), (one) => one.close())
  const first = given.random ?? firstRandom(config)
  const { key, warning } = masterKey({
    random: first,
    ...(folder && { folder }),
    ...(config.masterKey !== undefined && { given: config.masterKey }),
  })
  const words = vocabularyWarning(config, given.endpoints ?? endpoints)
  const warnings = [folder?.warning, warning, words].filter((one) => one !== undefined)
  // Sealing with a stored key must never repeat itself, so its randomness is never seeded.
  const sealer = createSealer(key, systemRandom)

  const [certificates, store] = await both(
    certificatesOf(config, folder).then((made) => {
      // With --memory, nothing is stored: the file exists while Plaza runs.
      if (config.memory && made.caFile !== undefined)
        disposer.add(made.caFile, (file) => rmSync(file, { force: true }))
      return made
    }),
    openStore(storeLocation(config, folder), {
      clock,
      onError: (error) => log.error({ err: error }, 'database connection lost'),
      connections: config.databaseConnections,
      ...(given.runWritesTwice !== undefined && { runWritesTwice: given.runWritesTwice }),
    }),
    (opened) => disposer.add(opened, (one) => one.close()),
  )
  if (folder || config.databaseUrl !== undefined) {
    const failed = (error: unknown) =>
      log.error({ err: error }, 'changes of commands are noticed later: the database could not be read')
    disposer.add(await watchOutsideCommits(store, failed), (one) => one.close())
  }
  const keyCheck = sealer.derive('master key check').toString('base64url')
  const isNew = await checkMasterKey(store, keyCheck)
  const files = disposer.add(await openFiles(config, folder), (one) => one.close())
  const ffmpeg = ffmpegOf(config)
  const warn = (sentence: string) => warnings.push(sentence)
  const cluster = disposer.add(await openCluster(config, { clock, folder, isNew, log, warn }), (one) =>
    one.close(),
  )
  const lease = await openLease(config, { store, folder, files, cluster, log, warn })
  if (lease) disposer.add(lease, (one) => one.close())
  // A rotation of the key keeps nodes from starting, so this one may have waited for it to end.
  await checkMasterKey(store, keyCheck)
  const { random, ids, seeding } = await openSources(config, { clock, store, firstRandom: first, lease })
  const bus = disposer.add(await openBus(config, log), (one) => one.close())
  const presence = disposer.add(announcePresence(config, bus, log), (one) => one.leave())
  const credentials = createCredentials(store, sealer)
  return {
    config,
    clock,
    log,
    vocabulary,
    folder,
    warnings,
    sealer,
    certificates,
    store,
    lease,
    holder: lease?.holder ?? systemRandom.bytes(16).toString('hex'),
    files,
    ffmpeg,
    random,
    ids,
    cluster,
    bus,
    presence,
    credentials,
    seeding: { ...seeding, random, sealer },
  }
}

/** Creates what handlers and tasks receive. */
function compose(
  config: Config,
  given: Given,
  { indexes, sockets, disposer, ...base }: Base & { indexes: CatchUp; sockets: Sockets; disposer: Disposer },
): Context {
  const { clock, ids, random, sealer, files, ffmpeg, cluster, credentials, log, vocabulary } = base
  const coreOrigin = sockets.urls.core
  const own = Object.values(sockets.listening).map((port) => ({ host: 'localhost', port }))
  const outbound = disposer.add(
    given.outbound ?? outboundOf(config, clock, base.certificates.caPem, own),
    (one) => one.close(),
  )
  const membership = disposer.add(
    openMembership({
      place: membershipPlace(config, base.folder, base.store),
      clock,
      vocabulary,
      delaySeconds: config.audienceDelaySeconds,
      maxWaitingBytes: config.audienceQueueMegabytes * BYTES_PER_MEGABYTE,
      ...(given.backgroundTasks !== false && { lookEveryMs: MEMBERS_LOOK_MS }),
      onError: (error) => log.error({ err: error }, 'audience members could not be merged'),
    }),
    (one) => one.close(),
  )
  const store = withWakeups(base.store, base.bus, systemRandom.bytes(8).toString('hex'))
  const searchIndex = disposer.add(openSearchIndex(config, base.folder, store), (one) => one.close())
  const naming = { vocabulary, problemBase: config.problemBase ?? coreOrigin }
  const mediaOrigin = config.mediaUrl ?? coreOrigin
  const { monotonic = monotonicTime } = given
  const core = { config, clock, monotonic, ids, random, store, sealer }
  const parts = { ...core, cluster, credentials, outbound, naming, log }
  const usage = postUsage(parts)
  return {
    ...parts,
    files,
    ffmpeg,
    membership,
    searchIndex,
    indexes,
    search: postSearch({ store, index: searchIndex, indexes }),
    usage,
    insights: keywordInsights(store, indexes),
    countPost: postCounter({
      count: (bucket, limit, windowSeconds) => cluster.count(bucket, limit, windowSeconds),
      uncount: (bucket, resetSeconds) => cluster.uncount(bucket, resetSeconds),
      limitRules: config.rateLimits,
    }),
    coreOrigin,
    mediaOrigin,
    ...streamsOf({ ...parts, mediaOrigin, usage, bus: base.bus, holder: base.holder }, disposer),
    checks: createWebhookChecks(parts, new Leases({ ...parts, holder: holderOf(parts) })),
  }
}

/** Waits for both. If one fails, a store that opened is still passed on, so that it can be closed. */
async function both<A, B>(
  one: Promise<A>,
  other: Promise<B>,
  opened: (value: B) => unknown,
): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([one, other])
  if (second.status === 'fulfilled') opened(second.value)
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return [first.value, second.value]
}

/**
 * Identifies the node, also after a restart: it takes over at once what its earlier process had leased. The embedded
 * store belongs to one process, whatever its number.
 */
const holderOf = ({ store, config }: Pick<Context, 'store' | 'config'>): string =>
  store.dialect === 'sqlite' ? 'embedded' : `node ${config.node}`

const announcePresence = ({ node }: Config, bus: Bus, log: Logger) =>
  announce({
    bus,
    clock: systemClock,
    node: String(node),
    changed: (nodes) => log.info({ nodes }, 'the set of running nodes changed'),
  })

/** Starts sending deliveries to webhooks. */
function sendWith(context: Context, { presence }: Base, given: Given): Sender | undefined {
  const { store, log, naming, config } = context
  if (config.holdDeliveries || !(given.backgroundDeliveries ?? given.backgroundTasks ?? true))
    return undefined
  const shares =
    store.dialect === 'sqlite'
      ? ownShares()
      : leasedShares({
          store,
          clock: systemClock,
          holder: holderOf(context),
          nodes: () => presence.nodes().length,
        })
  return startSender({
    ...context,
    random: systemRandom,
    shares,
    signatureHeader: naming.vocabulary.header(SIGNATURE_HEADER),
    stopWebhook,
    onError: (error) => log.error({ err: error }, 'deliveries could not be read or recorded'),
  })
}

/** Every consumer of the event log. */
const consumersOf = ({ store, clock, config, log, searchIndex, ...context }: Context): Consumer[] => [
  auditLog(log),
  searchIndexing({
    store,
    index: searchIndex,
    skipped: leftOut(log, SEARCH_INDEX),
    lost: (error) =>
      log.error({ err: error }, 'the search index was damaged: it is built again from the posts'),
    built: (posts) => log.info({ posts }, 'the search index was built'),
  }),
  noteCandidateFollowing({ store, clock, skipped: leftOut(log, NOTE_CANDIDATES) }),
  newsPostFollowing({
    store,
    clock,
    caughtUp: (signal) => refreshNews({ ...context, store, clock }, signal),
  }),
  activityProducer({ ...context, store, clock, graph: objects }),
  new StreamLinkDelivery({
    ...context,
    store,
    clock,
    config,
    graph: objects,
    rules: rulesOf('filtered', { ...context, store, log }),
    onUnreadable: ({ webhook_id, app_id }, error) =>
      log.error(
        { err: error, webhook_id, app_id },
        'the link of a webhook to the filtered stream could not be read',
      ),
  }),
  keywordRollups({
    store,
    clock,
    config,
    skipped: leftOut(log, KEYWORD_INSIGHTS),
    built: (posts) => log.info({ posts }, 'the rollups of keyword insights were built'),
  }),
]

/** Logs an item that a consumer of events cannot handle. */
const leftOut = (log: Logger, consumer: string) => (error: Error) =>
  log.error({ err: error, consumer }, 'an item was left out')

const followWith = (
  consumer: Consumer,
  { store, clock, log, config }: Context,
  { storeIgnoredAfterMs: storeAfterMs }: Given,
) =>
  follow(consumer, {
    store,
    clock,
    ...(storeAfterMs !== undefined && { storeAfterMs }),
    holder: holderOf({ store, config }),
    onError: reportTo(log, consumer),
  })

/** Every kind of task. */
const taskKindsOf = (context: Context): TaskKind<never>[] => [
  // A check is a call to the webhook too.
  ...(context.config.holdDeliveries ? [] : [context.checks.kind]),
  signInRemoval(context),
  publication(context),
  spaceAnnouncing(),
  mediaProcessing(context),
  mediaCollection(context),
  accountRelease(),
  requestAcceptance(context),
  cardRelease(),
  reactionRemoval(context),
  fileDeletion(context),
  memberRemoval(context),
  ...catalogTasks(context),
  usageRemoval(context),
  noteCandidateRemoval(context),
  deliveryRemoval(context),
  webhookReplay(context),
  deliveryTrimming(context, context.config.deliveryRetentionHours * HOUR_MS),
  newsRefresh(context),
  connectionUpkeep(context),
  activityTrimming(context),
  insightRemoval(context),
  eventTrimming(context, context.config.eventRetentionHours * HOUR_MS),
]
