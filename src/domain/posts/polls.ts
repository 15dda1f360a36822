import type { IdSource } from '../../platform/common/ids.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { addPoll, addPollOption } from './queries.ts'

export interface NewPoll {
  /** Two to four answers. */
  options: readonly string[]
  durationMinutes: number
}

const MINUTE_MS = 60_000

/** Opens a poll; resolves to its id. It is closed once its time has passed. */
export async function insertPoll(
  tx: Transaction,
  { options, durationMinutes }: NewPoll,
  { ids }: { ids: IdSource },
): Promise<string> {
  const id = ids.next()
  await tx.run(addPoll, {
    id,
    duration_minutes: durationMinutes,
    ends_at: tx.now + durationMinutes * MINUTE_MS,
  })
  for (const [index, label] of options.entries())
    await tx.run(addPollOption, { poll_id: id, position: index + 1, label })
  return id
}
