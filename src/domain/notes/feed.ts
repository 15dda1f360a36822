import { createHash } from 'node:crypto'
import { FIRST_ID } from '../../platform/common/ids.ts'
import type { Store } from '../../platform/storage/store.ts'
import { LANGUAGES, languageOfPosts, OTHER_CODES } from '../query-language/languages.ts'
import { ELIGIBLE_MS } from './candidates.ts'
import { pageOfFeed, pageOfFeedIn } from './queries.ts'

/** The number of posts in each feed: the most wanted ones. */
const FEED_POSTS = { small: 100, large: 1_000, xl: 5_000, xxl: 20_000 } as const
export const FEED_SIZES = Object.keys(FEED_POSTS) as FeedSize[]
type FeedSize = keyof typeof FEED_POSTS

/** The posts that a writer requests. */
export interface FeedSelection {
  readonly size: FeedSize
  /** `all` for every language. */
  readonly lang: string
}

const PART = /^\s*(feed_size|feed_lang)\s*:\s*([a-z-]{2,8})\s*$/i

const isSize = (text: string): text is FeedSize => Object.hasOwn(FEED_POSTS, text)

/** Parses `feed_size: small, feed_lang: en`; both parts are optional. Undefined for other texts. */
export function readSelection(text = ''): FeedSelection | undefined {
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

/** A position in a feed. */
export interface FeedPosition {
  /** The demand and id of the last post before it. */
  readonly demand: number
  readonly post: string
  /** The number of posts before it. */
  readonly passed: number
}

const START: FeedPosition = { demand: Number.MAX_SAFE_INTEGER, post: FIRST_ID, passed: 0 }

/** A feed of a user. */
export interface Feed extends FeedSelection {
  readonly user: string
  readonly testMode: boolean
}

const MAX_TOKEN_LENGTH = 120
const FORM = /^(\d{1,16})\.(\d{1,19})\.(\d{1,5})\.([\w-]{11})$/

/**
 * A page token: opaque to clients, in lower-case letters and digits. It contains a digest of its
 * feed, so that it cannot continue another one.
 */
export function feedTokenOf({ demand, post, passed }: FeedPosition, feed: Feed): string {
  const place = `${demand}.${post}.${passed}`
  return Buffer.from(`${place}.${digestOf(place, feed)}`).toString('hex')
}

/** The start of the page of a token; undefined for an invalid token. */
export function feedPositionOf(token: string | undefined, feed: Feed): FeedPosition | undefined {
  if (token === undefined) return START
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const [, demand = '', post = '', passed = '', digest] =
    FORM.exec(Buffer.from(token, 'hex').toString('latin1')) ?? []
  if (digest === undefined || digest !== digestOf(`${demand}.${post}.${passed}`, feed)) return undefined
  return { demand: Number(demand), post, passed: Number(passed) }
}

const digestOf = (place: string, { size, lang, user, testMode }: Feed) =>
  createHash('sha256')
    .update(JSON.stringify([place, size, lang, user, testMode]))
    .digest('base64url')
    .slice(0, 11)

/** A post of a feed, with the position after it. */
export interface FeedRow {
  readonly post_id: string
  readonly place: FeedPosition
}

/** The posts of a feed from a position on, the most wanted first. `next`: undefined at the end. */
export const feedList = (store: Pick<Store, 'all'>, feed: Feed, now: number) => ({
  async read(
    from: FeedPosition,
    count: number,
  ): Promise<{ rows: FeedRow[]; next: FeedPosition | undefined }> {
    const limit = Math.min(count, FEED_POSTS[feed.size] - from.passed)
    const { user, testMode, lang } = feed
    const args = {
      ...{ user, test_mode: Number(testMode), demand: from.demand, post: from.post },
      ...{ after: now - ELIGIBLE_MS, limit },
    }
    const found =
      limit <= 0
        ? []
        : await (lang === 'all' ? store.all(pageOfFeed, args) : store.all(pageOfFeedIn, { ...args, lang }))
    const rows = found.map(({ demand, post_id }, index) => ({
      post_id,
      place: { demand, post: post_id, passed: from.passed + index + 1 },
    }))
    return { rows, next: rows.length < count ? undefined : rows.at(-1)?.place }
  },
  after: ({ place }: FeedRow): FeedPosition => place,
})
