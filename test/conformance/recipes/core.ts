import { registerWebhook } from '../../../src/api/core/webhooks/register.ts'
import { APPS } from '../../../src/api/oauth/apps.ts'
import { bearerOf } from '../../../src/api/oauth/bearer.ts'
import { formToken } from '../../../src/api/oauth/forms.ts'
import { addSession } from '../../../src/api/oauth/queries.ts'
import { addRequest, approve, openRequest } from '../../../src/api/oauth/requests.ts'
import { SESSION_COOKIE, VISIT_COOKIE } from '../../../src/api/oauth/sessions.ts'
import { addCode } from '../../../src/api/oauth/user-tokens/codes.ts'
import { queryOf } from '../../../src/api/oauth/user-tokens/request.ts'
import { addAccountSubscription } from '../../../src/delivery/activities/account/queries.ts'
import { subscribe } from '../../../src/delivery/activities/subscription.ts'
import { addRules, namesOf } from '../../../src/delivery/streams/rules.ts'
import { writeNote } from '../../../src/domain/notes/notes.ts'
import { enroll } from '../../../src/domain/notes/writers.ts'
import { basicHeader } from '../../../src/identity/auth/basic.ts'
import { instantText } from '../../../src/platform/common/instant.ts'
import type { Pair } from '../../../src/platform/http/input/form.ts'
import { png, uploaded } from '../../support/media.ts'
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

const MINUTE_MS = 60_000
const minuteText = (ms: number) =>
  new Date(ms)
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 12)

const replayDates = ({ plaza }: World) => ({
  from_date: minuteText(plaza.clock.now() - 120 * MINUTE_MS),
  to_date: minuteText(plaza.clock.now() - 60 * MINUTE_MS),
})

async function aSubscription({ plaza, app, owner }: World): Promise<string> {
  const filter = { user_id: owner.id }
  const subscription = { event_type: 'post.create', filter, tag: `subscription ${++count}` }
  const { row } = await subscribe(
    app.id,
    { ...subscription, webhook_id: `${count}` },
    {
      ...plaza.context,
      checkWebhook: async () => undefined,
    },
  )
  return row.id
}

const withSubscription: Recipe = async (world) => ({
  params: { subscription_id: await aSubscription(world) },
})

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

/** A token of a list of users or posts. */
const FIRST_PAGE = `o${'z'.repeat(24)}`

/** A call of a user about themselves; an app reads the list of its owner. */
const ofCaller: Recipe = async ({ owner }, { kind, user }) => ({
  params: { id: kind === 'user' ? user.id : owner.id },
  query: { pagination_token: FIRST_PAGE },
})

const aboutOther: Recipe = async ({ owner }, { user }) => ({
  params: { id: user.id },
  json: { target_user_id: owner.id },
})

const endsWithOther: Recipe = async ({ owner }, { user }) => ({
  params: { source_user_id: user.id, target_user_id: owner.id },
})

/** Lets a user write notes, and makes a post that notes may be written on. */
async function aNotePost({ plaza, owner }: World, user: { id: string }): Promise<string> {
  await plaza.context.store.write((tx) => enroll(tx, user.id, 'regular'))
  return (await makePost(plaza.context, { authorId: owner.id })).id
}

const NOTE_INFO = {
  text: 'The bridge was opened in 1932: https://example.com/bridge',
  classification: 'misinformed_or_potentially_misleading',
  misleading_tags: ['factual_error'],
  trustworthy_sources: true,
}

const listsNotes: Recipe = async (world, { user }) => {
  await aNotePost(world, user)
  return { query: { test_mode: 'true' } }
}
const aPost = async ({ plaza, owner }: World) => (await makePost(plaza.context, { authorId: owner.id })).id

const ofPost: Recipe = async (world) => ({
  params: { id: await aPost(world) },
  query: { pagination_token: FIRST_PAGE },
})

const aboutPost: Recipe = async (world, { user }) => ({
  params: { id: user.id },
  json: { post_id: await aPost(world) },
})

const endsWithPost =
  (parameter: string): Recipe =>
  async (world, { user }) => ({ params: { id: user.id, [parameter]: await aPost(world) } })

/** Calls of the endpoints of the core API and of OAuth. */
export const coreRecipes: Readonly<Record<string, Recipe>> = {
  createWebhook: async ({ consumer, owner }) => ({
    json: { url: `${consumer.url}?n=${++count}` },
    pen: owner,
  }),
  listWebhooks: async () => ({}),
  validateWebhook: withWebhook,
  replayWebhookEvents: async (world) => ({
    json: { webhook_id: await aWebhook(world), ...replayDates(world) },
    pen: world.owner,
  }),
  replayAccountActivity: async (world) => ({
    params: { webhook_id: await aWebhook(world) },
    query: replayDates(world),
    pen: world.owner,
  }),
  linkStreamWebhook: withWebhook,
  listStreamWebhooks: async () => ({}),
  unlinkStreamWebhook: withWebhook,
  subscribeToAccount: async (world) => ({ params: { webhook_id: await aWebhook(world) }, json: {} }),
  findAccountSubscription: withWebhook,
  unsubscribeFromAccount: async (world) => {
    const webhook_id = await aWebhook(world)
    const { plaza, app, owner } = world
    const row = { webhook_id, user_id: owner.id, app_id: app.id }
    await plaza.context.store.write((tx) => tx.run(addAccountSubscription, { ...row, created_at: tx.now }))
    return { params: { webhook_id, user_id: owner.id } }
  },
  listAccountSubscriptions: withWebhook,
  countAccountSubscriptions: async () => ({}),
  deleteWebhook: async (world) => ({ params: { webhook_id: await aWebhook(world) }, pen: world.owner }),
  createActivitySubscription: async (world) => ({
    json: {
      event_type: 'post.create',
      filter: { user_id: world.owner.id },
      webhook_id: await aWebhook(world),
    },
  }),
  listActivitySubscriptions: async () => ({ query: { pagination_token: '0'.repeat(16) } }),
  changeActivitySubscription: async (world) => ({
    params: { subscription_id: await aSubscription(world) },
    json: { tag: `tag ${++count}` },
  }),
  deleteActivitySubscription: withSubscription,
  deleteActivitySubscriptions: async (world) => ({ query: { ids: await aSubscription(world) } }),
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
  followUser: aboutOther,
  unfollowUser: endsWithOther,
  listFollowing: ofCaller,
  listFollowers: ofCaller,
  blockUser: aboutOther,
  unblockUser: endsWithOther,
  listBlocking: ofCaller,
  muteUser: aboutOther,
  unmuteUser: endsWithOther,
  listMuting: ofCaller,
  listUserPosts: ofCaller,
  listMentions: ofCaller,
  readHomeTimeline: ofCaller,
  likePost: aboutPost,
  unlikePost: endsWithPost('post_id'),
  listLikedPosts: ofCaller,
  listLikingUsers: ofPost,
  repostPost: aboutPost,
  undoRepost: endsWithPost('source_post_id'),
  listReposters: ofPost,
  listReposts: ofPost,
  listQuotes: ofPost,
  bookmarkPost: aboutPost,
  unbookmarkPost: endsWithPost('post_id'),
  listBookmarks: ofCaller,
  async hideReply({ plaza, owner }, { user }) {
    const post = await makePost(plaza.context, { authorId: user.id })
    const reply = await makePost(plaza.context, { authorId: owner.id, inReplyTo: post })
    return { params: { post_id: reply.id }, json: { hidden: true } }
  },
  searchRecentPosts: async () => ({ query: { query: 'cat' } }),
  searchAllPosts: async () => ({ query: { query: 'cat' } }),
  countRecentPosts: async () => ({ query: { query: 'cat' } }),
  countAllPosts: async () => ({ query: { query: 'cat' } }),
  // A recovery: a stream that ends.
  streamPosts: async ({ plaza, app }) => {
    const { context } = plaza
    const names = namesOf(context.naming.vocabulary)
    await addRules([{ value: 'cat' }], { app, stream: 'filtered', names }, context)
    return {
      query: {
        start_time: instantText(context.clock.now() - 2_000),
        end_time: instantText(context.clock.now()),
      },
    }
  },
  streamPowerstream: async ({ plaza, app }) => {
    const { context } = plaza
    const names = namesOf(context.naming.vocabulary)
    await addRules([{ value: 'cat' }], { app, stream: 'powerstream', names }, context)
    return {
      query: {
        startTime: instantText(context.clock.now() - 2_000),
        endTime: instantText(context.clock.now()),
      },
    }
  },
  streamActivities: async ({ plaza }) => ({
    query: {
      start_time: instantText(plaza.context.clock.now() - 2_000),
      end_time: instantText(plaza.context.clock.now()),
    },
  }),
  listStreamConnections: async () => ({}),
  endStreamConnections: async () => ({ json: { uuids: ['5b6f1c9e-8a53-4c7b-9d0f-2f4e6a8c0b1d'] } }),
  endAllStreamConnections: async () => ({}),
  endConnectionsToStream: async () => ({ params: { endpoint_id: 'filtered_stream' } }),
  listStreamRules: async () => ({ query: { pagination_token: '0'.repeat(16) } }),
  countStreamRules: async () => ({}),
  changeStreamRules: async () => ({ json: { add: [{ value: `rule${++count}` }] } }),
  listPowerstreamRules: async () => ({}),
  addPowerstreamRules: async () => ({ json: { rules: [{ value: `rule${++count}` }] } }),
  deletePowerstreamRules: async () => ({ json: { rules: [{ value: `rule${++count}` }] } }),
  getPostUsage: async () => ({}),
  searchNews: async () => ({ query: { query: 'bridge' } }),
  getNews: async () => ({ params: { id: '1' } }),
  createNote: async (world, { user }) => ({
    json: { test_mode: true, post_id: await aNotePost(world, user), info: NOTE_INFO },
  }),
  async deleteNote(world, { user }) {
    const { context } = world.plaza
    const note = {
      userId: user.id,
      postId: await aNotePost(world, user),
      testMode: true,
      text: NOTE_INFO.text,
      classification: NOTE_INFO.classification,
      misleadingTags: NOTE_INFO.misleading_tags,
      trustworthySources: true,
      isMediaNote: false,
    }
    return { params: { id: await context.store.write((tx) => writeNote(tx, note, context)) } }
  },
  evaluateNote: async (world, { user }) => ({
    json: { post_id: await aNotePost(world, user), note_text: NOTE_INFO.text },
  }),
  listNotesWritten: listsNotes,
  listPostsEligibleForNotes: listsNotes,
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
  showUser: async (_, { user }) => ({ query: { user_id: user.id } }),
  describeMedium: async ({ plaza }, { user }) => ({
    json: {
      id: (await uploaded(plaza.context, user.id, png(8, 8))).id,
      metadata: { alt_text: { text: 'a' } },
    },
  }),
  createMediaMetadata: async ({ plaza }, { user }) => ({
    json: { media_id: (await uploaded(plaza.context, user.id, png(8, 8))).id, alt_text: { text: 'a' } },
  }),
  oauthMetadata: async () => ({}),
  async userAuthorize(world) {
    const { name } = world.vocabulary
    return { query: { ...asksForScopes(world), scope: `${name('post.read')} ${name('users.read')}` } }
  },
  userAuthorizeDecision: decidesScopes,
  userToken: exchangesCode,
  userRevoke: async (world) => ({ form: { token: 'unknown' }, headers: [basicOf(world)] }),
  updateProfile: async () => ({ form: { name: 'A name' } }),
  invalidateToken: async () => ({}),
  bearerToken: async () => ({ form: { grant_type: 'client_credentials' } }),
  async invalidateBearer({ plaza, app, owner }) {
    const { context } = plaza
    const now = (await context.credentials.appById(app.id)) ?? app
    return { form: { access_token: await bearerOf(now, context) }, pen: owner }
  },
}
