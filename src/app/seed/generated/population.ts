import { addPosts } from '../../../domain/posts/queries.ts'
import type { AddedUser } from '../../../identity/users/queries.ts'
import { addGeneratedUsers } from '../../../identity/users/queries.ts'
import type { RandomSource } from '../../../platform/common/random.ts'
import { endOfTurn } from '../../../platform/common/turn.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import type { Person } from './people.ts'
import { peopleOf } from './people.ts'

/** Users between two turns of the event loop. */
const USERS_AT_ONCE = 50
/** Authors of a transaction. */
const AUTHORS_AT_ONCE = 1_000

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
    const added = await addGeneratedUsers(
      tx,
      people.map(({ user }) => user),
    )
    await addPosts(
      tx,
      people.filter(({ user }) => added.has(user.id)).flatMap(({ posts }) => posts),
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

/** Adds the authors of generated posts, except those that exist. */
export async function addAuthors(store: Store, users: readonly AddedUser[]): Promise<void> {
  for (let at = 0; at < users.length; at += AUTHORS_AT_ONCE)
    await store.write((tx) => addGeneratedUsers(tx, users.slice(at, at + AUTHORS_AT_ONCE)))
}
