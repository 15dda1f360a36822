import { emit } from '../../platform/events/log.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { acceptRequests } from '../relations/tasks.ts'
import { storedEntities } from './entities.ts'
import { type ProfileField, profileUpdated } from './events.ts'
import { lockAuthor, setProfile } from './queries.ts'
import type { ProfileRow } from './tables.ts'

/** The columns that hold the members of a profile. */
const COLUMNS = {
  affiliation: 'affiliation_user_id',
  description: 'description',
  handle: 'screen_name',
  location: 'location',
  name: 'name',
  profile_banner_url: 'profile_banner_url',
  profile_image_url: 'profile_image_url',
  protected: 'protected',
  subscription_type: 'subscription_type',
  url: 'url',
  verified_type: 'verified_type',
} as const satisfies Record<ProfileField, keyof ProfileRow>

/** New values of a profile. Absent members stay unchanged. */
export type ProfileChanges = { [Field in ProfileField]?: ProfileRow[(typeof COLUMNS)[Field]] | undefined }

/**
 * Changes a profile. Resolves to the new profile; undefined if the user does not exist.
 * @throws UniqueViolation Another user has the handle.
 */
export async function updateProfile(
  tx: Transaction,
  userId: string,
  changes: ProfileChanges,
): Promise<ProfileRow | undefined> {
  const row = await tx.first(lockAuthor, { id: userId })
  if (!row) return undefined
  const fields = (Object.keys(COLUMNS) as ProfileField[]).filter((field) => {
    const after = changes[field]
    return after !== undefined && after !== row[COLUMNS[field]]
  })
  if (fields.length === 0) return row
  const changed = withChanges(row, changes, fields)
  await setProfile(tx, changed)
  if (row.protected === 1 && changed.protected === 0) await enqueue(tx, acceptRequests.task({ user: userId }))
  for (const field of fields) {
    const column = COLUMNS[field]
    await emit(tx, profileUpdated, { user_id: userId, field, before: row[column], after: changed[column] })
  }
  return changed
}

/** A profile with new values. Nothing is written. */
export const profileWith = (row: ProfileRow, changes: ProfileChanges): ProfileRow =>
  withChanges(
    row,
    changes,
    (Object.keys(COLUMNS) as ProfileField[]).filter((field) => changes[field] !== undefined),
  )

function withChanges(row: ProfileRow, changes: ProfileChanges, fields: readonly ProfileField[]): ProfileRow {
  const columns = fields.map((field) => [COLUMNS[field], changes[field]])
  const changed: ProfileRow = { ...row, ...Object.fromEntries(columns) }
  return {
    ...changed,
    description_entities:
      changed.description === row.description
        ? row.description_entities
        : storedEntities(changed.description),
    screen_name_key: changed.screen_name.toLowerCase(),
    verified:
      changed.verified_type === row.verified_type ? row.verified : Number(changed.verified_type !== 'none'),
  }
}
