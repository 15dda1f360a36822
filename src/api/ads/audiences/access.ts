import { msg } from '../../../platform/http/message.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { AccountScope } from '../scope.ts'
import type { Level } from './custom-audience-fields.ts'
import { audienceFor } from './queries.ts'

/** An audience, with the permission of an account. */
export interface AccessibleAudience {
  /** The account that owns it. */
  ownerId: string
  name: string
  type: string
  isOwner: boolean
  level: Level
}

/** An audience that the account owns or that was shared with it; undefined if there is none. */
export async function audienceOf(
  id: string,
  { store, accountId }: { store: Pick<Store, 'first'>; accountId: string },
): Promise<AccessibleAudience | undefined> {
  const found = await store.first(audienceFor, { id, account: accountId })
  if (!found) return undefined
  const { account_id: ownerId, name, audience_type: type, permission_level } = found
  if (ownerId === accountId) return { ownerId, name, type, isOwner: true, level: 'READ_WRITE' }
  return permission_level === null
    ? undefined
    : { ownerId, name, type, isOwner: false, level: permission_level as Level }
}

export const unknownAudience = (accountId: string, id: string, parameter: string) =>
  rejected(
    parameter,
    msg`Custom Audience ${id} was not found for Account ${accountId}`,
    'TAILORED_AUDIENCE_NOT_FOUND',
  )

/** An audience that the account may write to. */
export async function writableAudience(
  id: string,
  scope: AccountScope,
  store: Pick<Store, 'first'>,
  parameter: string,
): Promise<AccessibleAudience> {
  const { accountId } = scope
  const found = await audienceOf(id, { store, accountId })
  if (!found) throw unknownAudience(accountId, id, parameter)
  if (found.level === 'READ_WRITE') return found
  throw adsApiError({
    code: 'ACTION_NOT_ALLOWED',
    message: msg`Custom Audience ${id} was shared with Account ${accountId} as read-only`,
  })
}

/** An audience that belongs to the account. */
export async function ownAudience(
  id: string,
  { accountId }: AccountScope,
  store: Pick<Store, 'first'>,
  parameter: string,
): Promise<AccessibleAudience> {
  const found = await audienceOf(id, { store, accountId })
  if (!found) throw unknownAudience(accountId, id, parameter)
  if (found.isOwner) return found
  throw adsApiError({
    code: 'ACTION_NOT_ALLOWED',
    message: msg`Only the account that owns Custom Audience ${id} may decide who uses it`,
  })
}
