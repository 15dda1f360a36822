import { mediaPath, posterPath, urlOf } from '../../../domain/media/media.ts'
import { normalised, textFault } from '../../../domain/posts/weight.ts'
import { fixed, msg, words } from '../../../platform/http/message.ts'
import {
  type AdsCode,
  type AdsError,
  missingParameter,
  wrongParameter,
} from '../../../platform/protocols/ads/codes.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { entity } from '../entity/entity.ts'
import type { Fields } from '../entity/fields.ts'
import type { Change } from '../entity/types.ts'
import { useByKeys } from '../media/uses.ts'
import { type callsToAction, ofImage, ofVideo } from './conversation-fields.ts'
import {
  type AcceptedMedia,
  ANY_IMAGE,
  ANY_VIDEO,
  BANNER_IMAGE,
  namedMedia,
  releaseCardMedia,
  SCREEN_VIDEO,
  WIDE_IMAGE,
} from './media.ts'
import { cardEntity, mediaOf, uriOf, videoMembers } from './shared.ts'

const codes: readonly AdsCode[] = [
  'INCLUSIVE_PARAMETERS',
  'INVALID_IMAGE',
  'INVALID_MEDIA',
  'INVALID_POST',
  'MEDIA_NOT_FOUND',
  'MISSING_PARAMETER',
]

const nothing = {
  title: null,
  second_cta: null,
  second_cta_post: null,
  third_cta: null,
  third_cta_post: null,
  fourth_cta: null,
  fourth_cta_post: null,
  thank_you_url: null,
  unlocked_image_media_key: null,
}

/** A card that asks users to post about a video. */
export const videoConversationCards = entity({
  echo: { constants: { card_type: 'video_conversation' } },
  ...cardEntity,
  one: 'video conversation card',
  path: '/accounts/{account_id}/cards/video_conversation',
  source: 'Creatives',
  codes,
  fields: ofVideo,
  complete: async (supplied) => ({
    ...nothing,
    poster_media_key: null,
    unlocked_video_media_key: null,
    ...supplied,
    card_type: 'VIDEO_CONVERSATION' as const,
  }),
  check: (card, change) =>
    wrongCard(card, change, {
      media_key: SCREEN_VIDEO,
      poster_media_key: ANY_IMAGE,
      unlocked_image_media_key: ANY_IMAGE,
      unlocked_video_media_key: ANY_VIDEO,
    }),
  after: (card, work) =>
    useByKeys(
      { table: 'video_conversation_cards', id: card.id },
      [card.media_key, card.poster_media_key, card.unlocked_image_media_key, card.unlocked_video_media_key],
      work,
    ),
  afterDelete: ({ id }, work) =>
    releaseCardMedia({ table: 'video_conversation_cards', id, uri: uriOf(id) }, work),
  async derive(items, { context }) {
    const media = await mediaOf(
      items.flatMap((card) => [card.media_key, card.poster_media_key]),
      context,
    )
    for (const item of items) {
      item.card_uri = uriOf(item.id)
      const video = media.get(item.media_key)
      if (!video) continue
      const { video_width, video_height } = videoMembers(video, context)
      const poster = media.get(item.poster_media_key ?? '')
      Object.assign(item, {
        media_url: urlOf(mediaPath(video), context),
        poster_media_url: urlOf(poster ? mediaPath(poster) : posterPath(video), context),
        video_owner_id: video.owner_id,
        video_width,
        video_height,
      })
    }
  },
})

/** A card that asks users to post about an image. */
export const imageConversationCards = entity({
  echo: { constants: { card_type: 'image_conversation' } },
  ...cardEntity,
  one: 'image conversation card',
  path: '/accounts/{account_id}/cards/image_conversation',
  source: 'Creatives (reference: image conversation cards)',
  codes,
  fields: ofImage,
  complete: async (supplied) => ({ ...nothing, ...supplied, card_type: 'IMAGE_CONVERSATION' as const }),
  check: (card, change) =>
    wrongCard(card, change, { media_key: WIDE_IMAGE, unlocked_image_media_key: BANNER_IMAGE }),
  after: (card, work) =>
    useByKeys(
      { table: 'image_conversation_cards', id: card.id },
      [card.media_key, card.unlocked_image_media_key],
      work,
    ),
  afterDelete: ({ id }, work) =>
    releaseCardMedia({ table: 'image_conversation_cards', id, uri: uriOf(id) }, work),
  derive: (items, { context }) => deriveImages(items, context),
})

async function deriveImages(
  items: { id: string; media_key: string; card_uri: string }[],
  context: Pick<AdsDependencies, 'store' | 'mediaOrigin'>,
): Promise<void> {
  const media = await mediaOf(
    items.map(({ media_key }) => media_key),
    context,
  )
  for (const item of items) {
    item.card_uri = uriOf(item.id)
    const image = media.get(item.media_key)
    if (!image) continue
    Object.assign(item, {
      media_url: urlOf(mediaPath(image), context),
      image_display_width: String(image.width),
      image_display_height: String(image.height),
    })
  }
}

type Texts = { readonly [Name in keyof typeof callsToAction | 'title']: string | null }

type Keys = Readonly<Record<string, AcceptedMedia>>

/** The errors of a conversation in its new state. Media that stay are not checked again. */
async function wrongCard(
  card: Texts,
  { tx, scope, before }: Change<Fields>,
  keys: Keys,
): Promise<AdsError[]> {
  const values: Readonly<Record<string, unknown>> = card
  const former: Readonly<Record<string, unknown>> | undefined = before
  const named = Object.entries(keys).flatMap(([parameter, takes]) => {
    const key = values[parameter]
    return typeof key === 'string' && key !== former?.[parameter] ? [{ parameter, key, takes }] : []
  })
  const { errors } = await namedMedia(tx, scope.accountId, named)
  return [...wrongPairs(card), ...wrongPosts(card), ...errors]
}

const NTH = ['first', 'second', 'third', 'fourth'] as const

/** Each call to action goes with its text; without a second one, a title is required. */
function wrongPairs(card: Texts): AdsError[] {
  const errors: AdsError[] = []
  for (const nth of NTH) {
    const names = [`${nth}_cta`, `${nth}_cta_post`] as const
    const missing = names.filter((name) => card[name] === null)
    if (missing.length === 1)
      errors.push(
        wrongParameter(
          String(missing[0]),
          msg`${words(names)} are inclusive parameters`,
          'INCLUSIVE_PARAMETERS',
        ),
      )
  }
  if (card.title === null && card.second_cta === null) errors.push(missingParameter('title'))
  return errors
}

/** A predefined text must be a valid post. */
const wrongPosts = (card: Texts): AdsError[] =>
  NTH.flatMap((nth) => {
    const name = `${nth}_cta_post` as const
    const words = card[name]
    const fault = words === null ? undefined : textFault(normalised(words))
    return fault === undefined
      ? []
      : [wrongParameter(name, msg`A post of this text is ${fixed(fault)}`, 'INVALID_POST')]
  })
