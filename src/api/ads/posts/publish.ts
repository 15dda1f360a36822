import type { MediaRow } from '../../../domain/media/tables.ts'
import { showInPost } from '../../../domain/media/uses.ts'
import { insertPost, isDuplicate, type ReplySettings } from '../../../domain/posts/insert.ts'
import { addPostVideo } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { MAX_WEIGHT, normalised, textFault } from '../../../domain/posts/weight.ts'
import { lockAuthor } from '../../../identity/users/queries.ts'
import type { DayCount } from '../../../platform/http/day-limits.ts'
import { type Message, msg } from '../../../platform/http/message.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { WriteContext } from '../entity/types.ts'
import { fullUser, promotableUser } from '../line-items/queries.ts'
import { nameKey } from '../name-key.ts'
import { type AttachmentKeys, type Attachments, readAttachments, takeMedia } from './attachments.ts'
import { putPostName } from './queries.ts'

/** A post as described by a caller, to be published now, later, or not yet. */
export interface AccountPostInput extends Attachments {
  /** The author. */
  userId: string
  text: string
  nullcast: boolean
  name: string | null
}

/** A valid post. */
export interface CheckedPost {
  input: AccountPostInput
  text: string
  media: MediaRow[]
  /** The media that are added to the library. */
  newMedia: MediaRow[]
}

/**
 * Checks a post: returns all of its errors, or the valid post. Locks its author.
 * @param existing The attachments that a planned post already has.
 */
export async function checkPost(
  input: AccountPostInput,
  work: WriteContext,
  existing?: AttachmentKeys,
): Promise<{ checked: CheckedPost; errors: AdsError[] }> {
  const text = normalised(input.text)
  const author = await wrongAuthor(input, work)
  const { errors, ...attached } = await readAttachments(input, work, existing)
  const carries = (input.media_keys ?? []).length > 0
  return {
    checked: { input, text, ...attached },
    errors: [...author, ...wrongText(text, carries), ...errors],
  }
}

/** The user that an account belongs to, who is the default author. */
export async function defaultAuthor({
  tx,
  scope,
}: Pick<WriteContext, 'tx' | 'scope'>): Promise<string | undefined> {
  return (await tx.first(fullUser, { account: scope.accountId }))?.user_id
}

/** Whether the caller may write in the name of the user at all. */
export async function mayWriteAs(
  userId: string,
  { reads, scope, caller }: Pick<WriteContext, 'scope' | 'caller'> & { reads: Pick<Transaction, 'first'> },
): Promise<boolean> {
  if (caller.userId !== userId && !scope.roles.includes('POST_COMPOSER')) return false
  const promotable = await reads.first(promotableUser, { account: scope.accountId, userId })
  return promotable?.promotable_user_type === 'FULL'
}

/** Whether the caller may write this post in the name of the user. Locks the author. */
async function wrongAuthor(
  { userId, nullcast }: Pick<AccountPostInput, 'userId' | 'nullcast'>,
  { tx, scope, caller }: WriteContext,
): Promise<AdsError[]> {
  const notAllowed = (parameter: string, message: Message) =>
    wrongParameter(parameter, message, 'ACTION_NOT_ALLOWED')
  const promotable = await tx.first(promotableUser, { account: scope.accountId, userId })
  const author = await tx.first(lockAuthor, { id: userId })
  if (!author || promotable?.promotable_user_type !== 'FULL')
    return [
      wrongParameter(
        'as_user_id',
        msg`Account ${scope.accountId} does not belong to User ${userId}`,
        'INVALID_USER_ID',
      ),
    ]
  if (author.suspended === 1) return [notAllowed('as_user_id', msg`User ${userId} is suspended`)]
  if (caller.userId === userId) return []
  return [
    ...(scope.roles.includes('POST_COMPOSER')
      ? []
      : [notAllowed('as_user_id', msg`Posts on behalf of another user need the role POST_COMPOSER`)]),
    ...(nullcast
      ? []
      : [notAllowed('nullcast', msg`Only the authenticated user may have a post with nullcast false`)]),
  ]
}

function wrongText(words: string, carriesMedia: boolean): AdsError[] {
  const fault = textFault(words)
  switch (fault) {
    case 'blank':
      return carriesMedia
        ? []
        : [wrongParameter('text', msg`A post needs text or media`, 'POST_CANNOT_BE_BLANK')]
    case 'unreadable':
      return [wrongParameter('text', msg`The text contains invalid characters`, 'INVALID_POST')]
    case 'too long':
      return [wrongParameter('text', msg`The text weighs more than ${MAX_WEIGHT}`, 'INVALID_POST')]
    default:
      return []
  }
}

const duplicate = (): AdsError =>
  wrongParameter('text', msg`The user has published the same text within the last 24 hours`, 'DUPLICATE_POST')

const TOO_MANY: AdsError = {
  code: 'POST_RATE_LIMIT_EXCEEDED',
  message: msg`The user has published as many posts as a user may in 24 hours`,
}

/** What publishing needs besides a valid post. */
interface PublishOptions {
  replySettings: ReplySettings
  /** The posts of the day, with this one. */
  day: DayCount
}

/**
 * Publishes a valid post, or returns an error for a duplicate of the author. Throws
 * `POST_RATE_LIMIT_EXCEEDED` when the author, or the app, has published as many as it may in a day.
 */
export async function publishChecked(
  { input, text, media, newMedia }: CheckedPost,
  { replySettings, day }: PublishOptions,
  work: WriteContext,
): Promise<PostRow | AdsError> {
  const { tx, scope, caller, context } = work
  const post = {
    environment: scope.account.environment,
    authorId: input.userId,
    text,
    nullcast: input.nullcast,
    replySettings,
    appId: caller.app.id,
    contributorId: caller.userId === input.userId ? null : caller.userId,
    mediaKeys: media.map((medium) => medium.media_key),
    cardUri: input.card_uri ?? null,
  }
  if (await isDuplicate(tx, post, context)) return duplicate()
  if (!day.allowed) throw new AdsApiError({ errors: [TOO_MANY], headers: day.headers })
  const row = await insertPost(tx, post, context)
  await takeMedia(newMedia, work)
  await showInPost(tx, row, media)
  await addVideoDetails(row.id, input, work)
  if (input.name !== null)
    await tx.run(putPostName, {
      account_id: scope.accountId,
      post_id: row.id,
      author_id: row.author_id,
      name: input.name,
      name_key: nameKey(input.name),
    })
  return row
}

async function addVideoDetails(
  postId: string,
  attachments: Attachments,
  { tx }: WriteContext,
): Promise<void> {
  const { video_title: title = null, video_description: description = null } = attachments
  const { video_cta: cta = null, video_cta_value: value } = attachments
  if ([title, description, cta].every((text) => text === null)) return
  await tx.run(addPostVideo, {
    post_id: postId,
    title,
    description,
    embeddable: null,
    call_to_actions: cta === null ? null : JSON.stringify({ [cta.toLowerCase()]: { url: value } }),
  })
}

export const isError = (result: PostRow | AdsError): result is AdsError => 'code' in result
