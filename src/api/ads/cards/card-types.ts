import { Type } from 'typebox'
import type { MediaKind } from '../../../domain/media/inspect/inspected.ts'
import { msg, words } from '../../../platform/http/message.ts'
import { text } from '../../../platform/http/schema.ts'
import { byVocabulary } from '../../../platform/http/vocabulary.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Component } from './components.ts'

/** The composition of a card, as one word (interface, `card_types`). */
export const CARD_TYPES = [
  'IMAGE_APP',
  'IMAGE_CAROUSEL_APP',
  'IMAGE_CAROUSEL_WEBSITE',
  'IMAGE_MULTI_DEST_CAROUSEL_WEBSITE',
  'IMAGE_WEBSITE',
  'MIXED_MEDIA_MULTI_DEST_CAROUSEL_WEBSITE',
  'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP',
  'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE',
  'VIDEO_APP',
  'VIDEO_CAROUSEL_APP',
  'VIDEO_CAROUSEL_WEBSITE',
  'VIDEO_MULTI_DEST_CAROUSEL_WEBSITE',
  'VIDEO_WEBSITE',
] as const

export type CardType = (typeof CARD_TYPES)[number]

/**
 * Types listed by a caller. An unknown type has its own error code (reference: validation of
 * cards).
 */
export const renamedCardTypes = Type.Array(text(1, 100, `One of ${CARD_TYPES.join(', ')}.`), {
  uniqueItems: true,
  minItems: 1,
  description: 'Returns only the items with these ids.',
})

const byPublicName = byVocabulary(
  (vocabulary) =>
    new Map(
      CARD_TYPES.flatMap((type) => vocabulary.spellings(type).map((spelling) => [spelling, type] as const)),
    ),
)

/** The listed types, in neutral words. */
export function cardTypesOf(
  publicNames: readonly string[],
  vocabulary: Parameters<typeof byPublicName>[0],
): CardType[] {
  const known = byPublicName(vocabulary)
  return publicNames.map((word) => {
    const type = known.get(word)
    if (type) return type
    throw rejected(
      'card_types',
      msg`Expected a value in ${words(CARD_TYPES)}, got "${word}" for card_types`,
      'UNKNOWN_CARD_TYPE',
    )
  })
}

/**
 * The type of a card, derived from its media and destinations (reference: card_type derivation).
 */
export function cardTypeOf(
  { components, slides }: { components: readonly Component[] | null; slides: unknown },
  kinds: readonly MediaKind[],
): CardType {
  const media = mediaWord(kinds)
  const mixed = media === 'MIXED_MEDIA'
  if (slides) return `${media}_MULTI_DEST_CAROUSEL_WEBSITE`
  const end = components?.some(({ type }) => type === 'BUTTON') ? 'APP' : 'WEBSITE'
  const swipes = components?.some(({ type }) => type === 'SWIPEABLE_MEDIA')
  if (mixed) return `MIXED_MEDIA_SINGLE_DEST_CAROUSEL_${end}`
  return swipes ? `${media}_CAROUSEL_${end}` : `${media}_${end}`
}

function mediaWord(kinds: readonly MediaKind[]): 'IMAGE' | 'VIDEO' | 'MIXED_MEDIA' {
  const images = kinds.includes('IMAGE')
  if (images && kinds.includes('VIDEO')) return 'MIXED_MEDIA'
  return images ? 'IMAGE' : 'VIDEO'
}
