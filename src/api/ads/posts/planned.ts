import { msg } from '../../../platform/http/message.ts'
import { long } from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsDependencies } from '../dependencies.ts'
import type { EntityItem } from '../entity/fields.ts'
import type { EntityDeclaration, ListValues, Update, WriteContext } from '../entity/types.ts'
import { throwErrors } from '../entity/write.ts'
import { useByKeys } from '../media/uses.ts'
import type { AccountScope } from '../scope.ts'
import { takeMedia } from './attachments.ts'
import { type draftFields, MAX_BYTES } from './fields.ts'
import { type AccountPostInput, checkPost, defaultAuthor } from './publish.ts'
import { promotableUsers } from './selection.ts'

// What drafts and scheduled posts share: they are not published yet, and could be.

const PAGE = 100
const MAX_PAGE = 200

/** The parts of their declarations that are equal. */
export const plannedEntity = {
  ids: 'decimal',
  removed: true,
  notFound: 'NOT_FOUND',
  right: 'creatives',
  maxBodyBytes: MAX_BYTES,
  paging: [MAX_PAGE, PAGE],
  list: { codes: ['INVALID_USER_ID'], narrow: byAuthor },
  nameKey: true,
} as const satisfies Partial<EntityDeclaration<Record<never, never>>>

export const authorFilter = {
  user_id: {
    column: 'user_id',
    schema: long('Author; the user that the account belongs to by default.'),
  },
} as const

/** Errors that both kinds can have. */
export const PLANNED_CODES = [
  'ACTION_NOT_ALLOWED',
  'CARD_NOT_FOUND',
  'INVALID_MEDIA',
  'INVALID_POST',
  'INVALID_USER_ID',
  'MEDIA_NOT_FOUND',
  'POST_CANNOT_BE_BLANK',
] as const

type PlannedFields = Omit<typeof draftFields, 'status'>
export type PlannedPost = EntityItem<PlannedFields>

type NewPlannedInput = Partial<
  Pick<PlannedPost, 'as_user_id' | 'name' | 'text' | 'nullcast' | 'media_keys' | 'card_uri'>
>

/** A new one, if its post could be published now. */
export async function newPlanned({ as_user_id, ...sent }: NewPlannedInput, work: WriteContext) {
  const user_id = as_user_id ?? (await defaultAuthor(work))
  if (user_id === undefined)
    throw rejected('as_user_id', msg`Account ${work.scope.accountId} belongs to no user`, 'INVALID_USER_ID')
  const made = { text: '', nullcast: true, name: null, media_keys: [], card_uri: null, ...sent, user_id }
  return { ...made, text: await publishableText(made, work), ...writerOf(user_id, work) }
}

/**
 * What changes with a planned post. The caller becomes its writer if anything does, because the
 * permissions of the caller were checked.
 */
export async function changedPlanned(
  item: PlannedPost,
  change: Pick<Update<PlannedFields>, 'before' | keyof WriteContext>,
  more: object = {},
) {
  const { before } = change
  const changed = { ...more, text: await publishableText(item, change, before) }
  const isSame = JSON.stringify({ ...item, ...changed }) === JSON.stringify(before)
  return isSame ? changed : { ...changed, ...writerOf(before.user_id, change) }
}

type Content = Pick<PlannedPost, 'user_id' | 'text' | 'nullcast' | 'name' | 'card_uri' | 'media_keys'>

/** The requested content of a planned post. */
export const inputOf = ({ user_id: userId, text, nullcast, name, card_uri, media_keys }: Content) =>
  ({ userId, text, nullcast, name, card_uri, media_keys }) satisfies AccountPostInput

/** The text as it is published, if the post is valid. New media are added to the library. */
async function publishableText(content: Content, work: WriteContext, existing?: PlannedPost) {
  const { checked, errors } = await checkPost(inputOf(content), work, existing)
  throwErrors(errors)
  await takeMedia(checked.newMedia, work)
  return checked.text
}

/**
 * The app through which a post was written, and the user who wrote it if that was not the author.
 */
const writerOf = (authorId: string, { caller }: WriteContext) => ({
  app_id: caller.app.id,
  contributor_id: caller.userId === authorId ? null : caller.userId,
})

/** The media of a planned post are kept as long as it is planned. */
export const usePlannedMedia = (
  table: string,
  { id, media_keys }: PlannedPost,
  work: WriteContext,
): Promise<void> => useByKeys({ table, id }, media_keys, work, () => 'media_keys')

/**
 * Lists are those of one author: the user that the account belongs to, unless the caller names
 * another.
 */
async function byAuthor(
  query: ListValues,
  { scope: { accountId }, context: { store } }: { scope: AccountScope; context: AdsDependencies },
): Promise<ListValues | undefined> {
  const { user_id } = query as { user_id?: string }
  const promotable = await promotableUsers(user_id, accountId, store)
  if (user_id !== undefined) return query
  const full = promotable.find((row) => row.promotable_user_type === 'FULL')
  return full && { ...query, user_id: full.user_id }
}
