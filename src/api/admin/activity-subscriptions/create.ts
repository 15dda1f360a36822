import { Type } from 'typebox'
import { activityNames } from '../../../delivery/activities/kinds/kinds.ts'
import { presentSubscription, subscribe } from '../../../delivery/activities/subscription.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, id, text } from '../../../platform/http/schema.ts'
import { theApp } from '../../../workbench/create/apps.ts'
import {
  ActivityFilter,
  ActivitySubscription,
  exampleSubscription,
  rejectUnknownWebhook,
} from '../../core/activity/subscriptions/endpoint.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, endpoint } from '../endpoint.ts'

/** POST /admin/v1/apps/{app_id}/activity_subscriptions: subscribes an app to activities. */
export const createSubscription = endpoint({
  ...ADMIN,
  id: 'createSubscription',
  method: 'POST',
  path: '/admin/v1/apps/{app_id}/activity_subscriptions',
  summary: 'Subscribe an app to activities',
  description:
    'Subscribes an app as it would itself. Private activities need that the user has given the app access.',
  params: { app_id: appId },
  body: Type.Object(
    {
      event_type: choice([...activityNames], 'What to receive.'),
      filter: ActivityFilter,
      tag: Type.Optional(text(1, 200, 'A name of your choice.')),
      webhook_id: Type.Optional(id('A webhook of the app that receives them too.')),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Type.Object({ data: ActivitySubscription }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found', 'activity not permitted'],
  reasons: ['FilterInvalid', 'WebhookIdInvalid', 'DuplicateSubscription', 'SubscriptionLimitExceeded'],
  example: {
    params: { app_id: '1900000000000000042' },
    body: { event_type: 'post.create', filter: { user_id: '1900000000000000001' }, tag: 'posts' },
    reply: { data: exampleSubscription },
  },
  async handle({ params: { app_id }, body }, dependencies) {
    const app = await theApp(dependencies.store, app_id)
    const { row } = await subscribe(app.id, body, {
      ...dependencies,
      checkWebhook: (tx) => rejectUnknownWebhook(tx, app.id, body.webhook_id),
    })
    return json({ data: presentSubscription(row) })
  },
})
