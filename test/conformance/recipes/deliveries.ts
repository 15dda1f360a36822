import { registerWebhook } from '../../../src/api/core/webhooks/register.ts'
import { addAccountSubscription } from '../../../src/delivery/activities/account/queries.ts'
import { subscribe } from '../../../src/delivery/activities/subscription.ts'
import { openConnections } from '../../../src/delivery/streams/connections/queries.ts'
import { addRules, namesOf } from '../../../src/delivery/streams/rules.ts'
import { instantText } from '../../../src/platform/common/instant.ts'
import type { World } from '../world.ts'
import type { Recipe } from './recipe.ts'

let count = 0

async function aWebhook({ plaza, app, consumer }: World): Promise<string> {
  const { store, ids, clock, config } = plaza.context
  const id = ids.next()
  const now = clock.now()
  await store.write((tx) =>
    registerWebhook(
      tx,
      {
        id,
        app_id: app.id,
        url: `${consumer.url}?n=${++count}`,
        valid: 1,
        created_at: now,
        last_success_at: now,
      },
      config,
    ),
  )
  return id
}

const MINUTE_MS = 60_000
const minuteText = (ms: number) =>
  new Date(ms)
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 12)

const replayDates = ({ plaza }: World) => ({
  from_date: minuteText(plaza.clock.now() - 120 * MINUTE_MS),
  to_date: minuteText(plaza.clock.now() - 60 * MINUTE_MS),
})

/** Of a user who does nothing, so that what other tests do is not recorded for it. */
async function aSubscription({ plaza, app, newUser }: World): Promise<string> {
  const filter = { user_id: (await newUser()).id }
  const subscription = { event_type: 'post.create', filter, tag: `subscription ${++count}` }
  const { row } = await subscribe(
    app.id,
    { ...subscription, webhook_id: `${count}` },
    {
      ...plaza.context,
      checkWebhook: async () => undefined,
    },
  )
  return row.id
}

/** A past period of a partition: a stream that ends. */
const ofThePast = async ({ plaza: { context } }: World) => ({
  query: {
    start_time: instantText(context.clock.now() - 2_000),
    end_time: instantText(context.clock.now()),
  },
})

const inPartition: Recipe = async (world) => ({
  query: { partition: '1', ...(await ofThePast(world)).query },
})

/** Ends the next connection of the app to the sample stream, as soon as it is open. */
async function endSample({ plaza, app }: World): Promise<void> {
  const { store, connections } = plaza.context
  for (let attempt = 0; attempt < 100; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    // A rejected call opens none, and the world may be closed meanwhile.
    const open = await store.all(openConnections, { app: app.id }).catch(() => undefined)
    if (!open) return
    const sample = open.find(({ endpoint_name }) => endpoint_name === 'sample_stream')
    const connection = sample && connections.get(sample.id)
    if (connection) return connection.end('completed')
  }
}

const withSubscription: Recipe = async (world) => ({
  params: { subscription_id: await aSubscription(world) },
})

const withWebhook: Recipe = async (world) => ({ params: { webhook_id: await aWebhook(world) } })

/** Calls of the endpoints of webhooks, activities and streams. */
export const deliveryRecipes: Readonly<Record<string, Recipe>> = {
  createWebhook: async ({ consumer, owner }) => ({
    json: { url: `${consumer.url}?n=${++count}` },
    pen: owner,
  }),
  listWebhooks: async () => ({}),
  validateWebhook: withWebhook,
  replayWebhookEvents: async (world) => ({
    json: { webhook_id: await aWebhook(world), ...replayDates(world) },
    pen: world.owner,
  }),
  replayAccountActivity: async (world) => ({
    params: { webhook_id: await aWebhook(world) },
    query: replayDates(world),
    pen: world.owner,
  }),
  linkStreamWebhook: withWebhook,
  listStreamWebhooks: async () => ({}),
  unlinkStreamWebhook: withWebhook,
  subscribeToAccount: async (world) => ({ params: { webhook_id: await aWebhook(world) }, json: {} }),
  findAccountSubscription: withWebhook,
  unsubscribeFromAccount: async (world) => {
    const webhook_id = await aWebhook(world)
    const { plaza, app, owner } = world
    const row = { webhook_id, user_id: owner.id, app_id: app.id }
    await plaza.context.store.write((tx) => tx.run(addAccountSubscription, { ...row, created_at: tx.now }))
    return { params: { webhook_id, user_id: owner.id } }
  },
  listAccountSubscriptions: withWebhook,
  countAccountSubscriptions: async () => ({}),
  deleteWebhook: async (world) => ({ params: { webhook_id: await aWebhook(world) }, pen: world.owner }),
  createActivitySubscription: async (world) => ({
    json: {
      event_type: 'post.create',
      filter: { user_id: (await world.newUser()).id },
      webhook_id: await aWebhook(world),
    },
  }),
  listActivitySubscriptions: async () => ({ query: { pagination_token: '0'.repeat(16) } }),
  changeActivitySubscription: async (world) => ({
    params: { subscription_id: await aSubscription(world) },
    json: { tag: `tag ${++count}` },
  }),
  deleteActivitySubscription: withSubscription,
  deleteActivitySubscriptions: async (world) => ({ query: { ids: await aSubscription(world) } }),
  // A recovery: a stream that ends.
  streamPosts: async ({ plaza, app }) => {
    const { context } = plaza
    const names = namesOf(context.naming.vocabulary)
    await addRules([{ value: 'cat' }], { app, stream: 'filtered', names }, context)
    return {
      query: {
        start_time: instantText(context.clock.now() - 2_000),
        end_time: instantText(context.clock.now()),
      },
    }
  },
  streamPowerstream: async ({ plaza, app }) => {
    const { context } = plaza
    const names = namesOf(context.naming.vocabulary)
    await addRules([{ value: 'cat' }], { app, stream: 'powerstream', names }, context)
    return {
      query: {
        startTime: instantText(context.clock.now() - 2_000),
        endTime: instantText(context.clock.now()),
      },
    }
  },
  streamActivities: ofThePast,
  // It has no recoveries: the server ends it.
  streamSample: async (world) => {
    void endSample(world)
    return {}
  },
  streamSample10: inPartition,
  streamPostsCompliance: inPartition,
  streamUsersCompliance: inPartition,
  streamLikesCompliance: ofThePast,
  streamPostLabels: ofThePast,
  streamFirehose: inPartition,
  streamLikesFirehose: inPartition,
  streamLikesSample10: inPartition,
  streamFirehoseEnglish: inPartition,
  streamFirehoseJapanese: inPartition,
  streamFirehoseKorean: inPartition,
  streamFirehosePortuguese: inPartition,
  listStreamConnections: async () => ({}),
  endStreamConnections: async () => ({ json: { uuids: ['5b6f1c9e-8a53-4c7b-9d0f-2f4e6a8c0b1d'] } }),
  endAllStreamConnections: async () => ({}),
  endConnectionsToStream: async () => ({ params: { endpoint_id: 'filtered_stream' } }),
  listStreamRules: async () => ({ query: { pagination_token: '0'.repeat(16) } }),
  countStreamRules: async () => ({}),
  changeStreamRules: async () => ({ json: { add: [{ value: `rule${++count}` }] } }),
  listPowerstreamRules: async () => ({}),
  addPowerstreamRules: async () => ({ json: { rules: [{ value: `rule${++count}` }] } }),
  deletePowerstreamRules: async () => ({ json: { rules: [{ value: `rule${++count}` }] } }),
}
