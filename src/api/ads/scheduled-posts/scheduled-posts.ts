import { instantText } from '../../../platform/common/instant.ts'
import { msg } from '../../../platform/http/message.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import type { EntityItem } from '../entity/fields.ts'
import type { WriteContext } from '../entity/types.ts'
import { releaseMedia } from '../media/uses.ts'
import { scheduledFields } from '../posts/fields.ts'
import {
  authorFilter,
  changedPlanned,
  newPlanned,
  PLANNED_CODES,
  plannedEntity,
  usePlannedMedia,
} from '../posts/planned.ts'
import { enqueuePublication } from './publication.ts'
import { scheduledBetween } from './queries.ts'

const MINUTE_MS = 60_000
const MAX_AHEAD_MS = 365 * 24 * 60 * MINUTE_MS
/**
 * Maximum number of scheduled posts of a user within this time (reference: scheduled posts, window
 * limit).
 */
const MAX_IN_WINDOW = 30
const WINDOW_MS = 15 * MINUTE_MS

/** A post to be published at a time. */
export type ScheduledPost = EntityItem<typeof scheduledFields>

/** Posts that are published at their time. */
export const scheduledPosts = entity({
  ...plannedEntity,
  one: 'scheduled post',
  source: 'Creatives (reference: scheduled posts)',
  describe: {
    list: 'Returns the scheduled posts of one user, including those that were published, oldest first.',
    create:
      'Publishes a post at the given time and promotes it with every line item that it was scheduled for. A user can have up to 30 scheduled posts within 15 minutes.',
    update:
      'Changes only the parameters that are sent, until the time of publication. An empty list of media, card or name removes the value. You can send back a whole object.',
    delete:
      'Deletion is final: the scheduled post is no longer returned and not published. A post that was already published from it is not deleted.',
  },
  codes: [...PLANNED_CODES, 'SCHEDULED_POST_LIMIT_EXCEEDED'],
  updateCodes: ['INVALID'],
  filters: authorFilter,
  indexes: { scheduled_posts_by_time: ['user_id', 'scheduled_at'] },
  fields: scheduledFields,
  fixed: (_, { user_id }) => ({ as_user_id: user_id }),
  complete: async ({ scheduled_at, ...post }, work) => ({
    ...(await newPlanned(post, work)),
    scheduled_at: minuteOf(scheduled_at, work),
    scheduled_status: 'SCHEDULED',
    completed_at: null,
    post_id: null,
  }),
  adjust(item, change) {
    const { before, supplied, now } = change
    if (before.scheduled_status !== 'SCHEDULED' || before.scheduled_at <= now) throw tooLate(before.id)
    const { scheduled_at } = supplied
    return changedPlanned(item, change, {
      ...(scheduled_at !== undefined && { scheduled_at: minuteOf(scheduled_at, change) }),
    })
  },
  check: tooMany,
  async after(item, work) {
    await usePlannedMedia('scheduled_posts', item, work)
    await enqueuePublication(work.tx, { ...item, account_id: work.scope.accountId })
  },
  async afterDelete(item, work) {
    await releaseMedia({ table: 'scheduled_posts', id: item.id }, work)
    item.scheduled_status = 'DELETED'
  },
})

/** A valid time for scheduling, to the minute. */
function minuteOf(time: number, { now }: WriteContext): number {
  const minute = Math.floor(time / MINUTE_MS) * MINUTE_MS
  if (minute > now && minute <= now + MAX_AHEAD_MS) return minute
  throw rejected(
    'scheduled_at',
    msg`Expected a time in the next 365 days, got "${instantText(minute)}" for scheduled_at`,
  )
}

/**
 * The error of too many posts within a short time: in any window that contains the time of the
 * post, so that the order of requests does not matter. The row of the author is already locked.
 */
async function tooMany(
  { user_id: user, scheduled_at: time, id: except }: ScheduledPost,
  { tx, scope }: WriteContext,
): Promise<AdsError[]> {
  const { environment } = scope.account
  const around = { after: time - WINDOW_MS, before: time + WINDOW_MS }
  const others = await tx.all(scheduledBetween, { user, environment, ...around, except })
  const inWindow = (start: number) =>
    others.reduce(
      (sum, { scheduled_at: at, total }) =>
        at >= start && at < start + WINDOW_MS ? sum + Number(total) : sum,
      0,
    )
  // The fullest window begins at one of the posts, or at the time itself.
  const starts = [time, ...others.flatMap(({ scheduled_at: at }) => (at < time ? [at] : []))]
  if (starts.every((start) => inWindow(start) < MAX_IN_WINDOW)) return []
  return [
    wrongParameter(
      'scheduled_at',
      msg`${MAX_IN_WINDOW} posts are already scheduled in those 15 minutes`,
      'SCHEDULED_POST_LIMIT_EXCEEDED',
    ),
  ]
}

const tooLate = (id: string) =>
  adsApiError(wrongAttribute('scheduled_post_id', msg`The time of Scheduled Post ${id} has already passed`))
