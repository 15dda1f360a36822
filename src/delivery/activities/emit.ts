import { profilesByIds } from '../../identity/users/queries.ts'
import type { Clock } from '../../platform/common/clock.ts'
import { jsonText } from '../../platform/common/exact-json.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import { compileReply } from '../../platform/http/reply.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import { type Store, UniqueViolation } from '../../platform/storage/store.ts'
import type { FormParts } from './account/form.ts'
import { accountFormOf } from './account/forms.ts'
import { activityEmitted, type EmittedData } from './events.ts'
import type { ActivityKind, Direction } from './kind.ts'
import { emittedSource } from './kinds/emitted.ts'
import { makerOf } from './making/makers.ts'
import { overlaid, readOver } from './over.ts'
import { ActivityReader, type ReaderParts } from './reader.ts'

/** An activity to emit by hand. */
export interface Emitted {
  readonly kind: ActivityKind
  /** The id of the user. */
  readonly user?: string | undefined
  readonly text?: string | undefined
  readonly app?: string | undefined
  readonly direction?: Direction | undefined
  /**
   * Members that replace those of its objects, as a client sees them, renamed by the vocabulary.
   */
  readonly over?: unknown
}

export interface EmitParts extends ReaderParts {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
  readonly sealer: Pick<Sealer, 'derive'>
}

/** No one may see the activity. */
export class Unseen extends Error {
  override readonly name = 'Unseen'
}

/**
 * Emits an activity about stored objects, which are made where they are missing. Its subscribers
 * receive it like one that happened. Resolves to the payload that they receive, as JSON text.
 * @throws WrongPayload, Incomplete, Unseen
 */
export async function emitActivity(
  { kind, user, text = '', app = '', direction, over: given = {} }: Emitted,
  parts: EmitParts,
): Promise<string> {
  const { store, clock, naming } = parts
  const over = readOver(kind, given, naming.vocabulary)
  const attempt = () =>
    store.write(async (tx) => {
      const [profile] = user === undefined ? [] : await tx.all(profilesByIds, { ids: JSON.stringify([user]) })
      const facts = await makerOf(kind)({ user: profile, text, appId: app, direction }, { ...parts, tx })
      const now = clock.now()
      const reader = new ActivityReader({ ...parts, store: tx }, now)
      const render = await kind.prepare([facts], reader)
      const rendered = render(facts)
      if (!rendered) throw new Unseen('No one may see the activity: the user is protected or suspended.')
      const replaced = { over: over.payload, vocabulary: naming.vocabulary }
      const payload = overlaid(kind.payload, rendered.payload, replaced)
      const about = { kind: kind.name, user_id: user ?? '', text, app_id: app, direction: direction ?? '' }
      const data = { ...about, facts: jsonText(facts), over: jsonText(over) }
      await checkAccountActivity({ kind, data, over: over.account }, { ...parts, store: tx, reader, now })
      await emit(tx, activityEmitted, data)
      return compileReply(kind.payload, naming.vocabulary)(payload)
    })
  return attempt().catch((error: unknown) => {
    // Another activity made the same user meanwhile.
    if (error instanceof UniqueViolation) return attempt()
    throw error
  })
}

/** Checks that account activity can be written with its members replaced. */
async function checkAccountActivity(
  { kind, data, over }: { kind: ActivityKind; data: EmittedData; over: object },
  { now, naming, ...parts }: Omit<FormParts, 'coreOrigin'> & Pick<EmitParts, 'naming'> & { now: number },
): Promise<void> {
  const form = accountFormOf(kind)
  if (!form || Object.keys(over).length === 0) return
  const event = { position: 0, kind: activityEmitted.name, subject: '', at: now, data }
  const activities = await emittedSource(() => kind).activitiesOf([event], parts.reader)
  const render = await form.prepare(activities, { ...parts, coreOrigin: '' })
  for (const activity of activities) {
    const rendered = render(activity)
    const whole = rendered && { for_user_id: data.user_id, ...rendered }
    if (whole) overlaid(form.schema, whole, { over, vocabulary: naming.vocabulary })
  }
}
