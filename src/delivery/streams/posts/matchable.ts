import type { ContextAnnotation } from '../../../domain/annotations/dictionary.ts'
import { kindIn } from '../../../domain/media/media.ts'
import { pointOf } from '../../../domain/posts/place-object.ts'
import type { MatchablePost, MatchableText } from '../../../domain/query-language/matchable-post.ts'
import type { Point } from '../../../domain/query-language/query.ts'
import { wordParts } from '../../../domain/query-language/tokenize.ts'
import {
  boxOfLocation,
  type Location,
  locationById,
  locationsReady,
} from '../../../domain/reference-data/locations.ts'
import type { Slices } from '../../../platform/common/slices.ts'
import type { Entities } from '../../../platform/text/entities.ts'
import type { MatchedRow } from './queries.ts'

/**
 * Whether streams deliver a post: it is public and in production. A version that an edit has
 * replaced was a post too.
 */
export const isDelivered = (row: MatchedRow) => row.environment === 'production' && row.public === 1

/** The places that posts need before they are matched. */
export const placesReady = (rows: readonly MatchedRow[]): Promise<void> | undefined =>
  rows.some(({ place_id }) => place_id !== null) ? locationsReady() : undefined

const MEDIA = { IMAGE: 'photo', GIF: 'animated_gif', VIDEO: 'video' } as const

/**
 * A post as rules see it (core reference, 03 section 5.2). Of a repost, the text is that of the
 * original; it also mentions the author of the original, whom its own text names.
 */
export async function matchableOf(row: MatchedRow, slices: Slices): Promise<MatchablePost> {
  const place = row.place_id === null ? undefined : locationById(row.place_id)
  const point = pointOf(row)
  return {
    ...(await shownTextOf(row, slices)),
    ...(await referencesOf(row, slices)),
    id: row.id,
    author: authorOf(row),
    lang: row.lang,
    media: mediaOf(row),
    conversationId: row.conversation_id,
    ...(point && { point }),
    ...(place && {
      place: {
        id: place.id,
        name: place.name.split(',')[0] ?? '',
        fullName: place.name,
        countryCode: place.countryCode,
        polygon: cornersOf(place),
      },
    }),
    contexts: contextsOf(row),
    entities: namesIn(row),
    source: { name: row.app_name ?? '', address: row.app_website ?? '' },
    nullcast: row.nullcast === 1,
    likeCount: row.like_count,
    replyCount: row.reply_count,
    repostCount: row.repost_count,
  }
}

const contextsOf = ({ context_annotations: json }: MatchedRow) =>
  ((json === null ? [] : JSON.parse(json)) as ContextAnnotation[]).map(({ domain, entity }) => ({
    ...{ domain: domain.id, entity: entity.id },
  }))

const namesIn = ({ entities }: MatchedRow) =>
  ((JSON.parse(entities) as Entities).annotations ?? []).flatMap(({ normalized_text: name }) => name ?? [])

function cornersOf(place: Location): readonly Point[] {
  const box = boxOfLocation(place)
  if (!box) return []
  const { west, south, east, north } = box
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
}

async function shownTextOf(
  { text, entities, original_text, original_entities }: MatchedRow,
  slices: Slices,
): Promise<MatchableText> {
  const own = await textOf(text, entities, slices)
  if (original_text === null || original_entities === null) return own
  const original = await textOf(original_text, original_entities, slices)
  return { ...original, mentions: [...new Set([...own.mentions, ...original.mentions])] }
}

async function textOf(text: string, json: string, slices: Slices): Promise<MatchableText> {
  const { hashtags, cashtags, mentions, urls } = JSON.parse(json) as Entities
  const words: string[] = []
  for (const part of wordParts(text, urls)) {
    for (const word of part) words.push(word)
    if (slices.isOver) await slices.next()
  }
  return {
    text,
    words,
    hashtags: hashtags.map(({ tag }) => tag),
    cashtags: cashtags.map(({ tag }) => tag),
    mentions: mentions.map(({ username }) => username),
    links: urls.map(({ url, expanded_url, unwound_url, title, description }) => ({
      addresses: [...new Set([url, expanded_url, unwound_url ?? url])],
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    })),
  }
}

const authorOf = (row: MatchedRow) => ({
  id: row.author_id,
  username: row.author_username,
  name: row.author_name,
  description: row.author_description,
  location: row.author_location,
  verified: row.author_verified === 1,
  followersCount: row.author_followers,
  followingCount: row.author_following,
  postsCount: row.author_posts,
  listedCount: row.author_listed,
  ...affiliationsOf(row.author_affiliation_id, row.author_affiliation_username),
})

const mediaOf = ({ media_keys }: MatchedRow) =>
  (JSON.parse(media_keys) as string[]).flatMap((key) => {
    const kind = kindIn(key)
    return kind === undefined ? [] : [MEDIA[kind]]
  })

const userOf = (id: string | null, username: string | null) => ({ id: id ?? '', username: username ?? '' })

const affiliationsOf = (id: string | null, username: string | null) =>
  id === null ? undefined : { affiliations: [userOf(id, username)] }

const referencesOf = async (
  row: MatchedRow,
  slices: Slices,
): Promise<Pick<MatchablePost, 'quotes' | 'repliesTo' | 'addressee' | 'repostOf'>> => ({
  ...(row.in_reply_to_post_id !== null && { repliesTo: { id: row.in_reply_to_post_id } }),
  ...(row.in_reply_to_user_id !== null && {
    addressee: {
      ...userOf(row.in_reply_to_user_id, row.replied_username),
      ...affiliationsOf(row.replied_affiliation_id, row.replied_affiliation_username),
    },
  }),
  ...(row.reposted_post_id !== null && {
    repostOf: {
      id: row.reposted_post_id,
      author: userOf(row.original_author_id, row.original_username),
    },
  }),
  ...(row.quoted_post_id !== null && {
    quotes: {
      id: row.quoted_post_id,
      ...(await textOf(row.quoted_text ?? '', row.quoted_entities ?? NOTHING, slices)),
    },
  }),
})

const NOTHING = '{"hashtags":[],"cashtags":[],"mentions":[],"urls":[]}'
