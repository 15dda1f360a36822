import { workerData } from 'node:worker_threads'
import { systemClock } from '../../../platform/common/clock.ts'
import { serve } from '../../../platform/common/thread.ts'
import { openPostgres } from '../../../platform/storage/postgres.ts'
import type { TallyRequest } from '../tally.ts'
import { mergesOn } from './merges.ts'

/** The thread that merges the log into the members. Every node has one; they lease audiences. */
export interface MergerData {
  url: string
  schema: string
  /** Rows per step of maintenance, for tests. */
  stepRows?: number
}

// A lost connection fails the next call that needs one.
const { stepRows, ...place } = workerData as MergerData
const store = await openPostgres({
  ...place,
  name: 'plaza audiences',
  clock: systemClock,
  onError: () => undefined,
})
const merges = mergesOn(store, stepRows === undefined ? {} : { rows: stepRows })

const methods = {
  merge: (until: number, now: number) => merges.merge({ until, now }),
  maintain: (now: number) => merges.maintain(now),
  tally: (request: TallyRequest) => merges.tally(request),
  close: () => store.close(),
}

export type Merger = typeof methods

serve(methods)
