import type { Socket } from 'node:net'
import { endConnection } from '../../platform/http/end-connection.ts'
import type { OpenPort } from './open-port.ts'
import type { Sockets } from './sockets.ts'

/** Fewer than the connections of the console, which must stay reachable. */
const MAX_TUNNELS = 192
const HTTPS_PORT = '443'

/**
 * Clients may use the console as their HTTPS proxy, so that a client with a built-in host reaches
 * Plaza without a change. The proxy leads to Plaza's own public hosts, and nowhere else.
 */
export class Tunnels {
  /** Ports that speak TLS, by the host and port that clients ask for: `api.example.com:443`. */
  readonly #ports: ReadonlyMap<string, OpenPort>
  readonly #open = new Set<Socket>()

  constructor({ ports, urls }: Pick<Sockets, 'ports' | 'urls'>, coreAliases: readonly string[]) {
    this.#ports = new Map([
      ...[urls.core, ...coreAliases].flatMap((url) => authorities(url, ports.core)),
      ...authorities(urls.ads, ports.ads),
      ...authorities(urls.adsSandbox, ports.sandbox),
    ])
  }

  /**
   * Hands a connection over to the port that it asks for. Answers 403 for another host, and 503 if
   * too many tunnels are open. `head`: what the client has already sent through the tunnel.
   */
  open(authority: string, socket: Socket, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const port = this.#ports.get(authority.toLowerCase())
    if (!port) {
      const known = [...this.#ports.keys()].join(', ') || 'none, because they do not use TLS'
      refuse(socket, '403 Forbidden', `This proxy leads to the hosts of this server only: ${known}.`)
      return
    }
    if (this.#open.size >= MAX_TUNNELS) {
      refuse(socket, '503 Service Unavailable', `${MAX_TUNNELS} tunnels are open already.`)
      return
    }
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) socket.unshift(head)
    // As connections that the port accepts itself: it ends those that the client leaves early.
    socket.allowHalfOpen = false
    port.server.emit('connection', socket)
  }

  /** Ends all tunnels, also those through which nothing was sent: the ports do not know them. */
  end(): void {
    for (const socket of this.#open) socket.destroy()
  }
}

function authorities(url: string, port: OpenPort): [string, OpenPort][] {
  const { protocol, hostname, port: number } = new URL(url)
  return protocol === 'https:' ? [[`${hostname}:${number || HTTPS_PORT}`, port]] : []
}

function refuse(socket: Socket, status: string, sentence: string): void {
  const body = `${sentence}\n`
  const headers = [
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.write(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`)
  endConnection(socket)
}
