import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { audienceJobs } from './ads/audiences/jobs.ts'
import { openMembership } from './ads/audiences/membership/open.ts'
import { catalogJobs } from './ads/catalogs/work.ts'
import { publishDue } from './ads/scheduled-posts/work.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { forgetMedia, workOnMedia } from './core/media/work.ts'
import { createWebhookChecks } from './core/webhooks/checks.ts'
import { endpoints } from './endpoints.ts'
import { createCredentials } from './identity/credentials.ts'
import type { Job, Jobs, Wake } from './jobs/jobs.ts'
import { startJobs } from './jobs/jobs.ts'
import type { Clock } from './kit/clock.ts'
import { systemClock } from './kit/clock.ts'
import type { Endpoint } from './kit/endpoint.ts'
import type { RandomSource } from './kit/random.ts'
import { systemRandom } from './kit/random.ts'
import { neutralVocabulary, readVocabulary } from './kit/vocabulary.ts'
import { createLog } from './log.ts'
import { forgetExpired } from './oauth/forget.ts'
import type { Outbound } from './outbound/outbound.ts'
import { createOutbound } from './outbound/outbound.ts'
import type { Planted } from './seed/planted.ts'
import { recallPlanted } from './seed/planted.ts'
import { plant } from './seed/seed.ts'
import { certificatesOf } from './start/certificates.ts'
import type { Hosts } from './start/hosts.ts'
import { Listeners } from './start/hosts.ts'
import { firstRandom, openSources } from './start/sources.ts'
import { membershipPlace, openCluster, openFiles, storeLocation } from './start/state.ts'
import { Undo } from './start/undo.ts'
import { openFolder } from './store/folder.ts'
import { masterKey } from './store/master-key.ts'
import { openStore } from './store/open.ts'
import { createSealer } from './store/seal.ts'
import { checkMasterKey } from './store/settings.ts'
import { VERSION } from './version.ts'

/** A running Plaza. */
export interface Plaza extends Pick<Hosts, 'urls' | 'listening'> {
  /** Of the local certificate authority; undefined when the certificate was given, or nothing is kept. */
  readonly caFile: string | undefined
  readonly caPem: string | undefined
  /** What the store was planted with at its first start, secrets included; undefined when with nothing. */
  readonly planted: Planted | undefined
  /** Whether this start planted it. */
  readonly firstStart: boolean
  readonly context: Context
  readonly jobs: Jobs
  /** Sentences for the operator. */
  readonly warnings: readonly string[]
  /** Stops listening, lets requests under way finish within the configured time, stops jobs, closes the store. */
  close(): Promise<void>
}

/** Parts that a test replaces. */
export interface Given {
  clock?: Clock
  random?: RandomSource
  outbound?: Outbound
  log?: Logger
  endpoints?: readonly Endpoint[]
}

const MAX_ANSWER_BYTES = 64 * 1024
const MAX_OUTBOUND = 64
const BYTES_PER_MEGABYTE = 1024 * 1024
const FORGET_EVERY_SECONDS = 300
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Composes and starts Plaza: the only place where its parts meet. */
export async function startServer(config: Config, given: Given = {}): Promise<Plaza> {
  const undo = new Undo()
  try {
    let wake: Wake = () => undefined
    const parts = await openParts(config, given, { undo, wake: (job) => wake(job) })
    const { context, certificates, planted, warnings } = parts
    const listeners = undo.add(new Listeners(context, certificates), (one) => one.close())
    await listeners.open(given.endpoints ?? endpoints)
    const jobs = undo.add(startJobs(jobsOf(context), context.clock, failedJob(context.log)), (one) =>
      one.stop(),
    )
    wake = jobs.wake
    // Requests end before the jobs, and both before what they use.
    undo.add(listeners, (one) => one.close())
    return {
      urls: listeners.urls,
      listening: listeners.listening,
      caFile: certificates.caFile,
      caPem: certificates.caPem,
      planted: planted ?? (await recallPlanted(context.store, context.sealer)),
      firstStart: planted !== undefined,
      context,
      jobs,
      warnings,
      close: () => undo.all(),
    }
  } catch (error) {
    await undo.all()
    throw error
  }
}

/** Opens everything that stands behind the listeners. */
async function openParts(config: Config, given: Given, { undo, wake }: { undo: Undo; wake: Wake }) {
  const clock = given.clock ?? systemClock
  const log = given.log ?? createLog(config.logLevel)
  const folder = config.memory ? undefined : undo.add(openFolder(config.data), (one) => one.close())
  const first = given.random ?? firstRandom(config)
  const { key, warning } = masterKey({
    random: first,
    ...(folder && { folder }),
    ...(config.masterKey !== undefined && { given: config.masterKey }),
  })
  // Sealing must never repeat itself over a kept key, so its randomness is never a seeded one.
  const sealer = createSealer(key, systemRandom)

  const [certificates, store] = await both(
    certificatesOf(config, folder),
    openStore(storeLocation(config, folder), (error) =>
      log.error({ err: error }, 'database connection lost'),
    ),
    (opened) => undo.add(opened, (one) => one.close()),
  )
  await checkMasterKey(store, sealer.derive('master key check').toString('base64url'))
  const files = undo.add(await openFiles(config, folder), (one) => one.close())
  const mediaOrigin = { url: config.mediaUrl ?? config.coreUrl ?? '' }
  const { random, ids } = await openSources(config, { clock, store, firstRandom: first })
  const cluster = undo.add(await openCluster(config, clock, folder, log), (one) => one.close())
  const credentials = createCredentials(store, sealer)
  const outbound = undo.add(given.outbound ?? outboundOf(config, certificates.caPem), (one) => one.close())
  const planted = await plant(store, config.seed, { clock, ids, random, sealer })

  const speech = { vocabulary: vocabularyOf(config), problemBase: config.problemBase ?? config.coreUrl ?? '' }
  const parts = {
    config,
    clock,
    ids,
    random,
    store,
    files,
    mediaOrigin,
    sealer,
    cluster,
    outbound,
    credentials,
    speech,
    log,
  }
  const membership = undo.add(
    openMembership({
      place: membershipPlace(config, folder, store),
      clock,
      vocabulary: speech.vocabulary,
      delaySeconds: config.audienceDelaySeconds,
      maxWaitingBytes: config.audienceQueueMegabytes * BYTES_PER_MEGABYTE,
      onError: (error) => log.error({ err: error }, 'audience members could not be merged'),
    }),
    (one) => one.close(),
  )
  const context: Context = { ...parts, wake, membership, checks: createWebhookChecks(parts) }
  return { context, certificates, planted, warnings: warning ? [warning] : [] }
}

/** Waits for both; a store that opened is handed over even when the other failed, so that it can be closed. */
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

const outboundOf = (config: Config, caPem: string | undefined): Outbound =>
  createOutbound({
    allow: config.outboundAllow ?? (config.hardened ? [] : LOOPBACK),
    timeoutMs: config.crcTimeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    maxConcurrent: MAX_OUTBOUND,
    userAgent: `Plaza/${VERSION}`,
    ca: [
      ...(caPem === undefined ? [] : [caPem]),
      ...(config.outboundCa === undefined ? [] : [readFileSync(config.outboundCa, 'utf8')]),
    ],
  })

const vocabularyOf = (config: Config) =>
  config.vocabulary === undefined
    ? neutralVocabulary
    : readVocabulary(readFileSync(config.vocabulary, 'utf8'))

const jobsOf = (context: Context): Job[] => [
  {
    name: 'revalidate webhooks',
    everySeconds: context.config.revalidateEverySeconds,
    run: () => context.checks.checkDue(),
  },
  {
    name: 'forget expired sign-ins',
    everySeconds: FORGET_EVERY_SECONDS,
    run: () => forgetExpired(context),
  },
  ...catalogJobs(context),
  ...audienceJobs(context),
  { name: 'work on media', everySeconds: 1, run: () => workOnMedia(context) },
  { name: 'publish scheduled posts', everySeconds: 1, run: (stopping) => publishDue(context, stopping) },
  { name: 'forget media', everySeconds: FORGET_EVERY_SECONDS, run: () => forgetMedia(context) },
]

const failedJob = (log: Logger) => (job: string, error: unknown) =>
  log.error({ err: error, job }, 'a job failed')
