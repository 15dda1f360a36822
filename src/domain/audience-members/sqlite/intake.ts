import { workerData } from 'node:worker_threads'
import { serve } from '../../../platform/common/thread.ts'
import { SqliteStatements } from '../../../platform/storage/sqlite-statements.ts'
import { checkUsers, type Understood, type Words } from '../check.ts'
import type { Accepted, Upload } from '../membership.ts'
import { release } from '../packed.ts'
import { addToLog, waitingBytes } from '../queries.ts'
import { mayHold } from '../share.ts'
import { continueAfterMerged, type MemberFiles, openFile } from './database.ts'

/** The thread that checks uploads and writes the log, so that the event loop does not have to. */
export interface IntakeData extends MemberFiles {
  words: Words
  maxWaitingBytes: number
}

const { words, maxWaitingBytes, durability, ...files } = workerData as IntakeData
const file = openFile('log', files.log, durability)
// Readers find both files, and need not wait for the disk.
const members = openFile('members', files.members, durability)
continueAfterMerged(file, members)
members.close()
const log = new SqliteStatements(file)

/**
 * The same operations, with one shared object for equal consecutive ones, which is then transferred
 * to the event loop once. Thousands of objects per upload would be more garbage there than the
 * upload has bytes.
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
    const { batch: data, understood, ...counts } = checked
    const { total: all, own } = log.first(waitingBytes, { account }) ?? { total: 0, own: 0 }
    if (!mayHold(data.length, { all, own }, maxWaitingBytes)) return 'full'
    log.run(addToLog, { account, audience, acceptedAt: now, keys: counts.keys, bytes: data.length, data })
    release(new Uint8Array(data.buffer))
    return { ...counts, understood: shared(understood) }
  },
  forget(audience: string, now: number): void {
    log.run(addToLog, { account: '', audience, acceptedAt: now, keys: 0, bytes: 0, data: null })
  },
  close: () => file.close(),
}

export type Intake = typeof methods

serve(methods)
