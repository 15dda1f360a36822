import { MAX_COHOSTS, MAX_INVITED, MAX_SPEAKERS, MAX_TITLE } from '../../domain/spaces/spaces.ts'
import { STATES } from '../../domain/spaces/state.ts'
import { parseInstant } from '../../platform/common/instant.ts'
import { callAdmin, listAdmin } from '../admin-client.ts'
import type { AdminPath } from '../admin-path.ts'
import { withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { printList } from './list.ts'
import { decimalId, numberOf, shortText } from './values.ts'

const MAX_MINUTES = 1_440

const CREATION_FLAGS = [
  'creator',
  'title',
  'minutes',
  'lang',
  'hosts',
  'speakers',
  'invited',
  'topics',
  'subscribers',
]

/** A space as the admin API shows it. */
interface ShownSpace {
  id: string
  state: string
  title: string
  creator_id: string
  starts_at: string
  ends_at: string | null
}

const pathOf = (id = '') => `/spaces/${encodeURIComponent(id)}` as const

/** `plaza space schedule`: schedules a space. */
export const schedule = (call: Call): Promise<number> => create(call, timeOf(call.flags, 'at'))

/** `plaza space start`: starts a scheduled space, or a new one. */
export async function start(call: Call): Promise<number> {
  const [id] = call.positionals
  const extra = CREATION_FLAGS.find((flag) => call.flags.text(flag) !== undefined)
  if (id !== undefined && extra !== undefined)
    throw new UsageError(`--${extra} is for a new space and cannot be combined with ${id}`)
  return id === undefined ? create(call) : send(call, `${pathOf(id)}/start`)
}

/** `plaza space end`: ends a live space, or removes a scheduled one. */
export async function end({ flags, positionals: [id], config }: Call): Promise<number> {
  const ended = await withAdmin(config, (admin) => callAdmin(admin, 'POST', `${pathOf(id)}/end`))
  console.log(flags.on('json') ? JSON.stringify(ended) : `Space ${id} is ${ended.state}.`)
  return 0
}

/** `plaza space share`: shares a post in a space. */
export async function share({ flags, positionals: [id, post], config }: Call): Promise<number> {
  const post_id = decimalId(post)
  await withAdmin(config, (admin) => callAdmin(admin, 'PUT', `${pathOf(id)}/posts/${post_id}`))
  console.log(
    flags.on('json') ? JSON.stringify({ id, post_id }) : `Post ${post_id} is shared in space ${id}.`,
  )
  return 0
}

/** `plaza space list`: lists all spaces, oldest first. */
export async function list({ flags, config }: Call): Promise<number> {
  const state = flags.text('state') === undefined ? undefined : flags.oneOf('state', STATES, 'live')
  const of = state === undefined ? 'spaces' : `${state} spaces`
  await withAdmin(config, async (admin) => {
    async function* chosen() {
      for await (const space of listAdmin<ShownSpace>(admin, '/spaces'))
        if (state === undefined || space.state === state) yield space
    }
    await printList(flags, chosen(), { of, asData, asText })
  })
  return 0
}

function create(call: Call, starts_at?: string): Promise<number> {
  const { flags } = call
  const lang = flags.text('lang')
  if (lang !== undefined && !/^[a-z]{2,3}$/.test(lang))
    throw new UsageError('--lang must be a code such as en')
  const topics = (flags.text('topics') ?? '').split(',').flatMap((name) => name.trim() || [])
  return send(call, '/spaces', {
    title: shortText(flags, 'title', MAX_TITLE),
    creator: flags.required('creator'),
    starts_at,
    minutes: numberOf(flags, 'minutes', undefined, MAX_MINUTES),
    lang,
    hosts: namesIn(flags, 'hosts', MAX_COHOSTS),
    speakers: namesIn(flags, 'speakers', MAX_SPEAKERS),
    invited: namesIn(flags, 'invited', MAX_INVITED),
    topics: topics.length === 0 ? undefined : topics.map((name) => ({ name })),
    subscriber_count: numberOf(flags, 'subscribers', undefined, 1_000_000_000, { least: 0 }),
  })
}

/** Screen names separated by commas. */
function namesIn(flags: Flags, flag: string, most: number): string[] {
  const names = (flags.text(flag) ?? '').split(',').map((one) => one.trim())
  const given = [...new Set(names.filter(Boolean))]
  if (given.length > most) throw new UsageError(`--${flag} takes up to ${most} screen names`)
  return given
}

function timeOf(flags: Flags, flag: string): string {
  const text = flags.required(flag)
  if (parseInstant(text) === undefined)
    throw new UsageError(`--${flag} must be a time such as 2026-03-01T12:00:00Z, not "${text}"`)
  return text
}

async function send({ flags, config }: Call, path: AdminPath, body?: object): Promise<number> {
  const space = await withAdmin(config, (admin) => callAdmin<ShownSpace>(admin, 'POST', path, body))
  console.log(flags.on('json') ? JSON.stringify(asData(space)) : asText(space))
  return 0
}

const asData = ({ id, state, title, creator_id, starts_at, ends_at }: ShownSpace) => ({
  ...{ id, state, title, creator_id, starts_at, ends_at },
})

const asText = ({ id, state, starts_at, title }: ShownSpace) =>
  `${id}  ${state.padEnd(9)}  ${starts_at}  ${title}`
