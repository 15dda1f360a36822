import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A challenge as a webhook received it. */
export interface Challenge {
  token: string
  nonce: string
  signature: string | undefined
  target: string
}

/** How a webhook answers; by default, correctly. */
export type Answer = (challenge: Challenge, response: ServerResponse) => void

/** A webhook on loopback: a real server in this process. */
export interface Consumer {
  url: string
  challenges: Challenge[]
  /** Changes how challenges are answered from now on. */
  answerWith(answer: Answer): void
  answerRightly(): void
  close(): Promise<void>
}

/** Starts a webhook that knows the consumer secret. */
export async function startConsumer(consumerSecret: string, path = '/hook'): Promise<Consumer> {
  const challenges: Challenge[] = []
  const rightly: Answer = ({ token }, response) => {
    const digest = createHmac('sha256', consumerSecret).update(token).digest('base64')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ response_token: `sha256=${digest}` }))
  }
  let answer = rightly
  const server: Server = createServer((request: IncomingMessage, response) => {
    const target = request.url ?? ''
    const query = new URL(target, 'http://hook').searchParams
    const challenge = {
      token: query.get('crc_token') ?? '',
      nonce: query.get('nonce') ?? '',
      signature: request.headers['x-svc-webhooks-signature'] as string | undefined,
      target,
    }
    challenges.push(challenge)
    answer(challenge, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${path}`,
    challenges,
    answerWith(other) {
      answer = other
    },
    answerRightly() {
      answer = rightly
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
