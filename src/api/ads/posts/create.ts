import { type Static, type TObject, Type } from 'typebox'
import { classicPosts } from '../../../domain/posts/classic.ts'
import { countedFor, notCounted } from '../../../domain/posts/daily.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import type { DayCount } from '../../../platform/http/day-limits.ts'
import { choice, clearable, flag, long, text, webAddress } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { cardUri } from '../cards/card-fields.ts'
import { adsEndpoint } from '../endpoint.ts'
import type { WriteContext } from '../entity/types.ts'
import { throwErrors } from '../entity/write.ts'
import { MAX_BYTES, postMedia, postName, postText } from './fields.ts'
import { CONVERSATION_SETTINGS, NewPost, replySettingsOf } from './post.ts'
import { checkPost, isError, mayWriteAs, publishChecked } from './publish.ts'

const parameters = {
  as_user_id: long('Author of the post: the user that the account belongs to.'),
  text: Type.Optional(postText),
  card_uri: Type.Optional(clearable(cardUri('The card that it shows.'))),
  conversation_settings: Type.Optional(
    choice(
      [...CONVERSATION_SETTINGS],
      'Who may reply to the post. The response does not include this value.',
      'NewConversationSettings',
    ),
  ),
  dynamic_product_ad: flag('Whether its card shows products of the set of a line item.'),
  media_keys: Type.Optional(postMedia),
  name: Type.Optional(clearable(postName)),
  nullcast: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Whether the post is shown only in advertisements. False is allowed only for posts of the authenticated user.',
    }),
  ),
  trim_user: flag('Whether to return only the ids of the user.'),
  post_mode: Type.Optional(choice(['compat', 'extended'], 'Format of the reply; `compat` by default.')),
  video_cta: Type.Optional(clearable(choice(['VISIT_SITE', 'WATCH_NOW'], 'Call to action of the video.'))),
  video_cta_value: Type.Optional(clearable(webAddress('URL of the call to action.'))),
  video_description: Type.Optional(clearable(text(1, 200, 'Text of the video.'))),
  video_title: Type.Optional(clearable(text(1, 70, 'Text of the video.'))),
}

type CreatePostInput = Static<TObject<typeof parameters>>

export const createAccountPost = adsEndpoint({
  id: 'createAccountPost',
  method: 'POST',
  path: '/accounts/{account_id}/post',
  summary: 'Create a post',
  description:
    'Publishes a post of the user that the account belongs to. The post is shown only in advertisements unless `nullcast` is false. Publishing for another user requires the role `POST_COMPOSER`. The media of the post are added to the library. A post counts towards the limits of `POST /2/posts` in 24 hours: those of its author and of the app.',
  source: 'Creatives',
  right: 'creatives',
  form: parameters,
  // Interface, `conversation_settings`.
  echo: { parameters: { conversation_settings: 'omitted' } },
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
    'POST_RATE_LIMIT_EXCEEDED',
  ],
  data: NewPost,
  async handle({ scope, principal, form }, context) {
    const { store, clock, countPost } = context
    const author = form.as_user_id
    const post = { authorId: author, appId: principal.app.id }
    // Others must not use up the posts of an author, nor learn how many are left.
    const isAuthor = await mayWriteAs(author, { reads: store, scope, caller: principal })
    return countedFor(post, isAuthor ? countPost : notCounted, async (day) => {
      const row = await store.write((tx) =>
        publish(form, day, { tx, scope, caller: principal, context, now: clock.now() }),
      )
      const shape = { mode: form.post_mode ?? 'compat', trimUser: form.trim_user === true }
      const [shown] = await classicPosts([row], shape, context)
      if (!shown) throw new Error('a post that was made is not shown')
      return { data: { ...shown, name: form.name ?? null }, headers: day.headers }
    })
  },
})

/** Publishes a post, or throws all of its errors. */
async function publish(input: CreatePostInput, day: DayCount, work: WriteContext): Promise<PostRow> {
  const { as_user_id: userId, text: words = '', name = null, nullcast, ...attachments } = input
  const post = { ...attachments, userId, text: words, name, nullcast: nullcast !== false }
  const { checked, errors } = await checkPost(post, work)
  throwErrors(errors)
  const replySettings = replySettingsOf(input.conversation_settings ?? 'EVERYONE')
  const made = await publishChecked(checked, { replySettings, day }, work)
  if (isError(made)) throw adsApiError(made)
  return made
}
