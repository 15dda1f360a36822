import { isShownTo, postExists, postsSeenBy } from '../../domain/posts/queries.ts'
import { vote } from '../../domain/posts/votes.ts'
import { lockAuthor } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { NotThere, WrongValue } from './wrong.ts'

/**
 * Votes in the poll of a post that the user sees.
 * @throws NotThere, WrongValue, and a conflict for a closed poll or a second vote
 */
export async function voteInPoll(
  tx: Transaction,
  { user, postId, position }: { user: ProfileRow; postId: string; position: number },
): Promise<void> {
  await tx.first(lockAuthor, { id: user.id })
  const [row] = await tx.all(postsSeenBy, { ids: JSON.stringify([postId]), viewer: user.id })
  if (!row || !postExists(row) || !isShownTo(row, user.id) || row.poll_id === null)
    throw new NotThere(`@${user.screen_name} sees no poll of a post ${postId}.`)
  const outcome = await vote(tx, { pollId: row.poll_id, userId: user.id, position })
  if (outcome === 'no answer')
    throw new WrongValue('position', String(position), `The poll has no answer ${position}.`)
  if (outcome === 'closed') throw apiError('conflict', { explanation: 'The poll is closed.' })
  if (outcome === 'other answer')
    throw apiError('conflict', { explanation: `@${user.screen_name} has chosen another answer.` })
}
