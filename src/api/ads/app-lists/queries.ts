import { query } from '../../tables.ts'

export const countOfAppLists = query<{ account: string }, { count: number }>('countOfAppLists', (db, at) =>
  db
    .selectFrom('app_lists')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', at.account)
    .where('deleted', '=', 0),
)
