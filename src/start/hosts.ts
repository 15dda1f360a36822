import type { FastifyInstance } from 'fastify'
import { mountConsole, mountHealth } from '../console/console.ts'
import type { Context } from '../context.ts'
import { BodyMemory } from '../http/input/body-memory.ts'
import type { PlazaEndpoint } from '../auth/endpoint.ts'
import { mount, errorHandler } from '../http/mount.ts'
import { Streams } from '../http/streams.ts'
import type { Host } from '../protocols/protocols.ts'
import { hiddenOn, servedBy } from '../protocols/protocols.ts'
import type { RandomSource } from '../common/random.ts'
import { systemRandom } from '../common/random.ts'
import { VERSION } from '../version.ts'
import type { Certificates } from './certificates.ts'
import { Connections, connectionLimits, openFilesLimit } from './connections.ts'
import { closeListener, createListener, listen } from './listener.ts'
import { markReplies } from './marks.ts'
import { OwnHosts } from './own-hosts.ts'
import type { Readiness } from './readiness.ts'
import { pipelineServices } from './services.ts'

/** Where a running Plaza is reached. */
export interface Urls {
  core: string
  ads: string
  adsSandbox: string
  console: string
  /** With --health-listen. */
  health?: string
}

/** The open listeners. */
export interface Hosts {
  urls: Urls
  /** Where they listen themselves, whatever their public origins are. */
  listening: { host: Host | 'health'; port: number }[]
  /** Lets requests under way finish within the configured time. */
  close(): Promise<void>
}

const hostnames = (urls: readonly (string | undefined)[]) =>
  urls.flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))

const BYTES_PER_MEGABYTE = 1024 * 1024
/** Bodies of callers who are not known yet may take this part of what those of others may. */
const ANONYMOUS_SHARE = 8

const CONSOLE_CONNECTIONS = { max: 64, perAddress: 64 }

/** The connections of the three API listeners together. */
function apiConnections({ config, log }: Context): Connections {
  const { maxConnections: max, connectionsPerAddress: perAddress, behindProxy } = config
  return new Connections({
    ...connectionLimits({ max, perAddress }, { behindProxy, descriptors: openFilesLimit() }),
    onDropped: (dropped) => log.warn(dropped, 'connections dropped: too many are open'),
  })
}

/** The four servers. A listener that does not open leaves the others to `close`. */
export class Listeners implements Hosts {
  readonly urls: Urls = { core: '', ads: '', adsSandbox: '', console: '' }
  readonly listening: Hosts['listening'] = []
  readonly #servers: FastifyInstance[] = []
  readonly #context: Context
  readonly #certificates: Certificates
  readonly #requestId = requestIds(systemRandom)
  readonly #connections: Connections
  readonly #bodyMemory: BodyMemory
  readonly #streams = new Streams()

  readonly #ready: Readiness

  constructor(context: Context, certificates: Certificates, ready: Readiness) {
    this.#context = context
    this.#ready = ready
    this.#certificates = certificates
    this.#connections = apiConnections(context)
    const known = context.config.bodyMegabytes * BYTES_PER_MEGABYTE
    this.#bodyMemory = new BodyMemory({ known, anonymous: known / ANONYMOUS_SHARE })
  }

  async open(endpoints: readonly PlazaEndpoint[]): Promise<void> {
    const { config, naming, mediaOrigin, coreOrigin } = this.#context
    this.urls.core = await this.#openApi('core', config.corePort, config.coreUrl, endpoints)
    // The core origin is part of Problem types; it is known now that the listener has its port.
    if (naming.problemBase === '') naming.problemBase = this.urls.core
    coreOrigin.url = this.urls.core
    if (mediaOrigin.url === '') mediaOrigin.url = this.urls.core
    this.urls.ads = await this.#openApi('ads', config.adsPort, config.adsUrl, endpoints)
    this.urls.adsSandbox = await this.#openApi(
      'sandbox',
      config.adsSandboxPort,
      config.adsSandboxUrl,
      endpoints,
    )
    this.urls.console = await this.#openConsole(config.consolePort)
    if (config.healthListen) this.urls.health = await this.#openHealth(config.healthListen)
  }

  async #openApi(
    host: Host,
    port: number,
    publicUrl: string | undefined,
    endpoints: readonly PlazaEndpoint[],
  ) {
    const { config, naming } = this.#context
    const { tls } = this.#certificates
    let origin = publicUrl ?? ''
    const aliases = host === 'core' ? config.coreAliases : []
    const origins = [publicUrl, ...aliases]
    const ownHosts = new OwnHosts({
      certificate: tls?.cert,
      listen: config.listen,
      others: hostnames(
        [config.coreUrl, ...config.coreAliases, config.adsUrl, config.adsSandboxUrl].filter(
          (url) => !origins.includes(url),
        ),
      ),
    })
    const services = pipelineServices(this.#context, {
      host,
      secure: tls !== undefined,
      publicOrigin: publicUrl,
      aliases: new Map(aliases.map((url) => [new URL(url).host, url])),
      isOwnHost: (header) => ownHosts.has(header),
      bodyMemory: this.#bodyMemory,
      streams: this.#streams,
      origin: () => origin,
    })
    const onBadUrl = errorHandler(services, 'bad request')
    const server = createListener({
      tls,
      requestId: this.#requestId,
      connections: this.#connections,
      onBadUrl,
    })
    markReplies(server, {
      vocabulary: naming.vocabulary,
      random: systemRandom,
      secure: tls !== undefined || config.behindProxy,
    })
    const own = endpoints.filter((one) => servedBy(host, one))
    const hidden = endpoints.filter((one) => hiddenOn(host, one))
    mount(server, { own, hidden }, services)
    const actual = await this.#listen(server, host, config.listen, port)
    ownHosts.listensOn(actual)
    origin = publicUrl ?? `${tls ? 'https' : 'http'}://${hostText(config.listen)}:${actual}`
    return origin
  }

  async #openConsole(port: number): Promise<string> {
    const server = createListener({
      tls: undefined,
      requestId: this.#requestId,
      // Of its own: health is reported while the API has no connection left to give.
      connections: new Connections(CONSOLE_CONNECTIONS),
    })
    mountConsole(server, {
      caPem: this.#certificates.caPem,
      version: VERSION,
      ready: this.#ready,
    })
    return `http://127.0.0.1:${await this.#listen(server, 'console', '127.0.0.1', port)}`
  }

  async #openHealth({ address, port }: { address: string; port: number }): Promise<string> {
    const server = createListener({
      tls: undefined,
      requestId: this.#requestId,
      connections: new Connections(CONSOLE_CONNECTIONS),
    })
    mountHealth(server, { version: VERSION, ready: this.#ready })
    return `http://${hostText(address)}:${await this.#listen(server, 'health', address, port)}`
  }

  async #listen(
    server: FastifyInstance,
    host: Hosts['listening'][number]['host'],
    address: string,
    port: number,
  ): Promise<number> {
    this.#servers.push(server)
    const actual = await listen(server, address, port)
    // A connection that cannot be accepted, for want of descriptors or memory, is no reason to end.
    server.server.on('error', (error) =>
      this.#context.log.error({ err: error }, 'a connection was not accepted'),
    )
    this.listening.push({ host, port: actual })
    return actual
  }

  async close(): Promise<void> {
    const open = this.#servers.splice(0)
    if (open.length === 0) return
    const { count: streams } = this.#streams
    if (streams > 0) this.#context.log.info({ streams }, 'streams are ending')
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#context.config.shutdownSeconds * 1000)
    })
    await Promise.race([this.#streams.shutDown(), deadline])
    await Promise.all(open.map((server) => closeListener(server, deadline)))
    clearTimeout(timer)
  }
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

const hostText = (host: string) =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
