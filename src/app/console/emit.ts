import { emitActivity, Unseen } from '../../delivery/activities/emit.ts'
import { Incomplete, WrongPayload } from '../../delivery/activities/over.ts'
import { emittedOf, kindCalled, misfit } from '../../delivery/activities/wanted.ts'
import type { Answer, PageParts, PageRequest } from './page.ts'
import { emitView } from './views.ts'

/** The input of the form cannot be emitted. */
class Refused extends Error {}

/** POST /emit: emits the input of the form, like `plaza emit`. */
export async function emitPage({ values: typed, formToken }: PageRequest, parts: PageParts): Promise<Answer> {
  const page = { formToken, vocabulary: parts.vocabulary, typed }
  try {
    const emitted = await emitTyped(typed, parts)
    return { body: emitView({ ...page, emitted }) }
  } catch (error) {
    if (error instanceof Refused) return { status: 400, body: emitView({ ...page, failed: error.message }) }
    throw error
  }
}

const LABELS = { user: 'a user', text: 'a text', app: 'an app', direction: 'a direction' } as const

async function emitTyped(
  typed: PageRequest['values'],
  { store, vocabulary, emitting }: PageParts,
): Promise<string> {
  const filled = (name: string) => typed[name]?.trim() || undefined
  const kind = kindCalled(filled('event_type') ?? '', vocabulary)
  if (!kind) throw new Refused('There is no such event type.')
  const [user, text, app, direction] = ['user', 'text', 'app', 'direction'].map(filled)
  const wanted = { user, text, app, direction }
  const wrong = misfit(kind, wanted, (member, isNeeded) => (isNeeded ? LABELS[member] : member))
  if (wrong !== undefined) throw new Refused(`${vocabulary.name(kind.name)} ${wrong}.`)
  const over = overOf(filled('payload'))
  const emitted = await emittedOf(kind, wanted, store)
  if (typeof emitted === 'string') throw new Refused(emitted)
  try {
    await emitActivity({ ...emitted, ...over }, emitting)
  } catch (error) {
    if (error instanceof Unseen || error instanceof Incomplete) throw new Refused(error.message)
    throw error instanceof WrongPayload ? new Refused(`Payload: ${error.faults.join('; ')}`) : error
  }
  return vocabulary.name(kind.name)
}

function overOf(text: string | undefined): { over?: unknown } {
  if (text === undefined) return {}
  try {
    return { over: JSON.parse(text) as unknown }
  } catch (error) {
    throw new Refused(`Payload: ${(error as Error).message}`)
  }
}
