import { type Static, Type } from 'typebox'
import { removeAccountSubscription, usersOfWebhook } from '../../../delivery/activities/account/queries.ts'
import { consentsOf } from '../../../identity/tokens/consents.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedComponent, closedObject, id } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { addSubscription } from '../../core/account-activity/subscriptions/subscription.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE as USER, userName } from '../users/user.ts'
import { theWebhook, EXAMPLE as WEBHOOK, webhookId } from './webhook.ts'

const PATH = '/admin/v1/webhooks/{webhook_id}/account_subscriptions'

const AdminAccountSubscription = closedComponent('AdminAccountSubscription', {
  webhook_id: webhookId,
  user_id: id('The user whose activity the webhook receives.'),
})

const EXAMPLE: Static<typeof AdminAccountSubscription> = { webhook_id: WEBHOOK.id, user_id: USER.id }

const COMMON = { ...ADMIN, errors: [...ADMIN.errors, 'not found'] } as const
const OF_USER = { webhook_id: webhookId, user: userName('Id or screen name.') }

/** PUT /admin/v1/webhooks/{webhook_id}/account_subscriptions/{user}. */
export const createAdminAccountSubscription = endpoint({
  ...COMMON,
  id: 'createAdminAccountSubscription',
  method: 'PUT',
  path: `${PATH}/{user}`,
  summary: 'Subscribe a webhook to the activity of a user',
  description:
    'The webhook receives activity by and about the user, as if the user had subscribed the app. The user must have given the app access, and the subscription ends with it. Repeating it changes nothing.',
  params: OF_USER,
  reply: closedObject({ data: AdminAccountSubscription }),
  errors: [...COMMON.errors, 'conflict'],
  reasons: ['SubscriptionLimitExceeded'],
  example: { params: { webhook_id: WEBHOOK.id, user: 'ann' }, reply: { data: EXAMPLE } },
  async handle({ params: { webhook_id, user } }, { store, clock, config }) {
    const { app_id: app } = await theWebhook(store, webhook_id)
    const { id: userId, screen_name } = await theUser(store, user)
    const pair = { app, user: userId }
    const allows = await consentsOf(store, [pair], clock.now())
    if (!allows(pair, 'post.read') || !allows(pair, 'users.read'))
      throw apiError('conflict', {
        explanation: `@${screen_name} has not given the app ${app} access to posts and users.`,
      })
    const wanted = { appId: app, webhookId: webhook_id, userId }
    await store.write((tx) => addSubscription(tx, wanted, config.accountActivityUsersPerApp))
    return json({ data: { webhook_id, user_id: userId } })
  },
})

/** GET /admin/v1/webhooks/{webhook_id}/account_subscriptions. */
export const listAdminAccountSubscriptions = endpoint({
  ...COMMON,
  id: 'listAdminAccountSubscriptions',
  method: 'GET',
  path: PATH,
  summary: 'List the users whose activity a webhook receives',
  description: 'Lists all of them: an app has at most `--account-activity-users-per-app`.',
  params: { webhook_id: webhookId },
  reply: closedObject({ data: Type.Array(AdminAccountSubscription) }),
  example: { params: { webhook_id: WEBHOOK.id }, reply: { data: [EXAMPLE] } },
  async handle({ params: { webhook_id } }, { store }) {
    await theWebhook(store, webhook_id)
    const users = await store.all(usersOfWebhook, { webhook: webhook_id })
    return json({ data: users.map(({ user_id }) => ({ webhook_id, user_id })) })
  },
})

/** DELETE /admin/v1/webhooks/{webhook_id}/account_subscriptions/{user}. */
export const deleteAdminAccountSubscription = endpoint({
  ...COMMON,
  id: 'deleteAdminAccountSubscription',
  method: 'DELETE',
  path: `${PATH}/{user}`,
  summary: 'End the subscription of a webhook to the activity of a user',
  description: 'The webhook no longer receives the activity of the user.',
  params: OF_USER,
  reply: closedObject({ data: Deleted }),
  example: { params: { webhook_id: WEBHOOK.id, user: 'ann' }, reply: { data: { deleted: true } } },
  async handle({ params: { webhook_id, user } }, { store }) {
    await store.write(async (tx) => {
      await theWebhook(tx, webhook_id)
      const { id: user_id } = await theUser(tx, user)
      if ((await tx.run(removeAccountSubscription, { webhook_id, user_id })) > 0) return
      throw new NotThere(`The webhook ${webhook_id} has no subscription to the user ${user}.`)
    })
    return json({ data: { deleted: true } })
  },
})
