import { Type } from 'typebox'
import { instantText } from '../../../platform/common/instant.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, component, instant, long, nullable } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { WriteContext } from '../entity/types.ts'
import { plannedMembers, shownPlanned } from '../posts/planned.ts'
import { plannedEndpoints } from '../posts/planned-endpoints.ts'
import type { ScheduledPostRow } from '../posts/tables.ts'
import { enqueuePublication } from './publication.ts'
import { scheduledPosts as queries, scheduledBetween } from './queries.ts'

const STATUSES = ['SCHEDULED', 'SUCCESS', 'FAILED', 'DELETED'] as const

const MINUTE_MS = 60_000
const MAX_AHEAD_MS = 365 * 24 * 60 * MINUTE_MS
/** Maximum number of scheduled posts of a user within this time (reference: scheduled posts, window limit). */
const MAX_IN_WINDOW = 30
const WINDOW_MS = 15 * MINUTE_MS

/** A post to be published at a time. */
const ScheduledPost = component(
  'ScheduledPost',
  Type.Object(
    {
      ...plannedMembers,
      scheduled_at: instant('When it is published.'),
      scheduled_status: choice([...STATUSES], 'Status of its publication.'),
      completed_at: nullable(instant('When it was published, or when publishing failed.')),
      post_id: nullable(long('The published post.')),
    },
    { additionalProperties: false },
  ),
)

const scheduledAt = instant('When to publish it: within the next 365 days, to the minute.')

const shown = (row: ScheduledPostRow) => ({
  ...shownPlanned(row),
  scheduled_at: row.scheduled_at,
  scheduled_status: row.scheduled_status as (typeof STATUSES)[number],
  completed_at: row.completed_at,
  post_id: row.post_id,
})

/** Posts that are published at their time. */
export const scheduledPosts = plannedEndpoints({
  one: 'scheduled post',
  table: 'scheduled_posts',
  source: 'Creatives (reference: scheduled posts)',
  queries,
  schema: ScheduledPost,
  shown,
  deleted: { scheduled_status: 'DELETED' },
  describe: {
    list: 'Returns the scheduled posts of one user, including those that were published, oldest first.',
    create:
      'Publishes a post at the given time and promotes it with every line item that it was scheduled for. A user can have up to 30 scheduled posts within 15 minutes.',
    update: 'Changes only the parameters that are sent, until the time of publication.',
    delete: ' and not published. A post that was already published from it is not deleted',
  },
  create: { scheduled_at: scheduledAt },
  update: { scheduled_at: Type.Optional(scheduledAt) },
  codes: ['SCHEDULED_POST_LIMIT_EXCEEDED'],
  updateCodes: ['INVALID'],
  complete: (made, { scheduled_at }: ScheduleInput, work): ScheduledPostRow => ({
    ...made,
    scheduled_at: minuteOf(scheduled_at as number, work),
    scheduled_status: 'SCHEDULED',
    completed_at: null,
    post_id: null,
  }),
  changes(before, { scheduled_at }: ScheduleInput, work) {
    if (before.scheduled_status !== 'SCHEDULED' || before.scheduled_at <= work.now) throw tooLate(before.id)
    return scheduled_at === undefined ? {} : { scheduled_at: minuteOf(scheduled_at, work) }
  },
  check: rejectTooMany,
  saved: (row, { tx }) => enqueuePublication(tx, row),
})

interface ScheduleInput {
  scheduled_at?: number
}

/** A valid time for scheduling, to the minute. */
function minuteOf(time: number, { now }: WriteContext): number {
  const minute = Math.floor(time / MINUTE_MS) * MINUTE_MS
  if (minute > now && minute <= now + MAX_AHEAD_MS) return minute
  throw adsApiError(
    wrongParameter(
      'scheduled_at',
      msg`Expected a time in the next 365 days, got "${instantText(minute)}" for scheduled_at`,
    ),
  )
}

/**
 * Rejects too many posts within a short time: in any window that contains the time of the post, so that the order of
 * requests does not matter. The row of the author is already locked.
 */
async function rejectTooMany(row: ScheduledPostRow, { tx, scope }: WriteContext): Promise<void> {
  const { user_id: user, scheduled_at: time, id: except } = row
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
  if (starts.every((start) => inWindow(start) < MAX_IN_WINDOW)) return
  throw adsApiError(
    wrongParameter(
      'scheduled_at',
      msg`${MAX_IN_WINDOW} posts are already scheduled in those 15 minutes`,
      'SCHEDULED_POST_LIMIT_EXCEEDED',
    ),
  )
}

const tooLate = (id: string) =>
  adsApiError(wrongAttribute('scheduled_post_id', msg`The time of Scheduled Post ${id} has already passed`))
