import { Type } from 'typebox'
import {
  changeSubscription,
  countSubscriptions,
  subscriptionsByIds,
} from '../../../../delivery/activities/queries.ts'
import { presentSubscription, rejectDuplicate } from '../../../../delivery/activities/subscription.ts'
import { lockApp } from '../../../../identity/apps/queries.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import { changedReadOnly } from '../../../../platform/http/input/read-only.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import {
  ActivitySubscription,
  closed,
  count,
  endpoint,
  exampleSubscription,
  rejectUnknownWebhook,
  subscriptionId,
  subscriptionNotFound,
  tag,
  webhook,
} from './endpoint.ts'

const { subscription_id, event_type, filter, created_at, updated_at } = ActivitySubscription.properties

/** PUT /2/activity/subscriptions/{subscription_id} (core reference, 02 section 6.1). */
export const changeActivitySubscription = endpoint({
  id: 'changeActivitySubscription',
  host: 'core',
  method: 'PUT',
  path: '/2/activity/subscriptions/{subscription_id}',
  summary: 'Change an activity subscription',
  description:
    'Changes the tag or the webhook of a subscription. Absent parameters keep their value. The type and the filter cannot be changed: create another subscription instead.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '500/15m' },
  params: { subscription_id: subscriptionId },
  body: Type.Object({ tag: Type.Optional(tag), webhook_id: Type.Optional(webhook) }, closed),
  readOnly: { subscription_id, event_type, filter, created_at, updated_at },
  reply: Type.Object(
    { data: Type.Object({ subscription: ActivitySubscription, total_subscriptions: count }, closed) },
    closed,
  ),
  reasons: ['SubscriptionIdInvalid', 'WebhookIdInvalid', 'DuplicateSubscription'],
  example: {
    params: { subscription_id: '1900000000000000042' },
    body: { tag: 'posts' },
    reply: { data: { subscription: exampleSubscription, total_subscriptions: 1 } },
  },
  async handle({ principal, params, body, sentBack }, { store }) {
    const app = principal.app.id
    const { subscription_id: subscriptionId } = params
    return store.write(async (tx) => {
      await tx.run(lockApp, { appId: app })
      const [row] = await tx.all(subscriptionsByIds, { app, ids: JSON.stringify([subscriptionId]) })
      if (!row) throw subscriptionNotFound(subscriptionId)
      const violations = changedReadOnly(sentBack, presentSubscription(row))
      if (violations.length > 0) throw invalid(...violations)
      await rejectUnknownWebhook(tx, app, body.webhook_id)
      const changed = {
        ...row,
        tag: body.tag ?? row.tag,
        webhook_id: body.webhook_id ?? row.webhook_id,
        updated_at: tx.now,
      }
      if (body.webhook_id !== undefined)
        await rejectDuplicate(tx, changed, { name: 'webhook_id', value: body.webhook_id })
      await tx.run(changeSubscription, { ...changed, app })
      const total = Number((await tx.first(countSubscriptions, { app }))?.count ?? 0)
      return json({ data: { subscription: presentSubscription(changed), total_subscriptions: total } })
    })
  },
})
