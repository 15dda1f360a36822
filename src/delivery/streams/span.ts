/** A time in epoch milliseconds, and a later one. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What is sent before new lines, or instead of them. */
export type Past = { readonly kind: 'none' } | ({ readonly kind: 'backfill' | 'recovery' } & Span)
