import type { Point } from './query.ts'

/** The parts of a text that a query can look for. Names and tags are as written. */
export interface MatchableText {
  /** As it was written. Of a repost, that of the original. */
  readonly text: string
  /**
   * `wordsOf` the text without its links: in NFKC and folded case. Of a repost, those of the
   * original.
   */
  readonly words: readonly string[]
  readonly hashtags: readonly string[]
  readonly cashtags: readonly string[]
  /** Usernames, without `@`. */
  readonly mentions: readonly string[]
  readonly links: readonly MatchableLink[]
}

export interface MatchableLink {
  /** The address as it was written, and all other known forms of it. */
  readonly addresses: readonly string[]
  readonly title?: string
  readonly description?: string
}

export interface MatchableUser {
  readonly id: string
  readonly username: string
  /** The accounts that the user is affiliated with. */
  readonly affiliations?: readonly MatchableUser[]
}

export interface MatchableAuthor extends MatchableUser {
  readonly name: string
  readonly description: string
  readonly location: string
  readonly verified: boolean
  readonly followersCount: number
  readonly followingCount: number
  readonly postsCount: number
  readonly listedCount: number
  /** The ids of the lists that the author is in: for `list:`. */
  readonly lists?: readonly string[]
}

export interface MatchablePlace {
  readonly id: string
  readonly name: string
  readonly fullName: string
  readonly countryCode: string
  /** Corners of the place; of a box, four. */
  readonly polygon: readonly Point[]
}

/** A post as queries see it. Other modules create it from a row. */
export interface MatchablePost extends MatchableText {
  /** Decimal text; `sample:` depends on it. */
  readonly id: string
  readonly author: MatchableAuthor
  readonly lang: string
  readonly media: readonly ('photo' | 'animated_gif' | 'video')[]
  readonly conversationId: string
  readonly repliesTo?: { readonly id: string }
  /** The author of the post that it replies to, or the user with whose name it begins. */
  readonly addressee?: MatchableUser
  readonly repostOf?: { readonly id: string; readonly author: MatchableUser }
  readonly quotes?: MatchableText & { readonly id: string }
  /** Of the post itself, not of the post that it quotes. */
  readonly point?: Point
  readonly place?: MatchablePlace
  /** Ids of the domains and entities of context annotations. */
  readonly contexts: readonly { readonly domain: string; readonly entity: string }[]
  /** Persons, places, products and organisations that the text names. */
  readonly entities: readonly string[]
  readonly source: { readonly name: string; readonly address: string }
  readonly nullcast: boolean
  readonly likeCount: number
  readonly replyCount: number
  readonly repostCount: number
  /**
   * The similarity in meaning of the post and a text, from 0 to 1; absent if there is no model for
   * it.
   */
  similarityTo?(text: string): number
}
