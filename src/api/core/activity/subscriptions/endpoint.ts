import { Type } from 'typebox'
import { activityNames } from '../../../../delivery/activities/kinds/kinds.ts'
import {
  countSubscriptions,
  removeSubscriptions,
  subscriptionsByIds,
} from '../../../../delivery/activities/queries.ts'
import { DIRECTION_NAMES } from '../../../../delivery/activities/subject.ts'
import type { SubscriptionParts } from '../../../../delivery/activities/subscription.ts'
import { lockApp } from '../../../../identity/apps/queries.ts'
import type { PlazaTerms } from '../../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../../platform/http/endpoint.ts'
import { invalidFor } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import { choice, component, id, storedChoice, text, time } from '../../../../platform/http/schema.ts'
import { type Naming, protocolOf } from '../../../../platform/protocols/protocols.ts'
import type { Store, Transaction } from '../../../../platform/storage/store.ts'
import { webhookOfApp } from '../../webhooks/queries.ts'

/** What handlers of activity subscriptions receive. */
export interface ActivityDependencies extends SubscriptionParts {
  readonly naming: Naming
}

/** Declares an endpoint for activity subscriptions. */
export const endpoint = endpointsOf<PlazaTerms<ActivityDependencies>>(protocolOf)

const MAX_TAG_LENGTH = 200
const MAX_KEYWORD_LENGTH = 150
export const closed = { additionalProperties: false }
export const count = Type.Integer({ minimum: 0 })
export const subscriptionId = id('The subscription.')

export const tag = text(1, MAX_TAG_LENGTH, 'A name of your choice, which is returned with each event.')
export const webhook = id('The webhook that receives the events, in addition to the stream of the app.')

/** Which events an app receives (core reference, 02 section 6.1). */
export const ActivityFilter = component(
  'ActivityFilter',
  Type.Object(
    {
      user_id: Type.Optional(id('The user whose activity it is.')),
      keyword: Type.Optional(
        text(
          1,
          MAX_KEYWORD_LENGTH,
          'Words that must occur together in a news story. Other types of events ignore it.',
        ),
      ),
      direction: Type.Optional(
        choice(
          [...DIRECTION_NAMES],
          'Only what the user sent (`sent`, `outbound`) or received (`received`, `inbound`); both by default.',
          'ActivityDirection',
        ),
      ),
    },
    closed,
  ),
)

/** An activity subscription (core reference, 02 section 6.1). */
export const ActivitySubscription = component(
  'ActivitySubscription',
  Type.Object(
    {
      subscription_id: subscriptionId,
      event_type: storedChoice([...activityNames], 'What the app receives.', 'ActivityEventType'),
      filter: ActivityFilter,
      created_at: time('When it was created.'),
      updated_at: time('When it was last changed.'),
      tag: Type.Optional(Type.String({ description: 'Name that the app gave to it.' })),
      webhook_id: Type.Optional(webhook),
    },
    closed,
  ),
)

/** How many subscriptions the app has. */
export const Totals = component(
  'ActivitySubscriptionTotals',
  Type.Object({ total_subscriptions: count }, closed),
)

export const exampleSubscription = {
  subscription_id: '1900000000000000042',
  event_type: 'post.create',
  filter: { user_id: '1900000000000000001' },
  created_at: '2026-02-03T04:05:06.000Z',
  updated_at: '2026-02-03T04:05:06.000Z',
  tag: 'posts',
}

/** The error for a subscription that the app does not have, even if another app has it. */
export const subscriptionNotFound = (id: string, place: 'path' | 'query' = 'path') =>
  invalidFor('SubscriptionIdInvalid', msg`this app has no subscription with the id ${id}`, {
    place,
    name: place === 'path' ? 'subscription_id' : 'ids',
    value: id,
  })

/**
 * Deletes the existing subscriptions of an app. Resolves to the ids that do not exist, and how many
 * subscriptions are left.
 */
export const unsubscribe = (
  app: string,
  ids: readonly string[],
  store: Store,
): Promise<{ missing: string[]; total: number }> =>
  store.write(async (tx) => {
    await tx.run(lockApp, { appId: app })
    const at = { app, ids: JSON.stringify(ids) }
    const found = new Set((await tx.all(subscriptionsByIds, at)).map(({ id }) => id))
    if (found.size > 0) await tx.run(removeSubscriptions, at)
    const total = Number((await tx.first(countSubscriptions, { app }))?.count ?? 0)
    return { missing: ids.filter((id) => !found.has(id)), total }
  })

/** Rejects a webhook that the app does not have. */
export async function rejectUnknownWebhook(
  tx: Transaction,
  app: string,
  webhook: string | undefined,
): Promise<void> {
  if (webhook === undefined || (await tx.first(webhookOfApp, { id: webhook, appId: app }))) return
  throw invalidFor('WebhookIdInvalid', msg`this app has no webhook with the id ${webhook}`, {
    place: 'body',
    name: 'webhook_id',
    value: webhook,
  })
}
