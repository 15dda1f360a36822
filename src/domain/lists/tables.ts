import { users } from '../../identity/users/tables.ts'
import { bigint, flag, id64, type RowOf, table, text } from '../../platform/storage/table.ts'

/** A list of users that a user makes, and whose posts others can read together. */
export const lists = table(
  'lists',
  {
    id: id64(),
    owner_id: text({ belongsTo: users }),
    name: text(),
    description: text({ default: '' }),
    /** Only the owner sees a private list. */
    private: flag({ default: 0 }),
    member_count: bigint({ default: 0 }),
    follower_count: bigint({ default: 0 }),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: { lists_by_owner: ['owner_id', 'id'] },
  },
)

/** A relation of a user to a list. */
export const listRelations = table(
  'list_relations',
  {
    list_id: id64({ belongsTo: lists }),
    user_id: text({ belongsTo: users }),
    /** `member`, `follower` or `pin`, of a user who keeps the list at hand. */
    kind: text(),
    /** Later relations have greater ids. */
    id: id64(),
  },
  {
    key: ['list_id', 'kind', 'user_id'],
    indexes: {
      list_relations_by_list: ['list_id', 'kind', 'id'],
      list_relations_by_user: ['user_id', 'kind', 'id'],
    },
  },
)

export type ListRow = RowOf<typeof lists>
export type ListRelationRow = RowOf<typeof listRelations>
