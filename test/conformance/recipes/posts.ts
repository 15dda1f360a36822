import { mediaCreatives } from '../../../src/api/ads/media-creatives/media-creatives.ts'
import { promotedAccounts } from '../../../src/api/ads/promoted-accounts/promoted-accounts.ts'
import { promotedPosts } from '../../../src/api/ads/promoted-posts/promoted-posts.ts'
import { scheduledPromotedPosts } from '../../../src/api/ads/scheduled-promoted-posts/scheduled-promoted-posts.ts'
import { Advertiser } from '../../support/advertiser.ts'
import { makeMedium, makePost, schedulePost } from '../../support/posts.ts'
import type { Guest, World } from '../world.ts'
import type { GoodCall, Recipe } from './recipe.ts'

interface Desk {
  advertiser: Advertiser
  world: World
  user: Guest
}

/** A call about the caller's own account. */
const at =
  (make: (desk: Desk) => Promise<GoodCall>): Recipe =>
  async (world, { user }) => {
    const advertiser = await Advertiser.open(world.plaza.context, user.id)
    const good = await make({ advertiser, world, user })
    return { ...good, params: { account_id: advertiser.account.id, ...good.params } }
  }

const post = ({ world, user }: Desk) => makePost(world.plaza.context, { authorId: user.id })
const schedule = ({ world, user, advertiser }: Desk) =>
  schedulePost(world.plaza.context, advertiser, { userId: user.id })

const forAccounts = {
  objective: 'FOLLOWERS',
  product_type: 'PROMOTED_ACCOUNT',
  placements: ['ALL_ON_SERVICE'],
}
const forMedia = { objective: 'VIDEO_VIEWS', product_type: 'MEDIA', placements: ['ALL_ON_SERVICE'] }

const postForm = async (desk: Desk) => ({
  line_item_id: (await desk.advertiser.lineItem()).id,
  post_id: (await post(desk)).id,
})
const accountForm = async ({ advertiser, user }: Desk) => ({
  line_item_id: (await advertiser.lineItem(forAccounts)).id,
  user_id: user.id,
})
const mediaForm = async ({ advertiser }: Desk) => ({
  line_item_id: (await advertiser.lineItem(forMedia)).id,
  account_media_id: (await makeMedium(advertiser, 'PREROLL')).id,
})
const scheduledForm = async (desk: Desk) => ({
  line_item_id: (await desk.advertiser.lineItem()).id,
  scheduled_post_id: await schedule(desk),
})

/** A call about an existing one. */
const existing = (
  id: string,
  entity: unknown,
  form: (desk: Desk) => Promise<Readonly<Record<string, unknown>>>,
): Recipe =>
  at(async (desk) => ({ params: { [id]: (await desk.advertiser.make(entity, await form(desk))).id } }))

const aPromotedPost = existing('promoted_post_id', promotedPosts, postForm)
const aPromotedAccount = existing('promoted_account_id', promotedAccounts, accountForm)
const aMediaCreative = existing('media_creative_id', mediaCreatives, async (desk) => ({
  landing_url: null,
  ...(await mediaForm(desk)),
}))
const aScheduledPromotedPost = existing('scheduled_promoted_post_id', scheduledPromotedPosts, scheduledForm)
const nothing = at(async () => ({}))

let count = 0

/** Calls of endpoints about posts and their promotion. */
export const postRecipes: Readonly<Record<string, Recipe>> = {
  createAccountPost: at(async ({ user }) => ({
    form: { as_user_id: user.id, text: `Hello, number ${++count}` },
  })),
  listAccountPosts: at(async (desk) => {
    await post(desk)
    return { query: { post_type: 'PUBLISHED', timeline_type: 'ALL' } }
  }),
  nameAccountPost: at(async (desk) => ({
    params: { post_id: (await post(desk)).id },
    form: { name: 'A name' },
  })),
  listPromotedPosts: nothing,
  getPromotedPost: aPromotedPost,
  createPromotedPosts: at(async (desk) => {
    const { line_item_id, post_id } = await postForm(desk)
    return { form: { line_item_id, post_ids: post_id } }
  }),
  updatePromotedPost: aPromotedPost,
  deletePromotedPost: aPromotedPost,
  listPromotedAccounts: nothing,
  getPromotedAccount: aPromotedAccount,
  createPromotedAccount: at(async (desk) => ({ form: await accountForm(desk) })),
  deletePromotedAccount: aPromotedAccount,
  listMediaCreatives: nothing,
  getMediaCreative: aMediaCreative,
  createMediaCreative: at(async (desk) => ({ form: await mediaForm(desk) })),
  deleteMediaCreative: aMediaCreative,
  listScheduledPromotedPosts: nothing,
  getScheduledPromotedPost: aScheduledPromotedPost,
  createScheduledPromotedPost: at(async (desk) => ({ form: await scheduledForm(desk) })),
  deleteScheduledPromotedPost: aScheduledPromotedPost,
}
