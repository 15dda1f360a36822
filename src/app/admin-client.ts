import { request } from 'undici'

/** The admin API rejected a call. The message says why. */
class AdminError extends Error {
  override readonly name = 'AdminError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface AdminReply {
  data: Record<string, unknown>
  errors?: { message: string }[]
  detail?: string
}

export interface AdminTarget {
  /** Origin of the console. */
  readonly consoleUrl: string
  /** Programs on the same machine need none, unless Plaza is hardened. */
  readonly token?: string | undefined
}

/**
 * Calls the admin API. Resolves to the `data` of the reply.
 * @throws AdminError
 */
export async function callAdmin(
  { consoleUrl, token }: AdminTarget,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  json?: unknown,
): Promise<Record<string, unknown>> {
  const { statusCode, body } = await request(`${consoleUrl}/admin/v1${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    // An advance answers when its work is done.
    headersTimeout: 0,
  })
  const text = await body.text()
  if (statusCode === 404)
    throw new AdminError(
      404,
      'This Plaza has no admin API: start it without --hardened, or with --admin-api.',
    )
  const { data, errors, detail } = JSON.parse(text) as AdminReply
  if (statusCode < 400) return data
  throw new AdminError(statusCode, errors?.map(({ message }) => message).join('\n') || (detail ?? text))
}
