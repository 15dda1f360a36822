import type { Config } from '../config.ts'
import type { Clock } from '../kit/clock.ts'
import type { IdSource } from '../kit/ids.ts'
import { timeOrderedIds } from '../kit/ids.ts'
import type { RandomSource } from '../kit/random.ts'
import { seededRandom, systemRandom } from '../kit/random.ts'
import { countStart } from '../store/settings.ts'
import type { Store } from '../store/store.ts'

/** Randomness before the store is open: it may make the master key. */
export const firstRandom = (config: Config): RandomSource =>
  config.seedRandom === undefined ? systemRandom : seededRandom(config.seedRandom)

/** The first millisecond of the ids of a seeded run: 2026-01-01. */
const SEEDED_START_MS = 1_767_225_600_000
const DAY_MS = 86_400_000

/** Ids and randomness. Seeded ones differ between the starts of one store, or they would meet themselves. */
export async function openSources(
  config: Config,
  parts: { clock: Clock; store: Store; firstRandom: RandomSource },
): Promise<{ random: RandomSource; ids: IdSource }> {
  const { clock, store, firstRandom } = parts
  if (config.seedRandom === undefined) return { random: firstRandom, ids: timeOrderedIds(clock, config.node) }
  const start = await countStart(store)
  const still: Clock = { now: () => SEEDED_START_MS + start * DAY_MS }
  return {
    random: start === 0 ? firstRandom : seededRandom(`${config.seedRandom} start ${start}`),
    ids: timeOrderedIds(still, config.node),
  }
}
