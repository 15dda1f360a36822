import { signal } from '@preact/signals'

/**
 * What the console can do now: call the admin API, or why not. `absent`: this Plaza has no admin
 * API.
 */
export type Connection = 'connecting' | 'open' | 'lost' | 'signed out' | 'absent'

export const connection = signal<Connection>('connecting')

/** A call failed. The message is a sentence for the reader. */
class CallError extends Error {
  override readonly name = 'CallError'
  /** Undefined if there was no reply. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

interface ErrorBody {
  readonly errors?: readonly { readonly message?: string }[]
  readonly detail?: string
}

export interface CallOptions {
  readonly body?: unknown
  /** A file as the body, instead. */
  readonly file?: Blob
  readonly signal?: AbortSignal | undefined
}

const ADMIN = '/admin/v1'

/**
 * Calls the admin API. Resolves to the body of the reply, undefined if it has none.
 * @throws CallError
 */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, ADMIN + path, options)
  const text = await response.text()
  const reply = text === '' ? undefined : parsed(text)
  if (response.ok) {
    connection.value = 'open'
    return reply as T
  }
  throw failure(response.status, path, reply as ErrorBody | undefined)
}

/** Reads a document of the console: health, readiness, or the description of an API. */
export async function read<T>(path: string, { signal: ended }: { signal?: AbortSignal } = {}): Promise<T> {
  const response = await send('GET', path, { signal: ended })
  return (await response.json()) as T
}

/**
 * The lines of a reply that goes on: one JSON value each. Ends when `signal` is aborted or the
 * server ends it.
 */
export async function* lines<T>(path: string, ended: AbortSignal): AsyncGenerator<T> {
  const response = await send('GET', ADMIN + path, { signal: ended })
  if (!response.ok || response.body === null)
    throw failure(response.status, path, parsed(await response.text()) as ErrorBody | undefined)
  let rest = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.trim() !== '') yield JSON.parse(part) as T
  }
}

async function send(
  method: string,
  url: string,
  { body, file, signal: ended }: CallOptions,
): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
      ...(file && { body: file, headers: { 'content-type': 'application/octet-stream' } }),
      ...(ended && { signal: ended }),
    })
  } catch (error) {
    if (ended?.aborted) throw error
    connection.value = 'lost'
    throw new CallError('Plaza does not answer. Is it still running?')
  }
}

function failure(status: number, path: string, reply: ErrorBody | undefined): CallError {
  if (status === 401) {
    connection.value = 'signed out'
    return new CallError('Sign in first.', status)
  }
  const sentences = reply?.errors?.map(({ message }) => message).filter(Boolean)
  const text = sentences?.length ? sentences.join(' ') : reply?.detail
  return new CallError(text || `The call of ${path} failed with status ${status}.`, status)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The sentence of an error. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether an error only says that the call was given up. */
export const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'
