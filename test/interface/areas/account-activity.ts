import type { Area } from '../support/exchange.ts'
import { id64, keep, like, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const OWN = '/2/account_activity/webhooks/{webhook}/subscriptions'

const unknownWebhook = problem.invalidRequest([
  { webhook_id: ['7'] },
  'WebhookIdInvalid: this app has no webhook with the id 7',
])

/** Sources: interface, "Authentication", rule 2; core reference, 02 section 5 and 03 section 3. */
export const accountActivity: Area = {
  name: 'account activity and webhooks of the filtered stream',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'a webhook for the activity of users',
      send: 'POST /2/webhooks',
      json: { url: '{hook}/{run}account' },
      status: 200,
      reply: {
        data: { id: keep('webhook', id64), url: '{hook}/{run}account', valid: true, created_at: objectTime },
      },
    },
    {
      it: 'no one is subscribed',
      send: `GET ${OWN}/all`,
      as: 'user',
      status: 200,
      reply: { data: { subscribed: false } },
      limit: 500,
    },
    {
      it: 'the user of the token subscribes, without a body',
      send: `POST ${OWN}/all`,
      as: 'user',
      status: 200,
      reply: { data: { subscribed: true } },
      limit: 500,
    },
    {
      it: 'DuplicateSubscriptionFailed: once more',
      send: `POST ${OWN}/all`,
      as: 'user',
      json: {},
      status: 400,
      reply: problem.invalidRequest([
        { webhook_id: ['{webhook}'] },
        'DuplicateSubscriptionFailed: the webhook is already subscribed to this user',
      ]),
    },
    {
      it: 'WebhookIdInvalid: an unknown webhook',
      send: 'POST /2/account_activity/webhooks/7/subscriptions/all',
      as: 'user',
      status: 400,
      reply: unknownWebhook,
    },
    {
      it: 'an app cannot subscribe for a user',
      send: `POST ${OWN}/all`,
      status: 403,
      reply: problem.unsupportedAuthentication(
        'OAuth 2.0 Application-Only',
        'OAuth 1.0a User Context, OAuth 2.0 User Context',
      ),
    },
    {
      it: 'the list has the app, the webhook and its users',
      send: `GET ${OWN}/all/list`,
      status: 200,
      reply: {
        data: {
          application_id: id64,
          webhook_id: '{webhook}',
          webhook_url: '{hook}/{run}account',
          subscriptions: [{ user_id: '{user}' }],
        },
      },
      limit: 500,
    },
    {
      it: 'the list of a webhook of another app is not found',
      send: `GET ${OWN}/all/list`,
      as: 'second app',
      status: 400,
      reply: problem.invalidRequest([
        { webhook_id: ['{webhook}'] },
        'WebhookIdInvalid: this app has no webhook with the id {webhook}',
      ]),
    },
    {
      it: 'counts are text',
      send: 'GET /2/account_activity/subscriptions/count',
      status: 200,
      reply: {
        data: {
          account_name: like(/./),
          provisioned_count: '5000',
          subscriptions_count_all: '1',
          subscriptions_count_direct_messages: '1',
        },
      },
      limit: 500,
    },
    {
      it: 'the app ends it',
      send: `DELETE ${OWN}/{user}/all`,
      status: 200,
      reply: { data: { subscribed: false } },
      limit: 500,
    },
    {
      it: 'SubscriptionNotFound: once more',
      send: `DELETE ${OWN}/{user}/all`,
      status: 400,
      reply: problem.invalidRequest([
        { user_id: ['{user}'] },
        'SubscriptionNotFound: the webhook has no subscription to the user {user}',
      ]),
    },
    {
      it: 'the webhook is linked to the filtered stream',
      send: 'POST /2/posts/search/webhooks/{webhook}',
      query: { expansions: 'author_id', 'user.fields': 'name,username' },
      status: 200,
      reply: { data: { provisioned: true } },
      limit: 450,
    },
    {
      it: 'links show their fields',
      send: 'GET /2/posts/search/webhooks',
      status: 200,
      reply: {
        data: {
          links: [
            {
              application_id: id64,
              business_user_id: id64,
              created_at: objectTime,
              fields: ['expansions=author_id', 'user.fields=name,username'],
              instance_id: id64,
              webhook_id: '{webhook}',
            },
          ],
        },
      },
      limit: 450,
    },
    {
      it: 'a webhook of another app cannot be linked',
      send: 'POST /2/posts/search/webhooks/{webhook}',
      as: 'second app',
      status: 400,
      reply: problem.invalidRequest([
        { webhook_id: ['{webhook}'] },
        'WebhookIdInvalid: this app has no webhook with the id {webhook}',
      ]),
    },
    {
      it: 'and unlinked',
      send: 'DELETE /2/posts/search/webhooks/{webhook}',
      status: 200,
      reply: { data: { deleted: true } },
      limit: 450,
    },
    {
      it: 'the path of the guides links as well',
      send: 'POST /2/posts/search/stream/webhooks/{webhook}',
      status: 200,
      reply: { data: { provisioned: true } },
    },
    {
      it: 'and lists',
      send: 'GET /2/posts/search/stream/webhooks',
      status: 200,
      reply: {
        data: {
          links: [
            {
              application_id: id64,
              business_user_id: id64,
              created_at: objectTime,
              fields: [],
              instance_id: id64,
              webhook_id: '{webhook}',
            },
          ],
        },
      },
    },
    {
      it: 'and unlinks',
      send: 'DELETE /2/posts/search/stream/webhooks/{webhook}',
      status: 200,
      reply: { data: { deleted: true } },
    },
    {
      it: 'and the webhook goes',
      send: 'DELETE /2/webhooks/{webhook}',
      as: 'user',
      status: 200,
      reply: { data: { deleted: true } },
    },
  ],
}
