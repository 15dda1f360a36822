import { pageOfSubscriptions } from '../../../delivery/activities/queries.ts'
import { presentSubscription } from '../../../delivery/activities/subscription.ts'
import { FIRST_ID } from '../../../platform/common/ids.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theApp } from '../../../workbench/create/apps.ts'
import { ActivitySubscription, exampleSubscription } from '../../core/activity/subscriptions/endpoint.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'

/** GET /admin/v1/apps/{app_id}/activity_subscriptions: the subscriptions of an app. */
export const listSubscriptions = endpoint({
  ...ADMIN,
  id: 'listSubscriptions',
  method: 'GET',
  path: '/admin/v1/apps/{app_id}/activity_subscriptions',
  summary: 'List the activity subscriptions of an app',
  description: 'Lists the subscriptions of an app, oldest first.',
  params: { app_id: appId },
  query: PAGE_PARAMETERS,
  reply: pageReply(ActivitySubscription),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { app_id: '1900000000000000042' },
    reply: { data: [exampleSubscription], meta: { result_count: 1 } },
  },
  async handle({ params: { app_id: app }, query }, { store }) {
    await theApp(store, app)
    const page = await readPage(query, {
      read: ({ after = FIRST_ID, limit }) => store.all(pageOfSubscriptions, { app, after, limit }),
      keyOf: ({ id }) => id,
      show: presentSubscription,
    })
    return json(page)
  },
})
