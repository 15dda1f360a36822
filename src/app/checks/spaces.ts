import { sql } from 'kysely'
import { addSpaceWords, removeSpaceWords } from '../../domain/spaces/queries.ts'
import { wordsOfTitle } from '../../domain/spaces/spaces.ts'
import type { SpaceRow } from '../../domain/spaces/tables.ts'
import { anyIn, locked, postgres } from '../../platform/storage/query.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, inPages } from './comparison.ts'

type TitledSpace = Pick<SpaceRow, 'id' | 'title' | 'over'>

const pageOfSpaces = query<{ after: string; limit: number }, TitledSpace>('checkedSpaces', (db, at) =>
  db
    .selectFrom('spaces')
    .select(['id', 'title', 'over'])
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.limit),
)
const lockSpace = query<{ id: string }, TitledSpace>('lockCheckedSpace', (db, at) =>
  locked(db, db.selectFrom('spaces').select(['id', 'title', 'over']).where('id', '=', at.id)),
)
const wordsOfSpaces = query<{ ids: string }, { space_id: string; word: string }>(
  'checkedSpaceWords',
  (db, at) =>
    db
      .selectFrom('space_words')
      .select(['space_id', 'word'])
      .where(anyIn(postgres(db), sql.ref('space_id'), at.ids)),
)

const expectedWords = ({ title, over }: TitledSpace) => (over === 1 ? [] : wordsOfTitle(title))

async function wordsDiffer(tx: Pick<Transaction, 'all'>, spaces: readonly TitledSpace[]) {
  const ids = JSON.stringify(spaces.map(({ id }) => id))
  const stored = new Map<string, string[]>(spaces.map(({ id }) => [id, []]))
  for (const { space_id, word } of await tx.all(wordsOfSpaces, { ids })) stored.get(space_id)?.push(word)
  return spaces.flatMap((space) =>
    differencesIn(
      space.id,
      ['words'],
      { words: (stored.get(space.id) ?? []).sort().join(' ') },
      { words: expectedWords(space).sort().join(' ') },
    ),
  )
}

/** The words by which searches find spaces. */
export const wordsOfTitles: Comparison = {
  name: 'words of spaces',
  async *pages(store) {
    for await (const rows of inPages(
      (page) => store.all(pageOfSpaces, page),
      ({ id }) => id,
    ))
      yield { compared: rows.length, suspects: (await wordsDiffer(store, rows)).map(({ of }) => of) }
  },
  async compare(tx, id) {
    const space = await tx.first(lockSpace, { id })
    return (await wordsDiffer(tx, space ? [space] : [])).map((difference) => ({
      ...difference,
      of: `space ${id}`,
    }))
  },
  async repair(tx, id) {
    const space = await tx.first(lockSpace, { id })
    await tx.run(removeSpaceWords, { id })
    if (space) await tx.run(addSpaceWords, { id, words: JSON.stringify(expectedWords(space)) })
  },
}
