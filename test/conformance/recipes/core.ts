import { createFolder } from '../../../src/domain/bookmark-folders/folders.ts'
import { writeNote } from '../../../src/domain/notes/notes.ts'
import { enroll } from '../../../src/domain/notes/writers.ts'
import { updateProfile } from '../../../src/identity/users/profile.ts'
import { makePost } from '../../support/posts.ts'
import type { World } from '../world.ts'
import type { Recipe } from './recipe.ts'

let count = 0

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

const ownPost = async ({ plaza }: World, user: { id: string }) =>
  (await makePost(plaza.context, { authorId: user.id })).id
const aDay = ({ plaza }: World) => {
  const now = plaza.context.clock.now()
  return { start_time: utcText(now - 86_400_000), end_time: utcText(now) }
}
const utcText = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`
const ABOUT_LIKES = { granularity: 'Daily', requested_metrics: 'Likes,VideoViews' }

/** Calls of the endpoints of posts, users, news and notes. */
export const coreRecipes: Readonly<Record<string, Recipe>> = {
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
  getOpenApiDocument: async () => ({}),
  getUser: async ({ owner }) => ({ params: { id: owner.id } }),
  listUsers: async ({ owner }) => ({ query: { ids: owner.id } }),
  getUserByUsername: async ({ owner }) => ({ params: { username: owner.screenName } }),
  listUsersByUsernames: async ({ owner }) => ({ query: { usernames: owner.screenName } }),
  followUser: aboutOther,
  unfollowUser: endsWithOther,
  listFollowing: ofCaller,
  listFollowers: ofCaller,
  listAffiliates: ofCaller,
  blockUser: aboutOther,
  blockDirectMessages: async ({ owner }) => ({ params: { id: owner.id } }),
  unblockDirectMessages: async ({ owner }) => ({ params: { id: owner.id } }),
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
  searchUsers: async () => ({ query: { query: 'demo', next_token: FIRST_PAGE } }),
  getTrendsByWoeid: async () => ({ params: { woeid: '1' } }),
  listPersonalizedTrends: async ({ plaza }, { user }) => {
    const subscription_type = 'Premium'
    await plaza.context.store.write((tx) => updateProfile(tx, user.id, { subscription_type }))
    return {}
  },
  listRepostsOfMe: async () => ({ query: { pagination_token: FIRST_PAGE } }),
  bookmarkPost: aboutPost,
  unbookmarkPost: endsWithPost('post_id'),
  listBookmarks: ofCaller,
  createBookmarkFolder: async (_, { user }) => ({ params: { id: user.id }, json: { name: 'Folder' } }),
  listBookmarkFolders: async (_, { user }) => ({ params: { id: user.id }, query: { pagination_token: '3' } }),
  listPostsOfBookmarkFolder: async ({ plaza }, { user }) => {
    const values = { userId: user.id, name: 'Folder' }
    const folder = await plaza.context.store.write((tx) => createFolder(tx, values, plaza.context))
    return { params: { id: user.id, folder_id: folder?.id ?? '' }, query: { pagination_token: '3' } }
  },
  async hideReply({ plaza, owner }, { user }) {
    const post = await makePost(plaza.context, { authorId: user.id })
    const reply = await makePost(plaza.context, { authorId: owner.id, inReplyTo: post })
    return { params: { post_id: reply.id }, json: { hidden: true } }
  },
  searchRecentPosts: async () => ({ query: { query: 'cat' } }),
  searchAllPosts: async () => ({ query: { query: 'cat' } }),
  countRecentPosts: async () => ({ query: { query: 'cat' } }),
  countAllPosts: async () => ({ query: { query: 'cat' } }),
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
  getPostsAnalytics: async (world, { user }) => ({
    query: { ids: await ownPost(world, user), ...aDay(world) },
  }),
  getRecentInsights: async (world, { user }) => ({
    query: { post_ids: await ownPost(world, user), ...ABOUT_LIKES },
  }),
  getHistoricalInsights: async (world, { user }) => ({
    query: { post_ids: await ownPost(world, user), ...ABOUT_LIKES, ...aDay(world) },
  }),
  verifyCredentials: async () => ({}),
  showUser: async (_, { user }) => ({ query: { user_id: user.id } }),
  updateProfile: async () => ({ form: { name: 'A name' } }),
}
