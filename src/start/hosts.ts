import type { FastifyInstance } from 'fastify'
import { mountConsole } from '../console/console.ts'
import type { Context } from '../context.ts'
import type { Endpoint, Host } from '../kit/endpoint.ts'
import { mount, refuser } from '../kit/pipeline.ts'
import type { RandomSource } from '../kit/random.ts'
import { systemRandom } from '../kit/random.ts'
import { nameRequests } from '../log.ts'
import { VERSION } from '../version.ts'
import type { Certificates } from './certificates.ts'
import { closeListener, createListener, listen } from './listener.ts'
import { pipelineServices } from './services.ts'

/** Where a running Plaza is reached. */
export interface Urls {
  core: string
  ads: string
  adsSandbox: string
  console: string
}

/** The open listeners. */
export interface Hosts {
  urls: Urls
  /** Where they listen themselves, whatever their public origins are. */
  listening: { host: Host; port: number }[]
  /** Lets requests under way finish within the configured time. */
  close(): Promise<void>
}

/** The four servers. A listener that does not open leaves the others to `close`. */
export class Listeners implements Hosts {
  readonly urls: Urls = { core: '', ads: '', adsSandbox: '', console: '' }
  readonly listening: Hosts['listening'] = []
  readonly #servers: FastifyInstance[] = []
  readonly #context: Context
  readonly #certificates: Certificates
  readonly #requestId = requestIds(systemRandom)

  constructor(context: Context, certificates: Certificates) {
    this.#context = context
    this.#certificates = certificates
  }

  async open(endpoints: readonly Endpoint[]): Promise<void> {
    const { config, speech, mediaOrigin } = this.#context
    this.urls.core = await this.#openApi('core', config.corePort, config.coreUrl, endpoints)
    // The core origin is part of Problem types; it is known now that the listener has its port.
    if (speech.problemBase === '') speech.problemBase = this.urls.core
    if (mediaOrigin.url === '') mediaOrigin.url = this.urls.core
    this.urls.ads = await this.#openApi('ads', config.adsPort, config.adsUrl, endpoints)
    this.urls.adsSandbox = await this.#openApi(
      'sandbox',
      config.adsSandboxPort,
      config.adsSandboxUrl,
      endpoints,
    )
    this.urls.console = await this.#openConsole(config.consolePort)
  }

  async #openApi(host: Host, port: number, publicUrl: string | undefined, endpoints: readonly Endpoint[]) {
    const { config, speech } = this.#context
    const { tls } = this.#certificates
    const services = pipelineServices(this.#context, {
      host,
      secure: tls !== undefined,
      publicOrigin: publicUrl,
    })
    const onBadUrl = refuser(host, services, 'bad request')
    const server = createListener({ tls, requestId: this.#requestId, onBadUrl })
    nameRequests(server, speech.vocabulary)
    mount(server, host, endpoints, services)
    const actual = await this.#listen(server, host, config.listen, port)
    return publicUrl ?? `${tls ? 'https' : 'http'}://${hostText(config.listen)}:${actual}`
  }

  async #openConsole(port: number): Promise<string> {
    const { credentials, cluster } = this.#context
    const server = createListener({ tls: undefined, requestId: this.#requestId })
    mountConsole(server, {
      caPem: this.#certificates.caPem,
      version: VERSION,
      async ready() {
        await credentials.refresh()
        await cluster.count('readiness', Number.MAX_SAFE_INTEGER, 1)
      },
    })
    return `http://127.0.0.1:${await this.#listen(server, 'console', '127.0.0.1', port)}`
  }

  async #listen(server: FastifyInstance, host: Host, address: string, port: number): Promise<number> {
    this.#servers.push(server)
    const actual = await listen(server, address, port)
    this.listening.push({ host, port: actual })
    return actual
  }

  async close(): Promise<void> {
    const open = this.#servers.splice(0)
    if (open.length === 0) return
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#context.config.shutdownSeconds * 1000)
    })
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
