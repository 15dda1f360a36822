import { cards } from '../../../src/api/ads/cards/cards.ts'
import { imageConversationCards, videoConversationCards } from '../../../src/api/ads/cards/conversations.ts'
import { pollCards } from '../../../src/api/ads/cards/polls.ts'
import { prerollCallToActions } from '../../../src/api/ads/preroll-call-to-actions/preroll-call-to-actions.ts'
import { previewAddress } from '../../../src/api/ads/previews/address.ts'
import { Advertiser } from '../../support/advertiser.ts'
import { heldMedium, mp4, png, uploaded } from '../../support/media.ts'
import { makeDraft, makeMedium, schedulePost } from '../../support/posts.ts'
import { prerollLineItem } from '../../support/targeting.ts'
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

const nothing = at(async () => ({}))

/** A video in the library: everything can be said about it. */
const aVideo = async ({ world, user, advertiser }: Desk) =>
  (await heldMedium(world.plaza.context, advertiser, user.id, mp4(1280, 720))).media_key

const withVideo = at(async (desk) => ({ params: { media_key: await aVideo(desk) } }))

const withAccountMedium = at(async ({ advertiser }) => ({
  params: { account_media_id: (await makeMedium(advertiser, 'BANNER')).id },
}))

/** The key of an image of the library that every card can show. */
const anImage = async ({ world, user, advertiser }: Desk) =>
  (await heldMedium(world.plaza.context, advertiser, user.id, png(1200, 628))).media_key

const cardBody = async (desk: Desk) => ({
  name: 'A card',
  components: [
    { type: 'MEDIA', media_key: await anImage(desk) },
    { type: 'DETAILS', title: 'A title', destination: { type: 'WEBSITE', url: 'https://example.com' } },
  ],
})
const aCard = async (desk: Desk) => {
  const { id } = await desk.advertiser.make(cards, await cardBody(desk))
  return id
}
const withCard = at(async (desk) => ({ params: { card_id: await aCard(desk) } }))

const pollForm = { name: 'A poll', first_choice: 'East', second_choice: 'West', duration_in_minutes: '10080' }
const conversationForm = {
  name: 'A conversation',
  title: 'A title',
  first_cta: '#choose',
  first_cta_post: 'I chose',
  thank_you_text: 'Thank you',
}
const videoConversation = async (desk: Desk) => ({ ...conversationForm, media_key: await aVideo(desk) })
const imageConversation = async (desk: Desk) => ({ ...conversationForm, media_key: await anImage(desk) })

/** A call about an existing card. */
const existing = (entity: unknown, form: (desk: Desk) => Promise<Record<string, unknown>>): Recipe =>
  at(async (desk) => ({ params: { card_id: (await desk.advertiser.make(entity, await form(desk))).id } }))

const aPoll = existing(pollCards, async () => pollForm)
const aVideoConversation = existing(videoConversationCards, videoConversation)
const anImageConversation = existing(imageConversationCards, imageConversation)

const HOUR_MS = 3_600_000
const aTime = ({ world }: Desk) =>
  new Date(Math.ceil(world.plaza.clock.now() / HOUR_MS) * HOUR_MS + HOUR_MS).toISOString()
const aDraft = ({ world, advertiser, user }: Desk) => makeDraft(world.plaza.context, advertiser, user.id)
const withDraft = at(async (desk) => ({ params: { draft_post_id: await aDraft(desk) } }))
const withScheduled = at(async ({ world, advertiser, user }) => ({
  params: { scheduled_post_id: await schedulePost(world.plaza.context, advertiser, { userId: user.id }) },
}))

const callForm = async ({ advertiser }: Desk) => ({
  line_item_id: (await prerollLineItem(advertiser)).id,
  call_to_action: 'VISIT_SITE',
  call_to_action_url: 'https://example.com',
})
const aCall = async (desk: Desk) => ({
  params: {
    preroll_call_to_action_id: (await desk.advertiser.make(prerollCallToActions, await callForm(desk))).id,
  },
})
const withCall = at(aCall)

/** Calls of endpoints about the media of accounts, cards, drafts, schedules and calls to action. */
export const creativeRecipes: Readonly<Record<string, Recipe>> = {
  listMediaLibrary: at(async (desk) => {
    await aVideo(desk)
    return {}
  }),
  getMediaLibraryItem: withVideo,
  createMediaLibraryItem: at(async ({ world, user }) => ({
    form: { media_key: (await uploaded(world.plaza.context, user.id, mp4(1280, 720))).media_key },
  })),
  updateMediaLibraryItem: withVideo,
  deleteMediaLibraryItem: withVideo,
  listAccountMedia: nothing,
  getAccountMedia: withAccountMedium,
  deleteAccountMedia: withAccountMedium,
  listCards: at(async (desk) => {
    await aCard(desk)
    return {}
  }),
  getCard: withCard,
  createCard: at(async (desk) => ({ json: await cardBody(desk) })),
  updateCard: at(async (desk) => ({
    params: { card_id: await aCard(desk) },
    json: { name: 'Another name' },
  })),
  deleteCard: withCard,
  createDynamicProductCard: at(async () => ({ json: { url: 'https://shop.example.com/summer' } })),
  deleteFormerCard: at(async (desk) => ({ params: { card_type: 'website', card_id: await aCard(desk) } })),
  listAllCards: at(async (desk) => ({ query: { card_uris: `card://${await aCard(desk)}` } })),
  getAnyCard: withCard,
  listPollCards: nothing,
  getPollCard: aPoll,
  createPollCard: at(async () => ({ form: pollForm })),
  deletePollCard: aPoll,
  listVideoConversationCards: nothing,
  getVideoConversationCard: aVideoConversation,
  createVideoConversationCard: at(async (desk) => ({ form: await videoConversation(desk) })),
  updateVideoConversationCard: aVideoConversation,
  deleteVideoConversationCard: aVideoConversation,
  listImageConversationCards: nothing,
  getImageConversationCard: anImageConversation,
  createImageConversationCard: at(async (desk) => ({ form: await imageConversation(desk) })),
  updateImageConversationCard: anImageConversation,
  deleteImageConversationCard: anImageConversation,
  listDraftPosts: nothing,
  getDraftPost: withDraft,
  createDraftPost: at(async () => ({ form: { text: 'Some day' } })),
  updateDraftPost: withDraft,
  deleteDraftPost: withDraft,
  listScheduledPosts: nothing,
  getScheduledPost: withScheduled,
  createScheduledPost: at(async (desk) => ({ form: { text: 'Later', scheduled_at: aTime(desk) } })),
  updateScheduledPost: withScheduled,
  deleteScheduledPost: withScheduled,
  listPostPreviews: at(async (desk) => ({ query: { post_ids: await aDraft(desk), post_type: 'DRAFT' } })),
  previewDraftPost: withDraft,
  async showPostPreview({ plaza }, { user }) {
    const advertiser = await Advertiser.open(plaza.context, user.id)
    const postId = await makeDraft(plaza.context, advertiser, user.id)
    const shown = { accountId: advertiser.account.id, type: 'DRAFT', postId } as const
    const address = previewAddress(shown, plaza.context)
    return { params: { preview_id: address.slice(address.lastIndexOf('/') + 1) } }
  },
  listPrerollCallToActions: nothing,
  getPrerollCallToAction: withCall,
  createPrerollCallToAction: at(async (desk) => ({ form: await callForm(desk) })),
  updatePrerollCallToAction: at(async (desk) => ({
    ...(await aCall(desk)),
    form: { call_to_action_url: 'https://example.com/shop' },
  })),
  deletePrerollCallToAction: withCall,
}
