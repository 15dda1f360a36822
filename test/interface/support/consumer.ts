import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A CRC check as it arrived. */
export interface Check {
  method: string
  target: string
  headers: IncomingHttpHeaders
}

/** A webhook consumer on loopback. */
export interface Consumer {
  url: string
  /** The checks so far, the latest last. */
  checks: Check[]
  /** Sets how it answers from now on. */
  answerWith(answer: Answer): void
  close(): Promise<void>
}

export type Answer = keyof typeof answers

/** `sha256=` and the HMAC-SHA256 of a text under a consumer secret. */
export const digest = (secret: string, text: string) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('base64')}`

const json = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

const answers = {
  right: (response: ServerResponse, token: string, secret: string) =>
    json(response, { response_token: digest(secret, token) }),
  'the token of another app': (response: ServerResponse, token: string) =>
    json(response, { response_token: digest('another secret', token) }),
  'no JSON': (response: ServerResponse) => response.end('hello'),
  'a redirect': (response: ServerResponse) => response.writeHead(302, { location: '/' }).end(),
  'status 500': (response: ServerResponse) => response.writeHead(500).end(),
}

/**
 * Starts a consumer that knows the secrets of some apps. The signature of a check tells which app
 * it belongs to.
 */
export async function startConsumer(secrets: readonly string[]): Promise<Consumer> {
  const checks: Check[] = []
  let answer: Answer = 'right'
  const server = createServer((request, response) => {
    const { method = '', url: target = '', headers } = request
    checks.push({ method, target, headers })
    const token = new URL(target, 'http://consumer').searchParams.get('crc_token') ?? ''
    answers[answer](response, token, signerOf(request, secrets))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    checks,
    answerWith(other) {
      answer = other
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function signerOf({ url = '', headers }: IncomingMessage, secrets: readonly string[]): string {
  const query = new URL(url, 'http://consumer').searchParams
  const signed = `crc_token=${query.get('crc_token')}&nonce=${query.get('nonce')}`
  const found = secrets.find((secret) => digest(secret, signed) === headers['x-svc-webhooks-signature'])
  return found ?? ''
}
