import { MAX_TITLE } from '../../domain/broadcasts/broadcasts.ts'
import { parseInstant } from '../../platform/common/instant.ts'
import { callAdmin, listAdmin } from '../admin-client.ts'
import type { AdminPath } from '../admin-path.ts'
import { withAdmin } from './admin.ts'
import { type Call, UsageError } from './command.ts'
import { printList } from './list.ts'
import { numberOf, shortText } from './values.ts'

const MAX_MINUTES = 10_080

const NEW_FLAGS = ['owner', 'title', 'minutes', 'source', 'locale']

/** A broadcast as the admin API shows it. */
interface ShownBroadcast {
  id: string
  state: string
  title: string
  owner_id: string
  starts_at: string | null
  ends_at: string | null
}

const pathOf = (id = '') => `/broadcasts/${encodeURIComponent(id)}` as const

/** `plaza broadcast source`: makes a source. */
export async function source({ flags, positionals: [id], config }: Call): Promise<number> {
  const body = {
    id,
    owner: flags.required('owner'),
    name: flags.text('name'),
    receiving: flags.on('receiving'),
  }
  const made = await withAdmin(config, (admin) => callAdmin(admin, 'POST', '/broadcast-sources', body))
  console.log(flags.on('json') ? JSON.stringify(made) : `Source ${id} is made.`)
  return 0
}

/** `plaza broadcast receive`: says whether a source receives video. */
export async function receive({ flags, positionals: [id = ''], config }: Call): Promise<number> {
  const receiving = !flags.on('stop')
  const path = `/broadcast-sources/${encodeURIComponent(id)}` as const
  const changed = await withAdmin(config, (admin) => callAdmin(admin, 'PUT', path, { receiving }))
  const words = receiving ? 'receives video' : 'receives no video'
  console.log(flags.on('json') ? JSON.stringify(changed) : `Source ${id} ${words}.`)
  return 0
}

/** `plaza broadcast schedule`: schedules a broadcast. */
export function schedule(call: Call): Promise<number> {
  const at = call.flags.required('at')
  if (parseInstant(at) === undefined)
    throw new UsageError(`--at must be a time such as 2026-03-01T12:00:00Z, not "${at}"`)
  return create(call, { starts_at: at, manual_publish: call.flags.on('manual') })
}

/** `plaza broadcast start`: starts a scheduled broadcast, or a new one. */
export async function start(call: Call): Promise<number> {
  const [id] = call.positionals
  const extra = NEW_FLAGS.find((flag) => call.flags.text(flag) !== undefined)
  if (id !== undefined && extra !== undefined)
    throw new UsageError(`--${extra} is for a new broadcast and cannot be combined with ${id}`)
  return id === undefined ? create(call, {}) : send(call, `${pathOf(id)}/start`)
}

/** `plaza broadcast end`: ends a running broadcast, or removes a scheduled one. */
export async function end({ flags, positionals: [id], config }: Call): Promise<number> {
  const body = { failed: flags.on('failed') }
  const ended = await withAdmin(config, (admin) => callAdmin(admin, 'POST', `${pathOf(id)}/end`, body))
  console.log(flags.on('json') ? JSON.stringify(ended) : `Broadcast ${id}: ${ended.state}.`)
  return 0
}

/** `plaza broadcast watch`: a user watches a broadcast, or leaves it. */
export async function watch({ flags, positionals: [id, user = ''], config }: Call): Promise<number> {
  const leaves = flags.on('leave')
  const path = `${pathOf(id)}/watchers/${encodeURIComponent(user)}` as const
  const done = await withAdmin(config, (admin) => callAdmin(admin, leaves ? 'DELETE' : 'PUT', path))
  const words = leaves ? 'has left' : 'watches'
  console.log(flags.on('json') ? JSON.stringify(done) : `${user} ${words} broadcast ${id}.`)
  return 0
}

/** `plaza broadcast list`: lists all broadcasts, oldest first. */
export async function list({ flags, config }: Call): Promise<number> {
  await withAdmin(config, async (admin) => {
    const all = listAdmin<ShownBroadcast>(admin, '/broadcasts')
    await printList(flags, all, { of: 'broadcasts', asData, asText })
  })
  return 0
}

function create(call: Call, times: { starts_at?: string; manual_publish?: boolean }): Promise<number> {
  const { flags } = call
  return send(call, '/broadcasts', {
    ...{ owner: flags.required('owner'), title: shortText(flags, 'title', MAX_TITLE), ...times },
    ...{ minutes: numberOf(flags, 'minutes', undefined, MAX_MINUTES), source_id: flags.text('source') },
    ...{ locale: flags.text('locale'), available_for_replay: flags.on('replay'), locked: flags.on('locked') },
  })
}

async function send({ flags, config }: Call, path: AdminPath, body?: object): Promise<number> {
  const made = await withAdmin(config, (admin) => callAdmin<ShownBroadcast>(admin, 'POST', path, body))
  console.log(flags.on('json') ? JSON.stringify(asData(made)) : asText(made))
  return 0
}

const asData = ({ id, state, title, owner_id, starts_at, ends_at }: ShownBroadcast) => ({
  ...{ id, state, title, owner_id, starts_at, ends_at },
})

const asText = ({ id, state, starts_at, title }: ShownBroadcast) =>
  `${id}  ${state.padEnd(9)}  ${starts_at ?? 'when started'}  ${title}`
