import { jsonText } from '../common/exact-json.ts'
import { emit } from '../events/log.ts'
import type { Violation } from '../http/errors.ts'
import { compileBody } from '../http/input/reader.ts'
import { compileReply } from '../http/reply.ts'
import { sampleValue } from '../http/sample.ts'
import type { Vocabulary } from '../http/vocabulary.ts'
import type { Store } from '../storage/store.ts'
import { activityEmitted } from './events.ts'
import type { ActivityKind, Direction } from './kind.ts'

/** An activity to emit by hand. */
export interface Emitted {
  readonly kind: ActivityKind
  readonly user?: string | undefined
  readonly text?: string | undefined
  readonly app?: string | undefined
  readonly direction?: Direction | undefined
  /** As a client sees it, renamed by the vocabulary; generated when absent. */
  readonly payload?: unknown
}

/** The payload does not match the schema of its kind. */
export class WrongPayload extends Error {
  readonly violations: readonly Violation[]
  constructor(violations: readonly Violation[]) {
    super('the payload does not have the shape of the event type')
    this.violations = violations
  }

  /** One line per violation. */
  get faults(): readonly string[] {
    return this.violations.map(({ name, value, fault }) => `${name} ${value ?? ''}: ${fault.kind}`)
  }
}

/**
 * Emits an activity. Its subscribers receive it like a real one. Resolves to the payload that they receive, as JSON
 * text.
 * @throws WrongPayload
 */
export async function emitActivity(
  { kind, user = '', text = '', app = '', direction, payload }: Emitted,
  { store, vocabulary }: { store: Store; vocabulary: Vocabulary },
): Promise<string> {
  const violations: Violation[] = []
  const read = compileBody(kind.payload, vocabulary)
  const shown = payload === undefined ? sampleValue(kind.payload) : read(payload, violations)
  if (violations.length > 0) throw new WrongPayload(violations)
  const activity = { kind: kind.name, user_id: user, text, app_id: app, direction: direction ?? '' }
  await store.write((tx) => emit(tx, activityEmitted, { ...activity, payload: jsonText(shown) }))
  return compileReply(kind.payload, vocabulary)(shown)
}
