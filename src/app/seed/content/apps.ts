import { type Static, Type } from 'typebox'
import { registerWebhook } from '../../../api/core/webhooks/register.ts'
import { activityNames } from '../../../delivery/activities/kinds/kinds.ts'
import { DIRECTION_NAMES } from '../../../delivery/activities/subject.ts'
import { subscribeIn } from '../../../delivery/activities/subscription.ts'
import { addRulesIn, namesOf, type RuleFault } from '../../../delivery/streams/rules.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import { pointerOf } from '../../../platform/common/json-file.ts'
import { type Config, ConfigError } from '../../../platform/config/config.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { choice, text } from '../../../platform/http/schema.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { explanationOf } from '../problem.ts'

/** Those that have rules. */
const STREAMS = ['filtered', 'powerstream'] as const

const closed = { additionalProperties: false }

const Webhook = Type.Object(
  {
    id: Type.Optional(text(1, 100, 'A name for this file, by which subscriptions refer to it.')),
    url: text(1, 200, 'URL that events are sent to. The start does not call it.'),
  },
  closed,
)

const Subscription = Type.Object(
  {
    event_type: choice([...activityNames], 'What to receive.'),
    user: Type.Optional(text(1, 15, 'Screen name of the user whose activities they are.')),
    keyword: Type.Optional(text(1, 200, 'A word of the posts.')),
    direction: Type.Optional(choice([...DIRECTION_NAMES], 'Sent or received only.')),
    tag: Type.Optional(text(1, 200, 'A name of your choice.')),
    webhook: Type.Optional(text(1, 100, 'The `id` of a webhook of the app.')),
  },
  closed,
)

const Rule = Type.Object(
  {
    value: text(1, 4096, 'A query: which posts the rule matches.'),
    tag: Type.Optional(text(0, 1024, 'A name, which is returned with each match.')),
    stream: Type.Optional(choice([...STREAMS], 'The stream that it filters; `filtered` by default.')),
  },
  closed,
)

/** What an app of a seed receives. */
export const SEED_APP = {
  webhooks: Type.Optional(Type.Array(Webhook, { maxItems: 100 })),
  subscriptions: Type.Optional(Type.Array(Subscription, { maxItems: 1000 })),
  rules: Type.Optional(Type.Array(Rule, { maxItems: 1000, description: 'Rules of streams.' })),
}

/** Parts with names. */
export const APP_PARTS = { SeedWebhook: Webhook, SeedSubscription: Subscription, SeedRule: Rule }

interface AppContent {
  webhooks?: Static<typeof Webhook>[]
  subscriptions?: Static<typeof Subscription>[]
  rules?: Static<typeof Rule>[]
}

export interface SeedAppParts {
  readonly clock: Clock
  readonly ids: IdSource
  readonly config: Pick<
    Config,
    | 'activitySubscriptionsPerApp'
    | 'revalidateAfterSeconds'
    | 'ruleAccess'
    | 'streamRulesPerApp'
    | 'streamRulesPerProject'
    | 'webhooksPerApp'
  >
  idOf(screenName: string): string
}

/**
 * Writes the webhooks, subscriptions and rules of an app of a seed. `index` is its place there.
 * @throws ConfigError With the place of the first wrong value.
 */
export async function writeAppContent(
  tx: Transaction,
  { webhooks = [], subscriptions = [], rules = [] }: AppContent,
  { app, index }: { app: { id: string; ownerUserId: string }; index: number },
  parts: SeedAppParts,
): Promise<void> {
  const wrong = (what: string, ...place: (string | number)[]) =>
    new ConfigError(`seed: at ${pointerOf('apps', index, ...place)}: ${what}`)
  const most = parts.config.webhooksPerApp
  if (webhooks.length > most) throw wrong(`an app may have ${most} webhooks`, 'webhooks')
  const webhookIds = new Map<string | undefined, string>()
  for (const { id: name, url } of webhooks) {
    const now = parts.clock.now()
    const row = { id: parts.ids.next(), app_id: app.id, url, valid: 1, created_at: now, last_success_at: now }
    await registerWebhook(tx, row, parts.config)
    webhookIds.set(name, row.id)
  }
  for (const [at, { user, keyword, direction, webhook, ...rest }] of subscriptions.entries()) {
    const filter = { user_id: user === undefined ? undefined : parts.idOf(user), keyword, direction }
    const webhook_id = webhook === undefined ? undefined : webhookIds.get(webhook)
    try {
      await subscribeIn(tx, app.id, { ...rest, filter, webhook_id }, parts)
    } catch (error) {
      throw error instanceof ApiError ? wrong(explanationOf(error), 'subscriptions', at) : error
    }
  }
  for (const stream of STREAMS) {
    const own = rules.filter((rule) => (rule.stream ?? 'filtered') === stream)
    const faults = await addRulesIn(tx, own, { app, stream, names: namesOf(neutralVocabulary) }, parts)
    const faulty = own.find((rule) => faults.has(rule))
    const fault = faulty && faults.get(faulty)
    if (fault) throw wrong(sentenceOf(fault), 'rules', rules.indexOf(faulty), 'value')
  }
}

const sentenceOf = (fault: RuleFault): string =>
  fault.kind === 'duplicate'
    ? 'the app has this rule already'
    : fault.errors.map(({ message }) => message).join('; ')
