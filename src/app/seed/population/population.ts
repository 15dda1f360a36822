import { addPosts } from '../../../domain/posts/queries.ts'
import { addGeneratedUsers, usersByScreenNames } from '../../../identity/users/queries.ts'
import type { RandomSource } from '../../../platform/common/random.ts'
import { endOfTurn } from '../../../platform/common/turn.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Person } from './people.ts'
import { peopleOf } from './people.ts'

/** Users between two turns of the event loop. */
const USERS_AT_ONCE = 50

/**
 * Adds synthetic users with profiles and posts. The same randomness, size and time give the same users. A user whose
 * screen name is taken is omitted.
 */
export async function addPopulation(
  tx: Transaction,
  { size, now, random }: { size: number; now: number; random: RandomSource },
): Promise<void> {
  let people: Person[] = []
  async function addPeople(): Promise<void> {
    const keys = JSON.stringify(people.map(({ user }) => user.screen_name_key))
    const taken = new Set((await tx.all(usersByScreenNames, { keys })).map((one) => one.screen_name_key))
    const added = people.filter(({ user }) => !taken.has(user.screen_name_key))
    await addGeneratedUsers(
      tx,
      added.map(({ user }) => user),
    )
    await addPosts(
      tx,
      added.flatMap(({ posts }) => posts),
    )
    people = []
    await endOfTurn()
  }
  for (const person of peopleOf({ size, now, random })) {
    people.push(person)
    if (people.length === USERS_AT_ONCE) await addPeople()
  }
  await addPeople()
}
