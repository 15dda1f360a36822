import type { Readable } from 'node:stream'
import { Agent } from 'undici'

/** A listener of this process, as its own client reaches it. */
export interface OwnListener {
  /** Of this machine, even if clients reach the listener elsewhere. */
  readonly address: string
  readonly port: number
  /** The certificate of the listener as PEM; undefined for plain HTTP. */
  readonly certificate: string | undefined
}

export interface OwnRequest {
  readonly method: string
  /** The path with its query, or `/` and the rest. */
  readonly target: string
  /** Names and values alternately, with `host`. */
  readonly headers: readonly string[]
  readonly body: Buffer | string | undefined
}

/** The reply to a request of this process to itself. */
export interface OwnReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

const TIMEOUT_MS = 60_000
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** The body of a reply is longer than the limit. */
export class ReplyTooLong extends Error {
  override readonly name = 'ReplyTooLong'
}

/** A reply whose body is read as it comes. `close` gives up what is left of it. */
export interface OpenReply {
  readonly status: number
  readonly headers: OwnReply['headers']
  readonly body: Readable
  readonly close: () => void
}

/**
 * Sends a request to a listener of this process, and resolves with the head of its reply. Only the
 * certificate of the listener is trusted, whatever names it has. `ended` gives it up.
 */
export async function openOwn(
  { address, port, certificate }: OwnListener,
  { method, target, headers, body }: OwnRequest,
  ended?: AbortSignal,
): Promise<OpenReply> {
  const host = WILDCARDS[address] ?? (address.includes(':') ? `[${address}]` : address)
  const dispatcher = new Agent({
    connect: {
      timeout: TIMEOUT_MS,
      ...(certificate !== undefined && {
        ...{ ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined },
      }),
    },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  const close = () => void dispatcher.destroy().catch(() => undefined)
  try {
    const reply = await dispatcher.request({
      origin: `${certificate === undefined ? 'http' : 'https'}://${host}:${port}`,
      path: target,
      method: method as 'GET',
      headers: [...headers],
      body: body ?? null,
      ...(ended && { signal: ended }),
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.body, close }
  } catch (error) {
    close()
    throw error
  }
}

/**
 * Sends a request to a listener of this process, and reads the whole reply. `ended` gives it up.
 * @throws ReplyTooLong for a reply of more than `maxBytes`, such as a stream
 */
export async function sendToOwn(
  listener: OwnListener,
  request: OwnRequest,
  maxBytes: number,
  ended?: AbortSignal,
): Promise<OwnReply> {
  const { status, headers, body, close } = await openOwn(listener, request, ended)
  try {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes) throw new ReplyTooLong(`The reply is longer than ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
    return { status, headers, body: Buffer.concat(chunks) }
  } finally {
    close()
  }
}
