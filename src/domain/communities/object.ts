import { Type } from 'typebox'
import { objectTime } from '../../platform/common/time.ts'
import { choice, id, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import { ACCESSES, JOIN_POLICIES } from './communities.ts'
import { communitiesByIds } from './queries.ts'
import type { CommunityRow } from './tables.ts'

const { field } = fieldsOf<CommunityRow>()

const fields = {
  id: field(id('The community.'), (row) => row.id),
  name: field(Type.String({ description: 'Name.' }), (row) => row.name),
  access: field(
    choice([...ACCESSES], 'Who sees its posts: everyone, or its members.', 'CommunityAccess'),
    (row) => row.access as (typeof ACCESSES)[number],
  ),
  created_at: field(time('When it was created.'), (row) => objectTime(row.created_at)),
  description: field(Type.String({ description: 'Description; may be empty.' }), (row) => row.description),
  join_policy: field(
    choice([...JOIN_POLICIES], 'Who may join.', 'CommunityJoinPolicy'),
    (row) => row.join_policy as (typeof JOIN_POLICIES)[number],
  ),
  member_count: field(
    Type.Integer({ minimum: 0, description: 'Number of members.' }),
    (row) => row.member_count,
  ),
}

/** A community (core reference, 06 section 3). Everyone sees it, whatever its access is. */
export const community = objectShape<CommunityRow>({
  name: 'community',
  plural: 'communities',
  component: 'Community',
  description: 'A community. Fields that were not requested are omitted.',
  fields,
  defaults: ['id', 'name'],
  required: ['id', 'name'],
  lookups: {
    id: {
      load: (ids, { store }) => store.all(communitiesByIds, { ids: JSON.stringify(ids) }),
      keyOf: (row) => row.id,
    },
  },
})
