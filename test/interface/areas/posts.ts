import assert from 'node:assert/strict'
import * as ads from '../support/ads.ts'
import { own, READS, WRITES } from '../support/ads.ts'
import type { Area } from '../support/exchange.ts'
import { classicTime, id64, keep, like, number, time } from '../support/match.ts'
import { send } from '../support/world.ts'

/** A post in classic form, as the advertising API shows it. */
const post = {
  id: number,
  id_str: '{post}',
  created_at: classicTime,
  name: null,
  entities: { hashtags: [], symbols: [], user_mentions: [], urls: [] },
  source: like(/^<a href=".*" rel="nofollow">Demo app<\/a>$/),
  in_reply_to_status_id: null,
  in_reply_to_status_id_str: null,
  in_reply_to_user_id: null,
  in_reply_to_user_id_str: null,
  in_reply_to_screen_name: null,
  user: { id: number, id_str: '{advertiser}' },
  geo: null,
  coordinates: null,
  place: null,
  contributors: null,
  repost_count: 0,
  favorite_count: 0,
  favorited: false,
  reposted: false,
  scopes: { followers: false },
  lang: like(/^[a-z]{2,3}$/),
}
const compat = { ...post, text: 'hello, world {run}', truncated: false }
const extended = {
  ...post,
  full_text: 'hello, world {run}',
  display_text_range: [0, 21],
  truncated: false,
  conversation_settings: 'EVERYONE',
  nullcast: true,
  scheduled_at: null,
  scheduled_status: null,
  post_type: 'PUBLISHED',
  post_id: '{post}',
}

/** The author of a post, where `trim_user` does not cut it short. */
const author = {
  id: number,
  id_str: '{advertiser}',
  name: 'Demo Advertiser',
  screen_name: 'advertiser',
  location: '',
  description: '',
  url: null,
  protected: false,
  verified: false,
  followers_count: 0,
  friends_count: 0,
  listed_count: 0,
  favourites_count: 0,
  statuses_count: number,
  created_at: classicTime,
  profile_banner_url: null,
  profile_image_url_https: like(/^https?:\/\/[^/]+\/media\/[0-9a-f]{64}\.png$/),
}

const form = { as_user_id: '{advertiser}', text: 'hello, world {run}', trim_user: 'true' }
const echo = { ...form, trim_user: true }

const published: Area['rows'] = [
  {
    it: 'a post is published',
    send: 'POST /accounts/{account}/post',
    form,
    status: 201,
    reply: ads.single(own(echo), { ...compat, id_str: keep('post', id64) }),
    limit: WRITES,
  },
  {
    it: 'the list of published posts',
    send: 'GET /accounts/{account}/posts',
    query: { post_type: 'PUBLISHED', post_ids: '{post}', trim_user: 'true' },
    status: 200,
    reply: ads.list(own({ post_type: 'PUBLISHED', post_ids: ['{post}'], trim_user: true }), [extended]),
    limit: READS,
  },
  {
    it: 'a post gets a name',
    send: 'PUT /accounts/{account}/posts/{post}/name',
    form: { name: 'Hello' },
    status: 200,
    reply: ads.single(own({ post_id: '{post}', name: 'Hello' }), {
      ...extended,
      name: 'Hello',
      user: author,
    }),
    limit: WRITES,
  },
  {
    it: 'DUPLICATE_POST',
    send: 'POST /accounts/{account}/post',
    form,
    status: 400,
    reply: ads.errors(
      own(echo),
      ads.error('DUPLICATE_POST', 'The user has published the same text within the last 24 hours', {
        parameter: 'text',
      }),
    ),
  },
  {
    it: 'POST_CANNOT_BE_BLANK',
    send: 'POST /accounts/{account}/post',
    form: { as_user_id: '{advertiser}' },
    status: 400,
    reply: ads.errors(
      own({ as_user_id: '{advertiser}' }),
      ads.error('POST_CANNOT_BE_BLANK', 'A post needs text or media', { parameter: 'text' }),
    ),
  },
  {
    it: 'INVALID_POST: what cannot be shown',
    send: 'POST /accounts/{account}/post',
    form: { as_user_id: '{advertiser}', text: 'x\uffff' },
    status: 400,
    reply: ads.errors(
      own({ as_user_id: '{advertiser}', text: 'x\uffff' }),
      ads.error('INVALID_POST', 'The text contains invalid characters', { parameter: 'text' }),
    ),
  },
  {
    it: 'INVALID_USER_ID: another user',
    send: 'POST /accounts/{account}/post',
    form: { as_user_id: '{user}', text: 'x' },
    status: 400,
    reply: ads.errors(
      own({ as_user_id: '{user}', text: 'x' }),
      ads.error('INVALID_USER_ID', 'Account {account} does not belong to User {user}', {
        parameter: 'as_user_id',
      }),
    ),
  },
  {
    it: 'CARD_NOT_FOUND',
    send: 'POST /accounts/{account}/post',
    form: { as_user_id: '{advertiser}', text: 'x', card_uri: 'card://1' },
    status: 404,
    reply: ads.errors(
      own({ as_user_id: '{advertiser}', text: 'x', card_uri: 'card://1' }),
      ads.error('CARD_NOT_FOUND', 'Card card://1 was not found', { parameter: 'card_uri' }),
    ),
  },
  {
    it: 'a call to action has a value',
    send: 'POST /accounts/{account}/post',
    form: { as_user_id: '{advertiser}', media_keys: '{video}', video_cta: 'VISIT_SITE' },
    status: 400,
    reply: ads.errors(
      own({ as_user_id: '{advertiser}', media_keys: ['{video}'], video_cta: 'VISIT_SITE' }),
      ads.error('INCLUSIVE_PARAMETERS', 'video_cta and video_cta_value are inclusive parameters', {
        parameter: 'video_cta_value',
      }),
    ),
  },
  {
    it: 'a post that is not there',
    send: 'PUT /accounts/{account}/posts/1/name',
    form: { name: 'x' },
    status: 404,
    reply: ads.errors(
      own({ post_id: '1', name: 'x' }),
      ads.error('POST_NOT_FOUND', 'Post 1 was not found for Account {account}', { parameter: 'post_id' }),
    ),
  },
]

const draft = {
  id: '{draft}',
  name: null,
  text: 'Some day',
  user_id: '{advertiser}',
  nullcast: true,
  card_uri: null,
  media_keys: [],
  created_at: time,
  updated_at: time,
}

const drafts: Area['rows'] = [
  {
    it: 'a draft is kept',
    send: 'POST /accounts/{account}/draft_posts',
    form: { text: 'Some day' },
    status: 201,
    reply: ads.single(own({ text: 'Some day' }), { ...draft, id: keep('draft', id64) }),
    limit: WRITES,
  },
  {
    it: 'a draft is read',
    send: 'GET /accounts/{account}/draft_posts/{draft}',
    status: 200,
    reply: ads.single(own({ draft_post_id: '{draft}' }), draft),
    limit: READS,
  },
  {
    it: 'the list of drafts',
    send: 'GET /accounts/{account}/draft_posts',
    status: 200,
    reply: ads.list(own(), [draft]),
    limit: READS,
  },
  {
    it: 'a draft is changed',
    send: 'PUT /accounts/{account}/draft_posts/{draft}',
    form: { media_keys: '{image}' },
    status: 200,
    reply: ads.single(own({ draft_post_id: '{draft}', media_keys: ['{image}'] }), {
      ...draft,
      media_keys: ['{image}'],
    }),
    limit: WRITES,
  },
  {
    it: 'and back',
    send: 'PUT /accounts/{account}/draft_posts/{draft}',
    form: { media_keys: '' },
    status: 200,
    reply: ads.single(own({ draft_post_id: '{draft}', media_keys: [] }), draft),
  },
  {
    it: 'a preview goes to the devices of the caller',
    send: 'POST /accounts/{account}/draft_posts/preview/{draft}',
    status: 200,
    reply: { request: { params: own({ draft_post_id: '{draft}' }) }, message: like(/./) },
    limit: WRITES,
  },
  {
    it: 'previews of posts',
    send: 'GET /accounts/{account}/post_previews',
    query: { post_ids: '{draft}', post_type: 'DRAFT' },
    status: 200,
    reply: ads.single(own({ post_ids: ['{draft}'], post_type: 'DRAFT' }), [
      { post_id: '{draft}', preview: like(/^<iframe class="post-preview" src="https?:\/\/[^"]+" /) },
    ]),
    limit: READS,
  },
  {
    it: 'a preview leads to a page',
    async run(world) {
      const { text } = await send(world, {
        send: 'GET {ads_sandbox_url}/12/accounts/{account}/post_previews',
        as: 'advertiser',
        query: { post_ids: '{draft}', post_type: 'DRAFT' },
      })
      const [, address] = / src=\\"([^"\\]+)\\"/.exec(text) ?? []
      assert.ok(address, text)
      world.variables.preview = new URL(address).pathname
    },
  },
  {
    it: 'that anybody may see',
    send: 'GET {base_url}{preview}',
    as: 'anonymous',
    status: 200,
    reply: like(/<!doctype html>.*Some day/s),
    type: 'text/html; charset=utf-8',
    has: { 'cache-control': 'private, no-store' },
    limit: 900,
  },
  {
    it: 'a draft is deleted for good',
    send: 'DELETE /accounts/{account}/draft_posts/{draft}',
    status: 200,
    reply: ads.single(own({ draft_post_id: '{draft}' }), { ...draft, status: 'DELETED' }),
    limit: WRITES,
  },
  {
    it: 'and then not found',
    send: 'GET /accounts/{account}/draft_posts/{draft}',
    status: 404,
    reply: ads.errors(
      own({ draft_post_id: '{draft}' }),
      ads.error('NOT_FOUND', 'Draft Post {draft} was not found for Account {account}', {
        parameter: 'draft_post_id',
      }),
    ),
  },
]

const DAY_MS = 86_400_000
/** Another day for each run: a quarter of an hour holds so many posts of one user. */
const DAYS_AHEAD = 1 + ((Date.now() / 1000) % 300)
const SOON = `${new Date(Date.now() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 16)}:00Z`

const scheduled = {
  id: '{scheduled}',
  name: null,
  text: 'Later',
  user_id: '{advertiser}',
  nullcast: true,
  card_uri: null,
  media_keys: [],
  scheduled_at: SOON,
  scheduled_status: 'SCHEDULED',
  completed_at: null,
  post_id: null,
  created_at: time,
  updated_at: time,
}

const schedules: Area['rows'] = [
  {
    it: 'a post is scheduled',
    send: 'POST /accounts/{account}/scheduled_posts',
    form: { text: 'Later', scheduled_at: SOON },
    status: 201,
    reply: ads.single(own({ text: 'Later', scheduled_at: SOON }), {
      ...scheduled,
      id: keep('scheduled', id64),
    }),
    limit: WRITES,
  },
  {
    it: 'one is read',
    send: 'GET /accounts/{account}/scheduled_posts/{scheduled}',
    status: 200,
    reply: ads.single(own({ scheduled_post_id: '{scheduled}' }), scheduled),
    limit: READS,
  },
  {
    it: 'the list',
    send: 'GET /accounts/{account}/scheduled_posts',
    query: { user_id: '{advertiser}' },
    status: 200,
    reply: ads.list(own({ user_id: '{advertiser}' }), [scheduled]),
    limit: READS,
  },
  {
    it: 'one is changed',
    send: 'PUT /accounts/{account}/scheduled_posts/{scheduled}',
    form: { name: 'Named' },
    status: 200,
    reply: ads.single(own({ scheduled_post_id: '{scheduled}', name: 'Named' }), {
      ...scheduled,
      name: 'Named',
    }),
    limit: WRITES,
  },
  {
    it: 'scheduled_at is in the future',
    send: 'POST /accounts/{account}/scheduled_posts',
    form: { text: 'Before', scheduled_at: '2026-01-01T00:00:00Z' },
    status: 400,
    reply: ads.errors(
      own({ text: 'Before', scheduled_at: '2026-01-01T00:00:00Z' }),
      ads.error(
        'INVALID_PARAMETER',
        'Expected a time in the next 365 days, got "2026-01-01T00:00:00Z" for scheduled_at',
        { parameter: 'scheduled_at' },
      ),
    ),
  },
  {
    it: 'another post is scheduled',
    send: 'POST /accounts/{account}/scheduled_posts',
    form: { text: 'Never', scheduled_at: SOON },
    status: 201,
    reply: ads.single(own({ text: 'Never', scheduled_at: SOON }), {
      ...scheduled,
      id: keep('never', id64),
      text: 'Never',
    }),
  },
  {
    it: 'and deleted for good',
    send: 'DELETE /accounts/{account}/scheduled_posts/{never}',
    status: 200,
    reply: ads.single(own({ scheduled_post_id: '{never}' }), {
      ...scheduled,
      id: '{never}',
      text: 'Never',
      scheduled_status: 'DELETED',
    }),
    limit: WRITES,
  },
  {
    it: 'SCHEDULED_POST_LIMIT_EXCEEDED: 30 in a quarter of an hour',
    async run(world) {
      const row = {
        send: 'POST {ads_sandbox_url}/12/accounts/{account}/scheduled_posts',
        as: 'advertiser',
      } as const
      for (let n = 1; n < 30; n++) {
        const reply = await send(world, { ...row, form: { text: `Later ${n}`, scheduled_at: SOON } })
        assert.equal(reply.status, 201, reply.text)
      }
    },
  },
  {
    it: 'the next one is too many',
    send: 'POST /accounts/{account}/scheduled_posts',
    form: { text: 'Too late', scheduled_at: SOON },
    status: 400,
    reply: ads.errors(
      own({ text: 'Too late', scheduled_at: SOON }),
      ads.error('SCHEDULED_POST_LIMIT_EXCEEDED', '30 posts are already scheduled in those 15 minutes', {
        parameter: 'scheduled_at',
      }),
    ),
  },
]

/** Sources: interface, "Creatives"; advertising reference, 02 sections 8 to 11. */
export const posts: Area = {
  name: 'posts',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [...published, ...drafts, ...schedules],
}
