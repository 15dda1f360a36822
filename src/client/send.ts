import { type Auth, anonymous, type TokenServer } from './auth.ts'
import { ConnectionError, errorOf, type PlazaError } from './errors.ts'
import { parseJson } from './exact-json.ts'
import { rateLimitsOf, waitMsOf } from './limits.ts'
import { after, nowMs, pause, randomShare } from './machine.ts'
import type { Outgoing } from './operation.ts'
import type { CallOptions, RetryOptions } from './options.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_MAX_WAIT_MS = 60_000
/** Before the first repetition of a call whose reply does not say when; twice as long each time. */
const FIRST_WAIT_MS = 500
const REPEATED = new Set([429, 503])

/** How a client sends. */
export interface Sender {
  readonly fetch: typeof fetch
  /** Origin of the core API, where tokens are requested. */
  readonly coreUrl: string | undefined
  readonly options: CallOptions
}

/**
 * Sends a request, again where the options and credentials say so, and reads its reply: `read` has
 * the time that is left of the timeout.
 * @throws PlazaError, ConnectionError, or the reason of the signal of the caller
 */
export async function send<T>(
  sender: Sender,
  outgoing: Outgoing,
  given: CallOptions,
  read: (response: Response, done: () => void) => Promise<T>,
): Promise<T> {
  const options = { ...sender.options, ...given }
  const headers = { ...sender.options.headers, ...given.headers }
  const auth = options.auth ?? anonymous
  const server = tokenServer(sender)
  let isRenewed = false
  for (let attempt = 0; ; attempt++) {
    const authorization = await auth.header(outgoing, server)
    const result = await attemptOnce(sender, outgoing, { ...options, headers }, authorization, read)
    if ('value' in result) return result.value
    const { error } = result
    if (error.status === 401 && !isRenewed && auth.renew) {
      isRenewed = true
      attempt--
      if (await auth.renew(authorization, server)) continue
      throw error
    }
    await pause(waitBefore(attempt, error, options.retry), options.signal)
  }
}

/** Milliseconds until a call is repeated. @throws the error when it is not */
function waitBefore(attempt: number, error: PlazaError, retry: RetryOptions | undefined): number {
  if (!REPEATED.has(error.status) || attempt >= (retry?.attempts ?? 0)) throw error
  const wait = waitMsOf(error.headers, nowMs()) ?? FIRST_WAIT_MS * 2 ** attempt * (1 + randomShare())
  if (wait > (retry?.maxWaitMs ?? DEFAULT_MAX_WAIT_MS)) throw error
  return wait
}

type Result<T> = { value: T } | { error: PlazaError }

async function attemptOnce<T>(
  { fetch }: Sender,
  { method, url, body, type }: Outgoing,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS, headers, onReply }: CallOptions,
  authorization: string | undefined,
  read: (response: Response, done: () => void) => Promise<T>,
): Promise<Result<T>> {
  const call = `${method} ${url.split('?')[0]}`
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  const late = new ConnectionError(`${call}: no reply within ${timeoutMs} ms`)
  const cancel = after(timeoutMs, () => controller.abort(late))
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(authorization !== undefined && { authorization }),
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: controller.signal,
    })
    onReply?.({ status: response.status, headers: response.headers, limits: rateLimitsOf(response.headers) })
    if (response.status >= 400) return { error: await rejection(call, response) }
    return { value: await read(response, cancel) }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (controller.signal.aborted) throw controller.signal.reason
    if (error instanceof ConnectionError) throw error
    throw new ConnectionError(`${call}: ${reasonOf(error)}`, { cause: error })
  } finally {
    cancel()
    signal?.removeEventListener('abort', stop)
  }
}

/** `fetch` says only that it failed: its cause says why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } }
  return cause?.message || cause?.code || message
}

async function rejection(call: string, response: Response): Promise<PlazaError> {
  const { status, headers } = response
  return errorOf({ call, status, headers, body: await bodyOf(response) })
}

/** The body of a reply: JSON and forms as values, anything else as text; undefined for none. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  const type = response.headers.get('content-type') ?? ''
  if (/[/+]json\b/.test(type)) return parseJson(text)
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  return text
}

/** Requests tokens as the sender sends everything else, but with credentials of their own. */
function tokenServer(sender: Sender): TokenServer {
  return async (path, form, authorization) => {
    if (sender.coreUrl === undefined) throw new TypeError('urls.core is needed to request a token')
    const auth: Auth = { header: async () => authorization }
    const outgoing = {
      method: 'POST',
      url: sender.coreUrl + path,
      body: new URLSearchParams(form).toString(),
      type: 'application/x-www-form-urlencoded',
    }
    return (await send(sender, outgoing, { auth }, bodyOf)) as Record<string, unknown>
  }
}
