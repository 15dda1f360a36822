import { readFileSync } from 'node:fs'
import { activityKinds } from '../../delivery/activities/kinds/kinds.ts'
import { kindCalled, misfit } from '../../delivery/activities/wanted.ts'
import { AdminError, callAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import { type Call, UsageError } from './command.ts'
import { vocabularyOf } from './words.ts'

/** `plaza emit`. */
export async function run({ flags, positionals, config }: Call): Promise<number> {
  const [name = ''] = positionals
  const kind = kindCalled(name, vocabularyOf(config))
  if (!kind)
    throw new UsageError(
      `"${name}" is not an event type. The event types are ${activityKinds.map((one) => one.name).join(', ')}`,
    )
  const [user, text, app, direction] = ['user', 'text', 'app', 'direction'].map((flag) => flags.text(flag))
  const wanted = { user, text, app, direction }
  const wrong = misfit(kind, wanted, (member) => `--${member}`)
  if (wrong !== undefined) throw new UsageError(`${kind.name} ${wrong}`)
  const file = flags.text('with')
  const body = { event_type: kind.name, ...wanted, ...(file !== undefined && { with: jsonIn(file) }) }
  const emitted = await withAdmin(config, (admin) =>
    callAdmin(admin, 'POST', '/emit', body).catch((error: unknown) => {
      throw error instanceof AdminError && error.parameters.includes('with') ? inFile(error, file) : error
    }),
  )
  if (flags.on('json')) console.log(JSON.stringify(emitted))
  else console.log(`Emitted ${kind.name}. A running server sends it to subscribers at once.`)
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

/** The error with the name of the file before each line. */
const inFile = ({ message }: AdminError, file: string | undefined) =>
  new Error(
    message
      .split('\n')
      .map((line) => `${file}: ${line}`)
      .join('\n'),
  )
