import { accountsOfHolder } from '../../../domain/media/queries.ts'
import { releaseCardMedia } from '../../../domain/media/tasks.ts'
import { releaseMediaOfRow } from '../../../domain/media/uses.ts'
import { postOfCard } from '../../../domain/posts/queries.ts'
import type { TaskKind } from '../../../platform/queue/task.ts'
import { DONE, exponential } from '../../../platform/queue/task.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { cardRows } from './card.ts'
import { imageConversationCards, videoConversationCards } from './conversations.ts'
import { base36Of, CARD_URI, numberIn } from './find.ts'
import { pollCards } from './polls.ts'

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
  const kinds = [
    { holder: 'cards', id: number, rows: cardRows },
    ...[pollCards, videoConversationCards, imageConversationCards].map((entity) => ({
      ...{ holder: entity.table.name, id: base36Of(number), rows: entity.rows },
    })),
  ]
  for (const { holder, id, rows } of kinds)
    for (const { account_id: account } of await tx.all(accountsOfHolder, { holder, id })) {
      const card = await tx.first(rows.byId, { account, id })
      if (card?.deleted === 1) await releaseMediaOfRow({ account, table: holder, id }, { tx, now: tx.now })
    }
}
