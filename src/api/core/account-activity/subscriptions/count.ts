import { Type } from 'typebox'
import { usersOfApp } from '../../../../delivery/activities/account/queries.ts'
import { appById } from '../../../../identity/apps/queries.ts'
import { consentsOf } from '../../../../identity/tokens/consents.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { component } from '../../../../platform/http/schema.ts'
import { closed, endpoint, SOURCE } from './endpoint.ts'

const count = (description: string) => Type.String({ pattern: '^[0-9]+$', description })

const AccountCounts = component(
  'AccountActivityCounts',
  Type.Object(
    {
      account_name: Type.String({ description: 'The name of the app.' }),
      provisioned_count: count('Users that the app may subscribe to.'),
      subscriptions_count_all: count('Users that it has subscribed to.'),
      subscriptions_count_direct_messages: count(
        'The number of those users whose direct messages the app may read.',
      ),
    },
    closed,
  ),
)

/** GET /2/account_activity/subscriptions/count (core reference, 02 section 5). */
export const countAccountSubscriptions = endpoint({
  id: 'countAccountSubscriptions',
  host: 'core',
  method: 'GET',
  path: '/2/account_activity/subscriptions/count',
  summary: 'Count the users whose activity the app receives',
  description: 'Counts each user once, however many webhooks receive the activity. The counts are strings.',
  source: SOURCE,
  auth: ['app'],
  limits: { app: '500/15m' },
  reply: Type.Object({ data: AccountCounts }, closed),
  example: {
    reply: {
      data: {
        account_name: 'Demo app',
        provisioned_count: '5000',
        subscriptions_count_all: '2',
        subscriptions_count_direct_messages: '1',
      },
    },
  },
  async handle({ principal: { app } }, { store, clock, config }) {
    const [row, users] = await Promise.all([
      store.first(appById, { id: app.id }),
      store.all(usersOfApp, { app: app.id }),
    ])
    const pairs = users.map(({ user_id }) => ({ app: app.id, user: user_id }))
    const allows = await consentsOf(store, pairs, clock.now())
    return json({
      data: {
        account_name: row?.name ?? '',
        provisioned_count: String(config.accountActivityUsersPerApp),
        subscriptions_count_all: String(users.length),
        subscriptions_count_direct_messages: String(pairs.filter((pair) => allows(pair, 'dm.read')).length),
      },
    })
  },
})
