import { Type } from 'typebox'
import { countedFor, POSTS_PER_DAY } from '../../../domain/posts/daily.ts'
import { analyseText } from '../../../domain/posts/language.ts'
import { isTooLong, normalised } from '../../../domain/posts/weight.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { CreatePostBody } from './body.ts'
import { endpoint } from './endpoint.ts'
import { publish } from './publish.ts'

/** Room for the longest text with every character escaped. */
const MAX_BODY_BYTES = 512 * 1024

const closed = { additionalProperties: false }

/**
 * POST /2/posts: a post, a reply, a quote or a new version (interface, Other core endpoints; core
 * reference, 04 section 1).
 */
export const createPost = endpoint({
  id: 'createPost',
  host: 'core',
  method: 'POST',
  path: '/2/posts',
  summary: 'Create a post',
  description:
    'Publishes a post of the user. It needs text or an attachment; `card_uri`, `quote_post_id`, `poll`, `media` and `direct_message_deep_link` are mutually exclusive. With `edit_options` it replaces a post, within an hour of the first version; it keeps what the post replies to and quotes, its community, and who may see it and reply. Edits are for users with a subscription.',
  source: 'Other core endpoints named in release notes',
  auth: ['user'],
  scopes: ['post.read', 'post.write', 'users.read'],
  limits: { user: '100/15m', ...POSTS_PER_DAY },
  body: CreatePostBody,
  maxBodyBytes: MAX_BODY_BYTES,
  status: 201,
  reply: Type.Object(
    {
      data: Type.Object(
        { id: id('The post.'), text: Type.String(), edit_history_post_ids: Type.Array(id('A version.')) },
        closed,
      ),
    },
    closed,
  ),
  errors: [
    'duplicate post',
    'edit not allowed',
    'not community member',
    'reply restricted',
    'reply target gone',
  ],
  example: {
    body: { text: 'Hello' },
    reply: {
      data: { id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] },
    },
  },
  async handle({ principal, body }, dependencies) {
    const { clock, dictionary, ids, store, countPost } = dependencies
    const post = { authorId: principal.userId, appId: principal.app.id }
    const text = normalised(body.text ?? '')
    const analysis = isTooLong(text) ? undefined : await analyseText(text, dictionary)
    return countedFor(post, countPost, async (day) => {
      const { row, versions } = await store.write((tx) =>
        publish(body, { tx, caller: principal, clock, dictionary, ids, day, analysis }),
      )
      const data = { id: row.id, text: row.text, edit_history_post_ids: versions }
      return json({ data }, undefined, day.headers)
    })
  },
})
