import type { Store } from '../../platform/storage/store.ts'
import { ENTERTAINMENT_WORDS, NEWS_WORDS, SPORTS_WORDS } from '../news/words.ts'
import { WORLD } from './places.ts'
import { trendsOf, usesAround } from './queries.ts'
import { STORED_TRENDS } from './refresh.ts'
import type { TrendRow } from './tables.ts'

type Reader = Pick<Store, 'all'>

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** The trends of a place, the first ones first. Those that are part of another are omitted. */
export async function readTrends(store: Reader, woeid: number, limit: number): Promise<TrendRow[]> {
  const rows = await store.all(trendsOf, { woeid, limit: STORED_TRENDS })
  return withoutParts(rows).slice(0, limit)
}

/** The trends of the world, those first that people around a user write about. */
export async function readPersonalTrends(
  store: Reader,
  { user, now, limit }: { user: string; now: number; limit: number },
): Promise<TrendRow[]> {
  const rows = await readTrends(store, WORLD, STORED_TRENDS)
  const terms = JSON.stringify(rows.map(({ term }) => term))
  const around = await store.all(usesAround, { user, terms, woeid: WORLD, from: now - DAY_MS })
  const uses = new Map(around.map((row) => [row.term, Number(row.uses)]))
  const rankOf = ({ term, score }: TrendRow) => score * (1 + (uses.get(term) ?? 0))
  return rows.sort((a, b) => rankOf(b) - rankOf(a) || (a.term < b.term ? -1 : 1)).slice(0, limit)
}

/** Omits phrases of which a higher trend is a part, or which are part of it. */
function withoutParts(rows: readonly TrendRow[]): TrendRow[] {
  const shown: { row: TrendRow; words: string }[] = []
  for (const row of rows) {
    const words = ` ${row.term.replace(/^[#$]/, '')} `
    if (!shown.some((other) => other.words.includes(words) || words.includes(other.words)))
      shown.push({ row, words })
  }
  return shown.map(({ row }) => row)
}

/** `Trending now`, or how long a trend exists. */
export function sinceOf({ started_at }: TrendRow, now: number): string {
  const hours = Math.floor((now - started_at) / HOUR_MS)
  if (hours < 1) return 'Trending now'
  return hours === 1 ? '1 hour ago' : `${hours} hours ago`
}

/** `News`, `Sports`, `Entertainment` or `Other`, by the words of the trend. */
export function categoryOf({ term }: TrendRow): string {
  const words = term.replace(/^[#$]/, '').split(' ')
  const has = (kind: ReadonlySet<string>) => words.some((word) => kind.has(word))
  if (has(SPORTS_WORDS)) return 'Sports'
  if (has(ENTERTAINMENT_WORDS)) return 'Entertainment'
  return has(NEWS_WORDS) ? 'News' : 'Other'
}
