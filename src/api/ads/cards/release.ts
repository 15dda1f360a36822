import { accountsOfHolder } from '../../../domain/media/queries.ts'
import { releaseCardMedia } from '../../../domain/media/tasks.ts'
import { releaseMediaOfRow } from '../../../domain/media/uses.ts'
import { postOfCard } from '../../../domain/posts/queries.ts'
import { DONE, exponential, type TaskKind } from '../../../platform/queue/task.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { CARD_URI, numberIn } from './card-fields.ts'
import { CARD_KINDS, idOfNumber } from './kinds.ts'

const LEASE_MS = 60_000
const MAX_ATTEMPTS = 100
const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 3_600_000

/** Releases the media of deleted cards that no post shows any more. */
export const cardRelease = (): TaskKind<{ uri: string; author: string }> => ({
  type: releaseCardMedia,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 1,
  run:
    async ({ uri }) =>
    async (tx) => {
      if (CARD_URI.test(uri) && !(await tx.first(postOfCard, { uri }))) await release(tx, uri)
      return DONE
    },
})

async function release(tx: Transaction, uri: string): Promise<void> {
  const number = numberIn(uri)
  for (const kind of CARD_KINDS) {
    const [holder, id] = [kind.table.name, idOfNumber(kind, number)]
    for (const { account_id: account } of await tx.all(accountsOfHolder, { holder, id })) {
      const card = await tx.first(kind.rows.byId, { account, id })
      if (card?.deleted === 1) await releaseMediaOfRow({ account, table: holder, id }, { tx, now: tx.now })
    }
  }
}
