import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import type { Step } from '../membership.ts'
import type { WaitingBatch } from '../merge.ts'
import { mergeBatches } from '../merge.ts'
import { Spans } from '../spans.ts'
import { serve } from '../thread.ts'
import type { Durability, LoggedBatch } from './log.ts'
import { BatchLog } from './log.ts'
import { MembersDatabase } from './members.ts'

/** The thread that merges what waits in the log into the members. Nobody else writes them. */
export interface MergerData {
  logFile: string
  membersFile: string
  durability: Durability
}

/** Keys that are merged at once: the more, the less is written for each; the most that fits the memory meant for it. */
const MAX_KEYS = 500_000
const MAX_BATCHES = 5_000
/** Below that of the threads that callers wait for. */
const NICENESS = 10

const { logFile, membersFile, durability } = workerData as MergerData
// On Linux this is about the calling thread alone; elsewhere it would be about the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS)
const log = new BatchLog(logFile, 'OFF')
const members = new MembersDatabase(membersFile, durability)
// What a process that was killed had merged, and not yet removed.
log.removeUntil(members.mergedUntil())

const seconds = (ms: number) => Math.floor(ms / 1000)

/** The batches of the next merge: the first of those that wait, as long as they are due. */
function nextBatches(until: number): { batches: LoggedBatch[]; keys: number; more: boolean } {
  const waiting = log.next(members.mergedUntil(), MAX_BATCHES)
  let [taken, keys] = [0, 0]
  for (const one of waiting) {
    if (one.accepted_at > until) return { batches: waiting.slice(0, taken), keys, more: false }
    if (taken > 0 && keys + one.keys > MAX_KEYS) break
    keys += one.keys
    taken++
  }
  const more = taken < waiting.length || waiting.length === MAX_BATCHES
  return { batches: waiting.slice(0, taken), keys, more }
}

/** Merges what waits for one audience. A batch before the word to forget it need not be merged. */
async function mergeOf(id: string, batches: readonly LoggedBatch[]): Promise<void> {
  const last = batches.findLastIndex(({ forget }) => forget === 1)
  if (last !== -1) members.forget(id)
  const [first] = batches
  const waiting = batches
    .slice(last + 1)
    .map(({ seq, accepted_at }): WaitingBatch => ({ data: log.data(seq), acceptedAt: seconds(accepted_at) }))
  if (!first || waiting.length === 0) return
  const audience = members.audience(id, seconds(first.accepted_at))
  if (audience.forgotten === 1) return
  const table = members.table(audience)
  const spans = new Spans(audience.counted_at)
  await mergeBatches(waiting, table, spans)
  table.keep(spans)
}

const methods = {
  async merge(until: number): Promise<Step> {
    const { batches, keys, more } = nextBatches(until)
    const last = batches.at(-1)
    if (!last) return { keys: 0, more: false }
    const byAudience = Map.groupBy(batches, ({ audience }) => audience)
    members.begin()
    try {
      for (const [id, ofAudience] of byAudience) await mergeOf(id, ofAudience)
      members.setMergedUntil(last.seq)
      members.commit()
    } catch (error) {
      members.rollback()
      throw error
    }
    log.removeUntil(last.seq)
    for (const id of byAudience.keys()) while (members.age(id));
    return { keys, more }
  },
  upkeep: (now: number): Step => ({ keys: 0, more: members.upkeep(seconds(now)) }),
  close() {
    members.close()
    log.close()
  },
}

export type Merger = typeof methods

serve(methods)
