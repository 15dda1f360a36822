import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as a webhook received it. */
export interface Delivery {
  path: string
  headers: IncomingMessage['headers']
  /** The bytes that were signed. */
  body: string
  /** Whether the signature is that of the receiver's secret. */
  trusted: boolean
}

/** How a delivery is answered. */
export type Answer = (delivery: Delivery, response: ServerResponse) => void

/**
 * A webhook on loopback that answers CRC checks correctly, and deliveries with 200 unless told
 * otherwise.
 */
export interface Receiver {
  url: string
  deliveries: Delivery[]
  /** How many checks were answered. */
  readonly checks: number
  /** The secret of deliveries and checks from now on. */
  secret: string
  /** Changes how deliveries are answered from now on. */
  answerWith(answer: Answer): void
  accept(): void
  /** Accepts no connection until it opens again, at the same address. */
  shut(): Promise<void>
  open(): Promise<void>
  close(): Promise<void>
}

const mac = (secret: string, text: string) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('base64')}`

export async function startReceiver(secret: string): Promise<Receiver> {
  const deliveries: Delivery[] = []
  const accept: Answer = (_, response) => {
    response.end()
  }
  let answer = accept
  let checks = 0
  let server: Server
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    if (request.method === 'GET') {
      checks++
      const token = new URL(path, 'http://hook').searchParams.get('crc_token') ?? ''
      response.end(JSON.stringify({ response_token: mac(receiver.secret, token) }))
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const trusted = request.headers['x-svc-webhooks-signature'] === mac(receiver.secret, body)
    const delivery = { path, headers: request.headers, body, trusted }
    deliveries.push(delivery)
    answer(delivery, response)
  }
  let port = 0
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((request, response) => void listener(request, response).catch(() => undefined))
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port
        resolve()
      })
    })
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const receiver: Receiver = {
    url: '',
    deliveries,
    get checks() {
      return checks
    },
    secret,
    answerWith(other) {
      answer = other
    },
    accept() {
      answer = accept
    },
    shut,
    open,
    close: shut,
  }
  await open()
  receiver.url = `http://127.0.0.1:${port}/hook`
  return receiver
}
