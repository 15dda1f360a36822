import { workerData } from 'node:worker_threads'
import { serve } from '../../common/thread.ts'
import type { Understood, Words } from '../check.ts'
import { checkUsers } from '../check.ts'
import type { Accepted, Upload } from '../membership.ts'
import { release } from '../packed.ts'
import { mayHold } from '../share.ts'
import type { Durability } from './log.ts'
import { BatchLog } from './log.ts'
import { MembersDatabase } from './members.ts'

/** The thread that checks uploads and writes the log: the event loop does neither. */
export interface IntakeData {
  words: Words
  logFile: string
  membersFile: string
  durability: Durability
  maxWaitingBytes: number
}

const { words, logFile, membersFile, durability, maxWaitingBytes } = workerData as IntakeData
const log = new BatchLog(logFile, durability)
// Whoever reads finds both files made, and need not wait for the disk.
const members = new MembersDatabase(membersFile, durability)
// An older log may have been put in place of the one that was merged.
log.continueAfter(members.mergedUntil())
members.close()

/**
 * The same, with one object for those that are alike and come one after the other: it crosses to the event loop once.
 * There, thousands of objects for each upload would be garbage of more bytes than the upload has.
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
  /** Answers when the files are there. */
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
