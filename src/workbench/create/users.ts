import { Type } from 'typebox'
import { noteWriterById } from '../../domain/notes/queries.ts'
import { enroll, unenroll, WRITER_LEVELS, type WriterLevel } from '../../domain/notes/writers.ts'
import { COUNTRY, MAX_COUNTRIES } from '../../domain/posts/given.ts'
import { setSuspended } from '../../identity/apps/suspension.ts'
import { markDeleted } from '../../identity/users/deletion.ts'
import {
  hashPassword,
  MADE_PASSWORD_LENGTH,
  MADE_PASSWORD_ROUNDS,
  MAX_PASSWORD_LENGTH,
} from '../../identity/users/password.ts'
import { type ProfileChanges, profileWith, updateProfile } from '../../identity/users/profile.ts'
import { endSessionsOfUser, profilesByIds, setProfile } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import {
  changePassword,
  chooseMessageSenders,
  createUser,
  MESSAGE_SENDERS,
  type MessageSenders,
  prepareUser,
  SUBSCRIPTION_TYPES,
  type SubscriptionType,
  type UserDependencies,
  VERIFIED_TYPES,
  type VerifiedType,
} from '../../identity/users/users.ts'
import { labelUser, withholdUser } from '../../identity/users/withholding.ts'
import { randomText } from '../../platform/common/random.ts'
import { isoTime } from '../../platform/common/time.ts'
import { isBlank } from '../../platform/common/visible.ts'
import { choice, clearable, text, webAddress } from '../../platform/http/schema.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import { type Transaction, UniqueViolation } from '../../platform/storage/store.ts'
import { USER_NAME, userIn } from './find-user.ts'
import { amendSeeded } from './seeded.ts'
import { pastTime, timeIn } from './times.ts'
import { WrongValue } from './wrong.ts'

const line = (min: number, max: number, description: string) =>
  Type.String({ pattern: `^[^\\p{Cc}]{${min},${max}}$`, description })

/** Members of a user that anyone who makes or changes one may set. All are optional there. */
export const USER_MEMBERS = {
  screen_name: Type.String({
    pattern: '^[A-Za-z0-9_]{1,15}$',
    description: '1 to 15 letters, digits or underscores. No two users have the same, in any case.',
  }),
  name: line(1, 50, 'Display name: up to 50 characters, none of them a control character.'),
  description: Type.String({
    pattern: '^(?:[^\\p{Cc}]|[\\r\\n]){0,160}$',
    description: 'Description: up to 160 characters.',
  }),
  location: line(0, 30, 'Location: up to 30 characters.'),
  url: clearable(webAddress('URL of the profile; null without one.')),
  profile_image_url: clearable(webAddress('URL of the picture, which the profile shows unchanged.')),
  profile_banner_url: clearable(webAddress('URL of the banner, which the profile shows unchanged.')),
  protected: Type.Boolean({ description: 'Whether only followers see the posts of the user.' }),
  verified_type: choice([...VERIFIED_TYPES], 'The badge. Any but `none` makes the user verified.'),
  subscription_type: choice([...SUBSCRIPTION_TYPES], 'The subscription that the user pays for.'),
  affiliation: clearable(
    Type.String({
      pattern: USER_NAME,
      description: 'Id or screen name of the organization that the user belongs to.',
    }),
  ),
  direct_messages_from: choice([...MESSAGE_SENDERS], 'Who may send the user direct messages.'),
  note_writer: clearable(
    choice([...WRITER_LEVELS], 'Writes community notes; top writers read the large feeds too.'),
  ),
  suspended: Type.Boolean({ description: 'Whether the user is suspended. Tokens are rejected then.' }),
  parody: Type.Boolean({ description: 'Whether the user says to be a parody.' }),
  is_identity_verified: Type.Boolean({ description: 'Whether the identity of the user was checked.' }),
  withheld_in: Type.Array(Type.String({ pattern: COUNTRY }), {
    maxItems: MAX_COUNTRIES,
    uniqueItems: true,
    description:
      'Countries in which the user is withheld, ISO 3166-1 alpha-2. Plaza shows the user everywhere.',
  }),
}

/** What only a new user can be given. */
export const NEW_USER_MEMBERS = {
  password: text(1, MAX_PASSWORD_LENGTH, 'Generated if absent.'),
  created_at: pastTime('When the user joined'),
}

/** Values of a user: the members as the admin API takes them. */
export interface UserChanges {
  screen_name?: string | undefined
  name?: string | undefined
  description?: string | undefined
  location?: string | undefined
  url?: string | null | undefined
  profile_image_url?: string | null | undefined
  profile_banner_url?: string | null | undefined
  protected?: boolean | undefined
  verified_type?: VerifiedType | undefined
  subscription_type?: SubscriptionType | undefined
  /** Id or screen name. */
  affiliation?: string | null | undefined
  direct_messages_from?: MessageSenders | undefined
  note_writer?: WriterLevel | null | undefined
  suspended?: boolean | undefined
  parody?: boolean | undefined
  is_identity_verified?: boolean | undefined
  withheld_in?: readonly string[] | undefined
}

export interface NewUserValues extends UserChanges {
  screen_name: string
  name: string
  /** Generated if absent. */
  password?: string | undefined
  /** RFC 3339, or a time relative to now such as `-2d`. */
  created_at?: string | undefined
}

/** A user with the hash of the password, ready for a transaction. */
export interface PreparedUser {
  readonly values: NewUserValues
  readonly row: Awaited<ReturnType<typeof prepareUser>>
  readonly password: string
}

/**
 * Checks the values of a new user and hashes the password, which takes a while.
 * @throws WrongValue
 */
export async function prepareNewUser(values: NewUserValues, parts: UserDependencies): Promise<PreparedUser> {
  checkVisible(values)
  const password = values.password ?? randomText(parts.random, MADE_PASSWORD_LENGTH)
  const now = parts.clock.now()
  const created_at =
    values.created_at === undefined ? now : timeIn('created_at', values.created_at, { now, latest: now })
  const row = await prepareUser(
    {
      ...{ screenName: values.screen_name, name: values.name },
      ...{ password, isMade: values.password === undefined },
    },
    parts,
  )
  return { values, password, row: { ...row, created_at } }
}

/**
 * Creates a user with the whole profile. No event says so: nobody could know the user before.
 * @throws WrongValue There is no such organization.
 * @throws UniqueViolation The screen name is taken: see `withUniqueName`.
 */
export async function addNewUser(tx: Transaction, { row, values }: PreparedUser): Promise<ProfileRow> {
  await createUser(tx, row)
  const profile = profileWith(await profileOf(tx, row.id), await changesOf(tx, values))
  await setProfile(tx, profile)
  await changeStanding(tx, row.id, { ...values, suspended: values.suspended || undefined })
  return profileOf(tx, row.id)
}

/**
 * Changes a user. Each change of the profile emits an event.
 * @throws WrongValue
 * @throws UniqueViolation The screen name is taken: see `withUniqueName`.
 */
export async function changeUser(
  tx: Transaction,
  before: ProfileRow,
  values: UserChanges,
): Promise<ProfileRow> {
  checkVisible(values)
  const changes = await changesOf(tx, values)
  await updateProfile(tx, before.id, changes)
  const suspended = Number(values.suspended) === before.suspended ? undefined : values.suspended
  await changeStanding(tx, before.id, { ...values, suspended })
  return profileOf(tx, before.id)
}

/** Gives a user a new password, and ends the browser sessions. Hash the password before. */
export async function replacePassword(
  tx: Transaction,
  { id }: Pick<ProfileRow, 'id'>,
  { password, passwordHash, sealer }: { password: string; passwordHash: string; sealer: Sealer },
): Promise<void> {
  await changePassword(tx, id, passwordHash)
  await tx.run(endSessionsOfUser, { userId: id })
  await amendSeeded(tx, sealer, (seeded) => {
    const known = seeded.users.find((user) => user.id === id)
    if (known) known.password = password
  })
}

/** What keeps a user from being deleted: what would have no owner then. */
export interface UserHoldings {
  /** Ids of apps that the user owns. */
  readonly apps: readonly string[]
  /** Ids of advertising accounts in which the user has roles. */
  readonly accounts: readonly string[]
}

/** Why a user cannot be deleted, in a sentence; undefined if the user can. */
export function whyNotDeleted({ screen_name }: ProfileRow, { apps, accounts }: UserHoldings) {
  const held = [
    apps.length > 0 && `owns the apps ${listed(apps)}`,
    accounts.length > 0 && `has roles in the advertising accounts ${listed(accounts)}`,
  ].filter((one) => one !== false)
  if (held.length === 0) return undefined
  return `@${screen_name} ${held.join(' and ')}. Delete the apps and remove the roles first.`
}

/** Ids that a message names; it says whether there are more. */
const NAMED = 5
export const HOLDINGS_AT_ONCE = NAMED + 1
const listed = (ids: readonly string[]) =>
  [...ids.slice(0, NAMED), ...(ids.length > NAMED ? ['and others'] : [])].join(', ')

/** Deletes a user, who is locked. Tasks remove what belongs to the user. */
export async function deleteUser(tx: Transaction, { id }: ProfileRow, sealer: Sealer): Promise<void> {
  await markDeleted(tx, id)
  await amendSeeded(tx, sealer, (seeded) => {
    seeded.users = seeded.users.filter((user) => user.id !== id)
    for (const app of seeded.apps) {
      app.grants = app.grants.filter((grant) => grant.userId !== id)
      if (app.userTokens) app.userTokens = app.userTokens.filter((token) => token.userId !== id)
    }
  })
}

/** A new password and its hash. */
export async function newPassword({
  random,
  passwordRounds = MADE_PASSWORD_ROUNDS,
}: Pick<UserDependencies, 'random' | 'passwordRounds'>) {
  const password = randomText(random, MADE_PASSWORD_LENGTH)
  return { password, passwordHash: await hashPassword(password, random, passwordRounds) }
}

/** A user as replies show it, without any secret. */
export async function presentUser(reader: Pick<Transaction, 'first'>, row: ProfileRow) {
  const writer = await reader.first(noteWriterById, { user: row.id })
  return {
    id: row.id,
    screen_name: row.screen_name,
    name: row.name,
    description: row.description,
    location: row.location,
    url: row.url,
    profile_image_url: row.profile_image_url,
    profile_banner_url: row.profile_banner_url,
    protected: row.protected === 1,
    verified: row.verified === 1,
    verified_type: row.verified_type as VerifiedType,
    subscription_type: row.subscription_type as SubscriptionType,
    affiliation_user_id: row.affiliation_user_id,
    direct_messages_from: row.direct_messages_from as MessageSenders,
    note_writer: writer ? (writer.is_top === 1 ? ('top' as const) : ('regular' as const)) : null,
    suspended: row.suspended === 1,
    parody: row.parody === 1,
    is_identity_verified: row.identity_verified === 1,
    withheld_in: (row.withheld_in === null ? [] : JSON.parse(row.withheld_in)) as string[],
    followers_count: row.followers_count,
    following_count: row.following_count,
    post_count: row.post_count,
    created_at: isoTime(row.created_at),
  }
}

/** A text of which nothing can be seen counts as no name. */
function checkVisible({ name }: UserChanges): void {
  if (name !== undefined && isBlank(name))
    throw new WrongValue('name', name, 'The name must have a visible character.')
}

async function changesOf(tx: Transaction, values: UserChanges): Promise<ProfileChanges> {
  const { affiliation } = values
  return {
    handle: values.screen_name,
    name: values.name,
    description: values.description,
    location: values.location,
    url: values.url,
    profile_image_url: values.profile_image_url,
    profile_banner_url: values.profile_banner_url,
    protected: values.protected === undefined ? undefined : Number(values.protected),
    verified_type: values.verified_type,
    subscription_type: values.subscription_type,
    affiliation: affiliation ? (await userIn(tx, 'affiliation', affiliation)).id : affiliation,
  }
}

/** What is not part of the profile. */
async function changeStanding(
  tx: Transaction,
  id: string,
  { suspended, direct_messages_from, note_writer, withheld_in, ...labels }: UserChanges,
): Promise<void> {
  if (suspended !== undefined) await setSuspended(tx, { kind: 'user', id, suspended })
  if (direct_messages_from !== undefined) await chooseMessageSenders(tx, id, direct_messages_from)
  if (note_writer) await enroll(tx, id, note_writer)
  if (note_writer === null) await unenroll(tx, id)
  if (withheld_in !== undefined) await withholdUser(tx, id, withheld_in)
  await labelUser(tx, id, labels)
}

async function profileOf(tx: Transaction, id: string): Promise<ProfileRow> {
  const [row] = await tx.all(profilesByIds, { ids: JSON.stringify([id]) })
  if (!row) throw new Error(`the user ${id} is gone`)
  return row
}

/**
 * Runs a write that gives a user a screen name.
 * @throws WrongValue It is taken.
 */
export async function withUniqueName<T>(screenName: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UniqueViolation) || screenName === undefined) throw error
    throw new WrongValue('screen_name', screenName, `The screen name @${screenName} is taken.`)
  }
}
