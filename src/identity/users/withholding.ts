import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { userWithheld } from './events.ts'
import { setLabels, setWithheldIn } from './queries.ts'

/** Labels of a profile. */
export interface UserLabels {
  readonly parody?: boolean | undefined
  readonly is_identity_verified?: boolean | undefined
}

/** Changes labels of a profile. Absent ones stay as they are. */
export async function labelUser(
  tx: Transaction,
  id: string,
  { parody, is_identity_verified: verified }: UserLabels,
): Promise<void> {
  if (parody === undefined && verified === undefined) return
  const stored = (label: boolean | undefined) => (label === undefined ? null : Number(label))
  await tx.run(setLabels, { id, parody: stored(parody), identity_verified: stored(verified) })
}

/** Withholds a user in countries, or in none any more. */
export async function withholdUser(tx: Transaction, id: string, countries: readonly string[]): Promise<void> {
  const isWithheld = countries.length > 0
  const stored = isWithheld ? JSON.stringify(countries) : null
  const changed = await tx.run(setWithheldIn, { id, countries: stored })
  if (isWithheld && changed > 0) await emit(tx, userWithheld, { user_id: id, countries: countries.join() })
}
