import type { MediaRow } from '../../../domain/media/tables.ts'
import { showInPost } from '../../../domain/media/uses.ts'
import type { ReplySettings } from '../../../domain/posts/insert.ts'
import { insertPost, isDuplicate } from '../../../domain/posts/insert.ts'
import { addPostVideo } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { MAX_WEIGHT, normalised, textFault } from '../../../domain/posts/weight.ts'
import { lockAuthor } from '../../../identity/users/queries.ts'
import type { DayCount } from '../../../platform/http/day-limits.ts'
import type { Message } from '../../../platform/http/message.ts'
import { msg } from '../../../platform/http/message.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Work } from '../entity/types.ts'
import { fullUser, promotableUser } from '../line-items/queries.ts'
import { nameKey } from '../name-key.ts'
import type { Attachments, Carried } from './attachments.ts'
import { readAttachments, takeMedia } from './attachments.ts'
import { putPostName } from './queries.ts'

/** A post as described by a caller, to be published now, later, or not yet. */
export interface Wanted extends Attachments {
  /** The author. */
  userId: string
  text: string
  nullcast: boolean
  name: string | null
}

/** A valid post. */
export interface Good {
  wanted: Wanted
  text: string
  media: MediaRow[]
  /** The media that are added to the library. */
  newMedia: MediaRow[]
}

/**
 * All errors of a post, or the valid post. Locks its author. `carried`: the existing attachments of a planned post.
 */
export async function examine(
  wanted: Wanted,
  work: Work,
  carried?: Carried,
): Promise<{ good: Good; errors: AdsError[] }> {
  const text = normalised(wanted.text)
  const author = await wrongAuthor(wanted, work)
  const { errors, ...attached } = await readAttachments(wanted, work, carried)
  const carries = (wanted.media_keys ?? []).length > 0
  return { good: { wanted, text, ...attached }, errors: [...author, ...wrongText(text, carries), ...errors] }
}

/** The user that an account belongs to, who is the default author. */
export async function defaultAuthor({ tx, scope }: Pick<Work, 'tx' | 'scope'>): Promise<string | undefined> {
  return (await tx.first(fullUser, { account: scope.accountId }))?.user_id
}

/** Whether the caller may write in the name of the user at all. */
export async function mayWriteAs(
  userId: string,
  { reads, scope, caller }: Pick<Work, 'scope' | 'caller'> & { reads: Pick<Transaction, 'first'> },
): Promise<boolean> {
  if (caller.userId !== userId && !scope.roles.includes('POST_COMPOSER')) return false
  const promotable = await reads.first(promotableUser, { account: scope.accountId, userId })
  return promotable?.promotable_user_type === 'FULL'
}

/** Whether the caller may write this post in the name of the user. Locks the author. */
async function wrongAuthor(
  { userId, nullcast }: Pick<Wanted, 'userId' | 'nullcast'>,
  { tx, scope, caller }: Work,
): Promise<AdsError[]> {
  const notAllowed = (parameter: string, message: Message) =>
    wrongParameter(parameter, message, 'ACTION_NOT_ALLOWED')
  const promotable = await tx.first(promotableUser, { account: scope.accountId, userId })
  if (promotable?.promotable_user_type !== 'FULL')
    return [
      wrongParameter(
        'as_user_id',
        msg`Account ${scope.accountId} does not belong to User ${userId}`,
        'INVALID_USER_ID',
      ),
    ]
  const author = await tx.first(lockAuthor, { id: userId })
  if (author?.suspended === 1) return [notAllowed('as_user_id', msg`User ${userId} is suspended`)]
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
interface Publishing {
  replySettings: ReplySettings
  /** The posts of the day, with this one. */
  day: DayCount
}

/**
 * Publishes a valid post, or returns an error for a duplicate of the author. Throws `POST_RATE_LIMIT_EXCEEDED` when the
 * author, or the app, has published as many as it may in a day.
 */
export async function publishGood(
  { wanted, text, media, newMedia }: Good,
  { replySettings, day }: Publishing,
  work: Work,
): Promise<PostRow | AdsError> {
  const { tx, scope, caller, context } = work
  const post = {
    environment: scope.account.environment,
    authorId: wanted.userId,
    text,
    nullcast: wanted.nullcast,
    replySettings,
    appId: caller.app.id,
    contributorId: caller.userId === wanted.userId ? null : caller.userId,
    mediaKeys: media.map((one) => one.media_key),
    cardUri: wanted.card_uri ?? null,
  }
  if (await isDuplicate(tx, post, context)) return duplicate()
  if (!day.allowed) throw new AdsApiError({ errors: [TOO_MANY], headers: day.headers })
  const row = await insertPost(tx, post, context)
  await takeMedia(newMedia, work)
  await showInPost(tx, row, media)
  await sayAboutVideo(row.id, wanted, work)
  if (wanted.name !== null)
    await tx.run(putPostName, {
      account_id: scope.accountId,
      post_id: row.id,
      author_id: row.author_id,
      name: wanted.name,
      name_key: nameKey(wanted.name),
    })
  return row
}

async function sayAboutVideo(postId: string, given: Attachments, { tx }: Work): Promise<void> {
  const { video_title: title = null, video_description: description = null } = given
  const { video_cta: cta = null, video_cta_value: value } = given
  if ([title, description, cta].every((one) => one === null)) return
  await tx.run(addPostVideo, {
    post_id: postId,
    title,
    description,
    embeddable: null,
    call_to_actions: cta === null ? null : JSON.stringify({ [cta.toLowerCase()]: { url: value } }),
  })
}

export const isError = (result: PostRow | AdsError): result is AdsError => 'code' in result
