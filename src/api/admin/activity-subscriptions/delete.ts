import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theApp } from '../../../workbench/create/apps.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { subscriptionId, unsubscribe } from '../../core/activity/subscriptions/endpoint.ts'
import { Deleted } from '../../core/deleted.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, endpoint } from '../endpoint.ts'

/** DELETE /admin/v1/apps/{app_id}/activity_subscriptions/{subscription_id}. */
export const deleteSubscription = endpoint({
  ...ADMIN,
  id: 'deleteSubscription',
  method: 'DELETE',
  path: '/admin/v1/apps/{app_id}/activity_subscriptions/{subscription_id}',
  summary: 'Delete an activity subscription of an app',
  description: 'Deletes a subscription.',
  params: { app_id: appId, subscription_id: subscriptionId },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { app_id: '1900000000000000042', subscription_id: '1900000000000000044' },
    reply: { data: { deleted: true } },
  },
  async handle({ params: { app_id, subscription_id } }, { store }) {
    const app = await theApp(store, app_id)
    const { missing } = await unsubscribe(app.id, [subscription_id], store)
    if (missing.length > 0) throw new NotThere(`The app ${app_id} has no subscription ${subscription_id}.`)
    return json({ data: { deleted: true } })
  },
})
