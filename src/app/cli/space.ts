import { pageOfSpaces } from '../../domain/spaces/queries.ts'
import {
  createSpace,
  endSpace,
  MAX_COHOSTS,
  MAX_INVITED,
  MAX_SPEAKERS,
  MAX_TITLE,
  type NewSpace,
  shareInSpace,
  startSpace,
} from '../../domain/spaces/spaces.ts'
import { STATES, stateAt } from '../../domain/spaces/state.ts'
import type { SpaceRow } from '../../domain/spaces/tables.ts'
import { userNamed } from '../../identity/users/named.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { parseInstant } from '../../platform/common/instant.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { printList } from './list.ts'
import { decimalId, numberOf, pages, shortText } from './values.ts'

const MINUTE_MS = 60_000
const MAX_MINUTES = 1_440
const MAX_AHEAD_MS = 30 * MAX_MINUTES * MINUTE_MS

const CREATION_FLAGS = ['creator', 'title', 'minutes', 'lang', 'hosts', 'speakers', 'invited']

/** `plaza space schedule`: schedules a space. */
export async function schedule(call: Call): Promise<number> {
  const startsAt = timeOf(call.flags, 'at')
  const ahead = startsAt - systemClock.now()
  if (ahead <= 0 || ahead > MAX_AHEAD_MS) throw new UsageError('--at must be within the next 30 days')
  return create(call, startsAt)
}

/** `plaza space start`: starts a scheduled space, or a new one. */
export async function start(call: Call): Promise<number> {
  const [id] = call.positionals
  const extra = CREATION_FLAGS.find((flag) => call.flags.text(flag) !== undefined)
  if (id !== undefined && extra !== undefined)
    throw new UsageError(`--${extra} is for a new space and cannot be combined with ${id}`)
  return id === undefined ? create(call, undefined) : change(call, (tx) => startSpace(tx, id))
}

/** `plaza space end`: ends a live space, or removes a scheduled one. */
export async function end({ flags, positionals, config }: Call): Promise<number> {
  const [id = ''] = positionals
  const was = await withInstallation(config, ({ store }) => store.write((tx) => endSpace(tx, id)))
  const state = was === 'live' ? 'ended' : 'removed'
  console.log(flags.on('json') ? JSON.stringify({ id, state }) : `Space ${id} is ${state}.`)
  return 0
}

/** `plaza space share`: shares a post in a space. */
export async function share({ flags, positionals, config }: Call): Promise<number> {
  const [id = ''] = positionals
  const post_id = decimalId(positionals[1])
  await withInstallation(config, ({ store }) => store.write((tx) => shareInSpace(tx, id, post_id)))
  console.log(
    flags.on('json') ? JSON.stringify({ id, post_id }) : `Post ${post_id} is shared in space ${id}.`,
  )
  return 0
}

/** `plaza space list`: lists all spaces, oldest first. */
export async function list({ flags, config }: Call): Promise<number> {
  const state = flags.text('state') === undefined ? undefined : flags.oneOf('state', STATES, 'live')
  const of = state === undefined ? 'spaces' : `${state} spaces`
  await withInstallation(config, ({ store }) =>
    printList(flags, spacesIn(store, state), { of, asData: (facts) => facts, asText }),
  )
  return 0
}

/** The spaces with a state, or all. */
async function* spacesIn(store: Store, state: string | undefined): AsyncGenerator<Facts> {
  for await (const row of pages(store, pageOfSpaces)) {
    const facts = asData(row)
    if (state === undefined || facts.state === state) yield facts
  }
}

async function change(
  { flags, config }: Call,
  work: (tx: Transaction) => Promise<SpaceRow>,
): Promise<number> {
  const row = await withInstallation(config, ({ store }) => store.write(work))
  print(flags, asData(row))
  return 0
}

async function create({ flags, config }: Call, startsAt: number | undefined): Promise<number> {
  const title = shortText(flags, 'title', MAX_TITLE)
  const creator = flags.required('creator')
  const minutes = numberOf(flags, 'minutes', undefined, MAX_MINUTES)
  const lang = langOf(flags)
  const row = await withInstallation(config, async ({ store, parts }) => {
    const space: NewSpace = {
      title,
      lang,
      startsAt,
      lastsMs: minutes === undefined ? undefined : minutes * MINUTE_MS,
      creatorId: (await userNamed(store, creator)).id,
      cohostIds: await usersOf(store, flags, 'hosts', MAX_COHOSTS),
      speakerIds: await usersOf(store, flags, 'speakers', MAX_SPEAKERS),
      invitedIds: await usersOf(store, flags, 'invited', MAX_INVITED),
    }
    return store.write((tx) => createSpace(tx, space, parts))
  })
  print(flags, asData(row))
  return 0
}

/** Screen names separated by commas. */
async function usersOf(store: Store, flags: Flags, flag: string, most: number): Promise<string[]> {
  const names = new Set(
    (flags.text(flag) ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  if (names.size > most) throw new UsageError(`--${flag} takes up to ${most} screen names`)
  const ids: string[] = []
  for (const name of names) ids.push((await userNamed(store, name)).id)
  return ids
}

function langOf(flags: Flags): string | null {
  const text = flags.text('lang')
  if (text !== undefined && !/^[a-z]{2,3}$/.test(text))
    throw new UsageError('--lang must be a code such as en')
  return text ?? null
}

function timeOf(flags: Flags, flag: string): number {
  const text = flags.required(flag)
  const time = parseInstant(text)
  if (time === undefined)
    throw new UsageError(`--${flag} must be a time such as 2026-03-01T12:00:00Z, not "${text}"`)
  return time
}

const asData = (row: SpaceRow) => ({
  id: row.id,
  state: stateAt(row, systemClock.now()),
  title: row.title,
  creator_id: row.creator_id,
  starts_at: isoTime(row.starts_at),
  ends_at: row.ends_at === null ? null : isoTime(row.ends_at),
})

type Facts = ReturnType<typeof asData>

const asText = ({ id, state, starts_at, title }: Facts) => `${id}  ${state.padEnd(9)}  ${starts_at}  ${title}`

const print = (flags: Flags, facts: Facts) =>
  console.log(flags.on('json') ? JSON.stringify(facts) : asText(facts))
