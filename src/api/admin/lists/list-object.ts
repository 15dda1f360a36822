import { type Static, Type } from 'typebox'
import type { ListRow } from '../../../domain/lists/tables.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { choice, component, id, time } from '../../../platform/http/schema.ts'
import { LIST_RELATIONS, type ListRelationName } from '../../../workbench/create/lists.ts'
import { userName } from '../users/user.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A list in replies of the admin API. */
export const AdminList = component(
  'AdminList',
  Type.Object(
    {
      id: id('The list.'),
      owner_id: id('The owner.'),
      name: Type.String(),
      description: Type.String(),
      private: Type.Boolean({ description: 'Whether only the owner sees it.' }),
      member_count: count('Number of members.'),
      follower_count: count('Number of followers.'),
      created_at: time('When it was created.'),
    },
    { additionalProperties: false },
  ),
)

export const presentList = (row: ListRow): Static<typeof AdminList> => ({
  id: row.id,
  owner_id: row.owner_id,
  name: row.name,
  description: row.description,
  private: row.private === 1,
  member_count: row.member_count,
  follower_count: row.follower_count,
  created_at: isoTime(row.created_at),
})

export const EXAMPLE: Static<typeof AdminList> = {
  id: '1900000000000000042',
  owner_id: '1900000000000000007',
  name: 'Town council',
  description: '',
  private: false,
  member_count: 0,
  follower_count: 0,
  created_at: '2026-03-01T12:00:00.000Z',
}

export const PATH = {
  list_id: id('The list.'),
  relation: choice(Object.keys(LIST_RELATIONS) as ListRelationName[], 'What the user is to the list.'),
  user: userName('Id or screen name of the user.'),
}
