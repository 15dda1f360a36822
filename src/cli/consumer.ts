import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { SIGNATURE_HEADER, signature } from '../deliveries/signature.ts'
import { parsePairs } from '../http/input/form.ts'
import { readBody } from '../http/input/incoming.ts'
import type { Vocabulary } from '../http/vocabulary.ts'
import { WEBHOOK_PATH } from './words.ts'

/** A request that a consumer received. */
export type Received =
  | { kind: 'check'; trusted: boolean | undefined }
  | { kind: 'event'; type: string; body: unknown }
  | { kind: 'forged'; reason: string }

export interface ConsumerOptions {
  secret: string
  vocabulary: Vocabulary
  report(received: Received): void
}

/** Larger deliveries are rejected: the program is for looking at events, not for keeping them. */
const MAX_BODY_BYTES = 1024 * 1024

/** A webhook as a developer would write it: answers CRC checks, believes signed deliveries and nothing else. */
export function createConsumer(options: ConsumerOptions): Server {
  return createServer((request, response) => {
    answer(request, options).then(
      ([status, body]) => reply(response, status, body),
      (error: unknown) => reply(response, (error as { status?: number }).status ?? 400, undefined),
    )
  })
}

type Reply = [status: number, body: object | undefined]

async function answer(request: IncomingMessage, options: ConsumerOptions): Promise<Reply> {
  const target = request.url ?? ''
  const start = target.indexOf('?')
  const path = start === -1 ? target : target.slice(0, start)
  const query = start === -1 ? '' : target.slice(start + 1)
  if (path !== WEBHOOK_PATH) return [404, undefined]
  if (request.method === 'GET') return answerCheck(request, query, options)
  if (request.method === 'POST') return takeDelivery(request, options)
  return [405, undefined]
}

/** `GET ?crc_token=…`: proves that this end knows the secret. */
function answerCheck(
  request: IncomingMessage,
  query: string,
  { secret, vocabulary, report }: ConsumerOptions,
): Reply {
  const token = parsePairs(query)?.find(([name]) => name === vocabulary.name('crc_token'))?.[1]
  if (token === undefined || token === '') return [400, undefined]
  const shown = signatureOf(request, vocabulary)
  report({ kind: 'check', trusted: shown === undefined ? undefined : same(shown, signature(secret, query)) })
  return [200, { [vocabulary.name('response_token')]: signature(secret, token) }]
}

/** The signature covers the bytes as they came: parsing comes after it. */
async function takeDelivery(
  request: IncomingMessage,
  { secret, vocabulary, report }: ConsumerOptions,
): Promise<Reply> {
  const body = await readBody(request, MAX_BODY_BYTES).catch(() => undefined)
  if (!body) return [413, undefined]
  const shown = signatureOf(request, vocabulary)
  if (shown === undefined || !same(shown, signature(secret, body))) {
    const reason = shown === undefined ? 'it has no signature' : 'its signature is wrong'
    report({ kind: 'forged', reason })
    return [401, undefined]
  }
  const event = parsed(body)
  report({ kind: 'event', type: typeOf(event), body: event })
  return [200, undefined]
}

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

/** What an event is called: the member that names it, or the member that holds the events. */
function typeOf(event: unknown): string {
  if (typeof event !== 'object' || event === null) return 'event'
  const { event_type, type, data } = event as Record<string, unknown>
  const named = event_type ?? type ?? (data as Record<string, unknown> | null | undefined)?.event_type
  if (typeof named === 'string') return named
  return Object.keys(event).find((key) => key.endsWith('_events') || key.endsWith('_event')) ?? 'event'
}

function reply(response: ServerResponse, status: number, body: object | undefined): void {
  const text = body === undefined ? '' : JSON.stringify(body)
  // What was not read of a rejected request would be taken for the next one.
  if (status >= 400) response.shouldKeepAlive = false
  response.writeHead(status, {
    ...(body && { 'content-type': 'application/json' }),
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
