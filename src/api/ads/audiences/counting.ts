import type { TallyPosition } from '../../../domain/audience-members/tally.ts'
import { again, DONE, exponential, later, type TaskKind } from '../../../platform/queue/task.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { segmentsOf } from './flexible.ts'
import { flexibleToCount, recordFlexibleCount, recordFlexibleProgress } from './queries.ts'
import { countFlexible } from './tasks.ts'

const LEASE_MS = 120_000
const MAX_ATTEMPTS = 50
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 600_000
/** Slices of one run: about a second. */
const SLICES_AT_ONCE = 20
/** How soon uploads that wait are looked for again. */
const MERGE_MS = 5_000
/** While uploads never stop waiting, what was merged is counted this often. */
const MAX_AGE_MS = 600_000
/** Members expire and look-back windows move. */
export const RECOUNT_MS = 6 * 3_600_000

/** A count that continues in the next run. */
interface Progress {
  /** The second that the count is about. */
  now: number
  people: number
  /** The version of the members that are counted; that of the last count if uploads wait. */
  revision: number
  next: TallyPosition
}

/** Counts the people of combinations, some slices in a run. Idempotent. */
export const flexibleCounts = (
  { store, clock, membership }: Pick<AdsDependencies, 'store' | 'clock' | 'membership'>,
  slicesAtOnce = SLICES_AT_ONCE,
): TaskKind<{ audience: string; account: string }> => ({
  type: countFlexible,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 1,
  async run({ audience }, { signal }) {
    const row = await store.first(flexibleToCount, { audience })
    if (!row) return DONE
    const begun = row.progress === null ? undefined : (JSON.parse(row.progress) as Progress)
    let { people, next, revision, now } = begun ?? {
      people: 0,
      next: undefined,
      revision: row.revision,
      now: Math.floor(clock.now() / 1000),
    }
    // Without a slice, a count would seem to be complete.
    signal.throwIfAborted()
    for (let slices = 0; slices < slicesAtOnce && !signal.aborted; slices++) {
      const slice = await membership.tally({ segments: segmentsOf(row.segments), from: next, now })
      if (slice.waits) {
        if (clock.now() < row.counted_at + MAX_AGE_MS) return later(clock.now() + MERGE_MS)
        revision = row.counted_revision
      }
      people += slice.people
      ;({ next, now } = slice)
      if (!next) break
    }
    if (next) {
      const progress = JSON.stringify({ now, people, revision, next } satisfies Progress)
      return async (tx) => {
        await tx.run(recordFlexibleProgress, { audience, progress })
        return again(tx.now)
      }
    }
    return async (tx) => {
      await tx.run(recordFlexibleCount, {
        audience,
        size: people,
        revision,
        now: Math.min(now * 1000, tx.now),
      })
      return again(tx.now + (revision === row.revision ? RECOUNT_MS : MERGE_MS))
    }
  },
})
