import { workerData } from 'node:worker_threads'
import { serve } from '../../../platform/common/thread.ts'
import type { Understood, Words } from '../check.ts'
import { checkUsers } from '../check.ts'
import type { Accepted, Upload } from '../membership.ts'
import { release } from '../packed.ts'
import { mayHold } from '../share.ts'
import type { Durability } from './log.ts'
import { BatchLog } from './log.ts'
import { MembersDatabase } from './members.ts'

/** The thread that checks uploads and writes the log, so that the event loop does not have to. */
export interface IntakeData {
  words: Words
  logFile: string
  membersFile: string
  durability: Durability
  maxWaitingBytes: number
}

const { words, logFile, membersFile, durability, maxWaitingBytes } = workerData as IntakeData
const log = new BatchLog(logFile, durability)
// Readers find both files, and need not wait for the disk.
const members = new MembersDatabase(membersFile, durability)
// The log may have been replaced by an older one, for example from a backup.
log.continueAfter(members.mergedUntil())
members.close()

/**
 * The same operations, with one shared object for equal consecutive ones, which is then transferred to the event loop
 * once. Thousands of objects per upload would be more garbage there than the upload has bytes.
 */
function shared(understood: readonly Understood[]): Understood[] {
  let last: Understood | undefined
  return understood.map((one) => {
    const isAlike = last?.type === one.type && last.users === one.users && last.expiresAt === one.expiresAt
    if (!last || !isAlike) last = one
    return last
  })
}

const methods = {
  /** Replies once the files exist. */
  ready: () => undefined,
  take({ account, audience, target, body }: Upload, now: number): Accepted | 'full' {
    const checked = checkUsers(body, { target, now, words })
    release(body)
    if (checked.kind !== 'fine') return checked
    const { batch, understood, ...counts } = checked
    if (!mayHold(batch.length, log.waitingBytes(account), maxWaitingBytes)) return 'full'
    log.add({ account, audience }, { acceptedAt: now, keys: counts.keys, data: batch })
    release(new Uint8Array(batch.buffer))
    return { ...counts, understood: shared(understood) }
  },
  forget(audience: string, now: number): void {
    log.add({ account: '', audience }, { acceptedAt: now, keys: 0, data: null })
  },
  close: () => log.close(),
}

export type Intake = typeof methods

serve(methods)
