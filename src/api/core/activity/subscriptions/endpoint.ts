import { Type } from 'typebox'
import { activityNames } from '../../../../delivery/activities/kinds/kinds.ts'
import { DIRECTION_NAMES } from '../../../../delivery/activities/subject.ts'
import type { SubscriptionParts } from '../../../../delivery/activities/subscription.ts'
import type { PlazaTerms } from '../../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../../platform/http/endpoint.ts'
import { choice, component, id, storedChoice, text, time } from '../../../../platform/http/schema.ts'
import type { Naming } from '../../../../platform/protocols/protocols.ts'
import { protocolOf } from '../../../../platform/protocols/protocols.ts'

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
