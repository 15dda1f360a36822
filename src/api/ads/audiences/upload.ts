import { type Static, Type } from 'typebox'
import { MAX_OPERATIONS, type Understood } from '../../../domain/audience-members/check.ts'
import type { Accepted, Upload } from '../../../domain/audience-members/membership.ts'
import type { Kind } from '../../../domain/audience-members/packed.ts'
import { invalid, notJson } from '../../../platform/http/errors.ts'
import { closedComponent, instant, unread } from '../../../platform/http/schema.ts'
import { AdsApiError, adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsDependencies } from '../dependencies.ts'

/** The limits of one upload (interface, Limits). */
export const MAX_UPLOAD_BYTES = 5_000_000

const hashes = (name: string) =>
  Type.Optional(
    Type.Array(Type.String({ pattern: '^[0-9a-fA-F]{64}$' }), { description: `SHA-256 of each ${name}.` }),
  )

const NAMES: Readonly<Record<Kind, string>> = {
  email: 'e-mail address',
  device_id: 'device id',
  handle: 'handle',
  service_id: 'id of a user of the service',
  phone_number: 'phone number',
  partner_user_id: 'Id of a partner, not hashed.',
}

/** The body of an upload, for the documents: a thread parses it. */
export const uploadBody = (kinds: readonly Kind[], { effective }: { effective: boolean }) =>
  unread(
    Type.Array(
      Type.Object({
        operation_type: Type.Enum(['Update', 'Delete']),
        params: Type.Object({
          users: Type.Array(
            Type.Object(
              Object.fromEntries(
                kinds.map((kind) => [
                  kind,
                  kind === 'partner_user_id'
                    ? Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { description: NAMES[kind] }))
                    : hashes(NAMES[kind]),
                ]),
              ),
            ),
            { minItems: 1, description: 'Users, each with at least one key.' },
          ),
          ...(effective && {
            effective_at: Type.Optional(instant('When membership begins; immediately by default.')),
          }),
          expires_at: Type.Optional(instant('When membership ends; after 13 months by default.')),
        }),
      }),
      { minItems: 1, maxItems: MAX_OPERATIONS },
    ),
  )

export const Counts = closedComponent('UserCounts', {
  success_count: Type.Integer({ description: 'Users that were processed.' }),
  total_count: Type.Integer({ description: 'Users that were sent; always the same number.' }),
})

export const countsOf = (users: number): Static<typeof Counts> => ({
  success_count: users,
  total_count: users,
})

type AcceptedOperation = Extract<Accepted, { kind: 'fine' }>

/**
 * Passes an upload on. Throws its errors. `requestOf` renders the operations for errors that repeat
 * them.
 */
export async function accept(
  upload: Upload,
  { membership }: Pick<AdsDependencies, 'membership'>,
  requestOf?: (understood: readonly Understood[]) => string,
): Promise<AcceptedOperation> {
  const accepted = await membership.accept(upload)
  switch (accepted.kind) {
    case 'fine':
      return accepted
    case 'no JSON':
      throw invalid(notJson(accepted.quoted))
    case 'refused':
      throw adsApiError(accepted.error)
    default:
      throw new AdsApiError({
        operations: accepted.operations,
        detail: 'an upload with wrong operations',
        ...(requestOf && { request: requestOf(accepted.understood) }),
      })
  }
}
