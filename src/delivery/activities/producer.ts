import { type TSchema, Type } from 'typebox'
import { type Consents, consentsOf, type UserAppPair } from '../../identity/tokens/consents.ts'
import type { Clock } from '../../platform/common/clock.ts'
import { FIRST_ID } from '../../platform/common/ids.ts'
import type { LoggedEvent } from '../../platform/events/event.ts'
import { type BatchWrites, type Consumer, IGNORED } from '../../platform/events/follower.ts'
import { compileReply } from '../../platform/http/reply.ts'
import { id, storedChoice } from '../../platform/http/schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import { enqueueDeliveries, type NewDelivery } from '../webhooks/enqueue.ts'
import { accountWritesOf } from './account/deliveries.ts'
import {
  type Activity,
  type ActivityKind,
  type ActivitySource,
  eventUuid,
  postOf,
  type Render,
} from './kind.ts'
import { activitySources } from './kinds/kinds.ts'
import { overlaidIfWhole } from './over.ts'
import { closed } from './payloads.ts'
import { addActivityEvents, matchingSubscriptions } from './queries.ts'
import { ActivityReader, type ReaderParts } from './reader.ts'
import { matches, subjectsOf } from './subject.ts'
import { presentFilter } from './subscription.ts'
import type { ActivityEventRow, ActivitySubscriptionRow } from './tables.ts'

/** The channel that notifies streams of new activities. */
export const ACTIVITY_CHANNEL = 'activity'

/** Subscriptions per read. */
const SUBSCRIPTIONS_AT_ONCE = 1_000

export interface ProducerParts extends ReaderParts {
  readonly store: Pick<Store, 'all'>
  readonly clock: Clock
  readonly coreOrigin: string
}

/**
 * Turns domain events into what subscribers receive. For each activity and matching subscription,
 * writes one row for the streams of the app, and one delivery if the subscription has a webhook.
 * Also writes deliveries of account activity (`account/`). All writes are committed with the
 * position in the event log, so each activity is stored exactly once.
 */
export function activityProducer(parts: ProducerParts): Consumer {
  return {
    name: 'activity',
    async take(events) {
      const reader = new ActivityReader(parts, parts.clock.now())
      const activities = await activitiesOf(events, reader)
      if (activities.length === 0) return IGNORED
      const [matched, accountWrites] = await Promise.all([
        matchedBy(activities, parts),
        accountWritesOf(activities, { ...parts, reader, now: parts.clock.now() }),
      ])
      const writes = matched.length === 0 ? undefined : await writesOf(matched, { ...parts, reader })
      return together(writes, accountWrites) ?? IGNORED
    },
    // The affected subscribers do not receive the activities of these events.
    missed: () => undefined,
  }
}

function together(...writes: readonly (BatchWrites | undefined)[]): BatchWrites | undefined {
  const all = writes.filter((one) => one !== undefined)
  if (all.length === 0) return undefined
  return async (tx) => {
    for (const one of all) await one(tx)
  }
}

const sourcesOf = new Map<string, ActivitySource[]>()
for (const source of activitySources)
  for (const { name } of source.events) sourcesOf.set(name, [...(sourcesOf.get(name) ?? []), source])

/** The activities of a batch, in the order of its events. */
async function activitiesOf(events: readonly LoggedEvent[], reader: ActivityReader): Promise<Activity[]> {
  const bySource = new Map<ActivitySource, LoggedEvent[]>()
  for (const event of events)
    for (const source of sourcesOf.get(event.kind) ?? [])
      bySource.set(source, [...(bySource.get(source) ?? []), event])
  const found = await Promise.all([...bySource].map(([source, own]) => source.activitiesOf(own, reader)))
  return found.flat().sort((one, other) => one.event.position - other.event.position)
}

interface Match {
  activity: Activity
  subscription: ActivitySubscriptionRow
}

async function matchedBy(activities: readonly Activity[], { store, clock }: ProducerParts): Promise<Match[]> {
  if (activities.length === 0) return []
  const bySubject = new Map<string, Activity[]>()
  for (const activity of activities)
    for (const subject of subjectsOf(activity.subject)) {
      const pair = JSON.stringify([activity.kind.name, subject])
      bySubject.set(pair, [...(bySubject.get(pair) ?? []), activity])
    }
  const matched: Match[] = []
  for await (const subscription of subscriptionsTo([...bySubject.keys()], store)) {
    const own = bySubject.get(JSON.stringify([subscription.kind, subscription.subject])) ?? []
    for (const activity of own) if (matches(activity, subscription)) matched.push({ activity, subscription })
  }
  return consented(matched, store, clock.now())
}

async function* subscriptionsTo(
  pairs: readonly string[],
  store: Pick<Store, 'all'>,
): AsyncGenerator<ActivitySubscriptionRow> {
  for (let after = FIRST_ID; ; ) {
    const at = { pairs: `[${pairs.join(',')}]`, after, limit: SUBSCRIPTIONS_AT_ONCE }
    const rows = await store.all(matchingSubscriptions, at)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < SUBSCRIPTIONS_AT_ONCE) return
    after = last.id
  }
}

/** Leaves out what the user does not let the app see. */
async function consented(
  matched: readonly Match[],
  store: Pick<Store, 'all'>,
  now: number,
): Promise<Match[]> {
  const isPrivate = ({ activity }: Match) => activity.kind.scope !== undefined
  const allow: Consents = await consentsOf(store, matched.filter(isPrivate).map(pairOf), now)
  return matched.filter((one) => {
    const { scope } = one.activity.kind
    return scope === undefined || allow(pairOf(one), scope)
  })
}

const pairOf = ({ subscription: { app_id, user_id } }: Match): UserAppPair => ({
  app: app_id,
  user: user_id ?? '',
})

interface Work extends ProducerParts {
  reader: ActivityReader
}

async function writesOf(matched: readonly Match[], work: Work): Promise<BatchWrites | undefined> {
  const render = await rendererOf(
    matched.map(({ activity }) => activity),
    work,
  )
  const numbers = new Map<string, number>()
  const rows: ActivityEventRow[] = []
  const deliveries: NewDelivery[] = []
  for (const { activity, subscription } of matched) {
    const body = render(activity, subscription)
    if (body === undefined) continue
    const { app_id, webhook_id, user_id } = subscription
    const { position } = activity.event
    const number = numbers.get(`${app_id} ${position}`) ?? 0
    numbers.set(`${app_id} ${position}`, number + 1)
    const postId = postOf(activity)
    const { scope } = activity.kind
    const row = { app_id, position, number, body, at: work.clock.now(), post_id: postId ?? null }
    rows.push({ ...row, user_id, scope: scope ?? null })
    if (webhook_id !== null)
      deliveries.push({
        ...{ webhookId: webhook_id, eventId: eventUuid(activity), body },
        ...(postId !== undefined && { postId }),
        ...(user_id !== null && { userId: user_id }),
        ...(scope !== undefined && { scope }),
        subscription: { kind: 'activity', id: subscription.id, filterKey: subscription.filter_key },
      })
  }
  if (rows.length === 0) return undefined
  return async (tx) => {
    await addActivityEvents(tx, rows)
    await enqueueDeliveries(tx, deliveries)
    tx.notify(ACTIVITY_CHANNEL)
  }
}

/**
 * Returns a function that renders an activity for a subscription. Activities of one kind are read
 * together.
 */
async function rendererOf(activities: readonly Activity[], { reader, naming }: Work) {
  const byKind = new Map<ActivityKind, Activity[]>()
  for (const one of activities) byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), one])
  const renders = new Map<ActivityKind, Render<unknown>>()
  for (const [kind, own] of byKind)
    renders.set(
      kind,
      await kind.prepare(
        own.map(({ facts }) => facts),
        reader,
      ),
    )
  const renderedOnce = once(({ kind, facts, over }: Activity) => {
    const rendered = renders.get(kind)?.(facts)
    if (!rendered || !over) return rendered
    const replaced = { over: over.payload, vocabulary: naming.vocabulary }
    const payload = overlaidIfWhole(kind.payload, rendered.payload, replaced)
    return payload && { ...rendered, payload }
  })
  /** Subscriptions with the same event type, tag and filter share one text. */
  const textsOf = once((_: Activity) => new Map<string, string>())
  return (activity: Activity, subscription: ActivitySubscriptionRow): string | undefined => {
    const rendered = renderedOnce(activity)
    if (rendered === undefined) return undefined
    const { payload, includes } = rendered
    const { event_type, tag } = subscription
    const filter = presentFilter(subscription)
    const texts = textsOf(activity)
    const key = JSON.stringify([event_type, tag, filter])
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = compileReply(
      itemOf(activity.kind),
      naming.vocabulary,
    )({
      data: {
        event_uuid: eventUuid(activity),
        filter,
        event_type,
        ...(tag !== null && { tag }),
        payload,
        ...(includes && Object.keys(includes).length > 0 && { includes }),
      },
    })
    texts.set(key, text)
    return text
  }
}

/** Caches the result of `make` for each activity. */
function once<Made>(make: (activity: Activity) => Made): (activity: Activity) => Made {
  const made = new Map<Activity, Made>()
  return (activity) => {
    const known = made.get(activity)
    if (known !== undefined) return known
    const value = make(activity)
    made.set(activity, value)
    return value
  }
}

const items = new Map<ActivityKind, TSchema>()

/** The schema of a stream line with an activity of a kind (core reference, 02 section 6.3). */
function itemOf(kind: ActivityKind): TSchema {
  const known = items.get(kind)
  if (known) return known
  const { name, otherNames, payload, includes } = kind
  const data = {
    event_uuid: id('The activity. Subscriptions that match the same activity receive the same id.'),
    filter: Type.Object(
      {
        user_id: Type.Optional(Type.String()),
        keyword: Type.Optional(Type.String()),
        direction: Type.Optional(Type.String()),
      },
      closed,
    ),
    event_type: storedChoice([name, ...otherNames], 'The kind.', 'ActivityEventType'),
    tag: Type.Optional(Type.String()),
    payload,
    ...(includes && { includes: Type.Optional(includes) }),
  }
  const made = Type.Object({ data: Type.Object(data, closed) }, closed)
  items.set(kind, made)
  return made
}
