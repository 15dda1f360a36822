import { Type } from 'typebox'
import { letGoOfMedia } from '../../core/media/uses.ts'
import { wrongAttribute, wrongParameter } from '../../kit/ads-codes.ts'
import type { Endpoint } from '../../kit/endpoint.ts'
import { refuseAds } from '../../kit/errors.ts'
import { instantText } from '../../kit/instant.ts'
import { choice, instant, long, nullable } from '../../kit/schema.ts'
import type { ScheduledPostRow } from '../../store/tables.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import type { Work } from '../entity/entity.ts'
import type { PlannedForm } from '../posts/planned.ts'
import {
  changedPlanned,
  newPlanned,
  PLANNED_CODES,
  plannedChange,
  plannedForm,
  plannedMembers,
  plannedPage,
  plannedQuery,
  shownPlanned,
  usePlannedMedia,
} from '../posts/planned.ts'
import { MAX_BYTES } from '../posts/post.ts'
import { countScheduled, scheduledPosts } from './queries.ts'

const PATH = '/accounts/{account_id}/scheduled_posts'
const source = 'Creatives (reference: scheduled posts)'
const params = { scheduled_post_id: long('The scheduled post.') }
const STATUSES = ['SCHEDULED', 'SUCCESS', 'FAILED', 'DELETED'] as const

const MINUTE_MS = 60_000
const MAX_AHEAD_MS = 365 * 24 * 60 * MINUTE_MS
/** So many posts of a user in so long a time (reference: scheduled posts, window limit). */
const MAX_IN_WINDOW = 30
const WINDOW_MS = 15 * MINUTE_MS

/** A post that is to be published at a time. */
const ScheduledPost = Type.Object(
  {
    ...plannedMembers,
    scheduled_at: instant('When it is to be published.'),
    scheduled_status: choice([...STATUSES], 'How far its publication is.'),
    completed_at: nullable(instant('When it was published, or could not be.')),
    post_id: nullable(long('The post that it became.')),
  },
  { additionalProperties: false },
)

const scheduledAt = instant('When it is to be published: in the next 365 days, to the minute.')

const shown = (row: ScheduledPostRow) => ({
  ...shownPlanned(row),
  scheduled_at: row.scheduled_at,
  scheduled_status: row.scheduled_status as (typeof STATUSES)[number],
  completed_at: row.completed_at,
  post_id: row.post_id,
})

const missing = (accountId: string, id: string) =>
  refuseAds(
    wrongParameter(
      'scheduled_post_id',
      `Scheduled Post ${id} was not found for Account ${accountId}`,
      'NOT_FOUND',
    ),
  )

const listScheduledPosts = adsEndpoint({
  id: 'listScheduledPosts',
  method: 'GET',
  path: PATH,
  summary: 'List scheduled posts',
  description: 'Of one user, those that were published among them, oldest first.',
  source,
  right: 'read',
  limits: LIMITS.read,
  query: plannedQuery,
  codes: ['INVALID_USER_ID'],
  data: Type.Array(ScheduledPost),
  beside: ['cursor'],
  async handle({ scope, query }, context) {
    const list = { name: 'scheduled posts', query: scheduledPosts.page }
    const { rows, next_cursor } = await plannedPage(list, query, scope, context)
    return { data: rows.map(shown), next_cursor }
  },
})

const getScheduledPost = adsEndpoint({
  id: 'getScheduledPost',
  method: 'GET',
  path: `${PATH}/{scheduled_post_id}`,
  summary: 'Get a scheduled post',
  description: 'One scheduled post of the account.',
  source,
  right: 'read',
  limits: LIMITS.read,
  params,
  codes: ['NOT_FOUND'],
  data: ScheduledPost,
  async handle({ scope: { accountId }, params: { scheduled_post_id: id } }, { store }) {
    const row = await store.first(scheduledPosts.byId, { account: accountId, id })
    if (!row) throw missing(accountId, id)
    return { data: shown(row) }
  },
})

const createScheduledPost = adsEndpoint({
  id: 'createScheduledPost',
  method: 'POST',
  path: PATH,
  summary: 'Create a scheduled post',
  description:
    'Publishes a post when its time comes, and shows it wherever it was scheduled to be promoted. In 15 minutes there are up to 30 posts of a user.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  form: { scheduled_at: scheduledAt, ...plannedForm },
  maxBodyBytes: MAX_BYTES,
  status: 201,
  codes: [...PLANNED_CODES, 'SCHEDULED_POST_LIMIT_EXCEEDED'],
  data: ScheduledPost,
  async handle({ scope, principal, form: { scheduled_at, ...form } }, context) {
    const row = await context.store.write(async (tx) => {
      const work = { tx, scope, caller: principal, context, now: context.clock.now() }
      const made: ScheduledPostRow = {
        ...(await newPlanned(form as PlannedForm, work)),
        scheduled_at: minuteOf(scheduled_at, work),
        scheduled_status: 'SCHEDULED',
        completed_at: null,
        post_id: null,
      }
      await refuseCrowd(made, work)
      await tx.run(scheduledPosts.add, made)
      await usePlannedMedia('scheduled_posts', made, work)
      return made
    })
    return { data: shown(row) }
  },
})

const updateScheduledPost = adsEndpoint({
  id: 'updateScheduledPost',
  method: 'PUT',
  path: `${PATH}/{scheduled_post_id}`,
  summary: 'Update a scheduled post',
  description:
    'Changes only what is sent, until its time has come. An empty list of media, card or name is taken away.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  params,
  form: { scheduled_at: Type.Optional(scheduledAt), ...plannedChange },
  notSettable: ['as_user_id'],
  maxBodyBytes: MAX_BYTES,
  codes: ['INVALID', 'NOT_FOUND', ...PLANNED_CODES, 'SCHEDULED_POST_LIMIT_EXCEEDED'],
  data: ScheduledPost,
  async handle({ scope, principal, params: { scheduled_post_id: id }, form }, context) {
    const { scheduled_at, ...given } = form as PlannedForm & { scheduled_at?: number }
    const row = await context.store.write(async (tx) => {
      const work = { tx, scope, caller: principal, context, now: context.clock.now() }
      const before = await tx.first(scheduledPosts.lock, { account: scope.accountId, id })
      if (!before) throw missing(scope.accountId, id)
      if (before.scheduled_status !== 'SCHEDULED' || before.scheduled_at <= work.now) throw tooLate(id)
      const moved = scheduled_at === undefined ? {} : { scheduled_at: minuteOf(scheduled_at, work) }
      const row = await changedPlanned(before, given, work, moved)
      if (row === before) return before
      await refuseCrowd(row, work)
      await tx.run(scheduledPosts.change, row)
      await usePlannedMedia('scheduled_posts', row, work)
      return row
    })
    return { data: shown(row) }
  },
})

const deleteScheduledPost = adsEndpoint({
  id: 'deleteScheduledPost',
  method: 'DELETE',
  path: `${PATH}/{scheduled_post_id}`,
  summary: 'Delete a scheduled post',
  description: 'For good: it is not shown any more, nor published. A post that it became stays.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  params,
  codes: ['NOT_FOUND'],
  data: ScheduledPost,
  async handle({ scope: { accountId: account }, params: { scheduled_post_id: id } }, { store, clock }) {
    const row = await store.write(async (tx) => {
      const before = await tx.first(scheduledPosts.lock, { account, id })
      if (!before) throw missing(account, id)
      await tx.run(scheduledPosts.remove, { account, id })
      await letGoOfMedia({ account, table: 'scheduled_posts', id }, { tx, now: clock.now() })
      return before
    })
    return { data: { ...shown(row), scheduled_status: 'DELETED' as const } }
  },
})

/** A time that can be scheduled, to the minute. */
function minuteOf(time: number, { now }: Work): number {
  const minute = Math.floor(time / MINUTE_MS) * MINUTE_MS
  if (minute > now && minute <= now + MAX_AHEAD_MS) return minute
  throw refuseAds(
    wrongParameter(
      'scheduled_at',
      `Expected a time in the next 365 days, got "${instantText(minute)}" for scheduled_at`,
    ),
  )
}

/** Too many posts at about the same time. The author is kept to the transaction already. */
async function refuseCrowd(row: ScheduledPostRow, { tx, scope }: Work): Promise<void> {
  const { user_id: user, scheduled_at: time, id: except } = row
  const from = time - WINDOW_MS / 2
  const { environment } = scope.account
  const found = await tx.first(countScheduled, { user, environment, from, to: from + WINDOW_MS, except })
  if (Number(found?.total ?? 0) < MAX_IN_WINDOW) return
  throw refuseAds(
    wrongParameter(
      'scheduled_at',
      `${MAX_IN_WINDOW} posts are scheduled in those 15 minutes already`,
      'SCHEDULED_POST_LIMIT_EXCEEDED',
    ),
  )
}

const tooLate = (id: string) =>
  refuseAds(wrongAttribute('scheduled_post_id', `The time of Scheduled Post ${id} has come already`))

export const scheduledPostEndpoints: readonly Endpoint[] = [
  listScheduledPosts,
  getScheduledPost,
  createScheduledPost,
  updateScheduledPost,
  deleteScheduledPost,
]
