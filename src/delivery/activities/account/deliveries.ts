import { type Consents, consentsOf } from '../../../identity/tokens/consents.ts'
import type { TokenScope } from '../../../identity/tokens/scopes.ts'
import type { BatchWrites } from '../../../platform/events/follower.ts'
import { compileReply } from '../../../platform/http/reply.ts'
import type { Naming } from '../../../platform/protocols/protocols.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { enqueueDeliveries, type NewDelivery } from '../../webhooks/enqueue.ts'
import { type Activity, eventUuid, postOf } from '../kind.ts'
import { oauthRevoke } from '../kinds/access.ts'
import { overlaidIfWhole } from '../over.ts'
import type { AccountSubscriptionRow } from '../tables.ts'
import type { AccountForm, FormParts } from './form.ts'
import { accountFormOf } from './forms.ts'
import { endAccountSubscriptions, subscriptionsToUsers } from './queries.ts'
import { revokedForm } from './relations.ts'

const SUBSCRIPTIONS_AT_ONCE = 1_000
/**
 * The scope that the user of a subscription must have granted the app, for public activities and
 * for direct messages.
 */
const SCOPE = 'post.read'
const PRIVATE_SCOPE = 'dm.read'

export interface AccountParts extends FormParts {
  readonly store: Pick<Store, 'all'>
  readonly naming: Naming
  readonly now: number
}

interface Match {
  activity: Activity
  form: AccountForm
  subscription: AccountSubscriptionRow
}

/**
 * Renders some activities for the webhooks that receive account activity: one delivery for each
 * event and subscribed user.
 */
export async function accountWritesOf(
  activities: readonly Activity[],
  parts: AccountParts,
): Promise<BatchWrites | undefined> {
  const own = activities.filter(({ kind }) => accountFormOf(kind) !== undefined)
  const matched = await matchedBy(own, parts)
  if (matched.length === 0) return undefined
  const deliveries = await deliveriesOf(matched, parts)
  // An activity that is emitted by hand ends nothing.
  const revoked = matched.filter(({ activity }) => activity.kind === oauthRevoke && !activity.over)
  return async (tx) => {
    await enqueueDeliveries(tx, deliveries)
    for (const { activity, subscription } of revoked)
      await tx.run(endAccountSubscriptions, {
        app: subscription.app_id,
        user: subscription.user_id,
        before: activity.event.at,
      })
  }
}

/** The user whose activity it is. An activity about an app names the user in its facts. */
const userOf = ({ kind, facts, subject }: Activity): string | undefined => {
  if (kind === oauthRevoke) return (facts as { user_id: string }).user_id
  return 'user' in subject ? subject.user : undefined
}

async function matchedBy(activities: readonly Activity[], parts: AccountParts): Promise<Match[]> {
  const byUser = Map.groupBy(activities, (one) => userOf(one) ?? '')
  const matched: Match[] = []
  const seen = new Set<string>()
  for await (const subscription of subscriptionsTo([...byUser.keys()], parts.store))
    for (const activity of byUser.get(subscription.user_id) ?? []) {
      const form = accountFormOf(activity.kind)
      if (!form || !isOfApp(activity, subscription)) continue
      const key = [subscription.webhook_id, subscription.user_id, activity.event.position, form.member].join(
        ' ',
      )
      if (seen.has(key)) continue
      seen.add(key)
      matched.push({ activity, form, subscription })
    }
  return consented(matched, parts)
}

const isOfApp = ({ subject }: Activity, { app_id }: AccountSubscriptionRow) =>
  !('app' in subject) || subject.app === app_id

async function* subscriptionsTo(
  users: readonly string[],
  store: Pick<Store, 'all'>,
): AsyncGenerator<AccountSubscriptionRow> {
  if (users.length === 0) return
  for (let [user, webhook] = ['', '']; ; ) {
    const at = { users: JSON.stringify(users), user, webhook, limit: SUBSCRIPTIONS_AT_ONCE }
    const rows = await store.all(subscriptionsToUsers, at)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < SUBSCRIPTIONS_AT_ONCE) return
    user = last.user_id
    webhook = last.webhook_id
  }
}

/**
 * Leaves out what the user no longer lets the app see. The end of this access is itself still sent.
 */
async function consented(matched: readonly Match[], { store, now }: AccountParts): Promise<Match[]> {
  const pairOf = ({ subscription: { app_id, user_id } }: Match) => ({ app: app_id, user: user_id })
  const allows: Consents = await consentsOf(store, matched.map(pairOf), now)
  return matched.filter((one) => {
    if (one.form === revokedForm) return true
    return allows(pairOf(one), scopeOf(one.form))
  })
}

const scopeOf = ({ isPrivate }: AccountForm): TokenScope => (isPrivate ? PRIVATE_SCOPE : SCOPE)

async function deliveriesOf(matched: readonly Match[], parts: AccountParts): Promise<NewDelivery[]> {
  const writers = new Map<AccountForm, Awaited<ReturnType<AccountForm['prepare']>>>()
  for (const [form, own] of Map.groupBy(matched, (one) => one.form))
    writers.set(
      form,
      await form.prepare(
        own.map(({ activity }) => activity),
        parts,
      ),
    )
  return matched.flatMap(({ activity, form, subscription: { webhook_id, user_id } }) => {
    const rendered = writers.get(form)?.(activity)
    if (rendered === undefined) return []
    const whole = form === revokedForm ? rendered : { for_user_id: user_id, ...rendered }
    const replaced = activity.over && { over: activity.over.account, vocabulary: parts.naming.vocabulary }
    const value = replaced ? overlaidIfWhole(form.schema, whole, replaced) : whole
    if (value === undefined) return []
    const body = compileReply(form.schema, parts.naming.vocabulary)(value)
    const postId = postOf(activity)
    const delivery: NewDelivery = { webhookId: webhook_id, eventId: eventUuid(activity), body }
    // The delivery reports that the consent and the subscription ended, so it must not depend on
    // them.
    if (form === revokedForm) return [delivery]
    const conditions = { userId: user_id, scope: scopeOf(form), subscription: { kind: 'account' } as const }
    return [{ ...delivery, ...conditions, ...(postId !== undefined && { postId }) }]
  })
}
