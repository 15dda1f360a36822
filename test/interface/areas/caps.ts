import assert from 'node:assert/strict'
import * as ads from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { id64, number, timeMs } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

const POSTS = 5

const capped = (period: 'Daily' | 'Monthly', scope: 'Account' | 'Product') => ({
  title: 'UsageCapExceeded',
  detail: `Usage cap exceeded: ${period} ${scope.toLowerCase()} cap`,
  type: '{capped_url}/2/problems/usage-capped',
  period,
  scope,
  account_id: number,
  product_name: 'standard-basic',
})

/** A call returns all of its posts or none: the number of posts decides which cap it exceeds. */
const tooMany = (posts: number, period: 'Daily' | 'Monthly', scope: 'Account' | 'Product'): Exchange => ({
  it: `${posts} posts are more than the ${period.toLowerCase()} cap of ${scope === 'Account' ? 'an app' : 'its project'}`,
  send: 'GET {capped_url}/2/posts',
  query: { ids: Array.from({ length: posts }, (_, at) => `{capped_post_${at}}`).join(',') },
  status: 429,
  reply: capped(period, scope),
})

const RULE = 'capped{run}'

/** Sources: interface, Errors; core reference, 00 section 3.1 and 04 section 6. */
export const caps: Area = {
  name: 'caps of usage',
  base: '{capped_url}',
  as: 'capped app',
  rows: [
    {
      it: 'posts',
      needs: 'capped user',
      async run(world) {
        for (let at = 0; at < POSTS; at++) {
          const reply = await send(world, {
            send: 'POST {capped_url}/2/posts',
            as: 'capped user',
            json: { text: `post ${at}` },
          })
          assert.equal(reply.status, 201)
          world.variables[`capped_post_${at}`] = (JSON.parse(reply.text) as { data: { id: string } }).data.id
        }
      },
    },
    {
      it: 'are as many as a user may publish in a day',
      send: 'POST {capped_url}/2/posts',
      as: 'capped user',
      json: { text: 'one more' },
      status: 429,
      reply: problem.plain(429, 'Too Many Requests'),
      has: { 'x-user-limit-24hour-limit': '5', 'x-user-limit-24hour-remaining': '0' },
    },
    {
      it: 'posts of another user, whose author is counted and not who publishes them',
      needs: 'capped user',
      async run(world) {
        for (let at = 0; at < POSTS; at++) {
          const reply = await send(world, {
            send: 'POST {capped_ads_url}/12/accounts/{capped_account}/post',
            as: 'capped user',
            form: { as_user_id: '{capped_advertiser}', text: `advertised ${at}` },
          })
          assert.equal(reply.status, 201)
        }
      },
    },
    {
      it: 'are as many in the advertising API',
      send: 'POST {capped_ads_url}/12/accounts/{capped_account}/post',
      as: 'capped user',
      form: { as_user_id: '{capped_advertiser}', text: 'one more' },
      status: 429,
      reply: ads.errors(
        { account_id: '{capped_account}', as_user_id: '{capped_advertiser}', text: 'one more' },
        ads.error(
          'POST_RATE_LIMIT_EXCEEDED',
          'The user has published as many posts as a user may in 24 hours',
        ),
      ),
      has: { 'x-user-limit-24hour-limit': '5', 'x-user-limit-24hour-remaining': '0' },
    },
    tooMany(2, 'Daily', 'Account'),
    tooMany(3, 'Daily', 'Product'),
    tooMany(4, 'Monthly', 'Account'),
    tooMany(5, 'Monthly', 'Product'),
    {
      it: 'a call that was rejected has used up nothing',
      send: 'GET {capped_url}/2/posts/{capped_post_0}',
      status: 200,
      reply: {
        data: { id: '{capped_post_0}', text: 'post 0', edit_history_post_ids: ['{capped_post_0}'] },
      },
    },
    {
      it: 'a rule needs no posts',
      send: 'POST {capped_url}/2/posts/search/stream/rules',
      json: { add: [{ value: RULE }] },
      status: 201,
      reply: {
        data: [{ value: RULE, id: id64 }],
        meta: { sent: timeMs, summary: { created: 1, not_created: 0, valid: 1, invalid: 0 } },
      },
    },
    {
      it: 'an app that may be shown no other post opens no stream',
      send: 'GET {capped_url}/2/posts/search/stream',
      status: 429,
      reply: capped('Daily', 'Account'),
    },
  ],
}
