import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/jobs.ts'
import { endOfTurn } from '../../common/turn.ts'
import type { CatalogRemovalRow, ProductSetRow } from '../../storage/tables.ts'
import type { SilentHosts } from './images.ts'
import { checkImages } from './images.ts'
import { processStep } from './process-set.ts'
import {
  endRemoval,
  keepRemoval,
  leaseRemoval,
  leaseSet,
  lockCatalog,
  lockSet,
  recordProgress,
  removeSomeGroups,
  removeSomeImages,
  removeSomeMembers,
  removeSomeProducts,
} from './queries.ts'

/** What stands in the names of jobs that handlers wake. */
export const PROCESS_SETS = 'process product sets'
export const REMOVE_CATALOGS = 'remove deleted catalogs'
export const CHECK_IMAGES = 'check product images'

/** What a command line or a node that died left undone is found after so long. */
const LOOK_EVERY_SECONDS = 5
/** Steps take milliseconds: after so long, who had the lease is gone. */
const LEASE_MS = 10_000
/** Rows that are removed in one step: so few that nobody waits for it. */
const PRODUCTS_AT_ONCE = 250
const MEMBERS_AT_ONCE = 1_000
const MAX_FAILURES = 3
const TURNS_BETWEEN = 4

type Parts = Pick<Context, 'store' | 'clock' | 'log' | 'outbound' | 'config'>

/** What is done about catalogs when nobody waits for it. */
export const catalogJobs = (parts: Parts, silent: SilentHosts = new Map()): Job[] => [
  { name: PROCESS_SETS, everySeconds: LOOK_EVERY_SECONDS, run: (stopping) => processSets(parts, stopping) },
  {
    name: REMOVE_CATALOGS,
    everySeconds: LOOK_EVERY_SECONDS,
    run: (stopping) => removeRemains(parts, stopping),
  },
  ...(parts.config.fetchImages
    ? [
        {
          name: CHECK_IMAGES,
          everySeconds: LOOK_EVERY_SECONDS,
          run: (stopping: AbortSignal) => checkImages(parts, silent, stopping),
        },
      ]
    : []),
]

/** Processes every set that nobody else is at, one after the other. */
async function processSets(parts: Parts, stopping: AbortSignal): Promise<void> {
  const { store, clock } = parts
  while (!stopping.aborted) {
    const now = clock.now()
    const [set] = await store.write((tx) => tx.all(leaseSet, { now, until: now + LEASE_MS }))
    if (!set) return
    await processOne(parts, set, stopping).catch((error: unknown) => failed(parts, set, error))
    // Many sets of one step each are as much work as one of many steps.
    await rest()
  }
}

async function processOne(
  { store, clock }: Parts,
  leased: ProductSetRow,
  stopping: AbortSignal,
): Promise<void> {
  for (let lease = leased.lease_until; ; ) {
    const until = clock.now() + LEASE_MS
    const set = await store.write(async (tx) => {
      const catalog = await tx.first(lockCatalog, { id: leased.catalog_id })
      const row = catalog && (await tx.first(lockSet, { catalog: catalog.id, id: leased.id }))
      // Deleted meanwhile, or somebody else has it because this node was slow.
      if (!catalog || !row || row.lease_until !== lease) return undefined
      // Whoever comes next need not wait for the end of the lease.
      if (!stopping.aborted) return processStep(tx, catalog, row, until)
      await tx.run(recordProgress, { ...row, lease_until: 0 })
      return undefined
    })
    if (set?.processing_status !== 'PROCESSING') return
    lease = set.lease_until
    await rest()
  }
}

/** A request takes some turns of the event loop: who is amidst one waits for one step, not for one a turn. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < TURNS_BETWEEN; turn++) await endOfTurn()
}

/** A set that cannot be processed is tried again a few times, and when its catalog changes. */
async function failed(
  { store, log }: Parts,
  { id, catalog_id }: ProductSetRow,
  error: unknown,
): Promise<void> {
  log.error({ err: error, set: id }, 'a product set could not be processed')
  await store.write(async (tx) => {
    const row = await tx.first(lockSet, { catalog: catalog_id, id })
    if (!row) return
    const failures = row.failures + 1
    const processing_status = failures < MAX_FAILURES ? 'PROCESSING' : 'FAILED'
    await tx.run(recordProgress, { ...row, failures, processing_status, lease_until: 0 })
  })
}

/** Removes what is left of catalogs and sets that were deleted, some rows at a time. */
async function removeRemains({ store, clock }: Parts, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const now = clock.now()
    const [removal] = await store.write((tx) => tx.all(leaseRemoval, { now, until: now + LEASE_MS }))
    if (!removal) return
    for (const { query, limit } of REMAINS[removal.kind as keyof typeof REMAINS]) {
      let removed = limit
      while (removed > 0 && !stopping.aborted) {
        removed = await store.write(async (tx) => {
          await tx.run(keepRemoval, { id: removal.id, until: clock.now() + LEASE_MS })
          return tx.run(query, { id: removal.id, limit })
        })
        await rest()
      }
    }
    const end = stopping.aborted ? keepRemoval : endRemoval
    await store.write((tx) => tx.run(end, { id: removal.id, until: 0 }))
  }
}

const REMAINS = {
  catalog: [removeSomeProducts, removeSomeGroups, removeSomeImages].map((query) => ({
    query,
    limit: PRODUCTS_AT_ONCE,
  })),
  set: [{ query: removeSomeMembers, limit: MEMBERS_AT_ONCE }],
} as const satisfies Record<CatalogRemovalRow['kind'], unknown>
