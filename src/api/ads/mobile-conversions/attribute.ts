import { clickOf } from '../../../domain/ad-delivery/clicks.ts'
import { platformOfAppStore } from '../../../domain/reference-data/platforms.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { msg } from '../../../platform/http/message.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Host } from '../../../platform/protocols/protocols.ts'
import { environmentOf } from '../accounts/scope.ts'
import { type Attributable, bestOf, type Credit, creditsOf } from '../conversions/attribution.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { type AppEvent, inMs, USUAL_WINDOWS, type Windows } from './parameters.ts'
import { type AppAccountRow, tagsOfEvent, accountsOfApp } from './queries.ts'

/** Accounts in which one event is looked for. */
const MAX_ACCOUNTS = 100

/** The touchpoint that led to an event, and the account that promoted something there. */
export interface AccountCredit extends Credit {
  readonly account: AppAccountRow
  readonly windows: Windows
}

/** What is known of an event in an app. */
export interface EventAttribution {
  readonly event: AppEvent
  /** The accounts that count it and that the caller measures. */
  readonly accounts: readonly AppAccountRow[]
  readonly credit: AccountCredit | undefined
  /** Those of the credit, or else of the first account. */
  readonly windows: Windows
}

type Caller = { readonly principal: UserCaller; readonly host: Host }

/**
 * Finds what led to an event in an app, in the accounts that count its conversions and that the
 * app of the caller measures. Throws if there is none.
 */
export async function attributionOfEvent(
  event: AppEvent,
  caller: Caller,
  { store, clock, delivery }: Pick<AdsDependencies, 'store' | 'clock' | 'delivery'>,
): Promise<EventAttribution> {
  const { appId: app, system, type, devices, atMs } = event
  const accounts = await measuredAccounts(event, caller, store)
  const ids = JSON.stringify(accounts.map(({ account_id }) => account_id))
  const tags = await store.all(tagsOfEvent, { app, system, type, accounts: ids })
  // The newest tag of several.
  const ofTags = new Map(tags.map((tag) => [tag.account_id, windowsOf(tag)]))
  const windowsIn = (account: string) => event.windows ?? ofTags.get(account) ?? USUAL_WINDOWS
  const sought = { atMs, ...personOf(devices), platform: platformOfAppStore[system] }
  const credits: AccountCredit[] = []
  for (const account of accounts) {
    const { account_id: id } = account
    await delivery.complete(id)
    const windows = windowsIn(id)
    const [credit] = await creditsOf(id, [{ ...sought, ...inMs(windows) }], { store, nowMs: clock.now() })
    if (credit) credits.push({ ...credit, account, windows })
  }
  const credit = bestOf(credits)
  return { event, accounts, credit, windows: credit?.windows ?? windowsIn(accounts[0]?.account_id ?? '') }
}

/** What names a click stands for the person who clicked, and every other text for one person. */
function personOf(devices: readonly string[]): Pick<Attributable, 'clickIds' | 'people'> {
  const clickIds = devices.filter((id) => clickOf(id) !== undefined)
  return { clickIds, people: devices.filter((id) => !clickIds.includes(id)) }
}

const windowsOf = (tag: {
  readonly post_engagement_attribution_window: number
  readonly post_view_attribution_window: number
}): Windows => ({
  clickDays: tag.post_engagement_attribution_window,
  viewDays: tag.post_view_attribution_window,
})

/** The provider that measures an account is the app that its configuration was created with. */
async function measuredAccounts(
  { appId: app, system }: AppEvent,
  { principal, host }: Caller,
  store: Pick<AdsDependencies['store'], 'all'>,
): Promise<AppAccountRow[]> {
  const found = await store.all(accountsOfApp, {
    ...{ app, system, provider: principal.app.id, environment: environmentOf(host) },
    accountSystem: system === 'IOS' ? 'iOS' : 'Android',
    limit: MAX_ACCOUNTS,
  })
  if (found.length === 0)
    throw rejected('app_id', msg`No account counts conversions of the app ${app}`, 'MACT_APP_NOT_FOUND')
  const measured = found.filter(({ is_measured }) => is_measured > 0)
  if (measured.length > 0) return measured
  throw adsApiError({
    code: 'UNAUTHORIZED_CLIENT_APPLICATION',
    message: msg`This client application does not measure an account that counts conversions of the app ${app}`,
  })
}
