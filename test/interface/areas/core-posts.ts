import type { Area } from '../support/exchange.ts'
import { id64, integer, keep, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const post = { id: '{core_post}', text: 'to everyone, {run}', edit_history_post_ids: ['{core_post}'] }
const author = { id: '{advertiser}', name: 'Demo Advertiser', username: 'advertiser' }

/** What a successful reply reports about a post that does not exist. */
const missing = (parameter: string, value = '456') => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find post with ${parameter}: [${value}].`,
  value,
  parameter,
  resource_id: value,
  resource_type: 'post',
})

/** What a successful reply reports about a post that the caller may not see. */
const unseen = (parameter: string) => ({
  title: 'Authorization Error',
  type: '{problem_base}/2/problems/not-authorized-for-resource',
  detail: `Sorry, you are not authorized to see the Post with ${parameter}: [{guarded_post}].`,
  value: '{guarded_post}',
  parameter,
  resource_id: '{guarded_post}',
  resource_type: 'post',
  section: 'data',
})

const REACH = [
  ...['impression_count', 'like_count', 'reply_count', 'repost_count'],
  ...['url_link_clicks', 'user_profile_clicks'],
]
const FIELDS =
  'article,article_title,attachments,author_id,card_uri,community_id,context_annotations,conversation_id,created_at,display_text_range,edit_controls,edit_history_post_ids,entities,geo,id,in_reply_to_user_id,lang,matched_media_notes,media_metadata,non_public_metrics,note_post,note_request_suggestions,organic_metrics,paid_partnership,possibly_sensitive,promoted_metrics,public_metrics,referenced_posts,reply_settings,scopes,source,suggested_source_links,suggested_source_links_with_counts,text,withheld'

const everything = {
  ...post,
  author_id: '{advertiser}',
  conversation_id: '{core_post}',
  created_at: objectTime,
  display_text_range: [0, 21],
  edit_controls: { edits_remaining: 5, is_edit_eligible: true, editable_until: objectTime },
  lang: 'en',
  paid_partnership: false,
  possibly_sensitive: false,
  public_metrics: {
    repost_count: 0,
    reply_count: 0,
    like_count: 0,
    quote_count: 0,
    bookmark_count: 0,
    impression_count: integer,
  },
  reply_settings: 'everyone',
  source: 'Demo app',
}

const POLL = { options: ['a', 'b'], duration_minutes: 5 }

/** A member of a metric that only the author may read. */
const hidden = (field: string) => ({
  title: 'Field Authorization Error',
  type: '{problem_base}/2/problems/not-authorized-for-field',
  detail: `Sorry, you are not authorized to access '${field}' on the Post with id: [{core_post}].`,
  field,
  resource_id: '{core_post}',
  resource_type: 'post',
  section: 'data',
})

/** Sources: core reference, 00 sections 3.3, 5.2 and 6; 04 section 1.4. */
export const corePosts: Area = {
  name: 'posts of the core API',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'a user publishes a post',
      send: 'POST /2/posts',
      as: 'advertiser',
      json: { text: 'to everyone, {run}' },
      status: 201,
      reply: {
        data: { ...post, id: keep('core_post', id64), edit_history_post_ids: [id64] },
      },
      limit: 100,
    },
    {
      it: 'a post has its id, text and versions',
      send: 'GET /2/posts/{core_post}',
      status: 200,
      reply: { data: post },
      limit: 450,
    },
    {
      it: 'a user has limits of its own',
      send: 'GET /2/posts/{core_post}',
      as: 'user',
      status: 200,
      reply: { data: post },
      limit: 900,
    },
    {
      it: 'a post for followers',
      send: 'POST /2/posts',
      as: 'guarded user',
      json: { text: 'to followers, {run}' },
      status: 201,
      reply: {
        data: {
          id: keep('guarded_post', id64),
          text: 'to followers, {run}',
          edit_history_post_ids: [id64],
        },
      },
    },
    {
      it: 'is shown to nobody else',
      needs: 'a command',
      send: 'GET /2/posts/{guarded_post}',
      status: 200,
      reply: { errors: [unseen('id')] },
    },
    {
      it: 'nor among others',
      needs: 'a command',
      send: 'GET /2/posts',
      query: { ids: '{core_post},{guarded_post}' },
      as: 'user',
      status: 200,
      reply: { data: [post], errors: [unseen('ids')] },
    },
    {
      it: 'every field may be requested, and what there is not is left out',
      send: 'GET /2/posts/{core_post}',
      query: { 'post.fields': FIELDS },
      status: 200,
      reply: {
        data: everything,
        errors: [
          ...['impression_count', 'url_link_clicks', 'user_profile_clicks', 'engagements'].map((member) =>
            hidden(`non_public_metrics.${member}`),
          ),
          ...REACH.map((member) => hidden(`organic_metrics.${member}`)),
          ...REACH.map((member) => hidden(`promoted_metrics.${member}`)),
        ],
      },
    },
    {
      it: 'an expansion adds the object and the field that refers to it',
      send: 'GET /2/posts/{core_post}',
      query: { expansions: 'author_id', 'user.fields': 'verified' },
      status: 200,
      reply: {
        data: { ...post, author_id: '{advertiser}' },
        includes: { users: [{ ...author, verified: false }] },
      },
    },
    {
      it: 'a post that there is not',
      send: 'GET /2/posts/456',
      status: 200,
      reply: { errors: [missing('id')] },
    },
    {
      it: 'an id that is none',
      send: 'GET /2/posts/abc',
      status: 400,
      reply: problem.invalidRequest([{ id: ['abc'] }, 'The `id` path parameter value [abc] is not valid']),
    },
    {
      it: 'posts by their ids, and those that there are not',
      send: 'GET /2/posts',
      query: { ids: '456,{core_post}' },
      status: 200,
      reply: { data: [post], errors: [missing('ids')] },
      limit: 3500,
    },
    {
      it: 'ids of nothing that there is',
      send: 'GET /2/posts',
      query: { ids: '456,457' },
      as: 'user',
      status: 200,
      reply: { errors: [missing('ids'), missing('ids', '457')] },
      limit: 5000,
    },
    {
      it: 'ids are needed',
      send: 'GET /2/posts',
      status: 400,
      reply: problem.invalidRequest([{ ids: [] }, 'The `ids` query parameter can not be empty']),
    },
    {
      it: 'a field that there is not',
      send: 'GET /2/posts/{core_post}',
      query: { 'post.fields': 'foo' },
      status: 400,
      reply: problem.invalidRequest([
        { 'post.fields': ['foo'] },
        `The \`post.fields\` query parameter value [foo] is not one of [${FIELDS}]`,
      ]),
    },
    {
      it: 'no one reads posts without signing in',
      send: 'GET /2/posts/{core_post}',
      as: 'anonymous',
      status: 401,
      reply: problem.unauthorized,
    },
    {
      it: 'nothing to say',
      send: 'POST /2/posts',
      as: 'user',
      json: {},
      status: 400,
      reply: problem.invalidRequest([{ text: [''] }, 'A post needs text or an attachment.']),
    },
    {
      it: 'a text of which nothing can be seen is none',
      send: 'POST /2/posts',
      as: 'user',
      json: { text: ' \u200b\u2060\u3164' },
      status: 400,
      reply: problem.invalidRequest([
        { text: [' \u200b\u2060\u3164'] },
        'A post needs text or an attachment.',
      ]),
    },
    {
      it: 'an answer of a poll of which nothing can be seen',
      send: 'POST /2/posts',
      as: 'user',
      json: { text: 'Well?', poll: { options: ['Yes', '\u200b'], duration_minutes: 5 } },
      status: 400,
      reply: problem.invalidRequest([
        { 'poll.options': ['\u200b'] },
        'Each answer of a poll needs a visible character.',
      ]),
    },
    {
      it: 'a member that there is not',
      send: 'POST /2/posts',
      as: 'user',
      json: { text: 'x', foo: 1 },
      status: 400,
      reply: problem.invalidRequest([
        { foo: ['1'] },
        '$.foo: is not one of [text,card_uri,community_id,share_with_followers,paid_partnership,made_with_ai,direct_message_deep_link,edit_options,for_super_followers_only,geo,media,nullcast,poll,quote_post_id,reply,reply_settings]',
      ]),
    },
    ...[
      {
        it: 'two attachments',
        json: { poll: POLL, quote_post_id: '1' },
        name: 'poll',
        value: JSON.stringify(POLL),
        says: 'You can only provide one of quote_post_id, poll.',
      },
      {
        it: 'media that there is not',
        json: { media: { media_ids: ['1'] } },
        name: 'media.media_ids',
        value: '1',
        says: 'Your media IDs are invalid.',
      },
      {
        it: 'a quote of what there is not',
        json: { quote_post_id: '1' },
        name: 'quote_post_id',
        value: '1',
        says: 'Your quote post ID is invalid.',
      },
      {
        it: 'a reply to what there is not',
        json: { text: 'x', reply: { in_reply_to_post_id: '1' } },
        name: 'reply.in_reply_to_post_id',
        value: '1',
        says: 'Your reply post ID is invalid.',
      },
      {
        it: 'exclude users that there are not',
        json: { text: 'x', reply: { in_reply_to_post_id: '{core_post}', exclude_reply_user_ids: ['1'] } },
        name: 'reply.exclude_reply_user_ids',
        value: '1',
        says: 'Your exclude reply user IDs are invalid.',
      },
    ].map(({ it, json, name, value, says }) => ({
      it,
      send: 'POST /2/posts',
      as: 'user' as const,
      json,
      status: 400,
      reply: problem.invalidRequest([{ [name]: [value] }, says]),
    })),
    {
      it: 'the same text again',
      send: 'POST /2/posts',
      as: 'advertiser',
      json: { text: 'to everyone, {run}' },
      status: 403,
      reply: problem.forbidden('You are not allowed to create a Post with duplicate content.'),
    },
    {
      it: 'an edit without a subscription',
      send: 'POST /2/posts',
      as: 'advertiser',
      json: { text: 'new, {run}', edit_options: { previous_post_id: '{core_post}' } },
      status: 403,
      reply: problem.forbidden('You are not permitted to edit this Post.'),
    },
    {
      it: 'a post is limited to whom it mentions',
      send: 'POST /2/posts',
      as: 'advertiser',
      json: { text: 'for few, {run}', reply_settings: 'mentionedUsers' },
      status: 201,
      reply: {
        data: { id: keep('limited_post', id64), text: 'for few, {run}', edit_history_post_ids: [id64] },
      },
    },
    {
      it: 'a reply of another user',
      send: 'POST /2/posts',
      as: 'user',
      json: { text: 'reply, {run}', reply: { in_reply_to_post_id: '{limited_post}' } },
      status: 403,
      reply: problem.forbidden('The author of the conversation has limited who may reply to this Post.'),
    },
    {
      it: 'an app that may only read',
      send: 'POST /2/posts',
      as: 'reading user',
      json: { text: 'x' },
      status: 403,
      reply: problem.permissions,
    },
    {
      it: 'a bearer writes nothing',
      send: 'POST /2/posts',
      json: { text: 'x' },
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
    },
    {
      it: 'no one deletes the post of another user',
      send: 'DELETE /2/posts/{core_post}',
      as: 'user',
      status: 403,
      reply: problem.forbidden('You are not authorized to delete this Post.'),
    },
    {
      it: 'a post is deleted',
      send: 'DELETE /2/posts/{core_post}',
      as: 'advertiser',
      status: 200,
      reply: { data: { deleted: true } },
      limit: 50,
    },
    {
      it: 'and is gone then',
      send: 'DELETE /2/posts/{core_post}',
      as: 'advertiser',
      status: 200,
      reply: { errors: [missing('id', '{core_post}')] },
    },
    {
      it: 'a reply to what was deleted',
      send: 'POST /2/posts',
      as: 'advertiser',
      json: { text: 'late, {run}', reply: { in_reply_to_post_id: '{core_post}' } },
      status: 403,
      reply: problem.forbidden('You attempted to reply to a Post that is deleted or not visible to you.'),
    },
  ],
}
