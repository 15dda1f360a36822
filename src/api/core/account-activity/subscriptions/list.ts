import { Type } from 'typebox'
import { usersOfWebhook } from '../../../../delivery/activities/account/queries.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../../platform/http/schema.ts'
import { requireWebhook } from '../../webhooks/find.ts'
import { closed, endpoint, exampleWebhook, PATH, SOURCE, webhookParam } from './endpoint.ts'

const AccountSubscriptions = component(
  'AccountActivitySubscriptions',
  Type.Object(
    {
      application_id: id('The app.'),
      webhook_id: webhookParam,
      webhook_url: Type.String({ description: 'Where events are sent.' }),
      subscriptions: Type.Array(Type.Object({ user_id: id('A user.') }, closed)),
    },
    closed,
  ),
)

/**
 * GET /2/account_activity/webhooks/{webhook_id}/subscriptions/all/list (core reference, 02 section
 * 5).
 */
export const listAccountSubscriptions = endpoint({
  id: 'listAccountSubscriptions',
  host: 'core',
  method: 'GET',
  path: `${PATH}/all/list`,
  summary: 'List the users whose activity a webhook receives',
  description: 'Lists all of them, without paging. An app has at most `--account-activity-users-per-app`.',
  source: SOURCE,
  auth: ['app'],
  limits: { app: '500/15m' },
  params: { webhook_id: webhookParam },
  reply: Type.Object({ data: AccountSubscriptions }, closed),
  reasons: ['WebhookIdInvalid'],
  example: {
    params: { webhook_id: exampleWebhook },
    reply: {
      data: {
        application_id: '1900000000000000007',
        webhook_id: exampleWebhook,
        webhook_url: 'https://hooks.example.com/plaza',
        subscriptions: [{ user_id: '1900000000000000001' }],
      },
    },
  },
  async handle({ principal: { app }, params: { webhook_id } }, { store }) {
    const { url } = await requireWebhook(store, app.id, webhook_id)
    const subscriptions = await store.all(usersOfWebhook, { webhook: webhook_id })
    return json({ data: { application_id: app.id, webhook_id, webhook_url: url, subscriptions } })
  },
})
