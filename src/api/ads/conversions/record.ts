import { nextBase36 } from '../../../platform/common/ids.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { type EventSource, lockSource } from '../web-event-tags/queries.ts'
import { type Attributable, attributionOf, creditsOf } from './attribution.ts'
import type { Conversion } from './body.ts'
import { type CheckedConversion, checkConversion } from './check.ts'
import { addConversions, markTracked, sameConversions, tagsOfConversions } from './queries.ts'
import type { ConversionRow } from './tables.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A conversion that is reported again within this time is not counted again. */
const SAME_MS = 48 * HOUR_MS

/** Checks conversions. Throws the errors of all of them, each error once. */
export async function checkAll(
  sent: readonly Conversion[],
  { source, request }: { source: EventSource; request: string },
  { store, clock }: Pick<AdsDependencies, 'store' | 'clock'>,
): Promise<CheckedConversion[]> {
  const named = sent.flatMap(({ event_id }) => (event_id ? [event_id.toLowerCase().split('-').at(-1)] : []))
  const found = await store.all(tagsOfConversions, {
    account: source.account_id,
    tags: JSON.stringify(named),
  })
  const at = { source, tags: new Map(found.map((tag) => [tag.id, tag])), nowMs: clock.now() }
  const checked: CheckedConversion[] = []
  const errors = new Map<string, AdsError>()
  for (const one of sent) {
    const result = checkConversion(one, at)
    if (Array.isArray(result)) for (const error of result) errors.set(JSON.stringify(error), error)
    else checked.push(result)
  }
  if (errors.size > 0) throw new AdsApiError({ errors: [...errors.values()], request })
  return checked
}

/** Stores conversions with what led to them, unless they have been reported before. */
export async function record(
  checked: readonly CheckedConversion[],
  { id: source, account_id: account }: EventSource,
  { store, ids, clock, delivery }: Pick<AdsDependencies, 'store' | 'ids' | 'clock' | 'delivery'>,
): Promise<void> {
  await delivery.complete(account)
  const credits = await creditsOf(account, checked.map(attributable), { store, nowMs: clock.now() })
  const rows: NewConversion[] = checked.map(({ tag: _, ...one }, at) => ({
    ...one,
    ...OF_WEBSITE,
    ...attributionOf(credits[at]),
  }))
  await store.write(async (tx) => {
    // Two concurrent reports of a conversion: the second finds what the first has stored.
    await tx.first(lockSource, { id: source })
    const now = clock.now()
    const fresh = await notSeen(rows, now - SAME_MS, tx)
    const own = () => ({ id: nextBase36(ids), account_id: account, received_at: now })
    await addConversions(
      tx,
      fresh.map((row) => ({ ...own(), ...row })),
    )
    const tags = JSON.stringify([...new Set(rows.map((row) => row.web_event_tag_id))])
    await tx.run(markTracked, { account, tags, now })
  })
}

const OF_WEBSITE = { kind: 'web', app_id: null, hashed_device_id: null } as const

function attributable({ tag, ...one }: CheckedConversion): Attributable {
  const person = one.hashed_email ?? one.hashed_phone_number
  return {
    atMs: one.converted_at,
    clickIds: one.click_id === null ? [] : [one.click_id],
    people: person === null ? [] : [person],
    clickWindowMs: tag.click_window * DAY_MS,
    viewWindowMs: tag.view_through_window * DAY_MS,
  }
}

type NewConversion = Omit<ConversionRow, 'id' | 'account_id' | 'received_at'>

/** Those that have not been reported since a time. One without an id is always new. */
async function notSeen(
  rows: readonly NewConversion[],
  since: number,
  tx: Transaction,
): Promise<NewConversion[]> {
  const tags = JSON.stringify([...new Set(rows.map((row) => row.web_event_tag_id))])
  const names = JSON.stringify(rows.flatMap((row) => row.conversion_id ?? []))
  const seen = new Set((await tx.all(sameConversions, { tags, names, since })).map(keyOf))
  return rows.filter((row) => {
    if (row.conversion_id === null) return true
    const key = keyOf(row)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const keyOf = ({
  web_event_tag_id: tag,
  conversion_id: name,
}: Pick<ConversionRow, 'web_event_tag_id' | 'conversion_id'>) => `${tag} ${name}`
