import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { serve } from '../../../platform/common/thread.ts'
import type { Step } from '../membership.ts'
import type { WaitingBatch } from '../merge.ts'
import { mergeBatches } from '../merge.ts'
import { Spans } from '../spans.ts'
import { isOfMachine } from './failure.ts'
import type { Durability, LoggedBatch } from './log.ts'
import { BatchLog, durabilityOfRemovals } from './log.ts'
import type { Sizes } from './members.ts'
import { MembersDatabase } from './members.ts'

/** The thread that merges the log into the members. Nothing else writes them. */
export interface MergerData {
  logFile: string
  membersFile: string
  durability: Durability
  sizes?: Partial<Sizes>
}

/** Maximum keys per merge: with more keys, less is written for each. Limited by memory. */
const MAX_KEYS = 500_000
const MAX_BATCHES = 5_000
/** Lower than the priority of threads that callers wait for. */
const NICENESS = 10

const { logFile, membersFile, durability, sizes } = workerData as MergerData
// On Linux this affects only the calling thread; on other systems it would affect the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS)
const log = new BatchLog(logFile, durabilityOfRemovals(durability))
const members = new MembersDatabase(membersFile, durability, sizes)
// Batches that a killed process had merged, but not yet removed.
log.removeUntil(members.mergedUntil())

const seconds = (ms: number) => Math.floor(ms / 1000)

/**
 * The batches of the next merge: the first waiting ones that are due. A batch that was accepted later than now, because the
 * clock was set back, is due.
 */
function nextBatches(until: number, now: number): { batches: LoggedBatch[]; keys: number; more: boolean } {
  const waiting = log.next(members.mergedUntil(), MAX_BATCHES)
  let [taken, keys] = [0, 0]
  for (const one of waiting) {
    const isDue = one.accepted_at <= until || one.accepted_at > now
    if (!isDue) return { batches: waiting.slice(0, taken), keys, more: false }
    if (taken > 0 && keys + one.keys > MAX_KEYS) break
    keys += one.keys
    taken++
  }
  const more = taken < waiting.length || waiting.length === MAX_BATCHES
  return { batches: waiting.slice(0, taken), keys, more }
}

/** Merges the batches of one audience. Batches before an order to forget it are not merged. */
async function mergeOf(id: string, batches: readonly LoggedBatch[]): Promise<void> {
  const lastForget = batches.findLastIndex(({ forget }) => forget === 1)
  if (lastForget !== -1) members.forget(id)
  const merged = batches.slice(lastForget + 1)
  const [first, last] = [merged[0], merged.at(-1)]
  if (!first || !last) return
  const audience = members.audience(id, seconds(first.accepted_at))
  if (audience.forgotten === 1) return
  const waiting = merged.map(
    ({ seq, accepted_at }): WaitingBatch => ({ data: log.data(seq), acceptedAt: seconds(accepted_at) }),
  )
  const table = members.table(audience)
  const spans = new Spans(audience.counted_at)
  await mergeBatches(waiting, table, spans)
  table.keep(spans, seconds(last.accepted_at))
}

/** Merges the batches of one audience in order. Those that cannot be merged become dead letters. */
async function mergeWhatCanBe(id: string, batches: readonly LoggedBatch[], troubles: Error[]): Promise<void> {
  try {
    await members.nested(() => mergeOf(id, batches))
  } catch (error) {
    if (isOfMachine(error) || !members.isInTransaction) throw error
    if (batches.length === 1) return addDeadLetter(batches[0] as LoggedBatch, error as Error, troubles)
    const half = Math.ceil(batches.length / 2)
    await mergeWhatCanBe(id, batches.slice(0, half), troubles)
    await mergeWhatCanBe(id, batches.slice(half), troubles)
  }
}

/** Makes a dead letter of a batch that cannot be merged, so that the next ones can. */
function addDeadLetter(
  { seq, audience: id, accepted_at }: LoggedBatch,
  error: Error,
  troubles: Error[],
): void {
  const audience = members.audience(id, seconds(accepted_at))
  members.addDeadLetter(audience, { seq, acceptedAt: accepted_at, data: readable(seq) }, error.message)
  troubles.push(new Error(`batch ${seq} of audience ${id} became a dead letter: ${error.message}`))
}

function readable(seq: number): Uint8Array {
  try {
    return log.data(seq)
  } catch {
    return new Uint8Array()
  }
}

/** Compacts an audience as far as is due. */
function compact(id: string, troubles: Error[]): void {
  try {
    while (members.compact(id));
  } catch (error) {
    if (isOfMachine(error)) throw error
    troubles.push(new Error(`audience ${id} cannot be compacted: ${(error as Error).message}`))
  }
}

const methods = {
  async merge(until: number, now: number): Promise<Step> {
    const { batches, keys, more } = nextBatches(until, now)
    const last = batches.at(-1)
    if (!last) return { keys: 0, more: false }
    const byAudience = Map.groupBy(batches, ({ audience }) => audience)
    const troubles: Error[] = []
    members.begin()
    try {
      for (const [id, ofAudience] of byAudience) await mergeWhatCanBe(id, ofAudience, troubles)
      members.setMergedUntil(last.seq)
      members.commit()
    } catch (error) {
      members.rollback()
      throw error
    }
    log.removeUntil(last.seq)
    for (const id of byAudience.keys()) compact(id, troubles)
    return { keys, more, troubles }
  },
  maintain(now: number): Step {
    const troubles: Error[] = []
    const more = members.maintain(seconds(now), oldestWaiting, troubles)
    return { keys: 0, more, troubles }
  },
  close() {
    members.close()
    log.close()
  },
}

/** The second in which the oldest waiting batch was accepted. */
function oldestWaiting(): number | undefined {
  const at = log.oldest(members.mergedUntil())
  return at === null ? undefined : seconds(at)
}

export type Merger = typeof methods

serve(methods)
