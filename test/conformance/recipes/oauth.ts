import { APPS } from '../../../src/api/oauth/apps.ts'
import { formToken } from '../../../src/api/oauth/forms.ts'
import { addSession } from '../../../src/api/oauth/queries.ts'
import { addRequest, approve, openRequest } from '../../../src/api/oauth/requests.ts'
import { SESSION_COOKIE, VISIT_COOKIE } from '../../../src/api/oauth/sessions.ts'
import { addCode } from '../../../src/api/oauth/user-tokens/codes.ts'
import { queryOf } from '../../../src/api/oauth/user-tokens/request.ts'
import { basicHeader } from '../../../src/identity/auth/basic.ts'
import { bearerOf } from '../../../src/identity/tokens/bearer.ts'
import type { Pair } from '../../../src/platform/http/input/form.ts'
import type { World } from '../world.ts'
import type { Recipe } from './recipe.ts'

let count = 0

const CALLBACK = 'http://127.0.0.1:3000/callback'

const aRequest = ({ plaza, app }: World, callback = CALLBACK) =>
  addRequest({ app, callback, access: 'read' }, plaza.context)

const asksUser: Recipe = async (world) => ({ query: { oauth_token: (await aRequest(world)).token } })

const decides: Recipe = async (world) => {
  const { token } = await aRequest(world)
  const visit = `visit${++count}`
  const form_token = formToken(visit, token, world.plaza.context.sealer)
  return {
    form: { oauth_token: token, form_token, decision: 'cancel' },
    headers: [['cookie', `${VISIT_COOKIE}=${visit}`]],
  }
}

const VERIFIER = 'v'.repeat(43)

/** What the page of OAuth 2.0 is asked for. */
const asksForScopes = ({ app }: World) => ({
  response_type: 'code',
  client_id: app.client?.id ?? '',
  redirect_uri: CALLBACK,
  scope: 'post.read users.read offline.access',
  state: 'state',
  code_challenge: VERIFIER,
  code_challenge_method: 'plain',
})

const decidesScopes: Recipe = async (world) => {
  const { context } = world.plaza
  const { name } = context.naming.vocabulary
  const asked = { ...asksForScopes(world), scope: name('post.read') }
  const request = queryOf(asked, name)
  const visit = `visit${++count}`
  return {
    form: { request, form_token: formToken(visit, `request ${request}`, context.sealer), decision: 'cancel' },
    headers: [['cookie', `${VISIT_COOKIE}=${visit}`]],
  }
}

const basicOf = ({ app }: World): Pair => [
  'authorization',
  basicHeader(app.client?.id ?? '', app.client?.secret ?? ''),
]

const exchangesCode: Recipe = async (world, { user }) => {
  const { app, plaza } = world
  const request = {
    app,
    redirectUri: CALLBACK,
    scopes: ['post.read', 'offline.access'],
    state: 'state',
    challenge: VERIFIER,
    method: 'plain',
  } as const
  const code = await addCode(request, user.id, plaza.context)
  return {
    form: { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER },
    headers: [basicOf(world)],
  }
}

const signsOut: Recipe = async ({ plaza, owner }) => {
  const { store, sealer, clock } = plaza.context
  const id = `session${++count}`
  const [session_hash, now] = [sealer.hashToken(id), clock.now()]
  const session = { session_hash, user_id: owner.id, created_at: now, expires_at: now + 60_000 }
  await store.write((tx) => tx.run(addSession, session))
  return {
    form: { form_token: formToken(id, APPS, sealer) },
    headers: [['cookie', `${SESSION_COOKIE}=${id}`]],
  }
}

/** Calls of the endpoints of OAuth. */
export const oauthRecipes: Readonly<Record<string, Recipe>> = {
  requestToken: async () => ({ form: { oauth_callback: CALLBACK } }),
  authorize: asksUser,
  authorizeDecision: decides,
  apps: async () => ({}),
  async appsDecision(world, caller) {
    const call = await signsOut(world, caller)
    return { ...call, form: { ...call.form, decision: 'revoke', app_id: '1' } }
  },
  signOut: signsOut,
  authenticate: asksUser,
  authenticateDecision: decides,
  async accessToken(world, { user }) {
    const { token, secret } = await aRequest(world, 'oob')
    const request = await openRequest(token, world.plaza.context)
    const verifier = await approve(request, user.id, world.plaza.context)
    return { form: { oauth_verifier: verifier }, pen: { token, tokenSecret: secret } }
  },
  oauthMetadata: async () => ({}),
  async userAuthorize(world) {
    const { name } = world.vocabulary
    return { query: { ...asksForScopes(world), scope: `${name('post.read')} ${name('users.read')}` } }
  },
  userAuthorizeDecision: decidesScopes,
  userToken: exchangesCode,
  userRevoke: async (world) => ({ form: { token: 'unknown' }, headers: [basicOf(world)] }),
  invalidateToken: async () => ({}),
  bearerToken: async () => ({ form: { grant_type: 'client_credentials' } }),
  async invalidateBearer({ plaza, app, owner }) {
    const { context } = plaza
    const now = (await context.credentials.appById(app.id)) ?? app
    return { form: { access_token: await bearerOf(now, context) }, pen: owner }
  },
}
