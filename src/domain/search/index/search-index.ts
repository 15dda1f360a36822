/** Numbers of a document that conditions compare, and that can change without its text. */
export const DOCUMENT_NUMBERS = ['likes', 'replies', 'reposts'] as const
export type DocumentNumber = (typeof DOCUMENT_NUMBERS)[number]

/** A box in degrees. That of a point has no size. */
export interface SearchArea {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** The contents of a document by which it is found. */
export interface SearchDocument {
  /** Decimal text. Ids are ordered by time, and the newest come first in results. */
  readonly id: string
  /** The words of its text in order, folded like those of queries. */
  readonly words: readonly string[]
  /** The words of each of its links. */
  readonly links: readonly (readonly string[])[]
  /** Other terms by which it is found, such as `from:42`: without spaces, in lower case. */
  readonly terms: readonly string[]
  readonly numbers: Readonly<Record<DocumentNumber, number>>
  /** Where it was written. */
  readonly area?: SearchArea
}

/**
 * For how many of its places in a text the index knows a word. A phrase is not found beyond them.
 * PostgreSQL stores no more, and otherwise the cost of comparing a phrase with a text would have no
 * bound.
 */
export const MAX_PLACES = 256

/** What a search asks for. */
export type SearchExpression =
  | { readonly kind: 'term'; readonly term: string }
  /** Words in sequence. */
  | { readonly kind: 'words'; readonly of: 'text' | 'links'; readonly words: readonly string[] }
  | { readonly kind: 'at least'; readonly number: DocumentNumber; readonly value: number }
  /** The area of the document is inside this box. */
  | { readonly kind: 'inside'; readonly area: SearchArea }
  /** The area of the document is inside a circle: a point in degrees, and kilometres. */
  | { readonly kind: 'near'; readonly longitude: number; readonly latitude: number; readonly km: number }
  | { readonly kind: 'not'; readonly not: SearchExpression }
  /** An empty list matches everything. */
  | { readonly kind: 'all'; readonly of: readonly SearchExpression[] }
  /** An empty list matches nothing. */
  | { readonly kind: 'any'; readonly of: readonly SearchExpression[] }

/** Ids from `from` up to, but not including, `before`. */
export interface SearchWindow {
  readonly from: string
  readonly before: string
}

/** A matching document, with the value for sorting by relevance. */
export interface SearchHit {
  readonly id: string
  readonly numbers: Readonly<Record<DocumentNumber, number>>
}

/** The results of a search, newest first, and the part of its window that was not searched. */
export interface SearchPage {
  readonly found: readonly SearchHit[]
  /**
   * If the limit of candidates was reached before that of results: the older part of the window,
   * where a search can continue.
   */
  readonly rest?: SearchWindow
}

/**
 * Limits of candidates: documents found by words and terms, whose numbers and areas are compared,
 * or the order of their words. Such a candidate counts once for each word of the phrases. Without
 * words and terms, every document of the window is a candidate.
 */
export interface CandidateLimits {
  /** For one search, and for one step of a count. */
  readonly found: number
  /** For one count, whether or not it compares anything. */
  readonly counted: number
}

export const CANDIDATE_LIMITS: CandidateLimits = { found: 50_000, counted: 1_000_000 }

/** How many documents there are from a time on, in epoch milliseconds. */
export interface SearchCount {
  readonly start: number
  readonly count: number
}

/** A change of an index. Putting a document replaces one with the same id. */
export type SearchChange =
  | { readonly kind: 'put'; readonly document: SearchDocument }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'count'; readonly id: string; readonly numbers: SearchDocument['numbers'] }

/** Whether an index contains what was put into it before. */
export type SearchState = 'new' | 'built'

/** An index of documents by words and terms. It is derived from the store, and can be rebuilt. */
export interface SearchIndex {
  /** `new`: empty. `finish` ends this state. */
  state(): Promise<SearchState>
  /**
   * Calls `lost` when the index was found to be damaged, or was lost with a thread: it is `new`
   * then. Until the result is disposed of. Absent if that is not noticed.
   */
  onLost?(lost: (reason: Error) => void): Disposable
  /**
   * Applies all of the changes, in order, or none. They are durable when the promise resolves.
   * Repeating them has no effect.
   */
  apply(changes: readonly SearchChange[]): Promise<void>
  /** Makes it `new`. What was put into it stays until `clear`. */
  reopen(): Promise<void>
  /** Removes everything. */
  clear(): Promise<void>
  /** Records that the index is complete. */
  finish(): Promise<void>
  /**
   * The newest documents of a window that match an expression, newest first. Ends early, with the
   * rest of the window, after too many candidates.
   */
  find(expression: SearchExpression, window: SearchWindow, limit: number): Promise<SearchPage>
  /**
   * The number of documents that match an expression, by the time of their ids, oldest first, for
   * each span of `bucketMs` that has some: the spans from `originMs` on, which is not after the
   * start of the window, or those of UTC.
   * @throws SearchTooComplex There are too many candidates.
   */
  count(
    expression: SearchExpression,
    window: SearchWindow,
    bucketMs: number,
    originMs?: number,
  ): Promise<SearchCount[]>
  /**
   * Copies an index in memory into a file, or another database in memory, that is missing or empty.
   */
  copyInto?(target: string): Promise<void>
  close(): Promise<void>
}

/** A search that cannot be answered in this form. */
export class SearchTooComplex extends Error {
  override readonly name = 'SearchTooComplex'
}

export const tooManyToCount = (limit: number) =>
  new SearchTooComplex(
    `The query counts among more than ${limit} posts. Choose a shorter time window, or add words or operators that fewer posts match.`,
  )
