import { endSessionsOfUser } from '../../api/oauth/queries.ts'
import { enroll, unenroll, type WriterLevel } from '../../domain/notes/writers.ts'
import { setSuspended } from '../../identity/apps/suspension.ts'
import { acceptFollow, lockPair, MAX_FOLLOWING } from '../../identity/relations/relations.ts'
import {
  hashPassword,
  MADE_PASSWORD_LENGTH,
  MADE_PASSWORD_ROUNDS,
  MAX_PASSWORD_LENGTH,
} from '../../identity/users/password.ts'
import { type ProfileChanges, updateProfile } from '../../identity/users/profile.ts'
import { pageOfUsers, userById, userByScreenName } from '../../identity/users/queries.ts'
import type { UserRow } from '../../identity/users/tables.ts'
import {
  changePassword,
  chooseMessageSenders,
  createUser,
  type MessageSenders,
  prepareUser,
  SCREEN_NAME,
} from '../../identity/users/users.ts'
import { randomText, systemRandom } from '../../platform/common/random.ts'
import { isoTime } from '../../platform/common/time.ts'
import { type Store, type Transaction, UniqueViolation } from '../../platform/storage/store.ts'
import { amendSeeded } from '../seed/seeded.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { printList } from './list.ts'
import { pages, shortText } from './values.ts'

/** `plaza user create`. */
export async function create({ flags, config }: Call): Promise<number> {
  const screenName = flags.required('screen-name').replace(/^@/, '')
  if (!SCREEN_NAME.test(screenName))
    throw new UsageError('--screen-name must be 1 to 15 letters, digits or underscores')
  const name = shortText(flags, 'name', 50)
  const given = flags.text('password')
  if (given !== undefined && (given === '' || given.length > MAX_PASSWORD_LENGTH))
    throw new UsageError(`--password must be 1 to ${MAX_PASSWORD_LENGTH} characters`)
  const password = given ?? randomText(systemRandom, MADE_PASSWORD_LENGTH)
  const id = await withInstallation(config, async ({ store, parts }) => {
    const row = await prepareUser({ screenName, name, password, isMade: given === undefined }, parts)
    try {
      await store.write((tx) => createUser(tx, row))
    } catch (error) {
      if (error instanceof UniqueViolation) throw new Error(`The screen name @${screenName} is taken.`)
      throw error
    }
    return row.id
  })
  print({ id, screenName, password: given === undefined ? password : undefined }, flags.on('json'))
  return 0
}

/** A password is printed only when Plaza generated it. */
function print(
  user: { id: string; screenName: string; password: string | undefined },
  asJson: boolean,
): void {
  const { id, screenName: screen_name, password } = user
  if (asJson) console.log(JSON.stringify({ id, screen_name, ...(password && { password }) }))
  else console.log(`User      @${screen_name} (${id})`)
  if (password && !asJson) console.log(`Password  ${password}\n\nThe password is shown only once.`)
}

/** `plaza user list`. */
export async function list({ flags, config }: Call): Promise<number> {
  await withInstallation(config, ({ store }) =>
    printList(flags, pages(store, pageOfUsers), {
      of: 'users',
      asData: ({ id, screen_name, name, suspended, created_at }) => ({
        id,
        screen_name,
        name,
        suspended: suspended === 1,
        created_at: isoTime(created_at),
      }),
      asText: ({ id, screen_name, name, suspended }) =>
        `${id}  @${screen_name.padEnd(15)}  ${name}${suspended === 1 ? '  (suspended)' : ''}`,
    }),
  )
  return 0
}

/** `plaza user rotate`: sets a new password and ends the sessions of the user. */
export async function rotate({ flags, positionals, config }: Call): Promise<number> {
  const [who = ''] = positionals
  const password = randomText(systemRandom, MADE_PASSWORD_LENGTH)
  const user = await withInstallation(config, async ({ store, sealer }) => {
    const row = await userOf(store, who)
    const passwordHash = await hashPassword(password, systemRandom, MADE_PASSWORD_ROUNDS)
    await store.write(async (tx) => {
      await changePassword(tx, row.id, passwordHash)
      await tx.run(endSessionsOfUser, { userId: row.id })
      await amendSeeded(tx, sealer, (seeded) => {
        const known = seeded.users.find(({ id }) => id === row.id)
        if (known) known.password = password
      })
    })
    return row
  })
  print({ id: user.id, screenName: user.screen_name, password }, flags.on('json'))
  return 0
}

/**
 * `plaza user suspend`, `restore`: every server applies the change once the command has finished.
 */
export const suspend = (call: Call) => changeSuspension(call, true, 'is suspended')
export const restore = (call: Call) => changeSuspension(call, false, 'is no longer suspended')

const changeSuspension = (call: Call, suspended: boolean, outcome: string) =>
  changeUser(call, (tx, { id }) => setSuspended(tx, { kind: 'user', id, suspended }), { suspended }, outcome)

/** `plaza user enroll-note-writer`. */
export function enrollNoteWriter(call: Call): Promise<number> {
  const note_writer: WriterLevel = call.flags.on('top') ? 'top' : 'regular'
  const outcome = `may write community notes (${note_writer})`
  return changeUser(call, (tx, { id }) => enroll(tx, id, note_writer), { note_writer }, outcome)
}

/** `plaza user remove-note-writer`. */
export function removeNoteWriter(call: Call): Promise<number> {
  const remove = async (tx: Transaction, { id, screen_name }: UserRow) => {
    if (!(await unenroll(tx, id))) throw new Error(`User @${screen_name} is not a writer of community notes.`)
  }
  return changeUser(call, remove, { note_writer: null }, 'may no longer write community notes')
}

/** `plaza user messages`: sets who may send a user direct messages. */
export function messages(call: Call): Promise<number> {
  const from = call.positionals[1] as MessageSenders
  const outcome = `accepts direct messages from ${SENDERS_IN_WORDS[from]}`
  const choose = (tx: Transaction, { id }: UserRow) => chooseMessageSenders(tx, id, from)
  return changeUser(call, choose, { direct_messages_from: from }, outcome)
}

const SENDERS_IN_WORDS = { everyone: 'everyone', followed: 'users they follow' } as const

/** Changes the user that the first argument names, in one transaction, and prints the outcome. */
async function changeUser(
  { flags, positionals: [who = ''], config }: Call,
  change: (tx: Transaction, user: UserRow) => Promise<unknown>,
  facts: object,
  outcome: string,
): Promise<number> {
  const { id, screen_name } = await withInstallation(config, async ({ store }) => {
    const user = await userOf(store, who)
    await store.write((tx) => change(tx, user))
    return user
  })
  if (flags.on('json')) console.log(JSON.stringify({ id, screen_name, ...facts }))
  else console.log(`User @${screen_name} (${id}) ${outcome}.`)
  return 0
}

const VERIFIED_TYPES = ['none', 'blue', 'government', 'business'] as const
const SUBSCRIPTIONS = ['None', 'Basic', 'Premium', 'PremiumPlus'] as const
const SWITCH = ['on', 'off'] as const

/** The URL of a picture, which the profile shows unchanged; null removes it. */
function picture(flags: Flags, flag: string): string | null | undefined {
  const url = flags.text(flag)
  if (url === undefined) return undefined
  if (url === 'none') return null
  if (!URL.canParse(url) || !/^https?:\/\/[^\s]{1,2000}$/.test(url))
    throw new UsageError(`--${flag} must be an http or https URL, or none, not "${url}"`)
  return url
}

/**
 * `plaza user update`: changes members of a profile that only the platform may change. Each change
 * emits an event.
 */
export async function update({ flags, positionals, config }: Call): Promise<number> {
  const [who = ''] = positionals
  const handle = flags.text('screen-name')?.replace(/^@/, '')
  if (handle !== undefined && !SCREEN_NAME.test(handle))
    throw new UsageError('--screen-name must be 1 to 15 letters, digits or underscores')
  const choice = <const Values extends readonly string[]>(flag: string, values: Values) =>
    flags.text(flag) === undefined ? undefined : flags.oneOf(flag, values, values[0] as Values[number])
  const isProtected = choice('protected', SWITCH)
  const changes: ProfileChanges = {
    handle,
    name: flags.text('name') === undefined ? undefined : shortText(flags, 'name', 50),
    profile_banner_url: picture(flags, 'profile-banner-url'),
    profile_image_url: picture(flags, 'profile-image-url'),
    verified_type: choice('verified-type', VERIFIED_TYPES),
    subscription_type: choice('subscription', SUBSCRIPTIONS),
    protected: isProtected === undefined ? undefined : Number(isProtected === 'on'),
  }
  const affiliation = flags.text('affiliation')
  if (affiliation === undefined && Object.values(changes).every((value) => value === undefined))
    throw new UsageError('at least one flag is required')
  const profile = await withInstallation(config, async ({ store }) => {
    const user = await userOf(store, who)
    if (affiliation !== undefined)
      changes.affiliation = affiliation === 'none' ? null : (await userOf(store, affiliation)).id
    try {
      return await store.write((tx) => updateProfile(tx, user.id, changes))
    } catch (error) {
      if (error instanceof UniqueViolation) throw new Error(`The screen name @${handle} is taken.`)
      throw error
    }
  })
  if (!profile) throw new Error(`There is no user ${who}. "plaza user list" lists the users.`)
  const { id, screen_name, name, verified_type, subscription_type, affiliation_user_id } = profile
  const { profile_image_url, profile_banner_url } = profile
  const names = { id, screen_name, name, profile_image_url, profile_banner_url }
  const facts = { ...names, verified_type, subscription_type, affiliation_user_id }
  if (flags.on('json')) console.log(JSON.stringify({ ...facts, protected: profile.protected === 1 }))
  else console.log(`User @${screen_name} (${id}) was updated.`)
  return 0
}

/** `plaza user accept-follow`: a protected user accepts a follow request. */
export async function acceptFollower({ flags, positionals, config }: Call): Promise<number> {
  const [who = '', other = ''] = positionals
  const [user, follower] = await withInstallation(config, async ({ store }) => {
    const [target, source] = [await userOf(store, who), await userOf(store, other)]
    const accepted = await store.write(async (tx) => {
      const pair = await lockPair(tx, { source: source.id, target: target.id })
      return pair ? acceptFollow(pair) : 'no request'
    })
    if (accepted === 'no request')
      throw new Error(`@${source.screen_name} has not requested to follow @${target.screen_name}.`)
    if (accepted === 'too many')
      throw new Error(`@${source.screen_name} follows ${MAX_FOLLOWING} users, which is the maximum.`)
    return [target, source] as const
  })
  if (flags.on('json')) console.log(JSON.stringify({ id: user.id, follower_id: follower.id }))
  else console.log(`@${follower.screen_name} follows @${user.screen_name}.`)
  return 0
}

/** Ids are longer than screen names, so the two cannot be confused. */
async function userOf(store: Store, who: string): Promise<UserRow> {
  const key = who.replace(/^@/, '').toLowerCase()
  const row = await (SCREEN_NAME.test(key)
    ? store.first(userByScreenName, { key })
    : store.first(userById, { id: who }))
  if (!row) throw new Error(`There is no user ${who}. "plaza user list" lists the users.`)
  return row
}
