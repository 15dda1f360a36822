import { type Static, Type } from 'typebox'
import { ACCESSES, JOIN_POLICIES } from '../../../domain/communities/communities.ts'
import type { CommunityRow } from '../../../domain/communities/tables.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { choice, closedComponent, id, time } from '../../../platform/http/schema.ts'

export const communityId = id('The community.')

/** A community in replies of the admin API. */
export const AdminCommunity = closedComponent('AdminCommunity', {
  id: communityId,
  name: Type.String(),
  description: Type.String(),
  access: choice([...ACCESSES], 'Who sees its posts: everyone, or its members.'),
  join_policy: choice([...JOIN_POLICIES], 'What is shown about joining.'),
  member_count: Type.Integer({ minimum: 0, description: 'Number of members.' }),
  created_at: time('When it was created.'),
})

export const presentCommunity = (row: CommunityRow): Static<typeof AdminCommunity> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  access: row.access as (typeof ACCESSES)[number],
  join_policy: row.join_policy as (typeof JOIN_POLICIES)[number],
  member_count: row.member_count,
  created_at: isoTime(row.created_at),
})

export const EXAMPLE: Static<typeof AdminCommunity> = {
  id: '1900000000000000055',
  name: 'Beekeepers',
  description: 'Hives in the city',
  access: 'Public',
  join_policy: 'Open',
  member_count: 1,
  created_at: '2026-03-01T12:00:00.000Z',
}
