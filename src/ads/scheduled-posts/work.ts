import type { Context } from '../../context.ts'
import { Refusal } from '../../kit/errors.ts'
import type { Transaction } from '../../store/store.ts'
import type { ScheduledPostRow } from '../../store/tables.ts'
import type { Entity, Work } from '../entity/entity.ts'
import { createItem } from '../entity/write.ts'
import { wantedOf } from '../posts/planned.ts'
import { examine, isError, publishGood } from '../posts/publish.ts'
import { promotedPosts } from '../promoted-posts/promoted-posts.ts'
import {
  accountById,
  changeScheduledPost,
  dueScheduledPosts,
  holdersOfScheduled,
  lockScheduledPost,
  tellHolders,
} from './queries.ts'

/** Posts that one node publishes before it looks again. */
const LOT = 100

/**
 * Publishes every scheduled post whose time has come. Each is published in one transaction that keeps its row, so of
 * several nodes one publishes it and the others find it done. Resolves to how many this node published or failed.
 */
export async function publishDue(context: Context): Promise<number> {
  const { store, clock, log } = context
  let done = 0
  let broken = 0
  for (;;) {
    const now = clock.now()
    const due = await store.all(dueScheduledPosts, { now, limit: LOT + broken })
    for (const { account_id: account, id } of due.slice(broken)) {
      try {
        if (await store.write((tx) => publishOne(tx, { account, id, now }, context))) done++
      } catch (error) {
        // One that cannot be published now must not keep the others waiting.
        broken++
        log.error({ err: error, scheduled_post: id }, 'a scheduled post was not published')
      }
    }
    if (due.length < LOT + broken || broken > LOT) return done
  }
}

/** Whether there was anything to publish still. */
async function publishOne(
  tx: Transaction,
  { account, id, now }: { account: string; id: string; now: number },
  context: Context,
): Promise<boolean> {
  const row = await tx.first(lockScheduledPost, { account, id })
  if (row?.scheduled_status !== 'SCHEDULED' || row.scheduled_at > now) return false
  const postId = await publish(row, tx, context)
  await tx.run(changeScheduledPost, {
    ...row,
    scheduled_status: postId === undefined ? 'FAILED' : 'SUCCESS',
    post_id: postId ?? null,
    completed_at: now,
    updated_at: now,
  })
  return true
}

/** Publishes a scheduled post, when it still can be. Whether its writer may was asked when it was written. */
async function publish(
  row: ScheduledPostRow,
  tx: Transaction,
  context: Context,
): Promise<string | undefined> {
  const account = await tx.first(accountById, { id: row.account_id })
  if (account?.deleted !== 0) return undefined
  const work: Work = {
    tx,
    scope: { accountId: account.id, account, roles: ['ACCOUNT_ADMIN', 'POST_COMPOSER'] },
    caller: { userId: row.contributor_id ?? row.user_id, app: { id: row.app_id } },
    context,
    now: context.clock.now(),
  }
  const { good, errors } = await examine(wantedOf(row), work)
  const post = errors.length > 0 ? undefined : await publishGood(good, 'everyone', work)
  if (!post || isError(post)) return undefined
  await promote(row, post.id, work)
  return post.id
}

/** Shows a post on every line item that waited for it. A line item that cannot show it any more goes without. */
async function promote(row: ScheduledPostRow, postId: string, work: Work): Promise<void> {
  const { tx, scope, now } = work
  const at = { account: scope.accountId, scheduledPost: row.id }
  for (const { line_item_id } of await tx.all(holdersOfScheduled, at)) {
    try {
      await createItem(promotedPosts as unknown as Entity, { line_item_id, post_id: postId }, work)
    } catch (error) {
      // Refusals come before anything is written.
      if (!(error instanceof Refusal)) throw error
    }
  }
  await tx.run(tellHolders, { ...at, post: postId, now })
}
