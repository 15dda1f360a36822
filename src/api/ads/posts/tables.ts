import { bytewise, id64, type RowOf, table, text } from '../../../platform/storage/table.ts'
import { accounts } from '../accounts/tables.ts'

/** The name of a post in an advertising account. Other accounts do not see it. */
export const postNames = table(
  'post_names',
  {
    account_id: bytewise({ belongsTo: accounts }),
    post_id: id64(),
    author_id: text(),
    name: text(),
    /** The name in lower case, for searches. */
    name_key: bytewise(),
  },
  {
    key: ['account_id', 'post_id'],
    indexes: {
      post_names_by_name: ['account_id', 'author_id', 'name_key', 'post_id'],
    },
  },
)

export type PostNameRow = RowOf<typeof postNames>
