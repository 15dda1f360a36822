import { sql } from 'kysely'
import { entitiesOfTest } from '../../api/ads/ab-tests/fields.ts'
import { addEntities, removeEntities } from '../../api/ads/ab-tests/queries.ts'
import { locked } from '../../platform/storage/query.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, inPages } from './comparison.ts'

interface TestKey {
  account: string
  id: string
}

interface TestRow {
  account_id: string
  id: string
  deleted: number
  user_groups: string
}

const pageOfTests = query<TestKey & { limit: number }, TestRow>('checkedABTests', (db, at) =>
  db
    .selectFrom('ab_tests')
    .select(['account_id', 'id', 'deleted', 'user_groups'])
    .where(sql<boolean>`(account_id, id) > (${at.account}, ${at.id})`)
    .orderBy('account_id')
    .orderBy('id')
    .limit(at.limit),
)

const lockTest = query<TestKey, TestRow>('checkedABTest', (db, at) =>
  locked(
    db,
    db
      .selectFrom('ab_tests')
      .select(['account_id', 'id', 'deleted', 'user_groups'])
      .where('account_id', '=', at.account)
      .where('id', '=', at.id),
  ),
)

const entitiesOf = query<TestKey, { entity_id: string }>('checkedABTestEntities', (db, at) =>
  db
    .selectFrom('ab_test_entities')
    .select('entity_id')
    .where('account_id', '=', at.account)
    .where('ab_test_id', '=', at.id),
)

const keyOf = ({ account_id, id }: TestRow) => `${account_id} ${id}`

function partsOf(key: string): TestKey {
  const [account = '', id = ''] = key.split(' ')
  return { account, id }
}

const expectedOf = ({ deleted, user_groups }: TestRow): string[] =>
  deleted === 1 ? [] : entitiesOfTest({ user_groups: JSON.parse(user_groups) })

async function differences(tx: Pick<Transaction, 'all'>, row: TestRow) {
  const stored = await tx.all(entitiesOf, partsOf(keyOf(row)))
  const inOrder = (ids: readonly string[]) => ids.toSorted().join(' ')
  return differencesIn(
    `A/B test ${row.id} of account ${row.account_id}`,
    ['entities'],
    { entities: inOrder(stored.map(({ entity_id }) => entity_id)) },
    { entities: inOrder(expectedOf(row)) },
  )
}

/** The campaigns and line items that belong to A/B tests, with the user groups of these. */
export const entitiesOfTests: Comparison = {
  name: 'entities of A/B tests',
  async *pages(store) {
    const read = ({ after, limit }: { after: string; limit: number }) =>
      store.all(pageOfTests, { ...partsOf(after), limit })
    for await (const rows of inPages(read, keyOf, ' ')) {
      const suspects: string[] = []
      for (const row of rows) if ((await differences(store, row)).length > 0) suspects.push(keyOf(row))
      yield { compared: rows.length, suspects }
    }
  },
  async compare(tx, key) {
    const row = await tx.first(lockTest, partsOf(key))
    return row ? differences(tx, row) : []
  },
  async repair(tx, key) {
    const row = await tx.first(lockTest, partsOf(key))
    if (!row) return
    const { account, id } = partsOf(key)
    await tx.run(removeEntities, { account, test: id })
    const rows = expectedOf(row).map((entity_id) => ({ account_id: account, entity_id, ab_test_id: id }))
    await addEntities(tx, rows)
  },
}
