import { readFileSync } from 'node:fs'
import { objects } from '../../api/core/objects/objects.ts'
import { emitActivity } from '../../delivery/activities/emit.ts'
import { activityKinds } from '../../delivery/activities/kinds/kinds.ts'
import { WrongPayload } from '../../delivery/activities/over.ts'
import { emittedOf, kindCalled, misfit } from '../../delivery/activities/wanted.ts'
import { endpoints } from '../endpoints.ts'
import { openVocabulary } from '../start/vocabulary.ts'
import { type Call, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'

/** `plaza emit`. */
export async function run({ flags, positionals, config }: Call): Promise<number> {
  const vocabulary = openVocabulary(config, endpoints)
  const [name = ''] = positionals
  const kind = kindCalled(name, vocabulary)
  if (!kind)
    throw new UsageError(
      `"${name}" is not an event type. The event types are ${activityKinds.map((one) => one.name).join(', ')}`,
    )
  const [user, text, app, direction] = ['user', 'text', 'app', 'direction'].map((flag) => flags.text(flag))
  const wanted = { user, text, app, direction }
  const wrong = misfit(kind, wanted, (member) => `--${member}`)
  if (wrong !== undefined) throw new UsageError(`${kind.name} ${wrong}`)
  const file = flags.text('with')
  const over = file === undefined ? {} : { over: jsonIn(file) }
  const origin = config.coreUrl ?? ''
  const naming = { vocabulary, problemBase: config.problemBase ?? origin }
  const shown = await withInstallation(config, async ({ store, parts }) => {
    const emitted = await emittedOf(kind, wanted, store)
    if (typeof emitted === 'string') throw new Error(emitted)
    const mediaOrigin = config.mediaUrl ?? origin
    return emitActivity(
      { ...emitted, ...over },
      { ...parts, store, naming, mediaOrigin, graph: objects },
    ).catch((error: unknown) => {
      throw error instanceof WrongPayload ? new Error(faultsOf(error, file)) : error
    })
  })
  if (flags.on('json')) console.log(`{"event_type":${JSON.stringify(kind.name)},"payload":${shown}}`)
  else console.log(`Emitted ${kind.name}. A running server sends it to subscribers within a second.`)
  return 0
}

function jsonIn(file: string): unknown {
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`)
  }
}

const faultsOf = ({ faults }: WrongPayload, file: string | undefined) =>
  faults.map((fault) => `${file}: ${fault}`).join('\n')
