import { MAX_PASSWORD_LENGTH } from '../../identity/users/password.ts'
import { SCREEN_NAME, SUBSCRIPTION_TYPES, VERIFIED_TYPES } from '../../identity/users/users.ts'
import { callAdmin, listAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { printList } from './list.ts'
import { isWebAddress, shortText } from './values.ts'

/** A user, as the admin API shows one. */
interface ShownUser {
  id: string
  screen_name: string
  name: string
  suspended: boolean
  created_at: string
  password?: string
}

/** `plaza user create`. */
export async function create({ flags, config }: Call): Promise<number> {
  const password = flags.text('password')
  if (password !== undefined && (password === '' || password.length > MAX_PASSWORD_LENGTH))
    throw new UsageError(`--password must be 1 to ${MAX_PASSWORD_LENGTH} characters`)
  const body = {
    screen_name: screenName(flags.required('screen-name')),
    name: shortText(flags, 'name', 50),
    password,
    ...profileIn(flags),
  }
  print(await withAdmin(config, (admin) => callAdmin<ShownUser>(admin, 'POST', '/users', body)), flags)
  return 0
}

function screenName(given: string): string {
  const name = given.replace(/^@/, '')
  if (!SCREEN_NAME.test(name))
    throw new UsageError('--screen-name must be 1 to 15 letters, digits or underscores')
  return name
}

/** A password is printed only when Plaza generated it. */
function print({ id, screen_name, password }: ShownUser, flags: Flags): void {
  if (flags.on('json')) console.log(JSON.stringify({ id, screen_name, ...(password && { password }) }))
  else console.log(`User      @${screen_name} (${id})`)
  if (password && !flags.on('json')) console.log(`Password  ${password}\n\nThe password is shown only once.`)
}

/** `plaza user list`. */
export async function list({ flags, config }: Call): Promise<number> {
  const prefix = flags.text('name-prefix')
  const path =
    prefix === undefined ? '/users' : (`/users?screen_name_prefix=${encodeURIComponent(prefix)}` as const)
  await withAdmin(config, (admin) =>
    printList(flags, listAdmin<ShownUser>(admin, path), {
      of: 'users',
      asData: ({ id, screen_name, name, suspended, created_at }) => ({
        ...{ id, screen_name, name, suspended, created_at },
      }),
      asText: ({ id, screen_name, name, suspended }) =>
        `${id}  @${screen_name.padEnd(15)}  ${name}${suspended ? '  (suspended)' : ''}`,
    }),
  )
  return 0
}

/** `plaza user rotate`: sets a new password and ends the sessions of the user. */
export async function rotate({ flags, positionals: [who = ''], config }: Call): Promise<number> {
  const path = `/users/${encodeURIComponent(who)}/rotate_password` as const
  print(await withAdmin(config, (admin) => callAdmin<ShownUser>(admin, 'POST', path)), flags)
  return 0
}

/**
 * `plaza user suspend`, `restore`: every server applies the change once the command has finished.
 */
export const suspend = (call: Call) => changeUser(call, { suspended: true }, 'is suspended')
export const restore = (call: Call) => changeUser(call, { suspended: false }, 'is no longer suspended')

/** `plaza user delete`: tasks of a running server remove what belongs to the user. */
export async function remove({ flags, positionals: [who = ''], config }: Call): Promise<number> {
  const { id, screen_name } = await withAdmin(config, async (admin) => {
    const user = await callAdmin<ShownUser>(admin, 'GET', pathOf(who))
    await callAdmin(admin, 'DELETE', pathOf(user.id))
    return user
  })
  if (flags.on('json')) console.log(JSON.stringify({ id, screen_name, deleted: true }))
  else console.log(`User @${screen_name} (${id}) is deleted.`)
  return 0
}

/** `plaza user enroll-note-writer`. */
export function enrollNoteWriter(call: Call): Promise<number> {
  const note_writer = call.flags.on('top') ? 'top' : 'regular'
  return changeUser(call, { note_writer }, `may write community notes (${note_writer})`)
}

/** `plaza user remove-note-writer`. */
export async function removeNoteWriter(call: Call): Promise<number> {
  const [who = ''] = call.positionals
  const { note_writer, screen_name } = await withAdmin(call.config, (admin) =>
    callAdmin<{ note_writer: string | null; screen_name: string }>(admin, 'GET', pathOf(who)),
  )
  if (note_writer === null) throw new Error(`User @${screen_name} is not a writer of community notes.`)
  return changeUser(call, { note_writer: null }, 'may no longer write community notes')
}

/** `plaza user messages`: sets who may send a user direct messages. */
export function messages(call: Call): Promise<number> {
  const direct_messages_from = call.positionals[1] as keyof typeof SENDERS_IN_WORDS
  const outcome = `accepts direct messages from ${SENDERS_IN_WORDS[direct_messages_from]}`
  return changeUser(call, { direct_messages_from }, outcome)
}

const SENDERS_IN_WORDS = { everyone: 'everyone', followed: 'users they follow' } as const

const pathOf = (who: string) => `/users/${encodeURIComponent(who)}` as const

/** Changes the user that the first argument names, and prints the outcome. */
async function changeUser(
  { flags, positionals: [who = ''], config }: Call,
  facts: object,
  outcome: string,
): Promise<number> {
  const { id, screen_name } = await withAdmin(config, (admin) =>
    callAdmin<ShownUser>(admin, 'PUT', pathOf(who), facts),
  )
  if (flags.on('json')) console.log(JSON.stringify({ id, screen_name, ...facts }))
  else console.log(`User @${screen_name} (${id}) ${outcome}.`)
  return 0
}

const SWITCH = ['on', 'off'] as const

/** A URL that the profile shows unchanged; null removes it. */
function webAddress(flags: Flags, flag: string): string | null | undefined {
  const url = flags.text(flag)
  if (url === undefined) return undefined
  if (url === 'none') return null
  if (!isWebAddress(url))
    throw new UsageError(`--${flag} must be an http or https URL, or none, not "${url}"`)
  return url
}

/** The members of a profile that flags change. */
function profileIn(flags: Flags) {
  const choice = <const Values extends readonly string[]>(flag: string, values: Values) =>
    flags.text(flag) === undefined ? undefined : flags.oneOf(flag, values, values[0] as Values[number])
  const isProtected = choice('protected', SWITCH)
  const affiliation = flags.text('affiliation')
  return {
    description: flags.text('description'),
    location: flags.text('location'),
    url: webAddress(flags, 'url'),
    profile_image_url: webAddress(flags, 'profile-image-url'),
    profile_banner_url: webAddress(flags, 'profile-banner-url'),
    protected: isProtected === undefined ? undefined : isProtected === 'on',
    verified_type: choice('verified-type', VERIFIED_TYPES),
    subscription_type: choice('subscription', SUBSCRIPTION_TYPES),
    affiliation: affiliation === 'none' ? null : affiliation,
  }
}

/**
 * `plaza user update`: changes members of a profile, also those that only the platform may change.
 * Each change emits an event.
 */
export async function update({ flags, positionals: [who = ''], config }: Call): Promise<number> {
  const given = flags.text('screen-name')
  const changes = {
    screen_name: given === undefined ? undefined : screenName(given),
    name: flags.text('name') === undefined ? undefined : shortText(flags, 'name', 50),
    ...profileIn(flags),
  }
  if (Object.values(changes).every((value) => value === undefined))
    throw new UsageError('at least one flag is required')
  const profile = await withAdmin(config, (admin) => callAdmin(admin, 'PUT', pathOf(who), changes))
  const { id, screen_name, name, profile_image_url, profile_banner_url } = profile
  const { verified_type, subscription_type, affiliation_user_id } = profile
  const names = { id, screen_name, name, profile_image_url, profile_banner_url }
  const facts = { ...names, verified_type, subscription_type, affiliation_user_id }
  if (flags.on('json')) console.log(JSON.stringify({ ...facts, protected: profile.protected }))
  else console.log(`User @${screen_name} (${id}) was updated.`)
  return 0
}

/** `plaza user accept-follow`: a protected user accepts a follow request. */
export async function acceptFollower({ flags, positionals, config }: Call): Promise<number> {
  const [who = '', follower = ''] = positionals
  const path = `${pathOf(who)}/accept_follow` as const
  const accepted = await withAdmin(config, (admin) =>
    callAdmin<Record<'user' | 'target', { id: string; screen_name: string }>>(admin, 'POST', path, {
      follower,
    }),
  )
  const { user, target } = accepted
  if (flags.on('json')) console.log(JSON.stringify({ id: target.id, follower_id: user.id }))
  else console.log(`@${user.screen_name} follows @${target.screen_name}.`)
  return 0
}
