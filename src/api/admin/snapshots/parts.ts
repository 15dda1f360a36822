import { Type } from 'typebox'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { closedObject, component, time } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { SnapshotError } from '../../../workbench/snapshots/error.ts'
import type { Manifest } from '../../../workbench/snapshots/manifest.ts'
import { ADMIN } from '../endpoint.ts'

/** A snapshot in replies. */
export const SnapshotObject = component(
  'Snapshot',
  closedObject({
    name: Type.String({ description: 'The name.' }),
    saved_at: time("When it was saved, on the machine's clock."),
    clock: closedObject({
      now: time('The time that Plaza showed then.'),
      frozen: Type.Boolean({ description: 'Whether the clock stood still.' }),
    }),
    bytes: Type.Integer({ minimum: 0, description: 'The size of its data, in bytes.' }),
  }),
)

export const snapshotObject = ({ name, saved_at, clock: { now, frozen }, bytes }: Manifest) => ({
  name,
  saved_at,
  clock: { now, frozen },
  bytes,
})

export const EXAMPLE = {
  name: 'two-users',
  saved_at: '2026-03-01T12:00:00.000Z',
  clock: { now: '2026-03-01T12:00:00.000Z', frozen: false },
  bytes: 2_945_024,
}

export const NAME_RULE = '1 to 64 letters, digits, `.`, `_` and `-`; the first is a letter or a digit.'

export const SnapshotName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The name of a snapshot.',
})

/** What all endpoints of snapshots have in common. */
export const SNAPSHOT = { ...ADMIN, errors: [...ADMIN.errors, 'not found', 'conflict'] } as const

/** The result of an operation, or its error as one of the API. */
export async function answered<T>(
  work: () => Promise<T>,
  named?: { place: 'body' | 'query' | 'path'; value: string | undefined },
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    const { fault, message } = error
    if (fault === 'missing') throw apiError('not found', { explanation: message })
    if (fault === 'conflict') throw apiError('conflict', { explanation: message })
    throw invalidFor('SnapshotInvalid', msg`${message}`, {
      place: named?.place ?? 'body',
      name: 'name',
      value: named?.value ?? '',
    })
  }
}
