/** The numbers of a document that conditions compare and that change without its text. */
export const DOCUMENT_NUMBERS = ['likes', 'replies', 'reposts'] as const
export type DocumentNumber = (typeof DOCUMENT_NUMBERS)[number]

/** A box in degrees; of a point, one without size. */
export interface Area {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** What a document is found by. */
export interface SearchDocument {
  /** Decimal text. Ids are in the order of time, and the newest come first. */
  readonly id: string
  /** The words of its text in their order, folded as those of queries are. */
  readonly words: readonly string[]
  /** The words of each of its links. */
  readonly links: readonly (readonly string[])[]
  /** What else it is found by, such as `from:42`: no spaces, in lower case. */
  readonly terms: readonly string[]
  readonly numbers: Readonly<Record<DocumentNumber, number>>
  /** Where it was written. */
  readonly area?: Area
}

/** What a search asks for. */
export type SearchExpression =
  | { readonly kind: 'term'; readonly term: string }
  /** Words one after another. */
  | { readonly kind: 'words'; readonly of: 'text' | 'links'; readonly words: readonly string[] }
  | { readonly kind: 'at least'; readonly number: DocumentNumber; readonly value: number }
  /** The area of the document is in this one. */
  | { readonly kind: 'inside'; readonly area: Area }
  /** The area of the document is in a circle: a point in degrees, and kilometres. */
  | { readonly kind: 'near'; readonly longitude: number; readonly latitude: number; readonly km: number }
  | { readonly kind: 'not'; readonly not: SearchExpression }
  /** Of none: everything. */
  | { readonly kind: 'all'; readonly of: readonly SearchExpression[] }
  /** Of none: nothing. */
  | { readonly kind: 'any'; readonly of: readonly SearchExpression[] }

/** Ids: from `from` on, and less than `before`. */
export interface SearchWindow {
  readonly from: string
  readonly before: string
}

/** A document that was found, with what sorts it by relevance. */
export interface Found {
  readonly id: string
  readonly numbers: Readonly<Record<DocumentNumber, number>>
}

/** What a search found, newest first, and what of its window it did not look at. */
export interface FoundDocuments {
  readonly found: readonly Found[]
  /** When the bound on candidates was reached before the limit: the older part of the window, where a search goes on. */
  readonly rest?: SearchWindow
}

/**
 * Bounds on candidates: the documents that words and terms lead to, and whose numbers and places are compared. Without
 * words and terms, that is every document of the window.
 */
export interface CandidateLimits {
  /** Of one search, and of one step of a count. */
  readonly found: number
  /** Of one count, whether or not it compares anything. */
  readonly counted: number
}

export const CANDIDATE_LIMITS: CandidateLimits = { found: 50_000, counted: 1_000_000 }

/** How many documents there are from a time on, in epoch milliseconds. */
export interface Count {
  readonly start: number
  readonly count: number
}

/** What changes in an index. Putting a document replaces one of the same id. */
export type SearchChange =
  | { readonly kind: 'put'; readonly document: SearchDocument }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'count'; readonly id: string; readonly numbers: SearchDocument['numbers'] }

/** Whether an index holds what was put into it before. */
export type SearchState = 'new' | 'built'

/**
 * An index of documents by words and terms. It is derived data: what it is built from is in the store, and it can be
 * built again.
 */
export interface SearchIndex {
  /** `new`: nothing was ever put into it, or it was damaged. `finish` ends that. */
  state(): Promise<SearchState>
  /** All of the changes or none, in their order; durable when the promise resolves. Repeating them changes nothing. */
  apply(changes: readonly SearchChange[]): Promise<void>
  /** Makes it `new`. What was put into it stays until `clear`. */
  reopen(): Promise<void>
  /** Removes everything. */
  clear(): Promise<void>
  /** Notes that the index holds everything that it is built from. */
  finish(): Promise<void>
  /**
   * The newest documents of a window that an expression matches, newest first. Ends early, with the rest of the window,
   * when it has looked at too many candidates.
   */
  find(expression: SearchExpression, window: SearchWindow, limit: number): Promise<FoundDocuments>
  /**
   * The number of documents that an expression matches, by the time of their ids, oldest first: for each span of
   * `bucketMs` of UTC that has some.
   * @throws SearchTooComplex When there are too many candidates.
   */
  count(expression: SearchExpression, window: SearchWindow, bucketMs: number): Promise<Count[]>
  close(): Promise<void>
}

/** A search that cannot be answered as it is. */
export class SearchTooComplex extends Error {
  override readonly name = 'SearchTooComplex'
}

export const tooManyToCount = (limit: number) =>
  new SearchTooComplex(
    `The query counts among more than ${limit} posts. Choose a shorter time window, or add words or operators that fewer posts match.`,
  )
