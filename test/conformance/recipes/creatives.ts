import { cards } from '../../../src/api/ads/cards/cards.ts'
import { imageConversationCards, videoConversationCards } from '../../../src/api/ads/cards/conversations.ts'
import { pollCards } from '../../../src/api/ads/cards/polls.ts'
import { prerollCallToActions } from '../../../src/api/ads/preroll-call-to-actions/preroll-call-to-actions.ts'
import { previewAddress } from '../../../src/api/ads/previews/address.ts'
import type { Context } from '../../../src/app/start/context.ts'
import { filePath } from '../../../src/domain/media/media.ts'
import { addSubtitles } from '../../../src/domain/media/subtitles.ts'
import { appendSegment, openUpload } from '../../../src/domain/media/uploads.ts'
import { Advertiser } from '../../support/advertiser.ts'
import { gif, heldMedium, mp4, png, uploaded, vtt } from '../../support/media.ts'
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

/** An upload that expects an image of this many bytes. */
const announced = (context: Context, userId: string, bytes: number) =>
  openUpload(
    { category: 'POST_IMAGE', contentType: 'image/png', bytes, owners: [], shared: false },
    { userId, context },
  )

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

/** Calls of endpoints about media, cards, drafts, schedules and calls to action. */
export const creativeRecipes: Readonly<Record<string, Recipe>> = {
  uploadMedia: async () => ({ form: { media_data: png(8, 8).toString('base64') } }),
  async getMediaUpload({ plaza }, { user }) {
    const { id } = await uploaded(plaza.context, user.id, gif(8, 8))
    return { query: { command: 'STATUS', media_id: id } }
  },
  uploadMedium: async () => ({ form: { media: png(8, 8).toString('base64') } }),
  initializeMediumUpload: async () => ({
    form: { media_type: 'video/mp4', media_category: 'post_video', total_bytes: '1000' },
  }),
  async appendMediumUpload({ plaza: { context } }, { user }) {
    return {
      params: { id: (await announced(context, user.id, 8)).id },
      form: { media: Buffer.alloc(8).toString('base64'), segment_index: '0' },
    }
  },
  async finalizeMediumUpload({ plaza: { context } }, { user }) {
    const content = png(8, 8)
    const { id } = await announced(context, user.id, content.length)
    await appendSegment({ mediaId: id, index: 0 }, content, { userId: user.id, context })
    return { params: { id } }
  },
  async getMediumUpload({ plaza }, { user }) {
    return { query: { media_id: (await uploaded(plaza.context, user.id, gif(8, 8))).id } }
  },
  async createSubtitles({ plaza: { context } }, { user }) {
    const video = await uploaded(context, user.id, mp4(16, 9))
    const file = await uploaded(context, user.id, vtt())
    const subtitles = { id: file.id, language_code: 'en', display_name: 'English' }
    return { json: { id: video.id, media_category: 'PostVideo', subtitles } }
  },
  async deleteSubtitles({ plaza: { context } }, { user }) {
    const video = await uploaded(context, user.id, mp4(16, 9))
    const { id: subtitles_id } = await uploaded(context, user.id, vtt())
    const track = { media_id: video.id, subtitles_id, language_code: 'en', display_name: 'English' }
    await context.store.write((tx) => addSubtitles(tx, track))
    return { json: { id: video.id, media_category: 'PostVideo', language_code: 'en' } }
  },
  async listMedia({ plaza }, { user }) {
    return { query: { media_keys: (await uploaded(plaza.context, user.id, png(8, 8))).media_key } }
  },
  async getMedium({ plaza }, { user }) {
    return { params: { media_key: (await uploaded(plaza.context, user.id, png(8, 8))).media_key } }
  },
  async getMediaFile({ plaza }, { user }) {
    const { hash, content_type } = await uploaded(plaza.context, user.id, png(8, 8))
    return { params: { file: filePath(String(hash), String(content_type)).slice('/media/'.length) } }
  },
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
