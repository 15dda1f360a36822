import type { Clock } from '../../platform/common/clock.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { placesWithTrends } from './places.ts'
import { BASE_DAYS, STORED_MS } from './posts.ts'
import {
  changedTerms,
  cutTrends,
  oldUses,
  putTrend,
  removeChange,
  removeTrend,
  removeTrendUses,
  trendsOf,
  useOfTerm,
  usesBetween,
} from './queries.ts'
import type { TrendRow } from './tables.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Trends of a place that are kept: more than a reply has, because some are part of others. */
export const STORED_TRENDS = 200
/** A trend has at least so many uses, by so many authors, in so many different texts. */
const MIN_USES = 3
const MIN_AUTHORS = 2
const MIN_TEXTS = 2
/** What is used about as often as before is no trend. */
const MIN_SCORE = 1
/** Terms whose scores one transaction computes: on SQLite, other writes wait for it. */
const TERMS_AT_ONCE = 10
/** Terms whose scores one refresh computes; the others wait for the next one. */
const MAX_TERMS = 20_000
const REMOVED_AT_ONCE = 500

const EVERY_MS = 60_000
const LEASE_MS = 600_000

interface RefreshContext {
  store: Store
  clock: Clock
}

const refresh = taskType<Record<never, never>>('refresh trends')

/** Computes trends: every minute, on one node. */
export const trendRefresh = (parts: RefreshContext) =>
  schedule(
    refresh,
    { everyMs: EVERY_MS, leaseMs: LEASE_MS, run: (signal) => refreshTrends(parts, signal) },
    parts.clock,
  )

type Term = Pick<TrendRow, 'woeid' | 'term'>

/**
 * Computes the scores of terms that were used since the last time, and of all trends. The work
 * grows with the number of these terms, not with that of posts. Resolves to the number of terms.
 */
export async function refreshTrends(
  { store, clock }: RefreshContext,
  signal?: AbortSignal,
): Promise<{ terms: number }> {
  const now = clock.now()
  let terms = 0
  for (const woeid of placesWithTrends) {
    const known = await store.all(trendsOf, { woeid, limit: STORED_TRENDS })
    for (let at = 0; at < known.length && !signal?.aborted; at += TERMS_AT_ONCE)
      await store.write((tx) => rank(tx, known.slice(at, at + TERMS_AT_ONCE), now))
  }
  while (terms < MAX_TERMS && !signal?.aborted) {
    const count = await store.write(async (tx) => {
      const changed = await tx.all(changedTerms, { limit: TERMS_AT_ONCE })
      // What is used from now on marks the term again.
      for (const term of changed) await tx.run(removeChange, term)
      await rank(tx, changed, now)
      return changed.length
    })
    terms += count
    if (count < TERMS_AT_ONCE) break
  }
  for (const woeid of placesWithTrends)
    await store.write((tx) => tx.run(cutTrends, { woeid, size: STORED_TRENDS }))
  await removeOld(store, now - STORED_MS, signal)
  return { terms }
}

async function rank(tx: Transaction, terms: readonly Term[], now: number): Promise<void> {
  for (const { woeid, term } of terms) {
    const trend = await trendOf(tx, { woeid, term }, now)
    if (trend) await tx.run(putTrend, trend)
    else await tx.run(removeTrend, { woeid, term })
  }
}

/** A term as a trend; undefined if it is none. */
async function trendOf(tx: Transaction, { woeid, term }: Term, now: number): Promise<TrendRow | undefined> {
  // This hour, and the 23 before it.
  const from = now - (now % HOUR_MS) - DAY_MS + HOUR_MS
  const use = await tx.first(useOfTerm, { woeid, term, from })
  const [uses, authors, texts] = [use?.uses, use?.authors, use?.texts].map(Number) as [number, number, number]
  if (uses < MIN_USES || authors < MIN_AUTHORS || texts < MIN_TEXTS) return undefined
  const before = await tx.first(usesBetween, { woeid, term, from: from - BASE_DAYS * DAY_MS, to: from })
  const expected = Number(before?.uses ?? 0) / BASE_DAYS
  const score = (uses - expected) / Math.sqrt(expected + 1)
  if (score < MIN_SCORE) return undefined
  return {
    woeid,
    term,
    name: use?.name ?? term,
    score,
    post_count: uses,
    started_at: Number(use?.first_hour),
  }
}

async function removeOld(store: Store, before: number, signal?: AbortSignal): Promise<void> {
  for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE && !signal?.aborted; )
    count = await store.write(async (tx) => {
      const old = await tx.all(oldUses, { before, limit: REMOVED_AT_ONCE })
      const ids = [...new Set(old.map(({ post_id }) => post_id))]
      if (ids.length > 0) await tx.run(removeTrendUses, { ids: JSON.stringify(ids) })
      return old.length
    })
}
