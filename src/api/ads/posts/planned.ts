import { Type } from 'typebox'
import { FIRST_ID } from '../../../platform/common/ids.ts'
import { msg } from '../../../platform/http/message.ts'
import { clearable, id, instant, long, nullable } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsCode } from '../../../platform/protocols/ads/codes.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Query } from '../../../platform/storage/query.ts'
import { cardUri } from '../cards/card-fields.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { cutToPage, paging } from '../entity/list.ts'
import type { WriteContext } from '../entity/types.ts'
import { throwErrors } from '../entity/write.ts'
import { useByKeys } from '../media/uses.ts'
import { nameKey } from '../name-key.ts'
import type { AccountScope } from '../scope.ts'
import type { AttachmentKeys } from './attachments.ts'
import { takeMedia } from './attachments.ts'
import { postMedia, postName, postText } from './post.ts'
import type { AccountPostInput } from './publish.ts'
import { checkPost, defaultAuthor } from './publish.ts'
import { promotableUsersOf } from './queries.ts'
import type { DraftPostRow } from './tables.ts'

// What drafts and scheduled posts share: they are not published yet (reference: draft posts, scheduled posts). Deleted
// ones are never returned.

const attachmentProperties = {
  media_keys: Type.Array(Type.String()),
  card_uri: nullable(cardUri('The card that it shows.')),
}

/** The members that both kinds show. */
export const plannedMembers = {
  id: id('Its id.'),
  name: nullable(postName),
  text: Type.String(),
  user_id: long('Author of the post.'),
  nullcast: Type.Boolean({ description: 'Whether only advertisements show it.' }),
  ...attachmentProperties,
  created_at: instant('When it was created.'),
  updated_at: instant('When it was last updated.'),
}

const nullcast = Type.Optional(
  Type.Boolean({
    default: true,
    description:
      'Whether the post is shown only in advertisements. False is allowed only for posts of the authenticated user.',
  }),
)

/** What is optional may be empty, also in a new one: clients copy one with every member that it has. */
const optional = {
  text: Type.Optional(postText),
  card_uri: Type.Optional(clearable(cardUri('The card that it shows.'))),
  media_keys: Type.Optional(postMedia),
  name: Type.Optional(clearable(postName)),
}

/** The parameters of a new one. */
export const plannedForm = {
  as_user_id: Type.Optional(long('Author of the post: the user that the account belongs to.')),
  ...optional,
  nullcast,
}

/** The parameters of an update. */
export const plannedChange = {
  ...optional,
  nullcast: Type.Optional(
    Type.Boolean({
      description:
        'Whether the post is shown only in advertisements. False is allowed only for posts of the authenticated user.',
    }),
  ),
}

const { id: ownId, user_id, created_at } = plannedMembers

/** Members that an update cannot set. */
export const plannedReadOnly = { id: ownId, user_id, as_user_id: user_id, created_at }

/** Errors that both kinds can have. */
export const PLANNED_CODES: readonly AdsCode[] = [
  'ACTION_NOT_ALLOWED',
  'CARD_NOT_FOUND',
  'INVALID_MEDIA',
  'INVALID_POST',
  'INVALID_USER_ID',
  'MEDIA_NOT_FOUND',
  'POST_CANNOT_BE_BLANK',
]

export interface PlannedForm {
  as_user_id?: string
  text?: string
  card_uri?: string | null
  media_keys?: string[]
  name?: string | null
  nullcast?: boolean
}

/** The members of a row that both kinds show. */
export const shownPlanned = (row: DraftPostRow) => ({
  id: row.id,
  name: row.name,
  text: row.text,
  user_id: row.user_id,
  nullcast: row.nullcast === 1,
  media_keys: JSON.parse(row.media_keys) as string[],
  card_uri: row.card_uri,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** A new one, if its post could be published now. */
export async function newPlanned(form: PlannedForm, work: WriteContext): Promise<DraftPostRow> {
  const { scope, context, now } = work
  const userId = form.as_user_id ?? (await defaultAuthor(work))
  if (userId === undefined) throw adsApiError(noAuthor(scope.accountId))
  const input = { text: '', nullcast: true, name: null, ...form, userId }
  return {
    account_id: scope.accountId,
    id: context.ids.next(),
    ...writerOf(userId, work),
    ...(await columnsOf(input, work)),
    created_at: now,
    updated_at: now,
  }
}

/**
 * Returns a planned post with the parameters of an update and `more`; the same post if nothing
 * changes. The caller becomes its writer, because the permissions of the caller were checked.
 */
export async function changedPlanned<Row extends DraftPostRow>(
  row: Row,
  form: PlannedForm,
  work: WriteContext,
  more: Partial<Row> = {},
): Promise<Row> {
  const former = inputOf(row)
  const input = { ...former, ...form }
  const changed: Row = { ...row, ...(await columnsOf(input, work, former)), ...more }
  if (JSON.stringify(changed) === JSON.stringify(row)) return row
  return { ...changed, ...writerOf(row.user_id, work), updated_at: work.now }
}

/** The media of a planned post are kept as long as it is planned. */
export const usePlannedMedia = (
  table: 'draft_posts' | 'scheduled_posts',
  { id, media_keys }: DraftPostRow,
  work: WriteContext,
): Promise<void> => useByKeys({ table, id }, JSON.parse(media_keys), work, () => 'media_keys')

/** The app through which a post was written, and the user who wrote it if that was not the author. */
const writerOf = (authorId: string, { caller }: WriteContext) => ({
  app_id: caller.app.id,
  contributor_id: caller.userId === authorId ? null : caller.userId,
})

/** The requested content of a planned post. */
export const inputOf = (row: DraftPostRow): AccountPostInput => ({
  userId: row.user_id,
  text: row.text,
  nullcast: row.nullcast === 1,
  name: row.name,
  card_uri: row.card_uri,
  media_keys: JSON.parse(row.media_keys),
})

/** The columns of the requested content, if it is valid. New media are added to the library. */
async function columnsOf(input: AccountPostInput, work: WriteContext, existing?: AttachmentKeys) {
  const { checked, errors } = await checkPost(input, work, existing)
  throwErrors(errors)
  await takeMedia(checked.newMedia, work)
  return {
    user_id: input.userId,
    name: input.name,
    name_key: input.name === null ? null : nameKey(input.name),
    text: checked.text,
    card_uri: input.card_uri ?? null,
    media_keys: JSON.stringify(input.media_keys ?? []),
    nullcast: Number(input.nullcast),
  }
}

const noAuthor = (accountId: string) =>
  wrongParameter('as_user_id', msg`Account ${accountId} belongs to no user`, 'INVALID_USER_ID')

const PAGE = 100
const MAX_PAGE = 200

/** The parameters of a list. */
export const plannedQuery = {
  ...paging(MAX_PAGE, PAGE),
  user_id: Type.Optional(long('Author; the user that the account belongs to by default.')),
}

interface PageArgs {
  account: string
  user: string
  after: string
  limit: number
}

/** A page of a user's planned posts, oldest first. */
export async function plannedPage<Row extends DraftPostRow>(
  { name, query }: { name: string; query: Query<PageArgs, Row> },
  page: { count?: number; cursor?: string; user_id?: string },
  { accountId }: AccountScope,
  { store, sealer }: Pick<AdsDependencies, 'store' | 'sealer'>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const { count = PAGE, cursor, user_id } = page
  const promotable = await store.all(promotableUsersOf, { account: accountId })
  const user = user_id ?? promotable.find((row) => row.promotable_user_type === 'FULL')?.user_id
  if (user_id !== undefined && !promotable.some((row) => row.user_id === user_id))
    throw adsApiError(
      wrongParameter(
        'user_id',
        msg`User ${user_id} cannot be promoted by Account ${accountId}`,
        'INVALID_USER_ID',
      ),
    )
  if (user === undefined) return { rows: [], next_cursor: null }
  const list = JSON.stringify([name, accountId, user])
  const [after = FIRST_ID] = cursor === undefined ? [] : positionOf(sealer, list, cursor, 1)
  const rows = await store.all(query, { account: accountId, user, after: String(after), limit: count + 1 })
  const last = cutToPage(rows, count)
  return { rows, next_cursor: last ? cursorOf(sealer, list, [last.id]) : null }
}
