import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { authenticate } from './auth/authenticate.ts'
import { authorize } from './auth/authorize.ts'
import type { Principal } from './auth/principal.ts'
import type { Cluster } from './cluster/cluster.ts'
import { ClusterUnavailable } from './cluster/cluster.ts'
import { MemoryCluster } from './cluster/memory.ts'
import type { Config } from './config.ts'
import { mountConsole } from './console/console.ts'
import type { Context } from './context.ts'
import { createWebhookChecks } from './core/webhooks/checks.ts'
import { endpoints } from './endpoints.ts'
import { createCredentials } from './identity/credentials.ts'
import type { Jobs } from './jobs/jobs.ts'
import { startJobs } from './jobs/jobs.ts'
import type { Clock } from './kit/clock.ts'
import { systemClock } from './kit/clock.ts'
import type { Endpoint, Host } from './kit/endpoint.ts'
import { Refusal, refuse } from './kit/errors.ts'
import { timeOrderedIds } from './kit/ids.ts'
import type { PipelineServices } from './kit/pipeline.ts'
import { mount, refuser } from './kit/pipeline.ts'
import type { RandomSource } from './kit/random.ts'
import { seededRandom, systemRandom } from './kit/random.ts'
import { neutralVocabulary, readVocabulary } from './kit/vocabulary.ts'
import { closeListener, createListener, listen } from './listeners.ts'
import { createLog, logRequests } from './log.ts'
import { forgetExpired } from './oauth/forget.ts'
import { createPendingTokens } from './oauth/pending-tokens.ts'
import type { Outbound } from './outbound/outbound.ts'
import { createOutbound } from './outbound/outbound.ts'
import type { Planted } from './seed/planted.ts'
import { recallPlanted } from './seed/planted.ts'
import { plant } from './seed/seed.ts'
import type { Folder } from './store/folder.ts'
import { openFolder } from './store/folder.ts'
import { masterKey } from './store/master-key.ts'
import { openStore } from './store/open.ts'
import { createSealer } from './store/seal.ts'
import { checkMasterKey, countStart } from './store/settings.ts'
import { StoreUnavailable } from './store/store.ts'
import { loadCertificates } from './tls/authority.ts'
import { VERSION } from './version.ts'

/** Where a running Plaza is reached. */
export interface Urls {
  core: string
  ads: string
  adsSandbox: string
  console: string
}

/** A running Plaza. */
export interface Plaza {
  readonly urls: Urls
  /** Where the listeners listen themselves, whatever their public origin is. */
  readonly listening: readonly { host: Host; port: number }[]
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

/** What must be undone when the server ends, or does not come up. Undone in reverse. */
class Undo {
  readonly #steps: (() => Promise<unknown> | unknown)[] = []
  add<T>(thing: T, undo: (thing: T) => Promise<unknown> | unknown): T {
    this.#steps.push(() => undo(thing))
    return thing
  }
  async all(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}

const MAX_ANSWER_BYTES = 64 * 1024
const MAX_OUTBOUND = 64
const FORGET_EVERY_SECONDS = 300
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Composes and starts Plaza: the only place where its parts meet. */
export async function startServer(config: Config, given: Given = {}): Promise<Plaza> {
  const undo = new Undo()
  try {
    return await compose(config, given, undo)
  } catch (error) {
    await undo.all()
    throw error
  }
}

async function compose(config: Config, given: Given, undo: Undo): Promise<Plaza> {
  const clock = given.clock ?? systemClock
  const log = given.log ?? createLog(config.logLevel)
  const warnings: string[] = []
  const folder = config.memory ? undefined : undo.add(openFolder(config.data), (one) => one.close())

  // One generator for what must be repeatable; sealing must never repeat itself over a kept key.
  const firstRandom =
    given.random ?? (config.seedRandom === undefined ? systemRandom : seededRandom(config.seedRandom))
  const { key, warning } = masterKey({
    random: firstRandom,
    ...(folder && { folder }),
    ...(config.masterKey !== undefined && { given: config.masterKey }),
  })
  if (warning) warnings.push(warning)
  const sealer = createSealer(key, systemRandom)

  const certificates = certificatesOf(config, folder)
  const store = undo.add(
    await openStore(storeLocation(config, folder), (error) =>
      log.error({ err: error }, 'database connection lost'),
    ),
    (one) => one.close(),
  )
  await checkMasterKey(store, sealer.derive('master key check').toString('base64url'))
  const { random, ids } = await sources(config, given, clock, store, firstRandom)
  const cluster = undo.add(await openCluster(config, clock, folder, log), (one) => one.close())
  const credentials = createCredentials(store, sealer)
  const { caPem, caFile, tls } = await certificates

  const outbound = undo.add(
    given.outbound ??
      createOutbound({
        allow: config.outboundAllow ?? (config.hardened ? [] : LOOPBACK),
        timeoutMs: config.crcTimeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        maxConcurrent: MAX_OUTBOUND,
        userAgent: `Plaza/${VERSION}`,
        ca: [
          ...(caPem === undefined ? [] : [caPem]),
          ...(config.outboundCa ? [readFileSync(config.outboundCa, 'utf8')] : []),
        ],
      }),
    (one) => one.close(),
  )
  const planted = await plant(store, config.seed, { clock, ids, random, sealer })

  const vocabulary =
    config.vocabulary === undefined
      ? neutralVocabulary
      : readVocabulary(readFileSync(config.vocabulary, 'utf8'))
  // The core origin is part of Problem types; it is known once the listener has its port.
  const speech = { vocabulary, problemBase: config.problemBase ?? config.coreUrl ?? '' }
  const checks = createWebhookChecks({ config, clock, random, store, outbound, credentials, speech, log })
  const context: Context = {
    config,
    clock,
    ids,
    random,
    store,
    sealer,
    cluster,
    outbound,
    credentials,
    checks,
    speech,
    log,
  }

  const requestId = requestIds(systemRandom)
  const apiTls = config.behindProxy ? undefined : tls
  const servers: FastifyInstance[] = []
  const listening: { host: Host; port: number }[] = []
  undo.add(servers, closeAll(config.shutdownSeconds))

  async function open(host: Host, port: number, publicUrl: string | undefined): Promise<string> {
    const services = pipelineServices(context, apiTls !== undefined, publicUrl)
    const server = createListener({
      tls: apiTls,
      requestId,
      onBadUrl: refuser(host, services, 'bad request'),
    })
    logRequests(server, log, host, vocabulary)
    mount(server, host, given.endpoints ?? endpoints, services)
    servers.push(server)
    const actual = await listen(server, config.listen, port)
    listening.push({ host, port: actual })
    return publicUrl ?? `${apiTls ? 'https' : 'http'}://${hostText(config.listen)}:${actual}`
  }

  const core = await open('core', config.corePort, config.coreUrl)
  if (speech.problemBase === '') speech.problemBase = core
  const ads = await open('ads', config.adsPort, config.adsUrl)
  const adsSandbox = await open('sandbox', config.adsSandboxPort, config.adsSandboxUrl)
  const consoleServer = createListener({ tls: undefined, requestId })
  mountConsole(consoleServer, {
    caPem,
    version: VERSION,
    async ready() {
      await credentials.refresh()
      await cluster.count('readiness', Number.MAX_SAFE_INTEGER, 1)
    },
  })
  servers.push(consoleServer)
  const consolePort = await listen(consoleServer, '127.0.0.1', config.consolePort)

  const jobs = undo.add(
    startJobs(
      [
        {
          name: 'revalidate webhooks',
          everySeconds: config.revalidateEverySeconds,
          run: () => checks.checkDue(),
        },
        {
          name: 'forget expired sign-ins',
          everySeconds: FORGET_EVERY_SECONDS,
          run: () => forgetExpired(context),
        },
      ],
      clock,
      (job, error) => log.error({ err: error, job }, 'a job failed'),
    ),
    (one) => one.stop(),
  )
  // Jobs end before what they use; requests end first of all.
  undo.add(servers, closeAll(config.shutdownSeconds))

  return {
    urls: { core, ads, adsSandbox, console: `http://127.0.0.1:${consolePort}` },
    listening,
    caFile,
    caPem,
    planted: planted ?? (await recallPlanted(store, sealer)),
    firstStart: planted !== undefined,
    context,
    jobs,
    warnings,
    close: () => undo.all(),
  }
}

function storeLocation(config: Config, folder: Folder | undefined) {
  if (config.databaseUrl !== undefined)
    return { kind: 'postgres' as const, url: config.databaseUrl, schema: config.databaseSchema }
  return folder ? { kind: 'file' as const, path: folder.file('plaza.db') } : { kind: 'memory' as const }
}

/** The first millisecond of the ids of a seeded run: 2026-01-01. */
const SEEDED_START_MS = 1_767_225_600_000
const DAY_MS = 86_400_000

/** Ids and randomness. Seeded ones differ between the starts of one store, or they would meet themselves. */
async function sources(
  config: Config,
  given: Given,
  clock: Clock,
  store: Context['store'],
  firstRandom: RandomSource,
) {
  if (config.seedRandom === undefined)
    return { random: given.random ?? systemRandom, ids: timeOrderedIds(clock, config.node) }
  const start = await countStart(store)
  const still: Clock = { now: () => SEEDED_START_MS + start * DAY_MS }
  return {
    random: start === 0 ? firstRandom : seededRandom(`${config.seedRandom} start ${start}`),
    ids: timeOrderedIds(still, config.node),
  }
}

async function openCluster(
  config: Config,
  clock: Clock,
  folder: Folder | undefined,
  log: Logger,
): Promise<Cluster> {
  const nonceWindowSeconds = config.timestampWindowSeconds
  if (config.redisUrl !== undefined) {
    const { RedisCluster } = await import('./cluster/redis.ts')
    const cluster = new RedisCluster({
      clock,
      url: config.redisUrl,
      keyPrefix: config.redisPrefix,
      nonceWindowSeconds,
      onError: (error) => log.error({ err: error }, 'Redis connection lost'),
    })
    await cluster.ready()
    return cluster
  }
  return new MemoryCluster({
    clock,
    random: systemRandom,
    nonceWindowSeconds,
    ...(folder && { journalFolder: folder.file('nonces') }),
  })
}

async function certificatesOf(config: Config, folder: Folder | undefined) {
  if (config.tlsCertificate !== undefined && config.tlsKey !== undefined) {
    const tls = {
      cert: readFileSync(config.tlsCertificate, 'utf8'),
      key: readFileSync(config.tlsKey, 'utf8'),
    }
    return { tls, caPem: undefined, caFile: undefined }
  }
  if (config.behindProxy) return { tls: undefined, caPem: undefined, caFile: undefined }
  const hosts = [config.coreUrl, config.adsUrl, config.adsSandboxUrl].flatMap((url) =>
    url ? [new URL(url).hostname] : [],
  )
  const listening = ['0.0.0.0', '::'].includes(config.listen) ? [] : [config.listen]
  const made = await loadCertificates({
    names: [...config.tlsNames, ...hosts, ...listening],
    clock: systemClock,
    random: systemRandom,
    ...(folder && { folder: folder.path }),
    // Nothing is kept with --memory, but a script that reads the ready file needs the authority as a file.
    ...(!folder && config.readyFile !== undefined && { caFile: `${config.readyFile}.ca.pem` }),
  })
  return { tls: { cert: made.certPem, key: made.keyPem }, caPem: made.caPem, caFile: made.caFile }
}

function pipelineServices(
  context: Context,
  secure: boolean,
  publicOrigin: string | undefined,
): PipelineServices {
  const { config, speech, cluster, credentials, clock, log } = context
  const services = {
    credentials,
    pendingTokens: createPendingTokens(context.store, context.sealer, clock),
    cluster,
    clock,
    timestampWindowSeconds: config.timestampWindowSeconds,
    publicOrigin,
  }
  return {
    speech,
    limitRules: config.rateLimits,
    behindProxy: config.behindProxy,
    secure,
    authenticate: (incoming, endpoint) => authenticate(incoming, endpoint.auth, services),
    authorize: (caller, endpoint) => authorize(caller as Principal, endpoint),
    count: (bucket, limit, windowSeconds) => cluster.count(bucket, limit, windowSeconds),
    failure: (error, request) => failure(error, request, log),
    context,
  }
}

/** Turns what nobody refused into a refusal. Trouble of a part is 503; a caller's broken request is 400. */
function failure(error: unknown, request: FastifyRequest, log: Logger): Refusal {
  if (error instanceof Refusal) return error
  const known = error as { statusCode?: number; code?: string; message?: string }
  if (known.statusCode !== undefined && known.statusCode < 500) return refuse('bad request', known.message)
  log.error({ err: error, request_id: request.id }, 'request failed')
  const unavailable = error instanceof ClusterUnavailable || error instanceof StoreUnavailable
  return refuse(unavailable ? 'over capacity' : 'internal', String(known.message))
}

/** 16 hexadecimal digits: 8 of this start, 8 that count. */
function requestIds(random: RandomSource): () => string {
  const start = random.bytes(4).toString('hex')
  let count = 0
  return () => {
    count = (count + 1) >>> 0
    return start + count.toString(16).padStart(8, '0')
  }
}

const closeAll = (seconds: number) => async (servers: FastifyInstance[]) => {
  const open = servers.splice(0)
  if (open.length === 0) return
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  await Promise.all(open.map((server) => closeListener(server, deadline)))
  clearTimeout(timer)
}

const hostText = (host: string) =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
