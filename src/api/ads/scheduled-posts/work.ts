import type { Logger } from 'pino'
import { releaseMediaOfRow } from '../../../domain/media/uses.ts'
import { countedFor } from '../../../domain/posts/daily.ts'
import { userById } from '../../../identity/users/queries.ts'
import type { DayCount } from '../../../platform/http/day-limits.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { adsErrorsOf } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsCode, type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { again, DONE, exponential, type Outcome, retry, type TaskKind } from '../../../platform/queue/task.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { ApiTables } from '../../tables.ts'
import { accountById } from '../accounts/queries.ts'
import { accountScope } from '../accounts/scope.ts'
import type { AdsDependencies } from '../dependencies.ts'
import type { WriteContext } from '../entity/types.ts'
import { createItem } from '../entity/write.ts'
import { inputOf } from '../posts/planned.ts'
import { checkPost, isError, publishChecked } from '../posts/publish.ts'
import { promotedPosts } from '../promoted-posts/promoted-posts.ts'
import { publishScheduledPost } from './publication.ts'
import {
  completeScheduled,
  lockWaitingLineItems,
  promotionsOfScheduled,
  recordPublishedPost,
} from './queries.ts'
import { scheduledPosts } from './scheduled-posts.ts'

type ScheduledPostRow = ApiTables['scheduled_posts']

const LEASE_MS = 60_000
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 600_000
/** With the longest pauses between them, some hours. */
const MAX_ATTEMPTS = 40

type PublicationDependencies = AdsDependencies & { readonly log: Logger }

interface ScheduledPostKey {
  account: string
  id: string
}

/**
 * Publishes scheduled posts, each in one transaction. One that cannot be published has failed
 * permanently.
 */
export const publication = (context: PublicationDependencies): TaskKind<ScheduledPostKey> => ({
  type: publishScheduledPost,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  // In the order of their times.
  concurrency: 1,
  run: (key) => publishDue(key, context),
  // The rollback has undone its writes.
  onError(key, error) {
    if (!(error instanceof ApiError)) return undefined
    const errors = adsErrorsOf(error)
    report(key, errors, context)
    return async (tx) => (await complete(tx, key, context, async () => ({ errors }))).outcome
  },
  async onDeadLetter(key, tx) {
    await complete(tx, key, context, async () => ({ errors: [] }))
  },
})

/**
 * Publishes a post that is due. In its own transaction, because the post is counted before, and no
 * longer if it failed.
 */
async function publishDue(key: ScheduledPostKey, context: PublicationDependencies): Promise<Outcome> {
  const { store, countPost } = context
  const row = (await store.first(scheduledPosts.rows.byId, key)) as ScheduledPostRow | undefined
  if (!row) return DONE
  try {
    await context.delivery.settle(key.account)
  } catch (error) {
    // It must not make the post fail.
    return retry(`delivery of the account: ${error}`)
  }
  return countedFor({ authorId: row.user_id, appId: row.app_id }, countPost, async (day) => {
    const { outcome, result } = await store.write((tx) =>
      complete(tx, key, context, (due) => publish(due, day, { tx, accountId: key.account, context })),
    )
    if (result && 'errors' in result) report(key, result.errors, context)
    if (!result || 'errors' in result) await day.undo()
    return outcome
  })
}

/**
 * Publishes a post, or records that it failed. Does nothing if it was deleted or already published.
 */
async function complete(
  tx: Transaction,
  { account, id }: ScheduledPostKey,
  { clock }: Pick<PublicationDependencies, 'clock'>,
  attempt: (row: ScheduledPostRow) => Promise<PublicationResult>,
): Promise<{ outcome: Outcome; result?: PublicationResult }> {
  const now = clock.now()
  // Before the scheduled post and its author, as calls that promote posts do.
  await tx.all(lockWaitingLineItems, { account, scheduledPost: id })
  const row = (await tx.first(scheduledPosts.rows.lock, { account, id })) as ScheduledPostRow | undefined
  if (row?.scheduled_status !== 'SCHEDULED') return { outcome: DONE }
  if (row.scheduled_at > now) return { outcome: again(row.scheduled_at) }
  const result = await attempt(row)
  const post = 'postId' in result ? result.postId : null
  await tx.run(completeScheduled, { account, id, status: post === null ? 'FAILED' : 'SUCCESS', post, now })
  // The published post keeps its media by itself. One that failed keeps them until it is deleted.
  if (post !== null) await releaseMediaOfRow({ account, table: 'scheduled_posts', id }, { tx, now })
  return { outcome: DONE, result }
}

const report = (
  { id }: ScheduledPostKey,
  errors: readonly AdsError[],
  { log }: Pick<PublicationDependencies, 'log'>,
) => log.info({ scheduled_post: id, codes: codesOf(errors) }, 'a scheduled post could not be published')

/** The published post, or why it could not be published. */
type PublicationResult = { postId: string } | { errors: readonly AdsError[] }

const codesOf = (errors: readonly AdsError[]): AdsCode[] => [...new Set(errors.map(({ code }) => code))]

/**
 * Publishes a scheduled post, if that is still possible. Its writer must still have the roles that
 * writing it required.
 * @throws ApiError The writer has none of them.
 */
async function publish(
  row: ScheduledPostRow,
  day: DayCount,
  { tx, accountId, context }: { tx: Transaction; accountId: string; context: AdsDependencies },
): Promise<PublicationResult> {
  const account = await tx.first(accountById, { id: accountId })
  if (account?.deleted !== 0) return { errors: [accountGone(accountId)] }
  const userId = row.contributor_id ?? row.user_id
  const writer = await tx.first(userById, { id: userId })
  if (writer?.suspended !== 0) return { errors: [writerGone(userId)] }
  const permission = { right: 'creatives', accountId: account.id, deletedToo: false } as const
  const work: WriteContext = {
    tx,
    scope: await accountScope({ store: tx, host: account.environment }, { userId }, permission),
    caller: { userId, app: { id: row.app_id } },
    context,
    now: context.clock.now(),
  }
  const input = inputOf(scheduledPosts.codec.decode(row))
  // Its card must still exist; its media are kept for it.
  const { checked, errors } = await checkPost(input, work, { media_keys: input.media_keys })
  if (errors.length > 0) return { errors }
  const made = await publishChecked(checked, { replySettings: 'everyone', day }, work)
  if (isError(made)) return { errors: [made] }
  await promote(row, made.id, work)
  return { postId: made.id }
}

const writerGone = (id: string) =>
  wrongParameter('as_user_id', msg`User ${id} is suspended`, 'ACTION_NOT_ALLOWED')

const accountGone = (id: string) =>
  wrongParameter('account_id', msg`Account ${id} was not found`, 'ACCOUNT_NOT_FOUND')

/**
 * Promotes a post with every line item that waited for it, and records it in these promotions. Line
 * items that can no longer show it are skipped.
 */
async function promote(row: ScheduledPostRow, postId: string, work: WriteContext): Promise<void> {
  const { tx, scope, now } = work
  const { accountId: account } = scope
  for (const { id, line_item_id } of await tx.all(promotionsOfScheduled, {
    account,
    scheduledPost: row.id,
  })) {
    try {
      await createItem(promotedPosts, { line_item_id, post_id: postId }, work)
    } catch (error) {
      // Errors are thrown before anything is written.
      if (error instanceof ApiError) continue
      throw error
    }
    await tx.run(recordPublishedPost, { account, id, post: postId, now })
  }
}
