import { registerWebhook } from '../../../src/core/webhooks/register.ts'
import { APPS } from '../../../src/oauth/apps.ts'
import { bearerOf } from '../../../src/oauth/bearer.ts'
import { SESSION_COOKIE, VISIT_COOKIE } from '../../../src/oauth/cookies.ts'
import { formToken } from '../../../src/oauth/forms.ts'
import { addSession } from '../../../src/oauth/queries.ts'
import { addRequest, approve, openRequest } from '../../../src/oauth/requests.ts'
import { makePost } from '../../support/posts.ts'
import type { World } from '../world.ts'
import type { Recipe } from './recipe.ts'

let count = 0

async function aWebhook({ plaza, app, consumer }: World): Promise<string> {
  const { store, ids, clock, config } = plaza.context
  const id = ids.next()
  const now = clock.now()
  await store.write((tx) =>
    registerWebhook(
      tx,
      {
        id,
        app_id: app.id,
        url: `${consumer.url}?n=${++count}`,
        valid: 1,
        created_at: now,
        last_success_at: now,
      },
      config,
    ),
  )
  return id
}

const withWebhook: Recipe = async (world) => ({ params: { webhook_id: await aWebhook(world) } })

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

/** How to call the endpoints of the core API and of OAuth. */
export const coreRecipes: Readonly<Record<string, Recipe>> = {
  createWebhook: async ({ consumer, owner }) => ({
    json: { url: `${consumer.url}?n=${++count}` },
    pen: owner,
  }),
  listWebhooks: async () => ({}),
  validateWebhook: withWebhook,
  deleteWebhook: async (world) => ({ params: { webhook_id: await aWebhook(world) }, pen: world.owner }),
  getPost: async ({ plaza, owner }) => ({
    params: { id: (await makePost(plaza.context, { authorId: owner.id })).id },
  }),
  listPosts: async ({ plaza, owner }) => ({
    query: { ids: (await makePost(plaza.context, { authorId: owner.id })).id },
  }),
  createPost: async () => ({ json: { text: `Post ${++count}` } }),
  deletePost: async ({ plaza }, { user }) => ({
    params: { id: (await makePost(plaza.context, { authorId: user.id })).id },
  }),
  getOwnUser: async () => ({}),
  getUser: async ({ owner }) => ({ params: { id: owner.id } }),
  listUsers: async ({ owner }) => ({ query: { ids: owner.id } }),
  getUserByUsername: async ({ owner }) => ({ params: { username: owner.screenName } }),
  listUsersByUsernames: async ({ owner }) => ({ query: { usernames: owner.screenName } }),
  searchRecentPosts: async () => ({ query: { query: 'cat' } }),
  searchAllPosts: async () => ({ query: { query: 'cat' } }),
  countRecentPosts: async () => ({ query: { query: 'cat' } }),
  countAllPosts: async () => ({ query: { query: 'cat' } }),
  listStreamRules: async () => ({ query: { pagination_token: '0'.repeat(16) } }),
  countStreamRules: async () => ({}),
  changeStreamRules: async () => ({ json: { add: [{ value: `rule${++count}` }] } }),
  listPowerstreamRules: async () => ({}),
  addPowerstreamRules: async () => ({ json: { rules: [{ value: `rule${++count}` }] } }),
  deletePowerstreamRules: async () => ({ json: { rules: [{ value: `rule${++count}` }] } }),
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
  verifyCredentials: async () => ({}),
  invalidateToken: async () => ({}),
  bearerToken: async () => ({ form: { grant_type: 'client_credentials' } }),
  async invalidateBearer({ plaza, app, owner }) {
    const { context } = plaza
    const now = (await context.credentials.appById(app.id)) ?? app
    return { form: { access_token: await bearerOf(now, context) }, pen: owner }
  },
}
