import { type EmitParts, emitActivity, Unseen } from '../../delivery/activities/emit.ts'
import { activityKinds } from '../../delivery/activities/kinds/kinds.ts'
import { Incomplete, WrongPayload } from '../../delivery/activities/over.ts'
import { emittedOf, kindCalled, misfit } from '../../delivery/activities/wanted.ts'
import { WrongValue } from './wrong.ts'

/** An activity to emit, as an operator names it. */
export interface EmitValues {
  /** In the spelling of the interface or of the vocabulary. */
  event_type: string
  /** Screen name. */
  user?: string | undefined
  text?: string | undefined
  /** The id of the app. */
  app?: string | undefined
  direction?: string | undefined
  /** Members that replace those of the payload. */
  with?: unknown
}

/**
 * Emits an activity as if it had happened. Resolves to the name of its type and to the payload that
 * subscribers receive, as JSON text.
 * @throws WrongValue
 */
export async function emitByHand(
  values: EmitValues,
  parts: EmitParts,
): Promise<{ name: string; payload: string }> {
  const { event_type, with: over, ...wanted } = values
  const kind = kindCalled(event_type, parts.naming.vocabulary)
  if (!kind)
    throw new WrongValue(
      'event_type',
      event_type,
      `"${event_type}" is not an event type. The event types are ${activityKinds.map((one) => one.name).join(', ')}.`,
    )
  const wrong = misfit(kind, wanted, (member) => `\`${member}\``)
  if (wrong !== undefined) throw new WrongValue('event_type', event_type, `${kind.name} ${wrong}.`)
  const emitted = await emittedOf(kind, wanted, parts.store)
  if (typeof emitted === 'string')
    throw new WrongValue(wanted.user === undefined ? 'app' : 'user', wanted.user ?? wanted.app, emitted)
  try {
    const payload = await emitActivity({ ...emitted, ...(over !== undefined && { over }) }, parts)
    return { name: kind.name, payload }
  } catch (error) {
    if (error instanceof WrongPayload) throw new WrongValue('with', over, error.faults.join('\n'))
    if (error instanceof Incomplete) throw new WrongValue('with', over, error.message)
    throw error instanceof Unseen ? new WrongValue('user', wanted.user, error.message) : error
  }
}
