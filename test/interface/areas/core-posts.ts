import assert from 'node:assert/strict'
import type { Area } from '../support/exchange.ts'
import { timeMs } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

const post = { id: '{core_post}', text: 'to everyone, {run}', edit_history_post_ids: ['{core_post}'] }
const author = { id: '{advertiser}', name: 'Demo Advertiser', username: 'advertiser' }

/** What a reply of success reports of a post that there is not. */
const missing = (parameter: string, value = '456') => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find post with ${parameter}: [${value}].`,
  value,
  parameter,
  resource_id: value,
  resource_type: 'post',
})

const FIELDS =
  'article,attachments,author_id,card_uri,community_id,context_annotations,conversation_id,created_at,display_text_range,edit_controls,edit_history_post_ids,entities,geo,id,in_reply_to_user_id,lang,matched_media_notes,media_metadata,non_public_metrics,note_post,note_request_suggestions,organic_metrics,paid_partnership,possibly_sensitive,promoted_metrics,public_metrics,referenced_posts,reply_settings,scopes,source,suggested_source_links,suggested_source_links_with_counts,text,withheld'

const everything = {
  ...post,
  author_id: '{advertiser}',
  conversation_id: '{core_post}',
  created_at: timeMs,
  display_text_range: [0, 21],
  edit_controls: { edits_remaining: 5, is_edit_eligible: true, editable_until: timeMs },
  lang: 'en',
  paid_partnership: false,
  possibly_sensitive: false,
  public_metrics: {
    repost_count: 0,
    reply_count: 0,
    like_count: 0,
    quote_count: 0,
    bookmark_count: 0,
    impression_count: 0,
  },
  reply_settings: 'everyone',
  source: 'Demo app',
}

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
      it: 'the suite has a post that everyone sees',
      needs: 'advertiser',
      async run(world) {
        const reply = await send(world, {
          send: 'POST {ads_url}/12/accounts/{production_account}/post',
          as: 'advertiser',
          form: { as_user_id: '{advertiser}', text: 'to everyone, {run}', nullcast: 'false' },
        })
        assert.equal(reply.status, 201, reply.text)
        world.variables.core_post = JSON.parse(reply.text).data.id_str
      },
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
      it: 'every field may be requested, and what there is not is left out',
      send: 'GET /2/posts/{core_post}',
      query: { 'post.fields': FIELDS },
      status: 200,
      reply: {
        data: everything,
        errors: [
          hidden('non_public_metrics.impression_count'),
          hidden('organic_metrics.impression_count'),
          hidden('organic_metrics.like_count'),
          hidden('organic_metrics.reply_count'),
          hidden('organic_metrics.repost_count'),
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
      it: 'nobody reads posts without signing in',
      send: 'GET /2/posts/{core_post}',
      as: 'anonymous',
      status: 401,
      reply: problem.unauthorized,
    },
  ],
}
