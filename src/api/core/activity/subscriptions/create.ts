import { Type } from 'typebox'
import { activityNames, formerActivityNames, kindNamed } from '../../../../delivery/activities/kinds/kinds.ts'
import { presentSubscription, subscribe } from '../../../../delivery/activities/subscription.ts'
import { requireScope } from '../../../../identity/auth/authorize.ts'
import type { AppCaller, UserCaller } from '../../../../identity/auth/principal.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice } from '../../../../platform/http/schema.ts'
import { deprecationSince } from '../../../../platform/http/steps/deprecated.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import {
  ActivityFilter,
  ActivitySubscription,
  closed,
  count,
  endpoint,
  exampleSubscription,
  rejectUnknownWebhook,
  Totals,
  tag,
  webhook,
} from './endpoint.ts'

/** When the current names replaced the former ones (interface, Versioning). */
const FORMER_NAMES_SINCE = Date.UTC(2026, 2, 18)

/**
 * A user's token subscribes to private activities of this user only, whatever other users let the
 * app see.
 */
function requireOwn(principal: AppCaller | UserCaller, userId: string | undefined): void {
  if (principal.kind === 'user' && userId !== undefined && userId !== principal.userId)
    throw apiError('activity not permitted', 'the token is of another user')
}

/**
 * POST /2/activity/subscriptions: subscribes the app to activities (core reference, 02 section
 * 6.1).
 */
export const createActivitySubscription = endpoint({
  id: 'createActivitySubscription',
  host: 'core',
  method: 'POST',
  path: '/2/activity/subscriptions',
  summary: 'Subscribe to activities',
  description: `Subscribes the calling app to activities of one type: of a user, or about a keyword. The app receives them on the activity stream and, if the subscription names a webhook, also there. Private activities require that the user has authorized the app; with the token of a user, they must be of this user. Types: ${activityNames.join(', ')}. Plaza has no broadcasts: there are no types \`broadcast.*\`. Older names such as ${formerActivityNames[0]} are deprecated; they are accepted with the header \`deprecation\` in the reply, and events have the current name.`,
  source: 'Events; Other core endpoints named in release notes',
  auth: ['app', 'user'],
  scopes: ['post.read'],
  moreScopes: ['dm.read', 'like.read', 'mute.read', 'block.read'],
  limits: { app: '500/15m', user: '500/15m' },
  body: Type.Object(
    {
      event_type: choice(
        [...activityNames, ...formerActivityNames],
        'What to receive.',
        'NewActivityEventType',
      ),
      filter: ActivityFilter,
      tag: Type.Optional(tag),
      webhook_id: Type.Optional(webhook),
    },
    closed,
  ),
  reply: Type.Object(
    {
      data: Type.Object(
        { subscription: ActivitySubscription, total_subscriptions_for_instance_id: count },
        closed,
      ),
      meta: Totals,
    },
    closed,
  ),
  errors: ['activity not permitted'],
  reasons: ['FilterInvalid', 'WebhookIdInvalid', 'DuplicateSubscription', 'SubscriptionLimitExceeded'],
  example: {
    body: { event_type: 'post.create', filter: { user_id: '1900000000000000001' }, tag: 'posts' },
    reply: {
      data: { subscription: exampleSubscription, total_subscriptions_for_instance_id: 1 },
      meta: { total_subscriptions: 1 },
    },
  },
  async handle({ principal, body }, dependencies) {
    const { app } = principal
    const { webhook_id } = body
    const kind = kindNamed(body.event_type)
    const scope = kind?.kind.scope
    if (scope !== undefined) {
      requireScope(principal, scope)
      requireOwn(principal, body.filter.user_id)
    }
    const { row, total } = await subscribe(app.id, body, {
      ...dependencies,
      checkWebhook: (tx) => rejectUnknownWebhook(tx, app.id, webhook_id),
    })
    return json(
      {
        data: { subscription: presentSubscription(row), total_subscriptions_for_instance_id: total },
        meta: { total_subscriptions: total },
      },
      undefined,
      kind?.isFormer ? { deprecation: deprecationSince(FORMER_NAMES_SINCE) } : undefined,
    )
  },
})
