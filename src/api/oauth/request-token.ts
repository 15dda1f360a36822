import { Type } from 'typebox'
import { type App, PERMISSIONS, type Permission } from '../../identity/apps/app.ts'
import { callbackMatches, isCallbackUrl } from '../../identity/apps/callback.ts'
import { callbacksOfApp } from '../../identity/apps/queries.ts'
import { json } from '../../platform/http/reply-kinds.ts'
import { choice, text } from '../../platform/http/schema.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Store } from '../../platform/storage/store.ts'
import { endpoint } from './endpoint.ts'
import { addRequest } from './requests.ts'

/** POST /oauth/request_token: the first of the three steps (interface, OAuth endpoints). */
export const requestToken = endpoint({
  id: 'requestToken',
  host: 'core',
  method: 'POST',
  path: '/oauth/request_token',
  // The interface has POST. Some libraries send every step as GET, which OAuth Core 1.0 left to the
  // provider.
  takesGet: true,
  summary: 'Start a sign-in',
  description:
    'Creates a request token. It is valid for 15 minutes and can be exchanged once. The app must have registered the callback; the callback may have an additional query string.',
  source: 'OAuth endpoints; OAuth credentials',
  auth: ['client'],
  limits: { client: '180/15m' },
  form: {
    oauth_callback: text(1, 4096, 'Callback URL, or `oob` for a PIN.'),
    svc_auth_access_type: Type.Optional(
      choice(['read', 'write'], 'Requests less access than the app has. It cannot request more.'),
    ),
  },
  replyKind: 'form',
  reply: Type.Object(
    {
      oauth_token: Type.String(),
      oauth_token_secret: Type.String(),
      oauth_callback_confirmed: Type.Boolean(),
    },
    { additionalProperties: false },
  ),
  errors: ['callback malformed', 'callback not approved', 'desktop app needs oob'],
  example: {
    reply: {
      oauth_token: 'Nx4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8',
      oauth_token_secret: 'PQz4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8iXo6TqZ',
      oauth_callback_confirmed: true,
    },
  },
  async handle({ principal: { app }, form }, context) {
    const callback = form.oauth_callback
    await checkCallback(app, callback, context.store)
    const access = reducedPermission(app.permission, form.svc_auth_access_type)
    const pair = await addRequest({ app, callback, access }, context)
    return json({
      oauth_token: pair.token,
      oauth_token_secret: pair.secret,
      oauth_callback_confirmed: true,
    })
  },
})

async function checkCallback(app: App, callback: string, store: Store): Promise<void> {
  if (callback === 'oob') return
  if (app.kind === 'desktop') throw apiError('desktop app needs oob')
  if (!isCallbackUrl(callback)) throw apiError('callback malformed')
  const registered = await store.all(callbacksOfApp, { appId: app.id })
  const urls = registered.map(({ url }) => url)
  if (!callbackMatches(callback, urls)) throw apiError('callback not approved')
}

/** The lower of the level that the app has and the level that it requests. */
function reducedPermission(permission: Permission, requested: 'read' | 'write' | undefined): Permission {
  if (requested === undefined) return permission
  const reduced = requested === 'read' ? 'read' : 'read-write'
  return PERMISSIONS.indexOf(reduced) < PERMISSIONS.indexOf(permission) ? reduced : permission
}
