import assert from 'node:assert/strict'
import type { Area, Exchange } from '../support/exchange.ts'
import { assertMatches, id64, including, integer, keep, like, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { openStream } from '../support/stream.ts'
import { send } from '../support/world.ts'

const STREAM = '{base_url}/2/activity/stream'
const SUBSCRIPTIONS = '/2/activity/subscriptions'

/** Since when the older names of events are deprecated: 18 March 2026 (RFC 9745). */
const DEPRECATED_SINCE = '@1773792000'
/** Changes of profiles and of spaces (interface, "Events"; core reference, 02 section 6.2). */
const KINDS = [
  'profile.update.bio',
  'profile.update.verified',
  'profile.update.affiliate',
  'profile.update.screenname',
  'profile.update.profile_picture',
  'profile.update.banner_picture',
  'spaces.start',
  'spaces.end',
]
/** The id of the subscription to a kind. */
const variableOf = (kind: string) => kind.replaceAll('.', '_')

const posts = { event_type: 'post.create', filter: { user_id: '{user}' }, tag: 'posts {run}' }
const stored = {
  ...posts,
  subscription_id: '{subscription}',
  created_at: '{subscribed_at}',
  updated_at: '{subscribed_at}',
}

/** Sources: interface, "Events"; core reference, 02 section 6. */
export const activity: Area = {
  name: 'activity subscriptions',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'an app subscribes to the posts of a user',
      send: `POST ${SUBSCRIPTIONS}`,
      json: posts,
      status: 200,
      reply: {
        data: {
          subscription: {
            ...posts,
            subscription_id: keep('subscription', id64),
            created_at: keep('subscribed_at', objectTime),
            updated_at: objectTime,
          },
          total_subscriptions_for_instance_id: keep('subscriptions', integer),
        },
        meta: { total_subscriptions: '{subscriptions}' },
      },
      limit: 500,
    },
    {
      it: 'the same event, filter and webhook again is a duplicate',
      send: `POST ${SUBSCRIPTIONS}`,
      json: posts,
      status: 400,
      reply: problem.invalidRequest([
        { event_type: ['post.create'] },
        'DuplicateSubscription: the subscription {subscription} has the same event type, filter and webhook',
      ]),
    },
    {
      it: 'the older name of an event is accepted and deprecated; the subscription has the current one',
      send: `POST ${SUBSCRIPTIONS}`,
      json: { event_type: 'PostDelete', filter: { user_id: '{user}' } },
      status: 200,
      reply: {
        data: {
          subscription: {
            event_type: 'post.delete',
            filter: { user_id: '{user}' },
            subscription_id: keep('deletions', id64),
            created_at: objectTime,
            updated_at: objectTime,
          },
          total_subscriptions_for_instance_id: integer,
        },
        meta: { total_subscriptions: integer },
      },
      has: { deprecation: DEPRECATED_SINCE },
    },
    ...KINDS.map(
      (event_type): Exchange => ({
        it: `an app subscribes to ${event_type}`,
        send: `POST ${SUBSCRIPTIONS}`,
        json: { event_type, filter: { user_id: '{user}' } },
        status: 200,
        reply: {
          data: {
            subscription: {
              event_type,
              filter: { user_id: '{user}' },
              subscription_id: keep(variableOf(event_type), id64),
              created_at: objectTime,
              updated_at: objectTime,
            },
            total_subscriptions_for_instance_id: integer,
          },
          meta: { total_subscriptions: integer },
        },
        has: { deprecation: null },
      }),
    ),
    {
      it: 'the older name of an event that the app has subscribed to is a duplicate',
      send: `POST ${SUBSCRIPTIONS}`,
      json: { event_type: 'ProfileBioUpdate', filter: { user_id: '{user}' } },
      status: 400,
      reply: problem.invalidRequest([
        { event_type: ['ProfileBioUpdate'] },
        'DuplicateSubscription: the subscription {profile_update_bio} has the same event type, filter and webhook',
      ]),
    },
    {
      it: 'an event that there is not',
      send: `POST ${SUBSCRIPTIONS}`,
      json: { event_type: 'post.burn', filter: { user_id: '{user}' } },
      status: 400,
      reply: problem.invalidRequest([{ event_type: ['post.burn'] }, like(/post\.create/)]),
    },
    {
      it: 'events of a user need a user',
      send: `POST ${SUBSCRIPTIONS}`,
      json: { event_type: 'post.create', filter: {} },
      status: 400,
      reply: problem.invalidRequest([
        { 'filter.user_id': [''] },
        'FilterInvalid: events of this type need a user',
      ]),
    },
    {
      it: 'a user who is not there',
      send: `POST ${SUBSCRIPTIONS}`,
      json: { event_type: 'post.create', filter: { user_id: '1' } },
      status: 400,
      reply: problem.invalidRequest([{ 'filter.user_id': ['1'] }, 'FilterInvalid: the user does not exist']),
    },
    {
      it: 'a private event of a user who has not authorized the app',
      send: `POST ${SUBSCRIPTIONS}`,
      as: 'second app',
      json: { event_type: 'post.mention.create', filter: { user_id: '{advertiser}' } },
      status: 403,
      reply: {
        title: 'Forbidden',
        type: 'about:blank',
        status: 403,
        detail: 'The user has not authorized the app to see these events.',
      },
    },
    {
      it: 'an unknown webhook',
      send: `POST ${SUBSCRIPTIONS}`,
      json: { ...posts, webhook_id: '7' },
      status: 400,
      reply: problem.invalidRequest([
        { webhook_id: ['7'] },
        'WebhookIdInvalid: this app has no webhook with the id 7',
      ]),
    },
    {
      it: 'the list has them, oldest first',
      send: `GET ${SUBSCRIPTIONS}`,
      query: { max_results: '1000' },
      status: 200,
      reply: {
        data: including(stored),
        meta: { result_count: integer, total_subscriptions: integer },
      },
      limit: 500,
    },
    {
      it: 'a user sees the subscriptions about that user, and how many they are',
      needs: 'user',
      async run(world) {
        const other = {
          send: `POST {base_url}${SUBSCRIPTIONS}`,
          json: { event_type: 'post.create', filter: { user_id: '{advertiser}' } },
        }
        const created = await send(world, { ...other, as: 'app' })
        assert.equal(created.status, 200, created.text)
        const listed = await send(world, { send: `GET {base_url}${SUBSCRIPTIONS}`, as: 'user' })
        assert.equal(listed.status, 200, listed.text)
        const { data, meta } = JSON.parse(listed.text) as {
          data: { filter: { user_id?: string } }[]
          meta: { result_count: number; total_subscriptions: number }
        }
        assert.ok(data.length > 0)
        assert.ok(data.every(({ filter }) => filter.user_id === world.variables.user))
        assert.deepEqual(meta, { result_count: data.length, total_subscriptions: data.length })
      },
    },
    {
      it: 'a subscription is saved back whole with another tag',
      send: `PUT ${SUBSCRIPTIONS}/{subscription}`,
      json: { ...stored, tag: 'mine {run}' },
      status: 200,
      reply: {
        data: {
          subscription: { ...stored, tag: 'mine {run}', updated_at: objectTime },
          total_subscriptions: integer,
        },
      },
      limit: 500,
    },
    {
      it: 'the type of a subscription does not change',
      send: `PUT ${SUBSCRIPTIONS}/{subscription}`,
      json: { event_type: 'post.delete' },
      status: 400,
      reply: problem.invalidRequest([{ event_type: ['post.delete'] }, like(/./)]),
    },
    {
      it: 'a subscription that there is not',
      send: `PUT ${SUBSCRIPTIONS}/7`,
      json: { tag: 'x' },
      status: 400,
      reply: problem.invalidRequest([
        { subscription_id: ['7'] },
        'SubscriptionIdInvalid: this app has no subscription with the id 7',
      ]),
    },
    {
      it: 'what a subscription matches is a line of the stream',
      needs: 'user',
      async run(world) {
        const { seen, variables } = world
        const open = await openStream(world, STREAM)
        assert.equal(open.status, 200)
        assert.equal(open.headers['content-type'], 'application/json; charset=utf-8')
        assert.equal(open.headers['x-rate-limit-limit'], '450')
        seen.calls.push({ method: 'GET', path: '/2/activity/stream' })
        const created = await send(world, {
          send: 'POST {base_url}/2/posts',
          as: 'user',
          json: { text: 'Activity of {run}' },
        })
        assert.equal(created.status, 201)
        const { id } = (JSON.parse(created.text) as { data: { id: string } }).data
        let line: { data: { event_type: string; payload: { id: string } } }
        // Earlier rows may still be on their way.
        do line = JSON.parse((await open.next()) ?? '')
        while (line.data.payload.id !== id)
        const { event_uuid, payload, includes, ...rest } = line.data as Record<string, unknown>
        assertMatches(
          { event_uuid, ...rest },
          { event_uuid: id64, event_type: 'post.create', filter: { user_id: '{user}' }, tag: 'mine {run}' },
          variables,
        )
        open.close()
      },
    },
    {
      it: 'a change of a profile shows the value before and after it',
      needs: 'user',
      async run(world) {
        const open = await openStream(world, STREAM)
        const update = async (description: string) => {
          const updated = await send(world, {
            send: 'POST {base_url}/1.1/account/update_profile.json',
            as: 'user',
            form: { description },
          })
          assert.equal(updated.status, 200, updated.text)
        }
        const description = `Bio of ${world.variables.run}`
        await update(description)
        let line: { data: { event_type: string; payload: { before: unknown; after: unknown } } }
        // Earlier rows may still be on their way.
        do line = JSON.parse((await open.next()) ?? '')
        while (line.data.payload.after !== description)
        assert.equal(line.data.event_type, 'profile.update.bio')
        assert.equal(typeof line.data.payload.before, 'string')
        open.close()
        await update(String(line.data.payload.before))
      },
    },
    {
      it: 'a recovery ends by itself',
      needs: 'user',
      async run(world) {
        const start = new Date(Date.now() - 600_000).toISOString()
        const past = await openStream(world, `${STREAM}?start_time=${start}`)
        assert.equal(past.status, 200)
        let last: string | undefined
        do last = await past.next()
        while (last !== undefined)
      },
    },
    {
      it: 'a subscription is deleted',
      send: `DELETE ${SUBSCRIPTIONS}/{subscription}`,
      status: 200,
      reply: { data: { deleted: true }, meta: { total_subscriptions: integer } },
      limit: 500,
    },
    {
      it: 'and is gone',
      send: `DELETE ${SUBSCRIPTIONS}/{subscription}`,
      status: 400,
      reply: problem.invalidRequest([
        { subscription_id: ['{subscription}'] },
        'SubscriptionIdInvalid: this app has no subscription with the id {subscription}',
      ]),
    },
    {
      it: 'several are deleted at once; those that are not there are reported',
      send: `DELETE ${SUBSCRIPTIONS}`,
      query: { ids: `{deletions},${KINDS.map((kind) => `{${variableOf(kind)}}`).join()},7` },
      status: 200,
      reply: {
        data: { deleted: true },
        meta: { total_subscriptions: integer },
        errors: [
          problem.invalidRequest([
            { ids: ['7'] },
            'SubscriptionIdInvalid: this app has no subscription with the id 7',
          ]),
        ],
      },
      limit: 500,
    },
  ],
}
