import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../../../identity/apps/app.ts'
import { readBasic } from '../../../identity/auth/basic.ts'
import { parseAuthorization } from '../../../identity/auth/signature/header.ts'
import { sameText } from '../../../platform/common/same-text.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { OauthDependencies } from '../endpoint.ts'

/**
 * A parameter that this call requires. Throws an error that names it when it is absent or empty.
 */
export function required(name: string, value: string | undefined): string {
  if (value) return value
  throw new ApiError('bad request', {
    violations: [{ place: 'form', name, value, fault: { kind: 'missing' } }],
  })
}

/**
 * The calling app. A confidential client authenticates with its id and secret (Basic); a public one
 * sends its id (core reference, 01 section 5.2).
 */
export async function clientOf(
  { headers, form }: { headers: IncomingHttpHeaders; form: { client_id?: string } },
  { credentials }: Pick<OauthDependencies, 'credentials'>,
): Promise<App> {
  const shown = credentialsOf(headers)
  if (shown && form.client_id !== undefined && form.client_id !== shown.key)
    throw apiError('client ambiguous')
  const clientId = shown?.key ?? required('client_id', form.client_id)
  const refreshing = credentials.refresh()
  if (refreshing) await refreshing
  const app = await credentials.appByClient(clientId)
  if (!app?.client) throw apiError('client unknown', 'no app has this client id')
  const { secret } = app.client
  // Some clients of public apps send Basic credentials with an empty secret.
  if (shown && !sameText(secret ?? '', shown.secret)) throw apiError('client unknown', 'wrong secret')
  if (!shown && secret !== undefined) throw apiError('client credentials missing')
  if (app.suspended) throw apiError('app suspended')
  return app
}

/** The credentials in the header; undefined if there are none. */
function credentialsOf({ authorization }: IncomingHttpHeaders) {
  if (authorization === undefined) return undefined
  const parsed = parseAuthorization(authorization)
  const pair = parsed?.scheme === 'basic' ? readBasic(parsed.rest.trim()) : undefined
  if (!pair) throw apiError('client credentials missing', 'no readable Basic credentials')
  return pair
}
