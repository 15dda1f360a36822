import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../support/client.ts'
import { digest } from '../support/consumer.ts'
import type { Area } from '../support/exchange.ts'
import { id64, including, integer, keep, like, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

const webhook = {
  id: '{webhook}',
  url: '{hook}/{run}?kept=1',
  valid: true,
  created_at: '{webhook_created}',
}

const BOTH = 'OAuth 2.0 Application-Only, OAuth 1.0a User Context'

const WRONG_TOKEN =
  'CrcValidationFailed: the response of the webhook does not have the correct response_token'

/** A check that failed, and why. */
const failedCheck = (why: string) => ({
  data: { attempted: true },
  errors: [problem.invalidRequest([{ webhook_id: ['{webhook}'] }, why])],
})

const unknownWebhook = (id: string) =>
  problem.invalidRequest([
    { webhook_id: [id] },
    `WebhookIdInvalid: this app has no webhook with the id ${id}`,
  ])

/**
 * Sources: interface, "Core: validate webhook", "Webhook config"; core reference, 02 sections 1 and
 * 2.
 */
export const webhooks: Area = {
  name: 'webhooks',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'a URL that answers its CRC check is registered',
      send: 'POST /2/webhooks',
      json: { url: '{hook}/{run}?kept=1' },
      status: 200,
      reply: {
        data: { ...webhook, id: keep('webhook', id64), created_at: keep('webhook_created', objectTime) },
      },
      limit: 450,
    },
    {
      it: 'a CRC check is a GET with crc_token and nonce behind the query of the URL, signed with the consumer secret',
      async run({ consumer, server, variables }) {
        const check = consumer.checks.at(-1)
        assert.ok(check)
        const { method, target, headers } = check
        assert.equal(method, 'GET')
        const [, path, asked = ''] = /^(.*)&(crc_token=.*)$/.exec(target) ?? []
        assert.equal(path, `/${variables.run}?kept=1`)
        assert.match(asked, /^crc_token=[A-Za-z0-9_-]{43}&nonce=[A-Za-z0-9_-]{22}$/)
        const secret = server.ready.app.consumer_secret
        assert.equal(headers['x-svc-webhooks-signature'], digest(secret, asked))
      },
    },
    {
      it: 'the list shows it',
      send: 'GET /2/webhooks',
      status: 200,
      reply: { data: including(webhook), meta: { result_count: keep('webhook_count', integer) } },
      limit: 450,
    },
    {
      it: 'webhook_config.fields chooses members; id always stands there',
      send: 'GET /2/webhooks',
      query: { 'webhook_config.fields': 'valid' },
      status: 200,
      reply: { data: including({ id: '{webhook}', valid: true }), meta: { result_count: '{webhook_count}' } },
    },
    {
      // The reference lists bearers alone; those who register, check and delete with a user's token
      // list with it too.
      it: 'a user who signs gets the list too',
      send: 'GET /2/webhooks',
      as: 'user',
      status: 200,
      reply: { data: including(webhook), meta: { result_count: '{webhook_count}' } },
      limit: 450,
    },
    {
      it: 'an app without webhooks gets an empty list',
      send: 'GET /2/webhooks',
      as: 'second app',
      status: 200,
      reply: { data: [], meta: { result_count: 0 } },
    },
    {
      it: 'a check that passes was attempted',
      send: 'PUT /2/webhooks/{webhook}',
      status: 200,
      reply: { data: { attempted: true } },
      limit: 450,
    },
    {
      it: 'a user may ask for the check',
      send: 'PUT /2/webhooks/{webhook}',
      as: 'user',
      status: 200,
      reply: { data: { attempted: true } },
      limit: 450,
    },
    {
      it: 'a check that fails was attempted, and a Problem says why',
      send: 'PUT /2/webhooks/{webhook}',
      consumer: 'the token of another app',
      status: 200,
      reply: failedCheck(WRONG_TOKEN),
    },
    {
      it: 'a wrong answer makes the webhook invalid',
      send: 'GET /2/webhooks',
      status: 200,
      reply: { data: including({ ...webhook, valid: false }), meta: { result_count: '{webhook_count}' } },
    },
    {
      it: 'the next right answer makes it valid again',
      send: 'PUT /2/webhooks/{webhook}',
      status: 200,
      reply: { data: { attempted: true } },
    },
    {
      it: 'status 500 fails the check',
      send: 'PUT /2/webhooks/{webhook}',
      consumer: 'status 500',
      status: 200,
      reply: failedCheck('CrcValidationFailed: the webhook responded with status 500'),
    },
    {
      it: 'but leaves the webhook valid',
      send: 'GET /2/webhooks',
      status: 200,
      reply: { data: including(webhook), meta: { result_count: '{webhook_count}' } },
    },
    {
      it: 'a redirect is not followed',
      send: 'PUT /2/webhooks/{webhook}',
      consumer: 'a redirect',
      status: 200,
      reply: failedCheck('CrcValidationFailed: the webhook responded with a redirect'),
    },

    // Replay (core reference, 02 section 4).
    {
      it: 'dates of a replay are minutes in UTC',
      async run({ variables }) {
        const ago = (minutes: number) =>
          new Date(Date.now() - minutes * 60_000)
            .toISOString()
            .replace(/[^0-9]/g, '')
            .slice(0, 12)
        variables.two_hours_ago = ago(120)
        variables.hour_ago = ago(60)
        variables.this_minute = ago(0)
        variables.two_days_ago = ago(2_880)
      },
    },
    {
      it: 'a replay is a job',
      send: 'POST /2/webhooks/replay',
      json: { webhook_id: '{webhook}', from_date: '{two_hours_ago}', to_date: '{hour_ago}' },
      status: 200,
      reply: { data: { job_id: id64, created_at: objectTime } },
      limit: 100,
    },
    {
      it: 'one replay of a webhook runs at a time',
      async run(world) {
        const begin = () =>
          send(world, {
            send: 'POST {base_url}/2/webhooks/replay',
            as: 'app',
            json: { webhook_id: '{webhook}', from_date: '{two_hours_ago}', to_date: '{hour_ago}' },
          })
        // A replay of nothing ends at once, but not before those that were sent with it have their
        // answer.
        let refused: Reply | undefined
        for (let attempts = 0; !refused && attempts < 30; attempts++)
          refused = (await Promise.all([begin(), begin(), begin()])).find(({ status }) => status === 409)
        assert.ok(refused, 'every replay began')
        const reply: unknown = JSON.parse(refused.text)
        assert.deepEqual(reply, {
          title: 'Conflict',
          type: `${world.variables.problem_base}/2/problems/conflict`,
          status: 409,
          detail: 'A replay of this webhook is running. Wait until it has ended.',
        })
        world.seen.error(409, reply)
      },
    },
    {
      it: 'the former path begins the same job once that one has ended, and names its successor',
      async run(world) {
        const replay = () =>
          send(world, {
            send: 'POST {base_url}/2/account_activity/replay/webhooks/{webhook}/subscriptions/all',
            as: 'app',
            query: { from_date: '{two_hours_ago}', to_date: '{hour_ago}' },
          })
        let reply = await replay()
        // The limit of the path allows few attempts.
        for (const ms of [300, 2_000, 4_000]) {
          if (reply.status !== 409) break
          await sleep(ms)
          reply = await replay()
        }
        assert.equal(reply.status, 200, reply.text)
        assert.equal(reply.headers.deprecation, '@1774396800')
        const path = `/2/account_activity/replay/webhooks/${world.variables.webhook}/subscriptions/all`
        world.seen.calls.push({ method: 'POST', path })
      },
    },
    {
      it: 'the former path names its successor',
      send: 'POST /2/account_activity/replay/webhooks/1/subscriptions/all',
      query: { from_date: '{two_hours_ago}', to_date: '{hour_ago}' },
      status: 400,
      reply: unknownWebhook('1'),
      has: { deprecation: '@1774396800', link: '</2/webhooks/replay>; rel="successor-version"' },
      limit: 5,
    },
    {
      it: 'QueryParamInvalid: no date',
      send: 'POST /2/webhooks/replay',
      json: { webhook_id: '{webhook}', from_date: '202602300000', to_date: '{hour_ago}' },
      status: 400,
      reply: problem.invalidRequest([
        { from_date: ['202602300000'] },
        'QueryParamInvalid: must be a date in the format yyyymmddhhmm, in UTC',
      ]),
    },
    {
      it: 'QueryParamInvalid: out of reach',
      send: 'POST /2/webhooks/replay',
      json: { webhook_id: '{webhook}', from_date: '{two_days_ago}', to_date: '{hour_ago}' },
      status: 400,
      reply: problem.invalidRequest([
        { from_date: ['{two_days_ago}'] },
        'QueryParamInvalid: events of the past 24 hours can be replayed',
      ]),
    },
    {
      it: 'QueryParamInvalid: the end is too late',
      send: 'POST /2/webhooks/replay',
      json: { webhook_id: '{webhook}', from_date: '{two_hours_ago}', to_date: '{this_minute}' },
      status: 400,
      reply: problem.invalidRequest([
        { to_date: ['{this_minute}'] },
        'QueryParamInvalid: it must be at least 10 minutes ago',
      ]),
    },
    {
      it: 'QueryParamInvalid: the end is before the start',
      send: 'POST /2/webhooks/replay',
      json: { webhook_id: '{webhook}', from_date: '{hour_ago}', to_date: '{two_hours_ago}' },
      status: 400,
      reply: problem.invalidRequest([
        { to_date: ['{two_hours_ago}'] },
        'QueryParamInvalid: it must be later than from_date',
      ]),
    },

    // Errors, each with HTTP 400 and a reason word (core reference, 02 section 1.3).
    {
      it: 'DuplicateUrlFailed: the app has the URL already',
      send: 'POST /2/webhooks',
      json: { url: '{hook}/{run}?kept=1' },
      status: 400,
      reply: problem.invalidRequest([
        { url: ['{hook}/{run}?kept=1'] },
        'DuplicateUrlFailed: this app has already registered the URL',
      ]),
    },
    {
      it: 'CrcValidationFailed: the answer has the wrong token',
      send: 'POST /2/webhooks',
      json: { url: '{hook}/other' },
      consumer: 'the token of another app',
      status: 400,
      reply: problem.invalidRequest([{ url: ['{hook}/other'] }, WRONG_TOKEN]),
    },
    {
      it: 'CrcValidationFailed: the answer is not JSON',
      send: 'POST /2/webhooks',
      json: { url: '{hook}/other' },
      consumer: 'no JSON',
      status: 400,
      reply: problem.invalidRequest([
        { url: ['{hook}/other'] },
        'CrcValidationFailed: the response of the webhook is not JSON',
      ]),
    },
    {
      it: 'UrlValidationFailed: the URL is of another scheme',
      send: 'POST /2/webhooks',
      json: { url: 'ftp://hooks.example.com/' },
      status: 400,
      reply: problem.invalidRequest([
        { url: ['ftp://hooks.example.com/'] },
        'UrlValidationFailed: the URL must use https, not ftp',
      ]),
    },
    {
      it: 'UrlValidationFailed: the URL has a fragment',
      send: 'POST /2/webhooks',
      json: { url: 'https://hooks.example.com/#here' },
      status: 400,
      reply: problem.invalidRequest([
        { url: ['https://hooks.example.com/#here'] },
        'UrlValidationFailed: the URL must not contain a fragment',
      ]),
    },
    {
      it: 'UrlValidationFailed: the URL names a user',
      send: 'POST /2/webhooks',
      json: { url: 'https://somebody@hooks.example.com/' },
      status: 400,
      reply: problem.invalidRequest([
        { url: ['https://somebody@hooks.example.com/'] },
        'UrlValidationFailed: the URL must not contain a user name or password',
      ]),
    },
    {
      it: 'WebhookIdInvalid: no webhook has the id',
      send: 'PUT /2/webhooks/1',
      status: 400,
      reply: unknownWebhook('1'),
    },
    {
      it: 'WebhookIdInvalid: the webhook is of another app',
      send: 'PUT /2/webhooks/{webhook}',
      as: 'second app',
      status: 400,
      reply: unknownWebhook('{webhook}'),
    },
    {
      it: 'WebhookIdInvalid: no webhook to delete has the id',
      send: 'DELETE /2/webhooks/1',
      status: 400,
      reply: unknownWebhook('1'),
    },
    {
      it: 'an id holds digits only',
      send: 'PUT /2/webhooks/abc',
      status: 400,
      reply: problem.invalidRequest([
        { webhook_id: ['abc'] },
        'The `webhook_id` path parameter value [abc] is not valid',
      ]),
    },
    {
      it: 'an id holds 19 digits at most',
      send: 'PUT /2/webhooks/12345678901234567890',
      status: 400,
      reply: problem.invalidRequest([
        { webhook_id: ['12345678901234567890'] },
        'The `webhook_id` path parameter value [12345678901234567890] is not valid',
      ]),
    },
    {
      it: 'url must be there',
      send: 'POST /2/webhooks',
      json: {},
      status: 400,
      reply: problem.invalidRequest([{ url: [] }, '$.url: is missing but it is required']),
    },
    {
      it: 'no other member may be there',
      send: 'POST /2/webhooks',
      json: { url: '{hook}/other', name: 'mine' },
      status: 400,
      reply: problem.invalidRequest([{ name: ['mine'] }, '$.name: is not one of [url]']),
    },
    {
      it: 'a URL has 200 characters at most',
      send: 'POST /2/webhooks',
      json: { url: `https://hooks.example.com/${'a'.repeat(200)}` },
      status: 400,
      reply: problem.invalidRequest([
        { url: [like(/^https:\/\/hooks\.example\.com\/a+…$/)] },
        '$.url: must be between 1 and 200 long',
      ]),
    },
    {
      it: 'a field that does not exist',
      send: 'GET /2/webhooks',
      query: { 'webhook_config.fields': 'foo' },
      status: 400,
      reply: problem.invalidRequest([
        { 'webhook_config.fields': ['foo'] },
        'The `webhook_config.fields` query parameter value [foo] is not one of [created_at,id,url,valid]',
      ]),
    },
    {
      it: 'a query parameter that does not exist',
      send: 'GET /2/webhooks',
      query: { max_results: '5' },
      status: 400,
      reply: problem.invalidRequest([
        { max_results: ['5'] },
        'The query parameter [max_results] is not one of [webhook_config.fields]',
      ]),
    },
    {
      it: 'only the owner of the app registers webhooks as a user',
      send: 'POST /2/webhooks',
      as: 'advertiser',
      json: { url: '{hook}/other' },
      status: 403,
      reply: problem.forbidden('Client is not permitted to perform this action.'),
    },
    {
      it: 'an app that may only read registers none',
      send: 'POST /2/webhooks',
      as: 'reading user',
      json: { url: '{hook}/other' },
      status: 403,
      reply: problem.permissions,
    },
    {
      it: 'the key and secret of an app are no credentials here',
      send: 'PUT /2/webhooks/{webhook}',
      as: 'basic',
      status: 403,
      reply: problem.unsupportedAuthentication('Unknown', BOTH),
    },
    {
      it: 'an app that signs for itself is not a user',
      send: 'PUT /2/webhooks/{webhook}',
      as: 'client',
      status: 403,
      reply: problem.unsupportedAuthentication('Unknown', BOTH),
    },
    {
      it: 'a scheme that no one knows',
      send: 'PUT /2/webhooks/{webhook}',
      as: 'anonymous',
      headers: { authorization: 'Digest abc' },
      status: 403,
      reply: problem.unsupportedAuthentication('Unknown', BOTH),
    },
    {
      it: 'no credentials',
      send: 'PUT /2/webhooks/{webhook}',
      as: 'anonymous',
      status: 401,
      reply: problem.unauthorized,
      has: { 'www-authenticate': 'Bearer realm="{base_url}", OAuth realm="{base_url}"' },
    },
    {
      it: 'a bearer that was never issued: legacy code 89',
      send: 'PUT /2/webhooks/{webhook}',
      as: 'anonymous',
      headers: { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAnothing' },
      status: 401,
      reply: problem.revoked,
      has: {
        'www-authenticate': 'Bearer realm="{base_url}", error="invalid_token", OAuth realm="{base_url}"',
      },
    },
    {
      it: 'one webhook cannot be read',
      send: 'GET /2/webhooks/{webhook}',
      status: 405,
      reply: problem.plain(405, 'Method Not Allowed'),
      has: { allow: 'PUT, DELETE' },
    },
    {
      it: 'it is deleted',
      send: 'DELETE /2/webhooks/{webhook}',
      status: 200,
      reply: { data: { deleted: true } },
      limit: 450,
    },
    {
      it: 'and then unknown',
      send: 'DELETE /2/webhooks/{webhook}',
      status: 400,
      reply: unknownWebhook('{webhook}'),
    },
    ...[1, 2, 3, 4, 5].map((n) => ({
      it: `an app may register 5 webhooks: number ${n}`,
      send: 'POST /2/webhooks',
      as: 'second app' as const,
      json: { url: `{hook}/${n}` },
      status: 200,
      reply: {
        data: { id: keep(`webhook_${n}`, id64), url: `{hook}/${n}`, valid: true, created_at: objectTime },
      },
    })),
    {
      it: 'WebhookLimitExceeded: the sixth',
      send: 'POST /2/webhooks',
      as: 'second app',
      json: { url: '{hook}/6' },
      status: 400,
      reply: problem.invalidRequest([
        { url: ['{hook}/6'] },
        'WebhookLimitExceeded: an app may register 5 webhooks',
      ]),
    },
    ...[1, 2, 3, 4, 5].map((n) => ({
      it: `number ${n} is deleted`,
      send: `DELETE /2/webhooks/{webhook_${n}}`,
      as: 'second user' as const,
      status: 200,
      reply: { data: { deleted: true } },
    })),
  ],
}
