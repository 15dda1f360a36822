import {
  ACCESSES,
  JOIN_POLICIES,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
} from '../../domain/communities/communities.ts'
import { callAdmin, listAdmin } from '../admin-client.ts'
import type { AdminPath } from '../admin-path.ts'
import { withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { printList } from './list.ts'
import { decimalId, shortText } from './values.ts'

/** A community as the admin API shows it. */
interface ShownCommunity {
  id: string
  name: string
  access: string
  member_count: number
}

const pathOf = (id: string | undefined) => `/communities/${decimalId(id)}` as const

/** `plaza community create`. */
export async function create(call: Call): Promise<number> {
  const { flags } = call
  const id = flags.text('id')
  const members = (flags.text('members') ?? '').split(',').map((one) => one.trim())
  const body = {
    ...changesIn(flags),
    name: shortText(flags, 'name', MAX_NAME_LENGTH),
    ...(id !== undefined && { id: decimalId(id) }),
    members: members.filter(Boolean),
  }
  return send(call, 'POST', '/communities', body)
}

/** `plaza community update`. */
export async function update(call: Call): Promise<number> {
  const changes = changesIn(call.flags)
  if (Object.keys(changes).length === 0) throw new UsageError('Name what to change, such as --access Closed')
  return send(call, 'PUT', pathOf(call.positionals[0]), changes)
}

function changesIn(flags: Flags) {
  const description = flags.text('description')
  if (description !== undefined && [...description].length > MAX_DESCRIPTION_LENGTH)
    throw new UsageError(`--description must be at most ${MAX_DESCRIPTION_LENGTH} characters`)
  return {
    ...(flags.text('name') !== undefined && { name: shortText(flags, 'name', MAX_NAME_LENGTH) }),
    ...(description !== undefined && { description }),
    ...(flags.text('access') !== undefined && { access: flags.oneOf('access', ACCESSES, 'Public') }),
    ...(flags.text('join-policy') !== undefined && {
      join_policy: flags.oneOf('join-policy', JOIN_POLICIES, 'Open'),
    }),
  }
}

async function send({ flags, config }: Call, method: 'POST' | 'PUT', path: AdminPath, body: object) {
  const shown = await withAdmin(config, (admin) => callAdmin<ShownCommunity>(admin, method, path, body))
  console.log(flags.on('json') ? JSON.stringify(shown) : asText(shown))
  return 0
}

/** `plaza community list`: those that were made last first. */
export async function list({ flags, config }: Call): Promise<number> {
  const user = flags.text('user')
  const path: AdminPath =
    user === undefined ? '/communities' : `/users/${encodeURIComponent(user)}/communities`
  await withAdmin(config, (admin) =>
    printList(flags, listAdmin<ShownCommunity>(admin, path), {
      ...{ of: 'communities', asData: (one) => one, asText },
    }),
  )
  return 0
}

/** `plaza community delete`. */
export async function remove({ flags, positionals: [id], config }: Call): Promise<number> {
  await withAdmin(config, (admin) => callAdmin(admin, 'DELETE', pathOf(id)))
  console.log(flags.on('json') ? JSON.stringify({ id, deleted: true }) : `Community ${id} is deleted.`)
  return 0
}

/** `plaza community join`. */
export const join = (call: Call): Promise<number> => relate(call, 'PUT', 'is a member of')

/** `plaza community leave`. */
export const leave = (call: Call): Promise<number> => relate(call, 'DELETE', 'is no member of')

async function relate({ flags, positionals, config }: Call, method: 'PUT' | 'DELETE', what: string) {
  const [id, user = ''] = positionals
  const path = `${pathOf(id)}/members/${encodeURIComponent(user)}` as const
  await withAdmin(config, (admin) => callAdmin(admin, method, path))
  const shown = { community_id: id, user, member: method === 'PUT' }
  console.log(flags.on('json') ? JSON.stringify(shown) : `User ${user} ${what} community ${id}.`)
  return 0
}

/** `plaza community members`. */
export async function members({ flags, positionals: [id], config }: Call): Promise<number> {
  await withAdmin(config, (admin) =>
    printList(flags, listAdmin<{ id: string; screen_name: string }>(admin, `${pathOf(id)}/members`), {
      of: 'members',
      asData: (one) => one,
      asText: (one) => `${one.id}  @${one.screen_name}`,
    }),
  )
  return 0
}

const asText = ({ id, access, member_count, name }: ShownCommunity) =>
  `${id}  ${access.padEnd(6)}  ${String(member_count).padStart(6)}  ${name}`
