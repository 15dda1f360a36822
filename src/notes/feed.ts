import { createHash } from 'node:crypto'
import { FIRST_ID } from '../common/ids.ts'
import { LANGUAGES, languageOfPosts, OTHER_CODES } from '../query-language/languages.ts'
import type { Store } from '../storage/store.ts'
import { ELIGIBLE_MS } from './candidates.ts'
import { pageOfFeed, pageOfFeedIn } from './queries.ts'

/** The number of posts in each feed: the most wanted ones. */
const FEED_POSTS = { small: 100, large: 1_000, xl: 5_000, xxl: 20_000 } as const
export const FEED_SIZES = Object.keys(FEED_POSTS) as FeedSize[]
type FeedSize = keyof typeof FEED_POSTS

/** The posts that a writer wants to see. */
export interface Selection {
  readonly size: FeedSize
  /** `all` for every language. */
  readonly lang: string
}

const PART = /^\s*(feed_size|feed_lang)\s*:\s*([a-z-]{2,8})\s*$/i

const isSize = (text: string): text is FeedSize => Object.hasOwn(FEED_POSTS, text)

/** Parses `feed_size: small, feed_lang: en`. Either part, or both, may be omitted. Undefined for any other text. */
export function readSelection(text = ''): Selection | undefined {
  const parts = text.split(',').filter((part, _, all) => part.trim() !== '' || all.length > 1)
  const given = new Map<string, string>()
  for (const part of parts) {
    const [, name, value] = PART.exec(part) ?? []
    if (name === undefined || value === undefined || given.has(name.toLowerCase())) return undefined
    given.set(name.toLowerCase(), value.toLowerCase())
  }
  const size = given.get('feed_size') ?? 'small'
  const lang = given.get('feed_lang') ?? 'en'
  const code = OTHER_CODES[lang] ?? lang
  if (!isSize(size) || (code !== 'all' && !LANGUAGES.has(code))) return undefined
  return { size, lang: languageOfPosts(code) }
}

/** The start of a page of a feed. */
interface FeedPlace {
  /** The demand and id of the last post of the previous page. */
  readonly demand: number
  readonly post: string
  /** The number of posts on previous pages. */
  readonly passed: number
}

const START: FeedPlace = { demand: Number.MAX_SAFE_INTEGER, post: FIRST_ID, passed: 0 }

/** The user whose feed it is. */
export interface Feed extends Selection {
  readonly user: string
  readonly testMode: boolean
}

const MAX_TOKEN_LENGTH = 100
const FORM = /^(\d{1,16})\.(\d{1,19})\.(\d{1,5})\.([\w-]{11})$/

/** Opaque to clients. It contains the feed that it belongs to, so that it cannot continue another one. */
function tokenOf({ demand, post, passed }: FeedPlace, feed: Feed): string {
  const place = `${demand}.${post}.${passed}`
  return Buffer.from(`${place}.${digestOf(place, feed)}`).toString('base64url')
}

/** The start of the page of a token; undefined for an invalid token. */
export function feedPlaceOf(token: string | undefined, feed: Feed): FeedPlace | undefined {
  if (token === undefined) return START
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const [, demand = '', post = '', passed = '', digest] =
    FORM.exec(Buffer.from(token, 'base64url').toString('latin1')) ?? []
  if (digest === undefined || digest !== digestOf(`${demand}.${post}.${passed}`, feed)) return undefined
  return { demand: Number(demand), post, passed: Number(passed) }
}

const digestOf = (place: string, { size, lang, user, testMode }: Feed) =>
  createHash('sha256')
    .update(JSON.stringify([place, size, lang, user, testMode]))
    .digest('base64url')
    .slice(0, 11)

/** The posts of a page, the most wanted first, and the token of the next page. */
export async function feedPage(
  store: Pick<Store, 'all'>,
  feed: Feed,
  { place, limit, now }: { place: FeedPlace; limit: number; now: number },
): Promise<{ ids: string[]; next: string | undefined }> {
  const left = Math.min(limit, FEED_POSTS[feed.size] - place.passed)
  if (left <= 0) return { ids: [], next: undefined }
  const args = {
    user: feed.user,
    test_mode: Number(feed.testMode),
    demand: place.demand,
    post: place.post,
    after: now - ELIGIBLE_MS,
    limit: left + 1,
  }
  const rows = await (feed.lang === 'all'
    ? store.all(pageOfFeed, args)
    : store.all(pageOfFeedIn, { ...args, lang: feed.lang }))
  const page = rows.slice(0, left)
  const last = page.at(-1)
  const passed = place.passed + page.length
  const isMore = rows.length > left && passed < FEED_POSTS[feed.size]
  return {
    ids: page.map(({ post_id }) => post_id),
    next: isMore && last ? tokenOf({ demand: last.demand, post: last.post_id, passed }, feed) : undefined,
  }
}
