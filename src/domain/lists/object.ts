import { Type } from 'typebox'
import { objectTime } from '../../platform/common/time.ts'
import { id, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import { listsSeenBy } from './queries.ts'
import type { ListRow } from './tables.ts'

const { field } = fieldsOf<ListRow>()
const count = (description: string) => Type.Integer({ minimum: 0, description })

const fields = {
  id: field(id('The list.'), (row) => row.id),
  name: field(Type.String({ description: 'Name.' }), (row) => row.name),
  created_at: field(time('When it was created.'), (row) => objectTime(row.created_at)),
  description: field(Type.String({ description: 'Description; may be empty.' }), (row) => row.description),
  follower_count: field(count('Number of followers.'), (row) => row.follower_count),
  member_count: field(count('Number of members.'), (row) => row.member_count),
  owner_id: field(id('The user who made it.'), (row) => row.owner_id),
  private: field(
    Type.Boolean({ description: 'Whether only its owner sees it.' }),
    (row) => row.private === 1,
  ),
}

/**
 * A list of users (core reference, 06 section 1.1). To others, a private list is as if it did not
 * exist.
 */
export const list = objectShape<ListRow>({
  name: 'list',
  plural: 'lists',
  component: 'List',
  description: 'A list of users. Fields that were not requested are omitted.',
  fields,
  defaults: ['id', 'name'],
  required: ['id', 'name'],
  expansions: { owner_id: { to: 'user', field: 'owner_id', ids: 'value' } },
  lookups: {
    id: {
      load: (ids, { store, userId }) =>
        store.all(listsSeenBy, { ids: JSON.stringify(ids), viewer: userId ?? '' }),
      keyOf: (row) => row.id,
    },
  },
})
