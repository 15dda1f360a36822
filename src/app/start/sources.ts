import type { Clock, TimeSource } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { timeOrderedIds } from '../../platform/common/ids.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import { seededRandom, systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { countStart } from '../../platform/storage/settings.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { NodeLease } from './node-lease.ts'
import { leasedIds } from './node-lease.ts'

/** Randomness before the store is open. It may create the master key. */
export const firstRandom = (config: Config): RandomSource =>
  config.seedRandom === undefined ? systemRandom : seededRandom(config.seedRandom)

/** The creation time of everything that a seeded start creates: 2026-01-01. */
const SEEDED_START_MS = 1_767_225_600_000

/** Where ids, times and randomness come from. */
export interface IdSources {
  random: RandomSource
  ids: IdSource
  /** For the first start. In a seeded run, ids and times are the same each time, and consistent. */
  seeding: { ids: IdSource; clock: Clock }
}

/** Seeded randomness differs between the starts of one store: otherwise it would repeat itself. */
export async function openSources(
  config: Config,
  parts: { clock: Clock; store: Store; firstRandom: RandomSource; lease: NodeLease | undefined },
): Promise<IdSources> {
  const { clock, store, firstRandom, lease } = parts
  const idsBy = (time: TimeSource) => {
    const ids = timeOrderedIds(time, config.node)
    return lease ? leasedIds(ids, lease) : ids
  }
  const ids = idsBy(clock)
  if (config.seedRandom === undefined) return { random: firstRandom, ids, seeding: { ids, clock } }
  const start = await countStart(store)
  const seeded: Clock = { now: () => SEEDED_START_MS, at: (timeMs, signal) => clock.at(timeMs, signal) }
  return {
    random: start === 0 ? firstRandom : seededRandom(`${config.seedRandom} start ${start}`),
    ids,
    seeding: { ids: idsBy(seeded), clock: seeded },
  }
}
