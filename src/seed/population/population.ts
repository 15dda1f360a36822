import { usersByScreenNames } from '../../users/queries.ts'
import type { RandomSource } from '../../common/random.ts'
import { endOfTurn } from '../../common/turn.ts'
import type { Transaction } from '../../storage/store.ts'
import type { Person } from './people.ts'
import { peopleOf } from './people.ts'
import { batchInsert } from './queries.ts'

/** Users between whom the rest of the program gets a turn. */
const USERS_AT_ONCE = 50
/** Rows of one statement: each has 31 values, and a statement takes 32,766. */
const ROWS_AT_ONCE = 100

/**
 * Adds synthetic users with profiles and posts: the same people for the same randomness, size and time. A user whose
 * screen name is taken is left out.
 */
export async function addPopulation(
  tx: Transaction,
  { size, now, random }: { size: number; now: number; random: RandomSource },
): Promise<void> {
  const insert = { users: batchInsert('users'), posts: batchInsert('posts') }
  async function add(table: 'users' | 'posts', rows: readonly object[]): Promise<void> {
    if (rows.length === 0) return
    const { query, args } = insert[table](rows)
    await tx.run(query, args)
  }
  let posts: Person['posts'] = []
  let people: Person[] = []
  async function addPeople(): Promise<void> {
    const keys = JSON.stringify(people.map(({ user }) => user.screen_name_key))
    const taken = new Set((await tx.all(usersByScreenNames, { keys })).map((one) => one.screen_name_key))
    const added = people.filter(({ user }) => !taken.has(user.screen_name_key))
    await add(
      'users',
      added.map(({ user }) => user),
    )
    posts.push(...added.flatMap((one) => one.posts))
    for (; posts.length >= ROWS_AT_ONCE; posts = posts.slice(ROWS_AT_ONCE))
      await add('posts', posts.slice(0, ROWS_AT_ONCE))
    people = []
    await endOfTurn()
  }
  for (const person of peopleOf({ size, now, random })) {
    people.push(person)
    if (people.length === USERS_AT_ONCE) await addPeople()
  }
  await addPeople()
  await add('posts', posts)
}
