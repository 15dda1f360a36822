import { readFileSync } from 'node:fs'
import { emitActivity, WrongPayload } from '../activity/emit.ts'
import type { ActivityKind, Direction } from '../activity/kind.ts'
import { activityKinds } from '../activity/kinds/kinds.ts'
import { endpoints } from '../endpoints.ts'
import type { Vocabulary } from '../http/vocabulary.ts'
import { appById } from '../identity/queries.ts'
import { openVocabulary } from '../start/vocabulary.ts'
import type { Store } from '../storage/store.ts'
import type { Call, Flags } from './command.ts'
import { UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { userNamed } from './values.ts'

/** The flag that each kind of filter needs. */
const FLAGS = { user: 'user', keyword: 'text', none: 'app' } as const

/** `plaza emit`. */
export async function run({ flags, positionals, config }: Call): Promise<number> {
  const vocabulary = openVocabulary(config, endpoints)
  const kind = kindCalled(positionals[0] ?? '', vocabulary)
  const needed = FLAGS[kind.filter]
  for (const flag of Object.values(FLAGS))
    if ((flags.text(flag) === undefined) === (flag === needed))
      throw new UsageError(`${kind.name} ${flag === needed ? 'needs' : 'has no'} --${flag}`)
  const direction = directionFor(kind, flags.text('direction'))
  const file = flags.text('with')
  const payload = file === undefined ? {} : { payload: jsonIn(file) }
  const shown = await withInstallation(config, async ({ store }) => {
    const about = await subjectOf(kind, flags, store)
    const emitted = { kind, ...about, direction, ...payload }
    return emitActivity(emitted, { store, vocabulary }).catch((error: unknown) => {
      throw error instanceof WrongPayload ? new Error(faultsOf(error, file)) : error
    })
  })
  // The payload stays text: it may hold integers that JavaScript cannot.
  if (flags.on('json')) console.log(`{"event_type":${JSON.stringify(kind.name)},"payload":${shown}}`)
  else
    console.log(`Emitted ${kind.name}. A running server sends it within 10 seconds to those who subscribed.`)
  return 0
}

function kindCalled(name: string, vocabulary: Vocabulary): ActivityKind {
  const found = activityKinds.find((kind) =>
    [kind.name, ...kind.otherNames].some((one) => one === name || vocabulary.name(one) === name),
  )
  if (!found)
    throw new UsageError(
      `"${name}" is no event type: there are ${activityKinds.map((kind) => kind.name).join(', ')}`,
    )
  return found
}

function directionFor({ name, isDirected }: ActivityKind, given: string | undefined): Direction | undefined {
  if (given === undefined) return undefined
  if (!isDirected) throw new UsageError(`${name} has no --direction`)
  if (given !== 'inbound' && given !== 'outbound')
    throw new UsageError('--direction must be inbound or outbound')
  return given
}

async function subjectOf({ filter }: ActivityKind, flags: Flags, store: Store) {
  if (filter === 'user') return { user: (await userNamed(store, flags.required('user'))).id }
  if (filter === 'keyword') return { text: flags.required('text') }
  const app = flags.required('app')
  if (!(await store.first(appById, { id: app }))) throw new Error(`There is no app with the id ${app}.`)
  return { app }
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`)
  }
}

const faultsOf = ({ violations }: WrongPayload, file: string | undefined) =>
  violations.map(({ name, value, fault }) => `${file}: ${name} ${value ?? ''}: ${fault.kind}`).join('\n')
