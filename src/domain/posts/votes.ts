import type { Transaction } from '../../platform/storage/store.ts'
import { addVote, countVote, pollsByIds, removeVote, someVotesOf, voteOf } from './queries.ts'

/** What became of a vote. */
export type VoteOutcome = 'counted' | 'known' | 'other answer' | 'closed' | 'no answer'

interface Vote {
  readonly pollId: string
  readonly userId: string
  /** From 1. */
  readonly position: number
}

/** Counts the vote of a user, who has one in each poll. The row of the user is locked. */
export async function vote(tx: Transaction, { pollId, userId, position }: Vote): Promise<VoteOutcome> {
  const answers = await tx.all(pollsByIds, { ids: JSON.stringify([pollId]) })
  const answer = answers.find((one) => one.position === position)
  if (!answer) return 'no answer'
  const row = { poll_id: pollId, user_id: userId, position }
  if (answer.ends_at <= tx.now) return 'closed'
  if ((await tx.run(addVote, row)) === 0) {
    const known = await tx.first(voteOf, { user: userId, poll: pollId })
    return known?.position === position ? 'known' : 'other answer'
  }
  await tx.run(countVote, { poll: pollId, position, by: 1 })
  return 'counted'
}

/** Takes some votes of a deleted user back. Resolves to whether there were any. */
export async function removeVotesOf(tx: Transaction, user: string, limit: number): Promise<boolean> {
  const found = await tx.all(someVotesOf, { user, limit })
  for (const row of found) {
    await tx.run(removeVote, row)
    await tx.run(countVote, { poll: row.poll_id, position: row.position, by: -1 })
  }
  return found.length > 0
}
