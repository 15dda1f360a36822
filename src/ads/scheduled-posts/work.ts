import type { Context } from '../../context.ts'
import { letGoOfMedia } from '../../media/uses.ts'
import type { AdsCode, AdsError } from '../../protocols/ads/codes.ts'
import { wrongParameter } from '../../protocols/ads/codes.ts'
import { Refusal } from '../../http/errors.ts'
import { adsErrorsOf } from '../../protocols/ads/refusal.ts'
import { msg } from '../../http/message.ts'
import type { Transaction } from '../../storage/store.ts'
import type { ScheduledPostRow } from '../../storage/tables.ts'
import type { Work } from '../entity/entity.ts'
import { createItem } from '../entity/write.ts'
import { wantedOf } from '../posts/planned.ts'
import { examine, isError, publishGood } from '../posts/publish.ts'
import { promotedPosts } from '../promoted-posts/promoted-posts.ts'
import type { Due } from './queries.ts'
import { accountById, dueScheduledPosts, holdersOfScheduled, scheduledPosts, tellHolders } from './queries.ts'

/** Posts that one node publishes before it looks again. */
const LOT = 100

/**
 * Publishes every scheduled post whose time has come. Each is published in one transaction that keeps its row, so of
 * several nodes one publishes it and the others find it done. One that cannot be published now for a reason of ours
 * is tried again in the next run, and keeps no other waiting.
 */
export async function publishDue(context: Context, stopping: AbortSignal): Promise<void> {
  const { store, clock, log } = context
  let after = { afterTime: 0, afterId: '' }
  while (!stopping.aborted) {
    const now = clock.now()
    const due = await store.all(dueScheduledPosts, { now, ...after, limit: LOT })
    for (const one of due) {
      if (stopping.aborted) return
      await publishOne(one, now, context).catch((error: unknown) =>
        log.error({ err: error, scheduled_post: one.id }, 'a scheduled post was not published'),
      )
    }
    const last = due.at(-1)
    if (!last || due.length < LOT) return
    after = { afterTime: Number(last.scheduled_at), afterId: last.id }
  }
}

/** Publishes a post, or says that it failed; nothing when another node did meanwhile. */
async function publishOne(due: Due, now: number, context: Context): Promise<void> {
  const { store, log } = context
  const complete = (outcome: (row: ScheduledPostRow, tx: Transaction) => Promise<Outcome>) =>
    store.write(async (tx) => {
      const row = await tx.first(scheduledPosts.lock, { account: due.account_id, id: due.id })
      if (row?.scheduled_status !== 'SCHEDULED' || row.scheduled_at > now) return undefined
      const result = await outcome(row, tx)
      await tx.run(scheduledPosts.change, {
        ...row,
        scheduled_status: 'errors' in result ? 'FAILED' : 'SUCCESS',
        post_id: 'errors' in result ? null : result.postId,
        completed_at: now,
        updated_at: now,
      })
      // What a post shows stays without it.
      await letGoOfMedia({ account: row.account_id, table: 'scheduled_posts', id: row.id }, { tx, now })
      return result
    })
  const result = await complete((row, tx) => publish(row, tx, context)).catch((error: unknown) => {
    // What it had written is undone with its transaction.
    if (error instanceof Refusal) return complete(async () => ({ errors: adsErrorsOf(error) }))
    throw error
  })
  if (result && 'errors' in result)
    log.info({ scheduled_post: due.id, codes: codesOf(result.errors) }, 'a scheduled post failed')
}

/** The post that it became, or why it could not be published. */
type Outcome = { postId: string } | { errors: readonly AdsError[] }

const codesOf = (errors: readonly AdsError[]): AdsCode[] => [...new Set(errors.map(({ code }) => code))]

/** Publishes a scheduled post, when it still can be. Whether its writer may was asked when it was written. */
async function publish(row: ScheduledPostRow, tx: Transaction, context: Context): Promise<Outcome> {
  const account = await tx.first(accountById, { id: row.account_id })
  if (account?.deleted !== 0) return { errors: [accountGone(row.account_id)] }
  const work: Work = {
    tx,
    scope: { accountId: account.id, account, roles: ['ACCOUNT_ADMIN', 'POST_COMPOSER'] },
    caller: { userId: row.contributor_id ?? row.user_id, app: { id: row.app_id } },
    context,
    now: context.clock.now(),
  }
  const wanted = wantedOf(row)
  // Its card must be there still; its media are kept for it.
  const { good, errors } = await examine(wanted, work, { media_keys: wanted.media_keys ?? [] })
  if (errors.length > 0) return { errors }
  const post = await publishGood(good, 'everyone', work)
  if (isError(post)) return { errors: [post] }
  await promote(row, post.id, work)
  return { postId: post.id }
}

const accountGone = (id: string) =>
  wrongParameter('account_id', msg`Account ${id} was not found`, 'ACCOUNT_NOT_FOUND')

/** Shows a post on every line item that waited for it. A line item that cannot show it any more goes without. */
async function promote(row: ScheduledPostRow, postId: string, work: Work): Promise<void> {
  const { tx, scope, now } = work
  const at = { account: scope.accountId, scheduledPost: row.id }
  for (const { line_item_id } of await tx.all(holdersOfScheduled, at)) {
    try {
      await createItem(promotedPosts, { line_item_id, post_id: postId }, work)
    } catch (error) {
      // Refusals come before anything is written.
      if (!(error instanceof Refusal)) throw error
    }
  }
  await tx.run(tellHolders, { ...at, post: postId, now })
}
