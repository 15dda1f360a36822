import { platformOfAppStore } from '../../../domain/reference-data/platforms.ts'
import { nextBase36 } from '../../../platform/common/ids.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { attributionOf, isOld } from '../conversions/attribution.ts'
import { metricOf } from '../conversions/kinds.ts'
import { addConversions } from '../conversions/queries.ts'
import type { ConversionRow } from '../conversions/tables.ts'
import type { AdsDependencies } from '../dependencies.ts'
import type { EventAttribution } from './attribute.ts'
import type { EventForm } from './parameters.ts'
import { lastInstallation, markAppTagsTracked } from './queries.ts'

interface Parts extends Pick<AdsDependencies, 'ids'> {
  readonly tx: Transaction
}

/**
 * Counts an event for what led to it, and for what led to the installation of the app. An event
 * that nothing led to only verifies its tags.
 */
export async function record(
  sent: EventForm,
  attribution: EventAttribution,
  { tx, ids }: Parts,
): Promise<void> {
  const { event, accounts, credit } = attribution
  const { appId: app, system, type, atMs, devices } = event
  const measured = JSON.stringify(accounts.map(({ account_id }) => account_id))
  await tx.run(markAppTagsTracked, { app, system, type, accounts: measured, now: tx.now })
  const rows: ConversionRow[] = []
  if (credit)
    rows.push({
      ...reportOf(sent, { ...attribution, account: credit.account.account_id }),
      ...{ id: nextBase36(ids), received_at: tx.now, kind: 'app' },
      ...{ app_id: app, hashed_device_id: sent.hashed_device_id },
      ...attributionOf(credit, platformOfAppStore[system]),
    })
  if (metricOf('lifetime', type) && !isOld(atMs, tx.now)) {
    const pairs = devices.flatMap((device) => accounts.map(({ account_id }) => [device, account_id]))
    const installation = await tx.first(lastInstallation, { app, pairs: JSON.stringify(pairs), until: atMs })
    if (installation)
      rows.push({
        ...installation,
        ...reportOf(sent, { ...attribution, account: installation.account_id }),
        ...{ id: nextBase36(ids), received_at: tx.now, kind: 'lifetime' },
        ...{ app_id: null, hashed_device_id: null },
      })
  }
  await addConversions(tx, rows)
}

/** What was reported of an event, as a row of an account has it. */
function reportOf(sent: EventForm, { event, accounts, account }: EventAttribution & { account: string }) {
  const hasValues = accounts.some(({ account_id: id, has_values }) => id === account && has_values > 0)
  return {
    account_id: account,
    web_event_tag_id: null,
    conversion_id: null,
    converted_at: event.atMs,
    value_micro: hasValues ? (sent.price_micro ?? 0) : 0,
    price_currency: sent.price_currency ?? 'USD',
    number_items: sent.number_items ?? 1,
    click_id: null,
    hashed_email: null,
    hashed_phone_number: null,
    type: event.type,
  }
}
