import { endOfTurn } from '../../../platform/common/turn.ts'
import { again, DONE, exponential, type TaskKind } from '../../../platform/queue/task.ts'
import { type ImageCheckDependencies, imageChecks } from './images.ts'
import { processStep } from './process-set.ts'
import {
  failSet,
  lockCatalog,
  lockSet,
  removeSomeImages,
  removeSomeMembers,
  removeSomeProducts,
} from './queries.ts'
import { processSet, removeRows } from './tasks.ts'

/** Steps take milliseconds: after this time, the holder of the lease is gone. */
const LEASE_MS = 10_000
const MAX_SET_ATTEMPTS = 3
const MAX_REMOVAL_ATTEMPTS = 50
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 600_000
/** Rows removed in one step: few enough not to delay other requests. */
const PRODUCTS_AT_ONCE = 250
const MEMBERS_AT_ONCE = 1_000
const TURNS_BETWEEN = 4

const STEPS = { leaseMs: LEASE_MS, backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS), concurrency: 1 }

/** Background tasks of catalogs. */
export const catalogTasks = (dependencies: ImageCheckDependencies): TaskKind<never>[] => [
  setProcessing,
  rowRemoval,
  imageChecks(dependencies),
]

/**
 * Processes sets step by step. If one cannot be processed, it is failed until its catalog changes.
 */
const setProcessing: TaskKind<{ catalog: string; set: string; user: string }> = {
  ...STEPS,
  type: processSet,
  maxAttempts: MAX_SET_ATTEMPTS,
  async run({ catalog: id, set }) {
    await pause()
    return async (tx) => {
      const catalog = await tx.first(lockCatalog, { id })
      const row = catalog && (await tx.first(lockSet, { catalog: id, id: set }))
      if (!catalog || row?.processing_status !== 'PROCESSING') return DONE
      const { processing_status } = await processStep(tx, catalog, row)
      return processing_status === 'PROCESSING' ? again(tx.now) : DONE
    }
  },
  async onDeadLetter({ set: id }, tx) {
    await tx.run(failSet, { id })
  },
}

/** Removes the rows of deleted catalogs and sets, some at a time. */
const rowRemoval: TaskKind<{ of: 'catalog' | 'set'; id: string; user: string }> = {
  ...STEPS,
  type: removeRows,
  maxAttempts: MAX_REMOVAL_ATTEMPTS,
  async run({ of, id }) {
    await pause()
    return async (tx) => {
      for (const { query, limit } of REMOVALS[of])
        if ((await tx.run(query, { id, limit })) === limit) return again(tx.now)
      return DONE
    }
  },
}

const REMOVALS = {
  catalog: [removeSomeProducts, removeSomeImages].map((query) => ({
    query,
    limit: PRODUCTS_AT_ONCE,
  })),
  set: [{ query: removeSomeMembers, limit: MEMBERS_AT_ONCE }],
}

/**
 * A request takes several turns of the event loop. With this pause, it waits for one step, not for
 * one step per turn.
 */
async function pause(): Promise<void> {
  for (let turn = 0; turn < TURNS_BETWEEN; turn++) await endOfTurn()
}
