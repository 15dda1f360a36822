/** What a query is for; operators and limits differ. */
export type QueryUse =
  | 'search/recent'
  | 'search/all'
  | 'counts/recent'
  | 'counts/all'
  | 'stream'
  | 'powerstream'

/** The caller's plan, which decides what is allowed. */
export type QueryAccess = 'self-serve' | 'enterprise'

/** A range of a query: 1-based code points, the end exclusive. */
export interface QuerySpan {
  readonly position: number
  readonly end: number
}

/** What is wrong with a query, and what to do about it. */
export interface QueryError extends QuerySpan {
  /** As clients know it, with the position where the reference has one. */
  readonly message: string
  /** One sentence that says what works. */
  readonly hint?: string
}

/** Operators that look for words, one after another. */
export type WordsOperator =
  | 'keyword'
  | 'phrase'
  | 'url'
  | 'url_title'
  | 'url_description'
  | 'bio'
  | 'bio_name'
  | 'bio_location'
/** Operators that compare a whole text, without case. */
export type NameOperator = 'entity' | 'source'
/** Operators whose value is a user: a name without `@`, or an id. */
export type UserOperator = 'from' | 'to' | 'from_affiliate_of' | 'to_affiliate_of' | 'reposts_of'
export type IdOperator =
  | 'conversation_id'
  | 'in_reply_to_post_id'
  | 'reposts_of_post_id'
  | 'quotes_of_post_id'
  | 'list'
export type EntityOperator = 'hashtag' | 'cashtag' | 'mention'
export type MinimumOperator = 'min_likes' | 'min_replies' | 'min_reposts' | 'min_followers'
export type RangeOperator = 'followers_count' | 'following_count' | 'posts_count' | 'listed_count'

export const IS_VALUES = ['repost', 'reply', 'quote', 'verified', 'nullcast'] as const
export const HAS_VALUES = [
  'hashtags',
  'cashtags',
  'links',
  'mentions',
  'geo',
  'media',
  'images',
  'video_link',
  'lang',
] as const

/** The condition of one clause. `text` is the value as it was written, or in its canonical form. */
export type Condition =
  /** `words` are in folded case; without accents in a query for search. */
  | {
      readonly operator: WordsOperator | NameOperator
      readonly text: string
      readonly words: readonly string[]
    }
  | {
      readonly operator: 'proximity'
      readonly text: string
      readonly words: readonly string[]
      readonly within: number
    }
  | { readonly operator: 'place'; readonly text: string; readonly words: readonly string[] }
  /** `name` is `text` in folded case; of a hashtag in a query for search, without accents. */
  | { readonly operator: EntityOperator | UserOperator; readonly text: string; readonly name: string }
  | { readonly operator: IdOperator; readonly text: string }
  /** The text of the post, or an address, contains `text`, in folded case. */
  | { readonly operator: 'contains' | 'url_contains'; readonly text: string }
  | { readonly operator: 'embedding'; readonly text: string }
  | { readonly operator: 'embedding_threshold'; readonly number: number }
  /** `*` means any. */
  | { readonly operator: 'context'; readonly domain: string; readonly entity: string }
  | { readonly operator: 'place_country'; readonly text: string }
  | { readonly operator: 'lang'; readonly text: string }
  | { readonly operator: 'is'; readonly text: (typeof IS_VALUES)[number] }
  | { readonly operator: 'has'; readonly text: (typeof HAS_VALUES)[number] }
  | {
      readonly operator: 'point_radius'
      readonly point: Point
      readonly radius: number
      readonly unit: 'mi' | 'km'
    }
  | { readonly operator: 'bounding_box'; readonly southWest: Point; readonly northEast: Point }
  /** Percent. */
  | { readonly operator: 'sample'; readonly number: number }
  | { readonly operator: MinimumOperator; readonly number: number }
  /** Without `max`, a minimum. */
  | { readonly operator: RangeOperator; readonly min: number; readonly max?: number }

/** Longitude and latitude in degrees. */
export type Point = readonly [longitude: number, latitude: number]

/** One condition, or its negation. */
export interface Clause extends QuerySpan {
  readonly kind: 'clause'
  readonly negated: boolean
  readonly condition: Condition
}

/** Two or more nodes, none of which is a group of the same kind. */
export interface Group extends QuerySpan {
  readonly kind: 'and' | 'or'
  readonly nodes: readonly Node[]
}

export type Node = Clause | Group

/** A query that has been read and checked. */
export interface Query {
  readonly use: QueryUse
  readonly root: Node
  /** Code points, spaces included. */
  readonly length: number
  readonly clauses: number
}

/** The nodes that must all hold for a node to hold. */
export const conjunctsOf = (node: Node): readonly Node[] => (node.kind === 'and' ? node.nodes : [node])

/** The clauses of a query from left to right. */
export function* clausesOf(node: Node): Generator<Clause> {
  if (node.kind === 'clause') yield node
  else for (const child of node.nodes) yield* clausesOf(child)
}

/** Whether a clause looks for words of the post. Reposts have none of their own. */
export const isTextual = ({ operator }: Condition) =>
  operator === 'keyword' || operator === 'phrase' || operator === 'proximity'

/** Whether a query is for search or counts, which ignore accents and quoted posts. */
export const isSearch = (use: QueryUse) => use !== 'stream' && use !== 'powerstream'

/** Maximum length of a query in code points (reference: query language, grammar; stream rules). */
const MAX_LENGTH: Readonly<Record<QueryUse, Readonly<Record<QueryAccess, number>>>> = {
  'search/recent': { 'self-serve': 512, enterprise: 4096 },
  'search/all': { 'self-serve': 1024, enterprise: 4096 },
  'counts/recent': { 'self-serve': 1024, enterprise: 4096 },
  'counts/all': { 'self-serve': 1024, enterprise: 4096 },
  stream: { 'self-serve': 1024, enterprise: 2048 },
  powerstream: { 'self-serve': 2048, enterprise: 2048 },
}

export const maxQueryLength = (use: QueryUse, access: QueryAccess): number => MAX_LENGTH[use][access]

/** The maximum number of clauses of a query. */
export const MAX_CLAUSES = 200
