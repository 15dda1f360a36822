import { sql } from 'kysely'
import { updateTerms } from '../../domain/communities/communities.ts'
import { communitiesBeside, communityTerms, lockCommunity } from '../../domain/communities/queries.ts'
import { searchTermsOf } from '../../domain/communities/search-terms.ts'
import type { CommunityRow } from '../../domain/communities/tables.ts'
import { textOfTerms } from '../../platform/storage/ranked-terms.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, differingRows } from './comparison.ts'

const counted = sql`select communities.id, communities.member_count, (
  select count(*) from community_members where community_id = communities.id) as members from communities`

interface CountedRow {
  id: string
  member_count: number
  members: number
}

const pageOfCounts = query<{ after: string; limit: number }, CountedRow>(
  'checkedCommunityCounts',
  (db, at) => ({
    compile: () =>
      sql`${counted} where communities.id > ${at.after} order by communities.id limit ${at.limit}`.compile(
        db,
      ),
  }),
)

const countsOf = query<{ id: string }, CountedRow>('checkedCountsOfCommunity', (db, at) => ({
  compile: () => sql`${counted} where communities.id = ${at.id}`.compile(db),
}))

const setCount = query<{ id: string; member_count: number }>('repairMemberCount', (db, at) =>
  db.updateTable('communities').set({ member_count: at.member_count }).where('id', '=', at.id),
)

const countsDiffer = ({ id, members, ...row }: CountedRow) =>
  differencesIn(`community ${id}`, ['member_count'], row, { member_count: members })

/** The numbers of members. */
export const countsOfCommunities: Comparison = {
  name: 'counts of communities',
  pages: differingRows((store, page) => store.all(pageOfCounts, page), countsDiffer),
  async compare(tx, id) {
    await tx.first(lockCommunity, { id })
    return (await tx.all(countsOf, { id })).flatMap(countsDiffer)
  },
  async repair(tx, id) {
    for (const { members } of await tx.all(countsOf, { id }))
      await tx.run(setCount, { id, member_count: Number(members) })
  },
}

async function termsDiffer(tx: Pick<Transaction, 'all'>, row: CommunityRow) {
  const stored = { search_terms: textOfTerms(await tx.all(communityTerms.of, { id: row.id })) }
  const expected = { search_terms: textOfTerms(searchTermsOf(row)) }
  return differencesIn(`community ${row.id}`, ['search_terms'], stored, expected)
}

/** What communities are found by. */
export const searchTermsOfCommunities: Comparison = {
  name: 'search terms of communities',
  pages: differingRows(
    (store, page) => store.all(communitiesBeside.newer, { id: page.after, limit: page.limit }),
    (row, store) => termsDiffer(store, row),
  ),
  async compare(tx, id) {
    const row = await tx.first(lockCommunity, { id })
    return row ? termsDiffer(tx, row) : []
  },
  async repair(tx, id) {
    const row = await tx.first(lockCommunity, { id })
    if (row) await updateTerms(tx, row)
  },
}
