import { mediaPath, rulesOf, urlOf } from '../../../domain/media/media.ts'
import { msg } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { featuresOfAccount } from '../accounts/queries.ts'
import { entity } from '../entity/entity.ts'
import type { WriteContext } from '../entity/types.ts'
import { throwErrors } from '../entity/write.ts'
import { useByKeys } from '../media/uses.ts'
import { IN_POLL, namedMedia, releaseCardMedia } from './media.ts'
import { fields } from './poll-fields.ts'
import { cardEntity, mediaOf, uriOf, wholeVideoMembers } from './shared.ts'

const MINUTE_MS = 60_000

/** A card with a question. It can be created and deleted, but not changed. */
export const pollCards = entity({
  echo: { constants: { card_type: 'poll' } },
  ...cardEntity,
  one: 'poll card',
  path: '/accounts/{account_id}/cards/poll',
  source: 'Creatives',
  verbs: ['list', 'get', 'create', 'delete'],
  codes: [
    'FEATURE_NOT_AVAILABLE',
    'INCLUSIVE_PARAMETERS',
    'INVALID_IMAGE',
    'INVALID_MEDIA',
    'MEDIA_NOT_FOUND',
  ],
  fields,
  async complete({ duration_in_minutes, media_key = null, ...rest }, work) {
    return {
      third_choice: null,
      fourth_choice: null,
      ...rest,
      media_key,
      duration_in_minutes: String(duration_in_minutes),
      start_time: work.now,
      end_time: work.now + Number(duration_in_minutes) * MINUTE_MS,
      card_type: await typeOf(media_key, work),
    }
  },
  check: ({ third_choice, fourth_choice }) =>
    fourth_choice !== null && third_choice === null
      ? [
          wrongParameter(
            'third_choice',
            msg`fourth_choice and third_choice are inclusive parameters`,
            'INCLUSIVE_PARAMETERS',
          ),
        ]
      : [],
  after: ({ id, media_key }, work) => useByKeys({ table: 'poll_cards', id }, [media_key], work),
  afterDelete: ({ id }, work) => releaseCardMedia({ table: 'poll_cards', id, uri: uriOf(id) }, work),
  async derive(items, { context }) {
    const media = await mediaOf(
      items.map(({ media_key }) => media_key),
      context,
    )
    for (const item of items) {
      item.card_uri = uriOf(item.id)
      const medium = media.get(item.media_key ?? '')
      if (!medium) continue
      if (rulesOf(medium).kind === 'IMAGE')
        Object.assign(item, {
          image: urlOf(mediaPath(medium), context),
          image_display_width: String(medium.width),
          image_display_height: String(medium.height),
        })
      else Object.assign(item, wholeVideoMembers(medium, context))
    }
  },
})

/** The type of a poll; rejects a medium that a poll cannot show. */
async function typeOf(
  key: string | null,
  work: WriteContext,
): Promise<'TEXT_POLLS' | 'IMAGE_POLLS' | 'VIDEO_POLLS'> {
  if (key === null) return 'TEXT_POLLS'
  const { tx, scope } = work
  const features = await tx.all(featuresOfAccount, { account: scope.accountId })
  if (!features.some(({ feature_key }) => feature_key === 'PROMOTED_MEDIA_POLLS'))
    throw adsApiError(noFeature)
  const named = [{ parameter: 'media_key', key, takes: IN_POLL }]
  const { media, errors } = await namedMedia(tx, scope.accountId, named)
  throwErrors(errors)
  const medium = media.get(key)
  return medium && rulesOf(medium).kind === 'IMAGE' ? 'IMAGE_POLLS' : 'VIDEO_POLLS'
}

const noFeature: AdsError = wrongParameter(
  'media_key',
  msg`Polls with media need the feature PROMOTED_MEDIA_POLLS`,
  'FEATURE_NOT_AVAILABLE',
)
