import type { HAS_VALUES, IS_VALUES, QueryUse } from './query.ts'
import {
  boundingBox,
  context,
  country,
  id,
  language,
  minimum,
  percent,
  piece,
  pointRadius,
  range,
  threshold,
  user,
  type ValueReader,
  words,
} from './values.ts'

const RECENT: readonly QueryUse[] = ['search/recent', 'counts/recent']
const SEARCH: readonly QueryUse[] = [...RECENT, 'search/all', 'counts/all']
const POWERSTREAM: readonly QueryUse[] = ['powerstream']
const STREAM: readonly QueryUse[] = ['stream', ...POWERSTREAM]
const EVERYWHERE: readonly QueryUse[] = [...SEARCH, ...STREAM]

/** An operator with a name and a value (reference: query language, operators). */
export interface QueryOperator {
  readonly uses: readonly QueryUse[]
  readonly read: ValueReader
  /** Whether a query may consist of this operator alone. */
  readonly standalone: boolean
  /** Whether it may, must or must not be negated. */
  readonly negation?: 'never' | 'only'
  /** Only with the plan `enterprise`. */
  readonly enterprise?: true
  /** Maximum number in a query. */
  readonly most?: 1
  readonly aliases?: readonly string[]
  /** What Plaza does not have: the operator is accepted and matches no post. */
  readonly missing?: string
  /** What it matches: continues "posts …". */
  readonly matches: string
  readonly example: string
}

type OperatorOptions = Pick<QueryOperator, 'matches' | 'example'> & Partial<QueryOperator>

const alone = (uses: readonly QueryUse[], read: ValueReader, rest: OperatorOptions): QueryOperator => ({
  uses,
  read,
  standalone: true,
  ...rest,
})
const joined = (uses: readonly QueryUse[], read: ValueReader, rest: OperatorOptions): QueryOperator => ({
  ...alone(uses, read, rest),
  standalone: false,
})

/** `is:` and `has:` are handled separately: each of their values is an operator. */
export const OPERATORS: ReadonlyMap<string, QueryOperator> = new Map(
  Object.entries<QueryOperator>({
    from: alone(EVERYWHERE, user('from'), { matches: 'by this user', example: 'from:ada' }),
    to: alone(EVERYWHERE, user('to'), {
      matches: 'that reply to this user, or begin with their name',
      example: 'to:ada',
    }),
    from_affiliate_of: alone(STREAM, user('from_affiliate_of'), {
      matches: 'by users affiliated with this account',
      example: 'from_affiliate_of:acme',
    }),
    to_affiliate_of: alone(STREAM, user('to_affiliate_of'), {
      matches: 'that reply to users affiliated with this account, or begin with their names',
      example: 'to_affiliate_of:acme',
    }),
    reposts_of: alone(EVERYWHERE, user('reposts_of'), {
      aliases: ['reposts_of_user'],
      matches: 'that are reposts of posts by this user',
      example: 'reposts_of:ada',
    }),
    in_reply_to_post_id: alone(EVERYWHERE, id('in_reply_to_post_id'), {
      aliases: ['in_reply_to_status_id'],
      matches: 'that reply to this post',
      example: 'in_reply_to_post_id:1900000000000000001',
    }),
    reposts_of_post_id: alone(EVERYWHERE, id('reposts_of_post_id'), {
      aliases: ['reposts_of_status_id'],
      matches: 'that are reposts of this post',
      example: 'reposts_of_post_id:1900000000000000001',
    }),
    quotes_of_post_id: alone(SEARCH, id('quotes_of_post_id'), {
      aliases: ['quotes_of_status_id'],
      matches: 'that quote this post',
      example: 'quotes_of_post_id:1900000000000000001',
    }),
    conversation_id: alone(EVERYWHERE, id('conversation_id'), {
      matches: 'of this conversation',
      example: 'conversation_id:1900000000000000001',
    }),
    list: alone(SEARCH, id('list'), {
      most: 1,
      matches: 'by members of this list',
      example: 'list:84839422',
    }),
    url: alone(EVERYWHERE, words('url'), {
      matches: 'with a link whose URL contains these words in sequence',
      example: 'url:"example.com/news"',
    }),
    url_title: alone(STREAM, words('url_title'), {
      aliases: ['within_url_title'],
      matches: 'with a link to a page whose title contains these words in sequence',
      example: 'url_title:"annual report"',
    }),
    url_description: alone(STREAM, words('url_description'), {
      aliases: ['within_url_description'],
      matches: 'with a link to a page whose description contains these words in sequence',
      example: 'url_description:weather',
    }),
    contains: alone(POWERSTREAM, piece('contains'), {
      matches: 'whose text contains this, also within words',
      example: 'contains:phone',
    }),
    url_contains: alone(STREAM, piece('url_contains'), {
      matches: 'with a link whose URL contains this text',
      example: 'url_contains:"/news/"',
    }),
    context: alone(EVERYWHERE, context, {
      matches: 'with this context annotation: the ids of its domain and its entity',
      example: 'context:10.799022225751871488',
    }),
    entity: alone([...RECENT, ...STREAM], words('entity'), {
      matches: 'that name this person, place, product or organization',
      example: 'entity:"Ada Lovelace"',
    }),
    bio: alone(STREAM, words('bio'), {
      aliases: ['user_bio'],
      matches: 'by users whose description contains these words in sequence',
      example: 'bio:developer',
    }),
    bio_name: alone(STREAM, words('bio_name'), {
      matches: 'by users whose name contains these words in sequence',
      example: 'bio_name:ada',
    }),
    bio_location: alone(STREAM, words('bio_location'), {
      aliases: ['user_bio_location'],
      matches: 'by users whose location contains these words in sequence',
      example: 'bio_location:"big bear"',
    }),
    place: alone(EVERYWHERE, words('place'), {
      matches: 'with this place, by its name or id',
      example: 'place:"new york city"',
    }),
    place_country: alone(EVERYWHERE, country, {
      matches: 'with a place in this country',
      example: 'place_country:US',
    }),
    point_radius: alone(EVERYWHERE, pointRadius, {
      matches: 'with a point or a place within the radius',
      example: 'point_radius:[2.355128 48.861118 16km]',
    }),
    bounding_box: alone(EVERYWHERE, boundingBox, {
      aliases: ['geo_bounding_box'],
      matches: 'with a point or a place within the box',
      example: 'bounding_box:[-105.3 39.96 -105.1 40.09]',
    }),
    lang: joined(EVERYWHERE, language, { matches: 'in this language', example: 'lang:en' }),
    sample: joined(STREAM, percent, {
      negation: 'never',
      matches: 'of a random share, in percent',
      example: 'sample:10',
    }),
    min_likes: alone(SEARCH, minimum('min_likes'), {
      matches: 'with at least this many likes',
      example: 'min_likes:10',
    }),
    min_replies: alone(SEARCH, minimum('min_replies'), {
      matches: 'with at least this many replies',
      example: 'min_replies:10',
    }),
    min_reposts: alone(SEARCH, minimum('min_reposts'), {
      matches: 'with at least this many reposts',
      example: 'min_reposts:10',
    }),
    min_followers: joined(STREAM, minimum('min_followers'), {
      matches: 'by users with at least this many followers',
      example: 'min_followers:1000',
    }),
    followers_count: joined(STREAM, range('followers_count'), {
      matches: 'by users with this many followers',
      example: 'followers_count:500..1000',
    }),
    following_count: joined(STREAM, range('following_count'), {
      aliases: ['friends_count'],
      matches: 'by users who follow this many users',
      example: 'following_count:500',
    }),
    posts_count: joined(STREAM, range('posts_count'), {
      aliases: ['statuses_count'],
      matches: 'by users with this many posts',
      example: 'posts_count:1000',
    }),
    listed_count: joined(STREAM, range('listed_count'), {
      aliases: ['user_in_lists_count'],
      matches: 'by users who are in this many lists',
      example: 'listed_count:10',
    }),
    source: joined(STREAM, words('source'), {
      matches: 'sent with this app, by its name or URL',
      example: 'source:"Plaza Web"',
    }),
    embedding: alone(STREAM, piece('embedding'), {
      negation: 'never',
      enterprise: true,
      missing: 'nothing compares meanings',
      matches: 'that mean something similar',
      example: 'embedding:"complaints about late trains"',
    }),
    embedding_threshold: joined(STREAM, threshold, {
      negation: 'never',
      enterprise: true,
      matches: 'as similar as this to the text of embedding:, from 0.0 to 1.0',
      example: 'embedding_threshold:0.5',
    }),
  }),
)

/** Aliases. */
export const ALIASES: ReadonlyMap<string, string> = new Map(
  [...OPERATORS].flatMap(([name, { aliases = [] }]) => aliases.map((alias) => [alias, name] as const)),
)

/** Names of operators on other services, and the names here. */
export const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  min_faves: 'min_likes',
  min_favorites: 'min_likes',
  language: 'lang',
  user: 'from',
  author: 'from',
  hashtag: '#',
  mention: '@',
  filter: 'has',
  near: 'point_radius',
  link: 'url',
}

export const IS_MATCHES: Readonly<Record<(typeof IS_VALUES)[number], string>> = {
  repost: 'that are reposts, not including quotes',
  reply: 'that are replies',
  quote: 'that are quotes',
  verified: 'by verified users',
  nullcast: 'that are only promoted',
}

export const HAS_MATCHES: Readonly<Record<(typeof HAS_VALUES)[number], string>> = {
  hashtags: 'with a hashtag',
  cashtags: 'with a cashtag',
  links: 'with a link or media',
  mentions: 'with a mention',
  geo: 'with a place or a point',
  media: 'with a photo, GIF or video',
  images: 'with a photo',
  video_link: 'with a video',
  lang: 'whose language was recognized',
}

/** Where a value of `has:` is available, if not everywhere. */
export const HAS_USES: Partial<Record<(typeof HAS_VALUES)[number], readonly QueryUse[]>> = {
  lang: POWERSTREAM,
}

/** Synonyms for values of `has:`. */
export const HAS_ALIASES: Readonly<Record<string, (typeof HAS_VALUES)[number]>> = {
  media_link: 'media',
  videos: 'video_link',
  symbols: 'cashtags',
}
