import { bytewise, table } from '../../../platform/storage/table.ts'
import { accounts } from '../accounts/tables.ts'

/** Where the website of an account sends conversions: one, from the first tag of the account on. */
export const eventSources = table(
  'event_sources',
  {
    id: bytewise(),
    account_id: bytewise({ belongsTo: accounts }),
  },
  { key: ['id'], indexes: { event_sources_by_account: { on: ['account_id'], unique: true } } },
)
