import type { TObject, TProperties } from 'typebox'
import { Type } from 'typebox'
import { releaseMediaOfRow } from '../../../domain/media/uses.ts'
import { withArticle } from '../../../platform/common/article.ts'
import { changesOf } from '../../../platform/http/input/read-only.ts'
import { fixed, msg } from '../../../platform/http/message.ts'
import { long, plain } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsCode } from '../../../platform/protocols/ads/codes.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { AdsEndpoint } from '../endpoint.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import type { WriteContext } from '../entity/types.ts'
import { capital, idOf } from '../entity/types.ts'
import { rejectChanged } from '../entity/write.ts'
import type { PlannedForm } from './planned.ts'
import {
  changedPlanned,
  newPlanned,
  PLANNED_CODES,
  plannedChange,
  plannedForm,
  plannedPage,
  plannedQuery,
  plannedReadOnly,
  usePlannedMedia,
} from './planned.ts'
import { MAX_BYTES } from './post.ts'
import type { plannedQueries } from './queries.ts'
import type { DraftPostRow } from './tables.ts'

/** A kind of planned posts: drafts or scheduled posts. */
type PlannedPostReply = Readonly<Record<string, unknown>>

interface PlannedPostKind<Row extends DraftPostRow> {
  one: 'draft post' | 'scheduled post'
  table: 'draft_posts' | 'scheduled_posts'
  source: string
  queries: ReturnType<typeof plannedQueries<Row>>
  schema: TObject
  shown(row: Row): PlannedPostReply
  /** Additional members in the reply to a deletion. */
  deleted: PlannedPostReply
  describe: Record<'list' | 'create' | 'update' | 'delete', string>
  /** Parameters in addition to those that both kinds have. */
  create?: TProperties
  update?: TProperties
  codes?: readonly AdsCode[]
  updateCodes?: readonly AdsCode[]
  /** A new row, with the additional columns of the kind. */
  complete(made: DraftPostRow, form: PlannedPostReply, work: WriteContext): Row
  /** The additional columns that were sent. Rejects a post that can no longer be changed. */
  changes?(before: Row, form: PlannedPostReply, work: WriteContext): Partial<Row>
  /** Rejects one that must not be stored. */
  check?(row: Row, work: WriteContext): Promise<void>
  /** Follow-up writes of a new or changed one, in its transaction. */
  saved?(row: Row, work: WriteContext): Promise<void>
}

/** The endpoints of a kind of planned posts. */
export function plannedEndpoints<Row extends DraftPostRow>(
  kind: PlannedPostKind<Row>,
): { endpoints: readonly AdsEndpoint[] } {
  const { one, table, source, queries, schema, describe, codes = [], updateCodes = [] } = kind
  const param = `${table.slice(0, -1)}_id` as 'planned_id'
  const path = `/accounts/{account_id}/${table}`
  const own = {
    path: `${path}/{${param}}`,
    params: { [param]: long(`The ${one}.`) } as Record<'planned_id', ReturnType<typeof long>>,
  }
  const read = { source, right: 'read', limits: LIMITS.read } as const
  const write = { source, right: 'creatives', limits: LIMITS.write } as const
  const change: TProperties = { ...kind.update, ...plannedChange }
  const changeable = plain(Type.Object(change)).properties ?? {}
  const { shown } = kind
  const missing = (accountId: string, id: string) =>
    adsApiError(
      wrongParameter(
        param,
        msg`${fixed(capital(one))} ${id} was not found for Account ${accountId}`,
        'NOT_FOUND',
      ),
    )
  const endpoints = [
    adsEndpoint({
      id: idOf('list', `${one}s`),
      method: 'GET',
      path,
      summary: `List ${one}s`,
      description: describe.list,
      ...read,
      query: plannedQuery,
      codes: ['INVALID_USER_ID'],
      data: Type.Array(schema),
      beside: ['cursor'],
      async handle({ scope, query }, context) {
        const list = { name: `${one}s`, query: queries.page }
        const { rows, next_cursor } = await plannedPage(list, query, scope, context)
        return { data: rows.map(shown), next_cursor }
      },
    }),
    adsEndpoint({
      id: idOf('get', one),
      method: 'GET',
      ...own,
      summary: `Get ${withArticle(one)}`,
      description: `Returns ${withArticle(one)} of the account.`,
      ...read,
      codes: ['NOT_FOUND'],
      data: schema,
      async handle({ scope: { accountId: account }, params: { [param]: id } }, { store }) {
        const row = await store.first(queries.byId, { account, id })
        if (!row) throw missing(account, id)
        return { data: shown(row) }
      },
    }),
    adsEndpoint({
      id: idOf('create', one),
      method: 'POST',
      path,
      summary: `Create ${withArticle(one)}`,
      description: describe.create,
      ...write,
      form: { ...kind.create, ...plannedForm },
      maxBodyBytes: MAX_BYTES,
      status: 201,
      codes: [...PLANNED_CODES, ...codes],
      data: schema,
      async handle({ scope, principal, form }, context) {
        const row = await context.store.write(async (tx) => {
          const work = { tx, scope, caller: principal, context, now: context.clock.now() }
          const made = kind.complete(await newPlanned(form as PlannedForm, work), form, work)
          await kind.check?.(made, work)
          await tx.run(queries.add, made)
          await usePlannedMedia(table, made, work)
          await kind.saved?.(made, work)
          return made
        })
        return { data: shown(row) }
      },
    }),
    adsEndpoint({
      id: idOf('update', one),
      method: 'PUT',
      ...own,
      summary: `Update ${withArticle(one)}`,
      description: `${describe.update} An empty list of media, card or name removes the value. You can send back a whole object.`,
      ...write,
      form: change,
      readOnly: plannedReadOnly,
      maxBodyBytes: MAX_BYTES,
      codes: ['NOT_FOUND', ...PLANNED_CODES, ...codes, ...updateCodes],
      data: schema,
      async handle({ scope, principal, params: { [param]: id }, form, sentBack }, context) {
        const row = await context.store.write(async (tx) => {
          const work = { tx, scope, caller: principal, context, now: context.clock.now() }
          const before = await tx.first(queries.lock, { account: scope.accountId, id })
          if (!before) throw missing(scope.accountId, id)
          const stored = { ...kind.shown(before), as_user_id: before.user_id }
          rejectChanged(sentBack, stored)
          const changes = changesOf(changeable, form, stored)
          if (Object.keys(changes).length === 0) return before
          const more = kind.changes?.(before, changes, work)
          const changed = await changedPlanned(before, changes as PlannedForm, work, more)
          if (changed === before) return before
          await kind.check?.(changed, work)
          await tx.run(queries.change, changed)
          await usePlannedMedia(table, changed, work)
          await kind.saved?.(changed, work)
          return changed
        })
        return { data: shown(row) }
      },
    }),
    adsEndpoint({
      id: idOf('delete', one),
      method: 'DELETE',
      ...own,
      summary: `Delete ${withArticle(one)}`,
      description: `Deletion is final: the ${one} is no longer returned${describe.delete}.`,
      ...write,
      codes: ['NOT_FOUND'],
      data: schema,
      async handle({ scope: { accountId: account }, params: { [param]: id } }, { store, clock }) {
        const row = await store.write(async (tx) => {
          const before = await tx.first(queries.lock, { account, id })
          if (!before) throw missing(account, id)
          await tx.run(queries.remove, { account, id })
          await releaseMediaOfRow({ account, table, id }, { tx, now: clock.now() })
          return before
        })
        return { data: { ...kind.shown(row), ...kind.deleted } }
      },
    }),
  ]
  return { endpoints }
}
