import { createHash } from 'node:crypto'
import { LANGUAGES, languageOfPosts, OTHER_CODES } from '../query-language/languages.ts'
import type { Store } from '../storage/store.ts'
import { ELIGIBLE_MS } from './candidates.ts'
import { pageOfFeed, pageOfFeedIn } from './queries.ts'

/** How many posts a feed has: the most wanted ones. */
const FEED_POSTS = { small: 100, large: 1_000, xl: 5_000, xxl: 20_000 } as const
export const FEED_SIZES = Object.keys(FEED_POSTS) as FeedSize[]
type FeedSize = keyof typeof FEED_POSTS

/** Which posts a writer wants to see. */
export interface Selection {
  readonly size: FeedSize
  /** `all` for every language. */
  readonly lang: string
}

const PART = /^\s*(feed_size|feed_lang)\s*:\s*([a-z-]{2,8})\s*$/i

const isSize = (text: string): text is FeedSize => Object.hasOwn(FEED_POSTS, text)

/**
 * Reads `feed_size: small, feed_lang: en`. Either part may be omitted, and so may the whole. Undefined for any other
 * text.
 */
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

/** Where a page of a feed begins. */
interface FeedPlace {
  /** Of the last post of the page before. */
  readonly demand: number
  readonly post: string
  /** Posts of the pages before. */
  readonly passed: number
}

const START: FeedPlace = { demand: Number.MAX_SAFE_INTEGER, post: '', passed: 0 }

/** Whose feed it is. */
export interface Feed extends Selection {
  readonly user: string
  readonly testMode: boolean
}

const MAX_TOKEN_LENGTH = 100
const FORM = /^(\d{1,16})\.(\d{1,19})\.(\d{1,5})\.([\w-]{11})$/

/** Opaque to clients. It names the feed that it belongs to, so that it continues no other. */
function tokenOf({ demand, post, passed }: FeedPlace, feed: Feed): string {
  const place = `${demand}.${post}.${passed}`
  return Buffer.from(`${place}.${digestOf(place, feed)}`).toString('base64url')
}

/** Where the page of a token begins; undefined for a token of anything else. */
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
