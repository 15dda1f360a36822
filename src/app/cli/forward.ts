import { performance } from 'node:perf_hooks'
import { request } from 'undici'
import { UsageError } from './command.ts'

/** A request to forward to the developer's own server. */
export interface Forwarding {
  method: 'GET' | 'POST'
  /** Without the question mark. */
  query: string
  headers: Readonly<Record<string, string>>
  body?: Buffer
}

/** The response of the server, or why there is none. */
export type Forwarded = { ms: number } & (
  | { status: number; type: string | undefined; body: Buffer }
  | { error: string }
)

/** The time that a webhook may take. */
const TIMEOUT_MS = 10_000
/** The rest of a response is not read. */
const MAX_ANSWER_BYTES = 65_536

/**
 * The URL that requests are forwarded to. A query in it would change what the signature of a CRC
 * check covers.
 */
export function forwardTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(`--forward-to is an http or https URL without a query, not "${text}"`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      '--forward-to takes no URL with a user name or password: the headers of events go on as they are',
    )
  return url
}

/**
 * Forwards a request unchanged, without adding headers. Redirects are not followed, because
 * webhooks may not redirect.
 */
export async function forward(to: URL, { method, query, headers, body }: Forwarding): Promise<Forwarded> {
  const start = performance.now()
  const ms = () => Math.round(performance.now() - start)
  try {
    const response = await request(query === '' ? to : `${to.href}?${query}`, {
      method,
      headers,
      ...(body && { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = await firstBytes(response.body)
    const type = response.headers['content-type']
    return {
      ms: ms(),
      status: response.statusCode,
      type: type === undefined ? type : String(type),
      body: answer,
    }
  } catch (error) {
    return { ms: ms(), error: reasonOf(error) }
  }
}

async function firstBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    // Leaving the loop closes the connection.
    if (length >= MAX_ANSWER_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES)
}

function reasonOf(error: unknown): string {
  const { name, message, code } = error as Error & { code?: unknown }
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`
  return typeof code === 'string' ? code : message
}
