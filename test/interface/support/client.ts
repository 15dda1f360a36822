import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export interface Sent {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** Connections to one host. */
const MAX_SOCKETS = 8

/** Sends requests as they are, over keep-alive connections. */
export class Client {
  readonly #plain = new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  #secure = new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  readonly #authorities: string[] = []

  /** Trusts the authority that signed for a server, if the system does not know it. */
  trust(authority: string): void {
    this.#authorities.push(authority)
    this.#secure.destroy()
    this.#secure = new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS, ca: this.#authorities })
  }

  send({ method, url, headers = {}, body }: Sent): Promise<Reply> {
    const isSecure = url.startsWith('https:')
    const length = body === undefined ? undefined : Buffer.byteLength(body)
    const options = {
      method,
      agent: isSecure ? this.#secure : this.#plain,
      headers: { ...headers, ...(length !== undefined && { 'content-length': length }) },
    }
    return new Promise((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(url, options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const status = response.statusCode ?? 0
          resolve({ status, headers: response.headers, bytes, text: bytes.toString('utf8') })
        })
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }
}
