import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SIGNATURE_HEADER, signature } from '../../delivery/webhooks/signature.ts'
import { parsePairs } from '../../platform/http/input/form.ts'
import { readBody } from '../../platform/http/input/incoming.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { Forwarded, Forwarding } from './forward.ts'
import { WEBHOOK_PATH } from './words.ts'

/** A request that a consumer received. */
export type Received =
  | { kind: 'check'; trusted: boolean | undefined }
  | { kind: 'event'; type: string; body: unknown }
  | { kind: 'forged'; reason: string }
  | { kind: 'forwarded'; method: string; status?: number; error?: string; ms: number }

export interface ConsumerOptions {
  secret: string
  vocabulary: Vocabulary
  report(received: Received): void
  /** Forwards CRC checks and deliveries to a server, whose responses are returned. */
  forward?: ((request: Forwarding) => Promise<Forwarded>) | undefined
}

/** Larger deliveries are rejected. */
const MAX_BODY_BYTES = 1024 * 1024

/**
 * A webhook as a developer would write it: answers CRC checks, and accepts only correctly signed
 * deliveries.
 */
export function createConsumer(options: ConsumerOptions): Server {
  return createServer((request, response) => {
    answer(request, options).then(
      (answered) => reply(response, answered),
      (error: unknown) => reply(response, { status: (error as { status?: number }).status ?? 400 }),
    )
  })
}

interface Reply {
  status: number
  /** JSON unless `type` says otherwise. */
  body?: string | Buffer
  type?: string | undefined
}

async function answer(request: IncomingMessage, options: ConsumerOptions): Promise<Reply> {
  const target = request.url ?? ''
  const start = target.indexOf('?')
  const path = start === -1 ? target : target.slice(0, start)
  const query = start === -1 ? '' : target.slice(start + 1)
  if (path !== WEBHOOK_PATH) return { status: 404 }
  if (request.method === 'GET') return answerCheck(request, query, options)
  if (request.method === 'POST') return takeDelivery(request, options)
  return { status: 405 }
}

/** `GET ?crc_token=…`: proves that the consumer knows the secret. */
async function answerCheck(
  request: IncomingMessage,
  query: string,
  options: ConsumerOptions,
): Promise<Reply> {
  const { secret, vocabulary, report } = options
  const token = parsePairs(query)?.find(([name]) => name === vocabulary.name('crc_token'))?.[1]
  if (token === undefined || token === '') return { status: 400 }
  const shown = signatureOf(request, vocabulary)
  report({ kind: 'check', trusted: shown === undefined ? undefined : same(shown, signature(secret, query)) })
  if (options.forward) return passOn({ method: 'GET', query, headers: headersOf(request) }, options)
  return {
    status: 200,
    body: JSON.stringify({ [vocabulary.name('response_token')]: signature(secret, token) }),
  }
}

/** The signature covers the raw bytes, so it is verified before they are parsed. */
async function takeDelivery(request: IncomingMessage, options: ConsumerOptions): Promise<Reply> {
  const { secret, vocabulary, report } = options
  const body = await readBody(request, MAX_BODY_BYTES).catch(() => undefined)
  if (!body) return { status: 413 }
  const shown = signatureOf(request, vocabulary)
  if (shown === undefined || !same(shown, signature(secret, body))) {
    const reason = shown === undefined ? 'it has no signature' : 'its signature is invalid'
    report({ kind: 'forged', reason })
    return { status: 401 }
  }
  const event = parsed(body)
  report({ kind: 'event', type: typeOf(event), body: event })
  if (options.forward)
    return passOn({ method: 'POST', query: '', headers: headersOf(request), body }, options)
  return { status: 200 }
}

/**
 * The response of the developer's server. If there is none, returns 502, so that the delivery is
 * retried.
 */
async function passOn(request: Forwarding, { forward, report }: ConsumerOptions): Promise<Reply> {
  const answered = await forward?.(request)
  if (!answered) return { status: 502 }
  const { method } = request
  const { ms } = answered
  if ('error' in answered) {
    report({ kind: 'forwarded', method, error: answered.error, ms })
    return { status: 502 }
  }
  const { status, type, body } = answered
  report({ kind: 'forwarded', method, status, ms })
  return { status, type, body }
}

/** Headers of one connection, which are not forwarded. */
const OF_CONNECTION = new Set(['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.has(name) ? [] : [[name, String(value)]],
    ),
  )

function signatureOf(request: IncomingMessage, vocabulary: Vocabulary): string | undefined {
  const value = request.headers[vocabulary.header(SIGNATURE_HEADER).toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

function same(shown: string, expected: string): boolean {
  const a = Buffer.from(shown)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}

function parsed(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The type of an event: the member that names it, or else the name of the member that holds the
 * events.
 */
function typeOf(event: unknown): string {
  if (typeof event !== 'object' || event === null) return 'event'
  const { event_type, type, data } = event as Record<string, unknown>
  const named = event_type ?? type ?? (data as Record<string, unknown> | null | undefined)?.event_type
  if (typeof named === 'string') return named
  return Object.keys(event).find((key) => key.endsWith('_events') || key.endsWith('_event')) ?? 'event'
}

function reply(response: ServerResponse, { status, body = '', type = 'application/json' }: Reply): void {
  // Closes the connection: the unread rest of a rejected request would be read as the next request.
  if (status >= 400) response.shouldKeepAlive = false
  response.writeHead(status, {
    ...(body.length > 0 && { 'content-type': type }),
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
