import type { Static, TObject } from 'typebox'
import { Type } from 'typebox'
import { classicPosts } from '../../core/posts/classic.ts'
import { insertPost, isDuplicate } from '../../core/posts/insert.ts'
import { lockAuthor } from '../../core/posts/queries.ts'
import { MAX_LENGTH, MAX_WEIGHT, normalised, textFault } from '../../core/posts/weight.ts'
import type { AdsError } from '../../kit/ads-codes.ts'
import { wrongParameter } from '../../kit/ads-codes.ts'
import { Refusal, refuseAds } from '../../kit/errors.ts'
import { Written } from '../../kit/reply.ts'
import { choice, long, text } from '../../kit/schema.ts'
import type { Vocabulary } from '../../kit/vocabulary.ts'
import type { PostRow } from '../../store/tables.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import type { Work } from '../entity/entity.ts'
import { promotableUser } from '../line-items/queries.ts'
import { nameKey } from '../name-key.ts'
import { wrongAttachments } from './attachments.ts'
import { CONVERSATION_SETTINGS, NewPost, postName, replySettingsOf } from './post.ts'
import { putPostName } from './queries.ts'

/** Room for the longest text of characters that take twelve bytes each. */
const MAX_BYTES = 512 * 1024

const parameters = {
  as_user_id: long('Whose post it is: the user that the account belongs to.'),
  text: Type.Optional(
    Type.String({ maxLength: MAX_LENGTH, description: `Weighs up to ${MAX_WEIGHT}. Needed without media.` }),
  ),
  card_uri: Type.Optional(
    Type.String({ pattern: '^card://[0-9]{1,19}$', description: 'The card that it shows.' }),
  ),
  conversation_settings: Type.Optional(
    choice([...CONVERSATION_SETTINGS], 'Who may reply. No reply to this call repeats it.'),
  ),
  media_keys: Type.Optional(
    Type.Array(Type.String({ pattern: '^(3|7|13|16)_[0-9]{1,19}$' }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Up to 4 images, or 1 GIF, or 1 video.',
    }),
  ),
  name: Type.Optional(postName),
  nullcast: Type.Optional(
    Type.Boolean({ default: true, description: 'False only for the authenticated user.' }),
  ),
  trim_user: Type.Optional(Type.Boolean({ default: false, description: 'Only the ids of the user.' })),
  post_mode: Type.Optional(choice(['compat', 'extended'], '`compat` unless sent.')),
  video_cta: Type.Optional(choice(['VISIT_SITE', 'WATCH_NOW'], 'What a video calls to.')),
  video_cta_value: Type.Optional(text(1, 2048, 'The address that it calls to.')),
  video_description: Type.Optional(text(1, 200, 'Of the video.')),
  video_title: Type.Optional(text(1, 70, 'Of the video.')),
}

type Given = Static<TObject<typeof parameters>>

export const createAccountPost = adsEndpoint({
  id: 'createAccountPost',
  method: 'POST',
  path: '/accounts/{account_id}/post',
  summary: 'Create a post',
  description:
    'Publishes a post of the user that the account belongs to, for advertisements only unless `nullcast` is false. In the name of another user it needs the role `POST_COMPOSER`.',
  source: 'Creatives',
  right: 'creatives',
  limits: LIMITS.write,
  form: parameters,
  maxBodyBytes: MAX_BYTES,
  status: 201,
  codes: [
    'ACTION_NOT_ALLOWED',
    'CARD_NOT_FOUND',
    'DUPLICATE_POST',
    'INCLUSIVE_PARAMETERS',
    'INVALID_MEDIA',
    'INVALID_POST',
    'INVALID_USER_ID',
    'MEDIA_NOT_FOUND',
    'POST_CANNOT_BE_BLANK',
  ],
  data: NewPost,
  async handle({ scope, principal, form, echo }, context) {
    const row = await context.store.write((tx) =>
      publish(form, { tx, scope, caller: principal, context, now: context.clock.now() }),
    )
    const shape = { mode: form.post_mode ?? 'compat', trimUser: form.trim_user === true }
    const [shown] = await classicPosts([row], shape, context.store)
    if (!shown) throw new Error('a post that was made is not shown')
    return {
      data: { ...shown, name: form.name ?? null },
      request: requestOf(echo, context.speech.vocabulary),
    }
  },
})

/** Publishes a post, or tells everything that is wrong with it. */
async function publish(given: Given, work: Work): Promise<PostRow> {
  const { tx, scope, caller, context } = work
  const words = normalised(given.text ?? '')
  const errors = [...(await wrongAuthor(given, work)), ...wrongText(words, given), ...wrongAttachments(given)]
  if (errors.length > 0) throw new Refusal('bad request', { errors })
  const post = {
    environment: scope.account.environment,
    authorId: given.as_user_id,
    text: words,
    nullcast: given.nullcast !== false,
    replySettings: replySettingsOf(given.conversation_settings ?? 'EVERYONE'),
    appId: caller.app.id,
    contributorId: caller.userId === given.as_user_id ? null : caller.userId,
  }
  if (await isDuplicate(tx, post, context))
    throw refuseAds(wrongParameter('text', 'The user said the same a short while ago', 'DUPLICATE_POST'))
  const row = await insertPost(tx, post, context)
  if (given.name !== undefined)
    await tx.run(putPostName, {
      account_id: scope.accountId,
      post_id: row.id,
      author_id: row.author_id,
      name: given.name,
      name_key: nameKey(given.name),
    })
  return row
}

/** Whether this caller may write in the name of this user. Keeps the author to the transaction. */
async function wrongAuthor(
  { as_user_id: userId, nullcast }: Given,
  { tx, scope, caller }: Work,
): Promise<AdsError[]> {
  const notAllowed = (parameter: string, message: string) =>
    wrongParameter(parameter, message, 'ACTION_NOT_ALLOWED')
  const promotable = await tx.first(promotableUser, { account: scope.accountId, userId })
  if (promotable?.promotable_user_type !== 'FULL')
    return [
      wrongParameter(
        'as_user_id',
        `Account ${scope.accountId} does not belong to User ${userId}`,
        'INVALID_USER_ID',
      ),
    ]
  const author = await tx.first(lockAuthor, { id: userId })
  if (author?.suspended === 1) return [notAllowed('as_user_id', `User ${userId} is suspended`)]
  if (caller.userId === userId) return []
  return [
    ...(scope.roles.includes('POST_COMPOSER')
      ? []
      : [notAllowed('as_user_id', 'Posts in the name of another user need the role POST_COMPOSER')]),
    ...(nullcast === false
      ? [notAllowed('nullcast', 'Only the authenticated user may have a post with nullcast false')]
      : []),
  ]
}

function wrongText(words: string, { media_keys }: Given): AdsError[] {
  const fault = textFault(words)
  switch (fault) {
    case 'blank':
      return media_keys ? [] : [wrongParameter('text', 'A post needs text or media', 'POST_CANNOT_BE_BLANK')]
    case 'unreadable':
      return [wrongParameter('text', 'The text has characters that cannot be shown', 'INVALID_POST')]
    case 'too long':
      return [wrongParameter('text', `The text weighs more than ${MAX_WEIGHT}`, 'INVALID_POST')]
    default:
      return []
  }
}

/** How the call was understood, without what its reply does not repeat (interface, `conversation_settings`). */
function requestOf(echo: string, vocabulary: Vocabulary): Written {
  const { [vocabulary.name('conversation_settings')]: _, ...params } = JSON.parse(echo)
  return new Written(JSON.stringify({ params }))
}
