import { Type } from 'typebox'
import { letGoOfMedia } from '../../core/media/uses.ts'
import { wrongParameter } from '../../kit/ads-codes.ts'
import type { Endpoint } from '../../kit/endpoint.ts'
import { refuseAds } from '../../kit/errors.ts'
import { choice, long } from '../../kit/schema.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
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
import { drafts } from './queries.ts'

const PATH = '/accounts/{account_id}/draft_posts'
const source = 'Creatives (reference: draft posts)'
const params = { draft_post_id: long('The draft.') }

/** A post that is being written. */
const Draft = Type.Object(
  { ...plannedMembers, status: Type.Optional(choice(['DELETED'], 'In the reply to its deletion.')) },
  { additionalProperties: false },
)

const missing = (accountId: string, id: string) =>
  refuseAds(
    wrongParameter('draft_post_id', `Draft Post ${id} was not found for Account ${accountId}`, 'NOT_FOUND'),
  )

const listDraftPosts = adsEndpoint({
  id: 'listDraftPosts',
  method: 'GET',
  path: PATH,
  summary: 'List draft posts',
  description: 'Of one user, oldest first.',
  source,
  right: 'read',
  limits: LIMITS.read,
  query: plannedQuery,
  codes: ['INVALID_USER_ID'],
  data: Type.Array(Draft),
  beside: ['cursor'],
  async handle({ scope, query }, context) {
    const list = { name: 'draft posts', query: drafts.page }
    const { rows, next_cursor } = await plannedPage(list, query, scope, context)
    return { data: rows.map(shownPlanned), next_cursor }
  },
})

const getDraftPost = adsEndpoint({
  id: 'getDraftPost',
  method: 'GET',
  path: `${PATH}/{draft_post_id}`,
  summary: 'Get a draft post',
  description: 'One draft of the account.',
  source,
  right: 'read',
  limits: LIMITS.read,
  params,
  codes: ['NOT_FOUND'],
  data: Draft,
  async handle({ scope: { accountId }, params: { draft_post_id: id } }, { store }) {
    const row = await store.first(drafts.byId, { account: accountId, id })
    if (!row) throw missing(accountId, id)
    return { data: shownPlanned(row) }
  },
})

const createDraftPost = adsEndpoint({
  id: 'createDraftPost',
  method: 'POST',
  path: PATH,
  summary: 'Create a draft post',
  description: 'Keeps a post that could be published, without publishing it.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  form: plannedForm,
  maxBodyBytes: MAX_BYTES,
  status: 201,
  codes: PLANNED_CODES,
  data: Draft,
  async handle({ scope, principal, form }, context) {
    const row = await context.store.write(async (tx) => {
      const work = { tx, scope, caller: principal, context, now: context.clock.now() }
      const made = await newPlanned(form as PlannedForm, work)
      await tx.run(drafts.add, made)
      await usePlannedMedia('draft_posts', made, work)
      return made
    })
    return { data: shownPlanned(row) }
  },
})

const updateDraftPost = adsEndpoint({
  id: 'updateDraftPost',
  method: 'PUT',
  path: `${PATH}/{draft_post_id}`,
  summary: 'Update a draft post',
  description: 'Changes only what is sent. An empty list of media, card or name is taken away.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  params,
  form: plannedChange,
  notSettable: ['as_user_id'],
  maxBodyBytes: MAX_BYTES,
  codes: ['NOT_FOUND', ...PLANNED_CODES],
  data: Draft,
  async handle({ scope, principal, params: { draft_post_id: id }, form }, context) {
    const row = await context.store.write(async (tx) => {
      const work = { tx, scope, caller: principal, context, now: context.clock.now() }
      const before = await tx.first(drafts.lock, { account: scope.accountId, id })
      if (!before) throw missing(scope.accountId, id)
      const changed = await changedPlanned(before, form as PlannedForm, work)
      if (changed === before) return before
      await tx.run(drafts.change, changed)
      await usePlannedMedia('draft_posts', changed, work)
      return changed
    })
    return { data: shownPlanned(row) }
  },
})

const deleteDraftPost = adsEndpoint({
  id: 'deleteDraftPost',
  method: 'DELETE',
  path: `${PATH}/{draft_post_id}`,
  summary: 'Delete a draft post',
  description: 'For good: it is not shown any more.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  params,
  codes: ['NOT_FOUND'],
  data: Draft,
  async handle({ scope: { accountId: account }, params: { draft_post_id: id } }, { store, clock }) {
    const row = await store.write(async (tx) => {
      const before = await tx.first(drafts.lock, { account, id })
      if (!before) throw missing(account, id)
      await tx.run(drafts.remove, { account, id })
      await letGoOfMedia({ account, table: 'draft_posts', id }, { tx, now: clock.now() })
      return before
    })
    return { data: { ...shownPlanned(row), status: 'DELETED' as const } }
  },
})

export const draftPostEndpoints: readonly Endpoint[] = [
  listDraftPosts,
  getDraftPost,
  createDraftPost,
  updateDraftPost,
  deleteDraftPost,
]
