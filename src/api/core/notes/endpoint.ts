import { Type } from 'typebox'
import { hasAddress, MAX_NOTE_LENGTH, noteLength } from '../../../domain/notes/evaluation.ts'
import { normalised, textFault } from '../../../domain/posts/weight.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { msg } from '../../../platform/http/message.ts'
import { component } from '../../../platform/http/schema.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { wrong } from '../posts/wrong.ts'

/** What handlers that change or evaluate notes receive. */
export interface NoteDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
}

/** Declares an endpoint that changes or evaluates notes. */
export const endpoint = endpointsOf<PlazaTerms<NoteDependencies>>(protocolOf)

export const SOURCE = 'Other core endpoints named in release notes'

/** Calls of a writer to one endpoint (core reference, 00 section 5.2). */
export const WRITER_LIMITS = { user: '90/15m' } as const

/** The text of a note as it is stored. Throws an error that names the member of the body. */
export function checkedText(name: string, text: string): string {
  const normalizedText = normalised(text)
  const fault = textFault(normalizedText)
  if (fault === 'unreadable') throw wrong(name, text, msg`The note contains invalid characters.`)
  if (fault === 'blank') throw wrong(name, text, msg`The note needs text.`)
  if (noteLength(normalizedText) > MAX_NOTE_LENGTH)
    throw wrong(
      name,
      text,
      msg`The note is too long: it may have ${MAX_NOTE_LENGTH} characters, and each URL counts as one.`,
    )
  return normalizedText
}

/** The same for a note that is to be stored, which must name a source. */
export function checkedNote(name: string, text: string): string {
  const normalizedText = checkedText(name, text)
  if (!hasAddress(normalizedText)) throw wrong(name, text, msg`The note needs an http or https URL.`)
  return normalizedText
}

const MAX_RESULTS = 100
export const DEFAULT_RESULTS = 10

/** The parameters that both lists of a writer share. */
export const listParameters = {
  test_mode: Type.Boolean({ description: 'Whether to list test notes.' }),
  max_results: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RESULTS,
      default: DEFAULT_RESULTS,
      description: 'Number of objects in a page.',
    }),
  ),
  pagination_token: Type.Optional(Type.String({ description: '`next_token` of the previous page.' })),
}

/** The `meta` of a page. */
export const NoteListMeta = component(
  'NoteListMeta',
  Type.Object(
    {
      result_count: Type.Integer({ minimum: 0, description: 'Objects of the page.' }),
      next_token: Type.Optional(
        Type.String({ description: 'Token for the next page; absent on the last page.' }),
      ),
    },
    { additionalProperties: false },
  ),
)
