import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { AdminDependencies } from '../../api/admin/endpoint.ts'
import type { Measure } from '../../api/admin/metrics/measurements.ts'
import { VERSION as VERSION_OF_ADS } from '../../api/ads/endpoint.ts'
import type { PlazaEndpoint } from '../../identity/auth/endpoint.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { Gate } from '../../platform/common/gate.ts'
import { type RandomSource, systemRandom } from '../../platform/common/random.ts'
import { VERSION } from '../../platform/common/version.ts'
import { listenAddresses } from '../../platform/config/config.ts'
import { type BrokenRequest, compileBroken } from '../../platform/http/broken-request.ts'
import type { RenderedError } from '../../platform/http/contract.ts'
import { BodyMemory } from '../../platform/http/input/body-memory.ts'
import { errorHandler, mount, unmatchedErrors } from '../../platform/http/mount.ts'
import { Streams } from '../../platform/http/streams.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { recentLines } from '../../platform/log/log.ts'
import { words } from '../../platform/protocols/catalogue.ts'
import { hiddenOn, servedBy } from '../../platform/protocols/protocols.ts'
import type { ClockControl } from '../../workbench/clock/clock-control.ts'
import type { ExplorerServices } from '../../workbench/explorer/explorer.ts'
import type { Journal } from '../../workbench/journal/journal.ts'
import type { RuntimeSettings } from '../../workbench/settings/runtime-settings.ts'
import type { Snapshots } from '../../workbench/snapshots/snapshots.ts'
import { LogReader } from '../../workbench/status/logs.ts'
import type { Traces } from '../../workbench/traces/traces.ts'
import { runCheck } from '../checks/run.ts'
import { newConsoleKey, sessionOf } from '../console/access.ts'
import { mountConsole, mountHealth } from '../console/console.ts'
import { PAGES } from '../console/reference.ts'
import { adminEndpoints } from '../endpoints.ts'
import { generatedPosts } from '../seed/generated/posts.ts'
import { mountAdmin } from './admin.ts'
import type { Certificates } from './certificates.ts'
import type { Context } from './context.ts'
import { allowOrigins } from './cors.ts'
import type { FaultParts } from './faults.ts'
import { type JournaledHost, journalParts, signaturesOf } from './journal.ts'
import { closeListener, createListener, FirstUse, type ListenerOptions, serve } from './listener.ts'
import { compileMarks } from './marks.ts'
import { measureOf, metricsOf } from './metrics.ts'
import type { OpenPort } from './open-port.ts'
import { OwnHosts } from './own-hosts.ts'
import type { Readiness } from './readiness.ts'
import { greetBrowsers } from './root-page.ts'
import type { RouteMetrics } from './route-metrics.ts'
import { authenticationOf, pipelineServices } from './services.ts'
import { portsOf, type Sockets } from './sockets.ts'
import { Tunnels } from './tunnels.ts'

const hostnames = (urls: readonly (string | undefined)[]) =>
  urls.flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))

const BYTES_PER_MEGABYTE = 1024 * 1024
/**
 * The memory for bodies of other callers, divided by that for bodies of unauthenticated callers.
 */
const ANONYMOUS_SHARE = 8

/** The page of the reference that a browser finds at the root of each API. */
const GREETINGS = {
  core: PAGES.core,
  ads: PAGES.ads,
  sandbox: { ...PAGES.ads, title: `${PAGES.ads.title}: sandbox` },
} as const

/** The hosts that serve endpoints. */
type ApiHost = 'core' | 'ads' | 'sandbox'

interface ListenersOptions {
  runtimeSettings: RuntimeSettings
  /** The data folder, if there is one. */
  folder: string | undefined
  sockets: Sockets
  certificates: Certificates
  ready: Readiness
  /** Undefined where the clock cannot be adjusted. */
  clockControl: ClockControl | undefined
  journal: Journal | undefined
  traces: Traces | undefined
  /** Undefined where the clock cannot be adjusted either. */
  snapshots: Snapshots | undefined
  vocabularyReload: AdminDependencies['vocabularyReload']
  keyRotation: AdminDependencies['keyRotation']
  routeMetrics: RouteMetrics
  faults: FaultParts | undefined
}

/** How often requests in progress are looked at. */
const LOOK_MS = 2

/** The servers on the open ports. */
export class Listeners {
  readonly #listeners: FastifyInstance[] = []
  readonly #apis: FirstUse[] = []
  readonly #context: Context
  readonly #parts: ListenersOptions
  readonly #requestId = requestIds(systemRandom)
  readonly #bodyMemory: BodyMemory
  readonly #streams = new Streams()
  readonly #routeMetrics: RouteMetrics
  readonly #hosts = new Map<string, JournaledHost>()
  #tunnels: Tunnels | undefined
  #isDraining = false

  constructor(context: Context, parts: ListenersOptions) {
    this.#context = context
    this.#parts = parts
    this.#routeMetrics = parts.routeMetrics
    const known = context.config.bodyMegabytes * BYTES_PER_MEGABYTE
    this.#bodyMemory = new BodyMemory({ known, anonymous: known / ANONYMOUS_SHARE })
  }

  /** Starts answering requests. */
  async serve(endpoints: readonly PlazaEndpoint<Context>[]): Promise<void> {
    const { sockets, certificates, ready } = this.#parts
    const { urls, ports, health } = sockets
    const { coreUrl, adsUrl, adsSandboxUrl } = this.#context.config
    await this.#serveApi('core', { origin: urls.core, publicUrl: coreUrl }, endpoints)
    await this.#serveApi('ads', { origin: urls.ads, publicUrl: adsUrl }, endpoints)
    await this.#serveApi('sandbox', { origin: urls.adsSandbox, publicUrl: adsSandboxUrl }, endpoints)
    const about = { version: VERSION, ready: () => this.#ready(ready) }
    const { sealer, machineClock, naming } = this.#context
    // Commands create keys of the console with the machine's clock.
    const signIn = { sealer, clock: machineClock }
    const reference = {
      endpoints: [...endpoints, ...adminEndpoints],
      naming,
      servers: { core: urls.core, ads: urls.ads, sandbox: urls.adsSandbox, console: urls.console },
    }
    const measured = { ...this.#context, routes: this.#routeMetrics }
    const metrics = metricsOf(measured)
    const measure = measureOf({ ...measured, ready: about.ready })
    const media = {
      core: () => {
        const host = this.#hosts.get('core')
        return host && { listener: host.listener, origin: urls.core }
      },
      mediaPath: naming.vocabulary.path('/media/'),
    }
    const console = { ...about, ...signIn, ...media, caPem: certificates.caPem, metrics, reference }
    const { hardened, coreAliases } = this.#context.config
    if (!hardened) this.#tunnels = new Tunnels(sockets, coreAliases)
    await this.#servePlain('console', { port: ports.console, tunnels: this.#tunnels }, (one) => {
      mountConsole(one, console)
      this.#mountAdmin(one, measure)
    })
    if (health)
      await this.#servePlain('health', { port: health, tunnels: undefined }, (one) => mountHealth(one, about))
  }

  async #serveApi(
    host: ApiHost,
    { origin, publicUrl }: { origin: string; publicUrl: string | undefined },
    endpoints: readonly PlazaEndpoint<Context>[],
  ) {
    const { config, naming } = this.#context
    const { tls } = this.#parts.certificates
    const port = this.#parts.sockets.ports[host]
    const aliases = host === 'core' ? config.coreAliases : []
    const origins = [publicUrl, ...aliases]
    const addresses = listenAddresses(config)
    const listen = addresses[host]
    const ownHosts = new OwnHosts({
      certificate: tls?.cert,
      listen,
      port: port.port,
      others: [
        ...hostnames(
          [config.coreUrl, ...config.coreAliases, config.adsUrl, config.adsSandboxUrl].filter(
            (url) => !origins.includes(url),
          ),
        ),
        ...Object.values(addresses).filter((address) => address !== listen),
      ],
    })
    const { journal, traces, faults } = this.#parts
    const identity = {
      publicOrigin: publicUrl,
      aliases: new Map(aliases.map((url) => [new URL(url).host, url])),
      isOwnHost: (header: string) => ownHosts.has(header),
    }
    this.#hosts.set(host, {
      authentication: authenticationOf(this.#context, identity),
      listener: { address: listen, port: port.port, certificate: tls?.cert },
    })
    const services = pipelineServices(this.#context, {
      ...identity,
      host,
      secure: tls !== undefined,
      journal,
      traces,
      faults: faults?.steps,
      bodyMemory: this.#bodyMemory,
      streams: this.#streams,
      routeMetrics: this.#routeMetrics,
      origin,
    })
    const own = endpoints.filter((endpoint) => servedBy(host, endpoint))
    const mounted = {
      own,
      hidden: endpoints.filter((endpoint) => hiddenOn(host, endpoint)),
    }
    const listener = this.#listener(host, port, {
      onBadUrl: errorHandler(services, 'bad request'),
      onBroken: compileBroken(services, unmatchedErrors(mounted, services)),
      headersOf: compileMarks({
        vocabulary: naming.vocabulary,
        random: systemRandom,
        secure: tls !== undefined || config.behindProxy,
        version: host === 'core' ? undefined : currentVersion(naming.vocabulary),
      }),
    })
    const { cors = config.hardened ? 'off' : 'on' } = config
    if (cors === 'on') allowOrigins(listener)
    // Others could not reach the console that the page links to.
    if (!config.hardened) greetBrowsers(listener, GREETINGS[host], this.#parts.sockets.urls.console)
    const { log } = this.#context
    const api = new FirstUse(
      listener,
      port,
      () => mount(listener, mounted, services),
      (error) => log.error({ err: error, host }, 'a listener could not be started'),
    )
    this.#apis.push(api)
    // A vocabulary may give two endpoints the same path, which must be detected at the start.
    if (!naming.vocabulary.neutral) await api.serve()
  }

  async #servePlain(
    host: 'console' | 'health',
    { port, tunnels }: { port: OpenPort; tunnels: Tunnels | undefined },
    mounted: (listener: FastifyInstance) => void,
  ): Promise<void> {
    const listener = this.#listener(host, port, { onBroken: renderPlainly, ...(tunnels && { tunnels }) })
    mounted(listener)
    await serve(listener, port)
  }

  /** Mounts the admin API, unless it is switched off. */
  #mountAdmin(listener: FastifyInstance, measure: Measure): void {
    const { clockControl, snapshots, faults, sockets, journal, runtimeSettings, folder, ready } = this.#parts
    const { vocabularyReload, keyRotation } = this.#parts
    if (!clockControl || !snapshots || !faults) return
    const { sealer, config, machineClock } = this.#context
    const known = { hosts: this.#hosts, urls: sockets.urls }
    mountAdmin(listener, {
      sealer,
      isSignedIn: (headers) => sessionOf(headers, { sealer, now: machineClock.now() }) !== undefined,
      trustsLoopback: !config.hardened,
      endpoints: adminEndpoints,
      dependencies: {
        ...this.#context,
        newConsoleKey: () => newConsoleKey({ sealer, now: machineClock.now() }),
        clockControl,
        settings: runtimeSettings,
        logs: new LogReader(recentLines),
        status: { ...this.#context, folder, urls: sockets.urls, ready: () => this.#ready(ready) },
        measure,
        explorer: this.#explorer(),
        imports: new Gate(1, 0),
        postGenerator: generatedPosts,
        dataChecks: new Gate(1, 0),
        checkAll: runCheck,
        snapshots,
        vocabularyReload,
        keyRotation,
        faults: faults.control,
        journal: journal && journalParts(journal, this.#context, known),
        signatures: signaturesOf(this.#hosts, sockets.urls),
      },
      services: pipelineServices(this.#context, {
        host: 'console',
        secure: false,
        publicOrigin: undefined,
        aliases: new Map(),
        isOwnHost: () => true,
        // It would be filled with calls that read it.
        journal: undefined,
        traces: undefined,
        faults: undefined,
        bodyMemory: this.#bodyMemory,
        streams: this.#streams,
        routeMetrics: this.#routeMetrics,
        origin: sockets.urls.console,
      }),
    })
  }

  /** What sends calls as any user or app. */
  #explorer(): ExplorerServices {
    const { urls } = this.#parts.sockets
    return {
      ...this.#context,
      random: systemRandom,
      vocabulary: this.#context.naming.vocabulary,
      listeners: new Map([...this.#hosts].map(([host, { listener }]) => [host, listener])),
      origins: { core: urls.core, ads: urls.ads, sandbox: urls.adsSandbox },
    }
  }

  #listener(host: string, port: OpenPort, options: Omit<ListenerOptions, 'requestId'>): FastifyInstance {
    const { log } = this.#context
    const listener = createListener(port, {
      requestId: this.#requestId,
      closesConnections: () => this.#isDraining,
      ...options,
      onBroken(broken, id) {
        const rendered = options.onBroken(broken, id)
        const { status } = rendered
        log.info({ request_id: id, host, status, error: broken.cause }, 'a request could not be parsed')
        return rendered
      },
    })
    this.#listeners.push(listener)
    return listener
  }

  async #ready(ready: Readiness): Promise<string[]> {
    if (this.#isDraining) throw new Error('this node is stopping')
    return ready()
  }

  /**
   * From now on, this node is not ready, and each reply closes its connection. Requests are still
   * answered, and streams go on: they end with `close`, when a load balancer has noticed, so that
   * clients reconnect to another node.
   */
  drain(): void {
    this.#isDraining = true
  }

  /**
   * Lets no request in, and waits until those in progress have been answered, except streams, and
   * calls of the console. The ports let requests in again when they are released.
   */
  async hold(timeoutMs: number): Promise<void> {
    for (const port of portsOf(this.#parts.sockets)) port.hold()
    const deadlineMs = systemClock.now() + timeoutMs
    while (this.#inProgress().length > 0 && systemClock.now() < deadlineMs)
      await systemClock.at(systemClock.now() + LOOK_MS)
  }

  #inProgress(): ServerResponse[] {
    const { core, ads, sandbox } = this.#parts.sockets.ports
    return [core, ads, sandbox].flatMap(({ replies }) => replies.filter((reply) => !this.#streams.has(reply)))
  }

  /**
   * Leaves the ports, which are held, to other listeners. Streams end; so do requests that were not
   * answered in time.
   */
  async leave(): Promise<void> {
    this.#listeners.length = 0
    for (const api of this.#apis) api.retire()
    for (const port of portsOf(this.#parts.sockets)) port.removeListeners()
    const timeoutMs = this.#context.config.shutdownSeconds * 1000
    const over = new AbortController()
    await Promise.race([this.#streams.shutDown(), systemClock.at(systemClock.now() + timeoutMs, over.signal)])
    over.abort()
    for (const reply of this.#inProgress()) reply.destroy()
  }

  /** Lets requests in progress finish within the configured time. */
  async close(): Promise<void> {
    const open = this.#listeners.splice(0)
    if (open.length === 0) return
    this.#parts.journal?.close()
    await Promise.allSettled(this.#apis.map((api) => api.serveConnected()))
    const { count: streams } = this.#streams
    if (streams > 0) this.#context.log.info({ streams }, 'streams are being closed')
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#context.config.shutdownSeconds * 1000)
    })
    void deadline.then(() => this.#tunnels?.end())
    await Promise.race([this.#streams.shutDown(), deadline])
    await Promise.all(open.map((listener) => closeListener(listener, deadline)))
    clearTimeout(timer)
  }
}

/** The error of a request that cannot be parsed, on a listener without endpoints. */
const renderPlainly = ({ cause }: BrokenRequest): RenderedError => ({
  status: words[cause].legacy.status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify({ status: cause }),
})

/** The version of the advertising API, as in its paths. */
const currentVersion = ({ prefixes }: Vocabulary) => prefixes(VERSION_OF_ADS)[0]?.slice(1, -1)

/** 16 hexadecimal digits: 8 that identify this start, and 8 from a counter. */
function requestIds(random: RandomSource): () => string {
  const start = random.bytes(4).toString('hex')
  let count = 0
  return () => {
    count = (count + 1) >>> 0
    return start + count.toString(16).padStart(8, '0')
  }
}
