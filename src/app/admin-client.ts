import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { request } from 'undici'
import { jsonText } from '../platform/common/exact-json.ts'
import { errorCode } from '../platform/storage/atomic-file.ts'
import type { AdminPath } from './admin-path.ts'
import type { AdminTarget } from './admin-target.ts'

/** The admin API rejected a call. The message says why. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
  readonly status: number
  /** The names of the wrong values. */
  readonly parameters: readonly string[]

  constructor(status: number, message: string, parameters: readonly string[] = []) {
    super(message)
    this.status = status
    this.parameters = parameters
  }
}

interface AdminReply<Data = Record<string, unknown>> {
  data: Data
  meta?: Record<string, unknown>
  errors?: { message: string; parameters?: object }[]
  title?: string
  detail?: string
}

/**
 * Calls the admin API. Resolves to the `data` of the reply.
 * @throws AdminError
 */
export async function callAdmin<Data = Record<string, unknown>>(
  target: AdminTarget,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: AdminPath,
  json?: unknown,
): Promise<Data> {
  return (await callWhole<Data>(target, method, path, json)).data
}

const PAGE = 200

/** All entries of a list of the admin API, page by page. */
export async function* listAdmin<Item>(target: AdminTarget, path: AdminPath): AsyncGenerator<Item> {
  const start = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}`
  for (let token: unknown; ; ) {
    const place = token === undefined ? '' : `&pagination_token=${encodeURIComponent(String(token))}`
    const { data, meta } = await callWhole<Item[]>(target, 'GET', `${start}${place}` as AdminPath)
    yield* data
    token = meta?.next_token
    if (token === undefined) return
  }
}

/**
 * The same, resolved to the whole reply. Its `data` is absent for a reply without a body.
 * @throws AdminError
 */
export async function callWhole<Data = Record<string, unknown>>(
  { consoleUrl, token }: AdminTarget,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: AdminPath,
  json?: unknown,
): Promise<AdminReply<Data>> {
  const { statusCode, body } = await request(`${consoleUrl}/admin/v1${path}`, {
    method,
    headers: {
      ...authorizationOf(token),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: jsonText(json) }),
    // An advance answers when its work is done.
    headersTimeout: 0,
  }).catch((error: unknown) => {
    if (errorCode(error) !== 'ECONNREFUSED') throw error
    const sentence = `Cannot connect to ${consoleUrl}. Is Plaza running? Start it with "plaza start".`
    throw new Error(sentence, { cause: error })
  })
  const text = await body.text()
  if (statusCode < 400) return JSON.parse(text === '' ? '{}' : text) as AdminReply<Data>
  throw errorOf(statusCode, text)
}

const authorizationOf = (token: string | undefined) =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** The error of a rejected call. A console without the admin API does not answer with a Problem. */
function errorOf(status: number, text: string): AdminError {
  const { errors, detail, title } = JSON.parse(text) as Partial<AdminReply>
  if (status === 404 && title === undefined)
    return new AdminError(
      404,
      'This Plaza has no admin API: start it without --hardened, or with --admin-api.',
    )
  const names = errors?.flatMap(({ parameters = {} }) => Object.keys(parameters))
  const sentences = errors?.map(({ message }) => message).join('\n')
  return new AdminError(status, sentences || (detail ?? text), names)
}

interface FollowOptions {
  readonly signal?: AbortSignal | undefined
  readonly method?: 'GET' | 'POST'
  /** The body of the request. */
  readonly send?: string | Readable
  readonly type?: string
}

/**
 * The values of a stream of the admin API, until the signal is aborted or Plaza stops.
 * @throws AdminError
 */
export async function* followAdmin<Data>(
  { consoleUrl, token }: AdminTarget,
  path: AdminPath,
  { signal, method = 'GET', send, type = 'application/json' }: FollowOptions = {},
): AsyncGenerator<Data> {
  const { statusCode, body } = await request(`${consoleUrl}/admin/v1${path}`, {
    method,
    headers: { ...authorizationOf(token), ...(send !== undefined && { 'content-type': type }) },
    ...(send !== undefined && { body: send }),
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(signal && { signal }),
  })
  if (statusCode >= 400) throw errorOf(statusCode, await body.text())
  for await (const line of createInterface({ input: body }))
    if (line !== '') yield (JSON.parse(line) as AdminReply<Data>).data
}

/**
 * A file that the admin API returns.
 * @throws AdminError
 */
export async function downloadAdmin({ consoleUrl, token }: AdminTarget, path: AdminPath): Promise<Readable> {
  const { statusCode, body } = await request(`${consoleUrl}/admin/v1${path}`, {
    headers: authorizationOf(token),
    headersTimeout: 0,
  })
  if (statusCode >= 400) throw errorOf(statusCode, await body.text())
  return body
}

/**
 * Sends a file to the admin API. Resolves to the `data` of the reply.
 * @throws AdminError
 */
export async function uploadAdmin<Data = Record<string, unknown>>(
  { consoleUrl, token }: AdminTarget,
  path: AdminPath,
  file: Readable,
): Promise<Data> {
  const { statusCode, body } = await request(`${consoleUrl}/admin/v1${path}`, {
    method: 'POST',
    headers: { ...authorizationOf(token), 'content-type': 'application/x-tar' },
    body: file,
    headersTimeout: 0,
  })
  const text = await body.text()
  if (statusCode < 400) return (JSON.parse(text) as AdminReply<Data>).data
  throw errorOf(statusCode, text)
}
