import { lockAuthor, updateTerms, userTerms } from '../../identity/users/queries.ts'
import { searchTermsOf } from '../../identity/users/search-terms.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import { textOfTerms } from '../../platform/storage/ranked-terms.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, differingRows } from './comparison.ts'

const pageOfProfiles = query<{ after: string; limit: number }, ProfileRow>('checkedProfiles', (db, at) =>
  db.selectFrom('users').selectAll().where('id', '>', at.after).orderBy('id').limit(at.limit),
)

async function termsDiffer(tx: Pick<Transaction, 'all'>, user: ProfileRow) {
  const stored = { search_terms: textOfTerms(await tx.all(userTerms.of, { id: user.id })) }
  const expected = { search_terms: textOfTerms(searchTermsOf(user)) }
  return differencesIn(`user ${user.id}`, ['search_terms'], stored, expected)
}

/** The words by which users are found. */
export const searchTermsOfUsers: Comparison = {
  name: 'search terms of users',
  pages: differingRows(
    (store, page) => store.all(pageOfProfiles, page),
    (user, store) => termsDiffer(store, user),
  ),
  async compare(tx, id) {
    const user = await tx.first(lockAuthor, { id })
    return user ? termsDiffer(tx, user) : []
  },
  async repair(tx, id) {
    const user = await tx.first(lockAuthor, { id })
    if (user) await updateTerms(tx, user)
  },
}
