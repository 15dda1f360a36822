import { sql } from 'kysely'
import { putSpending } from '../../domain/ad-delivery/queries.ts'
import type { AdSpendingRow } from '../../domain/ad-delivery/tables.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, inPages } from './comparison.ts'

interface SpendingKey {
  account: string
  id: string
}

type SpentRow = AdSpendingRow & { expected: number }

/** Ids are unique among the line items, campaigns and funding instruments of an account. */
const chargedTo = (column: string) => sql`coalesce((select sum(charged) from ad_deliveries
  where ad_deliveries.account_id = ad_spending.account_id and ${sql.ref(column)} = ad_spending.id), 0)`

const spending = sql`select account_id, id, spent, unit, state, cast(${chargedTo('line_item_id')}
  + ${chargedTo('campaign_id')} + ${chargedTo('funding_instrument_id')} as bigint) as expected
  from ad_spending`

const pageOfSpending = query<SpendingKey & { limit: number }, SpentRow>('checkedSpending', (db, at) => ({
  compile: () =>
    sql`${spending} where (account_id, id) > (${at.account}, ${at.id})
      order by account_id, id limit ${at.limit}`.compile(db),
}))

const spendingOf = query<SpendingKey, SpentRow>('checkedSpendingOf', (db, at) => ({
  compile: () => sql`${spending} where account_id = ${at.account} and id = ${at.id}`.compile(db),
}))

const keyOf = ({ account_id, id }: Pick<AdSpendingRow, 'account_id' | 'id'>) => `${account_id} ${id}`

function partsOf(key: string): SpendingKey {
  const [account = '', id = ''] = key.split(' ')
  return { account, id }
}

const differs = (row: SpentRow) =>
  differencesIn(`advertising entity ${row.id} of account ${row.account_id}`, ['spent'], row, {
    spent: row.expected,
  })

/** What line items, campaigns and funding instruments have spent, with the ledger of deliveries. */
export const spentAmounts: Comparison = {
  name: 'spent amounts of advertising',
  async *pages(store) {
    const read = ({ after, limit }: { after: string; limit: number }) =>
      store.all(pageOfSpending, { ...partsOf(after), limit })
    for await (const rows of inPages(read, keyOf, ' ')) {
      const suspects = rows.filter((row) => differs(row).length > 0).map(keyOf)
      yield { compared: rows.length, suspects }
    }
  },
  async compare(tx, key) {
    return (await tx.all(spendingOf, partsOf(key))).flatMap(differs)
  },
  async repair(tx, key) {
    for (const row of await tx.all(spendingOf, partsOf(key))) await correct(tx, row)
  },
}

/** The computation goes on from the corrected amount. */
async function correct(tx: Transaction, { account_id: account, id, unit, state, expected }: SpentRow) {
  const spent = Number(expected)
  const stored = JSON.parse(state) as { spending: object }
  const corrected = JSON.stringify({ ...stored, spending: { ...stored.spending, spent } })
  await tx.run(putSpending, { account, rows: JSON.stringify([{ id, spent, unit, state: corrected }]) })
}
