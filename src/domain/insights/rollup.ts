import type { Clock } from '../../platform/common/clock.ts'
import { firstIdAt } from '../../platform/common/ids.ts'
import { Slices } from '../../platform/common/slices.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Consumer } from '../../platform/events/follower.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { locationById, locationsReady } from '../reference-data/locations.ts'
import type { DerivedOptions, PostChange } from '../search/derived.ts'
import { derivedFromPosts } from '../search/derived.ts'
import type { SearchState } from '../search/index/search-index.ts'
import type { IndexedRow } from '../search/queries.ts'
import { HOUR_MS, LAST_BLOCK } from './block.ts'
import { countryOfProfile } from './country.ts'
import { insightsState, setInsightsState } from './queries.ts'
import { removeBlocks } from './removal.ts'
import { termsOf } from './terms.ts'
import type { Counted } from './write.ts'
import { changeRollups } from './write.ts'

export interface RollupParts {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'defaultCountry' | 'insightDays'>
}

/** With another version, the next start rebuilds everything. */
export const rollupVersion = '3'
const NEW = 'new'
const DAY_MS = 24 * HOUR_MS

/** The name of the consumer. */
export const KEYWORD_INSIGHTS = 'keyword insights'

/** Whether the rollups are complete. */
export const rollupState = async (store: Pick<Store, 'first'>): Promise<SearchState> =>
  (await store.first(insightsState, {}))?.value === rollupVersion ? 'built' : 'new'

/** Posts before this time are not counted. */
const oldestMs = ({ clock, config }: Pick<RollupParts, 'clock' | 'config'>) =>
  clock.now() - config.insightDays * DAY_MS

/** Maintains the rollups of the words of posts. */
export function keywordRollups(parts: RollupParts & Pick<DerivedOptions, 'built' | 'skipped'>): Consumer {
  const { store, built, skipped } = parts
  const setState = (value: string) =>
    store.write(async (tx) => void (await tx.run(setInsightsState, { value })))
  return derivedFromPosts({
    name: KEYWORD_INSIGHTS,
    store,
    skipped,
    ...(built && { built }),
    data: {
      state: () => rollupState(store),
      begin: () => firstIdAt(oldestMs(parts)),
      apply: (changes) => apply(changes, parts),
      reopen: () => setState(NEW),
      async clear() {
        await setState(NEW)
        await removeBlocks(store, LAST_BLOCK)
      },
      finish: () => setState(rollupVersion),
    },
  })
}

async function apply(changes: readonly PostChange[], parts: RollupParts): Promise<void> {
  const put = changes.flatMap((one) => (one.kind === 'put' && isCounted(one.row, parts) ? [one.row] : []))
  if (put.some(({ place_id }) => place_id !== null)) await locationsReady()
  const slices = new Slices()
  const counted: Counted[] = []
  for (const row of put) {
    counted.push(await countedOf(row, parts.config.defaultCountry, slices))
    if (slices.isOver) await slices.next()
  }
  await slices.next()
  const removed = changes.flatMap((one) => (one.kind === 'remove' ? [one.id] : []))
  if (counted.length + removed.length > 0)
    await parts.store.write((tx) => changeRollups(tx, counted, removed))
}

/** Reposts have no words of their own, and posts for advertisements only are not public. */
const isCounted = (row: IndexedRow, parts: RollupParts) =>
  row.reposted_post_id === null && row.nullcast === 0 && row.created_at >= oldestMs(parts)

const countedOf = async (row: IndexedRow, defaultCountry: string, slices: Slices): Promise<Counted> => ({
  id: row.id,
  country: countryOf(row) ?? defaultCountry,
  atMs: row.created_at,
  terms: await termsOf(row.text, JSON.parse(row.entities) as Entities, slices),
})

/** The country of the place of a post, otherwise the country that the profile of its author names. */
const countryOf = ({ place_id, author_location }: IndexedRow): string | undefined =>
  (place_id === null ? undefined : locationById(place_id)?.countryCode) ?? countryOfProfile(author_location)
