import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { userWithheld } from './events.ts'
import { setWithheldIn } from './queries.ts'

/** Withholds a user in countries, or in none any more. */
export async function withholdUser(tx: Transaction, id: string, countries: readonly string[]): Promise<void> {
  const isWithheld = countries.length > 0
  await tx.run(setWithheldIn, { id, countries: isWithheld ? JSON.stringify(countries) : null })
  if (isWithheld) await emit(tx, userWithheld, { user_id: id, countries: countries.join() })
}
