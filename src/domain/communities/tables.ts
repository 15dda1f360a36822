import { users } from '../../identity/users/tables.ts'
import { bigint, bytewise, id64, type RowOf, table, text } from '../../platform/storage/table.ts'

/** A community, whose members write posts for each other. */
export const communities = table(
  'communities',
  {
    id: id64(),
    name: text(),
    description: text({ default: '' }),
    /** `Public` or `Closed`: only members see the posts of a closed community. */
    access: text(),
    join_policy: text(),
    member_count: bigint({ default: 0 }),
    created_at: bigint(),
  },
  { key: ['id'] },
)

/**
 * A member of a community. A community with many members is deleted before its members are, so that
 * they do not refer to it as a foreign key.
 */
export const communityMembers = table(
  'community_members',
  {
    community_id: id64(),
    user_id: text({ belongsTo: users }),
    /** Later members have greater ids. */
    id: id64(),
  },
  {
    key: ['community_id', 'user_id'],
    indexes: {
      community_members_by_community: ['community_id', 'id'],
      community_members_by_user: ['user_id', 'id'],
    },
  },
)

/** What communities are found by, see `search-terms.ts`. Derived from communities. */
export const communitySearchTerms = table(
  'community_search_terms',
  {
    community_id: id64({ belongsTo: communities }),
    term: bytewise(),
    rank: bigint(),
  },
  {
    key: ['term', 'rank', 'community_id'],
    indexes: { community_search_terms_by_community: ['community_id'] },
  },
)

export type CommunityRow = RowOf<typeof communities>
export type CommunityMemberRow = RowOf<typeof communityMembers>
