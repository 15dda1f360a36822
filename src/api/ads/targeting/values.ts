import { eventByValue } from '../../../domain/reference-data/events.ts'
import { type LocationType, locationById } from '../../../domain/reference-data/locations.ts'
import { publisherByUserId } from '../../../domain/reference-data/publishers.ts'
import { beginningOf } from '../../../platform/common/cut-text.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { type Message, msg, words } from '../../../platform/http/message.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { audienceOf } from '../audiences/access.ts'
import { audienceStates } from '../audiences/flexible.ts'
import { targetabilityOf } from '../audiences/targetability.ts'
import { campaigns } from '../campaigns/campaigns.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { targetPromotableUser, targetUser } from '../promotable-users/queries.ts'

/** The target of a value. */
export interface Target {
  /** Human-readable. */
  name: string
  locationType?: LocationType
}

/** What looking up a value needs: a transaction or the store, and the account. */
export interface ValueContext extends Pick<AdsDependencies, 'membership' | 'config'> {
  store: Pick<Store, 'first' | 'all'>
  accountId: string
}

export type ValueReader = (
  value: string,
  context: ValueContext,
) => Target | AdsError | Promise<Target | AdsError>

export const isError = (found: Target | AdsError): found is AdsError => 'code' in found

const unknown = (value: string, why = msg`which is not a value of this type`) =>
  wrongParameter('targeting_value', msg`Got "${shown(value)}" for targeting_value, ${why}`)

const shown = (value: string) => beginningOf(value, 100)

/** A value from a fixed list, with names. */
export const named =
  (names: Readonly<Record<string, string>>): ValueReader =>
  (value) => {
    if (Object.hasOwn(names, value)) return { name: names[value] ?? value }
    return wrongParameter(
      'targeting_value',
      msg`Expected a value in ${words(Object.keys(names))}, got "${shown(value)}" for targeting_value`,
    )
  }

/** A value from an option endpoint. */
export const option =
  (find: (value: string) => { name: string } | undefined): ValueReader =>
  (value) => {
    const found = find(value)
    return found ? { name: found.name } : unknown(value)
  }

export const place: ValueReader = (value) => {
  const found = locationById(value)
  return found ? { name: found.name, locationType: found.type } : unknown(value, msg`which is not a place`)
}

/** Any text with a visible character. */
export const keyword: ValueReader = (value) =>
  isBlank(value) ? unknown(value, msg`a keyword needs a visible character`) : { name: value }

const MAX_QUANTITY = 1000

/** A number of months. */
export const quantity: ValueReader = (value) =>
  /^[1-9][0-9]{0,3}$/.test(value) && Number(value) <= MAX_QUANTITY
    ? { name: `${value} months` }
    : unknown(value, msg`a whole number from 1 to ${MAX_QUANTITY} is expected`)

/** Types of events that are broadcast live on television. */
const BROADCAST = ['MUSIC_AND_ENTERTAINMENT', 'POLITICS', 'SPORTS']

export const broadcast: ValueReader = (value) => {
  const event = eventByValue(value)
  return event && BROADCAST.includes(event.event_type)
    ? { name: event.name }
    : unknown(value, msg`which is not a televised event`)
}

const noUser = (value: string, why: Message): AdsError =>
  wrongParameter('targeting_value', msg`User ${shown(value)} ${why}`, 'INVALID_USER_ID')

const USER_ID = /^[0-9]{1,19}$/

export const user: ValueReader = async (value, { store }) => {
  const found = USER_ID.test(value) ? await store.first(targetUser, { id: value }) : undefined
  return found ? { name: found.screen_name } : noUser(value, msg`does not exist`)
}

/** A user that the account may promote. */
export const promotableUser: ValueReader = (value, context) => ofPromotable(value, context, () => true)

/** The user that the account belongs to: followers of other users cannot be targeted. */
export const fullUser: ValueReader = (value, context) =>
  ofPromotable(value, context, (type) => type === 'FULL')

async function ofPromotable(
  value: string,
  { store, accountId }: ValueContext,
  suits: (type: string) => boolean,
): Promise<Target | AdsError> {
  if (!USER_ID.test(value)) return noUser(value, msg`does not exist`)
  const found = await store.first(targetPromotableUser, { account: accountId, userId: value })
  if (found && suits(found.promotable_user_type)) return { name: found.screen_name }
  return noUser(value, msg`is not one that Account ${accountId} may use for this`)
}

export const publisher: ValueReader = (value) => {
  const found = publisherByUserId(value)
  return found ? { name: found.username } : noUser(value, msg`is not a publisher`)
}

export const campaign: ValueReader = async (value, { store, accountId }) => {
  const row = await store.first(campaigns.rows.byId, { account: accountId, id: value })
  if (row && row.deleted === 0) return { name: String(row.name) }
  return wrongParameter(
    'targeting_value',
    msg`Campaign ${shown(value)} was not found for Account ${accountId}`,
    'CAMPAIGN_NOT_FOUND',
  )
}

/** App lists cannot be created here, so none can be excluded. */
export const appList: ValueReader = (value) => unknown(value, msg`which is not an app list of the account`)

/** An audience that the account owns or that was shared with it, if it is targetable. */
export const audience: ValueReader = async (value, { store, accountId, membership, config }) => {
  const found = await audienceOf(value, { store, accountId })
  if (!found)
    return wrongParameter(
      'targeting_value',
      msg`Custom Audience ${shown(value)} was not found for Account ${accountId}`,
      'TAILORED_AUDIENCE_NOT_FOUND',
    )
  const states = await audienceStates([value], { store, membership })
  const { targetable } = targetabilityOf(states.get(value), config)
  return targetable ? { name: found.name } : unknown(value, msg`an audience that is not targetable`)
}
