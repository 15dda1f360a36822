import type { Clock } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { Store } from '../../platform/storage/store.ts'
import { blockAt, HOUR_MS } from './block.ts'
import { oldBlocks, removeBlock, removePlaces, removeTerms } from './queries.ts'

const removeInsights = taskType<Record<never, never>>('remove old keyword insights')

const EVERY_MS = HOUR_MS
const LEASE_MS = HOUR_MS
/** Blocks per query, and terms per transaction. */
const BLOCKS_AT_ONCE = 100
const TERMS_AT_ONCE = 1_000
/** Allows for posts that were counted shortly before they became too old. */
const MARGIN_MS = HOUR_MS

/** Deletes rollups that are older than `--insight-days`. */
export const insightRemoval = ({ store, clock, config }: { store: Store; clock: Clock; config: Config }) =>
  schedule(
    removeInsights,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      run: (signal) =>
        removeBlocks(store, blockAt(clock.now() - config.insightDays * 24 * HOUR_MS - MARGIN_MS), signal),
    },
    clock,
  )

/** Removes all blocks before one, the oldest first. */
export async function removeBlocks(store: Store, before: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const blocks = await store.all(oldBlocks, { before, limit: BLOCKS_AT_ONCE })
    for (const one of blocks) {
      while ((await removeSome(store, one)) === TERMS_AT_ONCE) if (signal?.aborted) return
      await store.write(async (tx) => {
        await tx.run(removePlaces, one)
        await tx.run(removeBlock, one)
      })
      if (signal?.aborted) return
    }
    if (blocks.length < BLOCKS_AT_ONCE) return
  }
}

const removeSome = (store: Store, one: { country: string; block: number }) =>
  store.write((tx) => tx.run(removeTerms, { ...one, limit: TERMS_AT_ONCE }))
