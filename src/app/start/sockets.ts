import type { Logger } from 'pino'
import {
  type Config,
  ConfigError,
  listenAddresses,
  options as settings,
} from '../../platform/config/config.ts'
import type { Host } from '../../platform/protocols/protocols.ts'
import { errorCode } from '../../platform/storage/atomic-file.ts'
import type { Certificates } from './certificates.ts'
import { Connections, connectionLimits, openFilesLimit } from './connections.ts'
import { type ListenAddress, OpenPort, type PortOptions } from './open-port.ts'

/** The addresses of a running Plaza. */
export interface Urls {
  readonly core: string
  readonly ads: string
  readonly adsSandbox: string
  readonly console: string
  /** With --health-listen. */
  readonly health?: string
}

/** The ports of a node, opened before the parts that need to know them are created. */
export interface Sockets {
  readonly urls: Urls
  readonly ports: Readonly<Record<Host, OpenPort>>
  /** With --health-listen. */
  readonly health: OpenPort | undefined
  /** The numbers of the ports, whatever the public origins are. */
  readonly listening: Readonly<Record<Host, number>> & { readonly health?: number }
}

export const portsOf = ({ ports, health }: Sockets): OpenPort[] => [
  ...Object.values(ports),
  ...(health ? [health] : []),
]

/** Tunnels included. */
const CONSOLE_CONNECTIONS = { max: 256, perAddress: 256 }
/** The name cannot be resolved, or the address belongs to no interface. */
const NOT_OWN_ADDRESS = /^(ENOTFOUND|EAI_.*|EADDRNOTAVAIL)$/
const LOOPBACK = '127.0.0.1'

interface SocketOptions {
  log: Logger
  tls: Certificates['tls']
  /** Called for each open port, so that it can be closed. */
  opened: (port: OpenPort) => void
}

/** Opens every port. Rejects when one is taken; with ConfigError for an address of no interface. */
export async function openSockets(config: Config, { log, tls, opened }: SocketOptions): Promise<Sockets> {
  const { healthListen } = config
  const addresses = listenAddresses(config)
  const open = async (at: ListenAddress, flag: string, options: PortOptions) => {
    const port = await OpenPort.open(at, options).catch((error: Error) => {
      if (!NOT_OWN_ADDRESS.test(errorCode(error) ?? '')) throw error
      throw new ConfigError(`--${flag} must be an address or a name of this machine, not "${at.address}"`)
    })
    opened(port)
    // Failing to accept a connection, for lack of descriptors or memory, must not end the process.
    port.server.on('error', (error) => log.error({ err: error }, 'a connection was not accepted'))
    return port
  }
  const listenFlag = (own: 'coreListen' | 'adsListen' | 'adsSandboxListen') =>
    settings[config[own] === undefined ? 'listen' : own].flag
  const api = { tls, connections: apiConnections(config, log) }
  // Separate, so that health is reported even if the API has reached its limit of connections.
  const plain = () => ({ tls: undefined, connections: new Connections(CONSOLE_CONNECTIONS) })
  const ports = {
    core: await open({ address: addresses.core, port: config.corePort }, listenFlag('coreListen'), api),
    ads: await open({ address: addresses.ads, port: config.adsPort }, listenFlag('adsListen'), api),
    sandbox: await open(
      { address: addresses.sandbox, port: config.adsSandboxPort },
      listenFlag('adsSandboxListen'),
      api,
    ),
    console: await open({ address: LOOPBACK, port: config.consolePort }, settings.consolePort.flag, plain()),
  }
  const health = healthListen && (await open(healthListen, settings.healthListen.flag, plain()))
  const own = (host: keyof typeof addresses) =>
    `${tls ? 'https' : 'http'}://${hostText(addresses[host])}:${ports[host].port}`
  return {
    urls: {
      core: config.coreUrl ?? own('core'),
      ads: config.adsUrl ?? own('ads'),
      adsSandbox: config.adsSandboxUrl ?? own('sandbox'),
      console: `http://${LOOPBACK}:${ports.console.port}`,
      ...(healthListen && health && { health: `http://${hostText(healthListen.address)}:${health.port}` }),
    },
    ports,
    health,
    listening: {
      core: ports.core.port,
      ads: ports.ads.port,
      sandbox: ports.sandbox.port,
      console: ports.console.port,
      ...(health && { health: health.port }),
    },
  }
}

/** The connections of the three API listeners together. */
function apiConnections(config: Config, log: Logger): Connections {
  const { maxConnections: max, connectionsPerAddress: perAddress, behindProxy } = config
  return new Connections({
    ...connectionLimits({ max, perAddress }, { behindProxy, descriptors: openFilesLimit() }),
    onDropped: (dropped) => log.warn(dropped, 'connections dropped: too many are open'),
  })
}

const hostText = (host: string) =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
