import { type Static, Type } from 'typebox'
import { profilesOf } from '../../../identity/users/profiles.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { choice, component, id } from '../../../platform/http/schema.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { RELATIONS, type RelatedUsers } from '../../../workbench/create/relations.ts'
import { userName } from '../users/user.ts'

const relationName = choice([...RELATIONS], 'What the user does to the other user.')

/** A user in a relation. */
export const RelatedUser = component(
  'RelatedUser',
  Type.Object(
    { id: id('The user.'), screen_name: Type.String(), name: Type.String() },
    { additionalProperties: false },
  ),
)

export const relatedUser = ({ id, screen_name, name }: ProfileRow): Static<typeof RelatedUser> => ({
  ...{ id, screen_name, name },
})

/** The entries of a list of users, which `idOf` names, with the users who exist. */
export async function withUsers<Row>(rows: readonly Row[], idOf: (row: Row) => string, store: Store) {
  const profiles = await profilesOf(rows.map(idOf), store)
  return rows.map((row) => {
    const profile = profiles.get(idOf(row))
    return { ...row, user: profile && relatedUser(profile) }
  })
}

/** A relation of two users. */
export const RelationObject = component(
  'Relation',
  Type.Object(
    {
      user: RelatedUser,
      target: RelatedUser,
      pending: Type.Optional(
        Type.Boolean({ description: 'Whether the target, who is protected, must accept the follow first.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const PATH = {
  user: userName('Id or screen name of the user who follows, blocks or mutes.'),
  relation: relationName,
  target: userName('Id or screen name of the other user.'),
}

/** The users that a path names. */
export const usersIn = async (
  tx: Transaction,
  { user, target }: { user: string; target: string },
): Promise<RelatedUsers> => ({ user: await theUser(tx, user), target: await theUser(tx, target) })

export const EXAMPLE = {
  user: { id: '1900000000000000007', screen_name: 'ann', name: 'Ann' },
  target: { id: '1900000000000000008', screen_name: 'bob', name: 'Bob' },
}
