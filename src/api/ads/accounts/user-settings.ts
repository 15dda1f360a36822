import { Type } from 'typebox'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { msg } from '../../../platform/http/message.ts'
import { clearable, closedComponent, long, nullable } from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { type ItemOf, rowCodec } from '../../../platform/storage/table.ts'
import { adsEndpoint } from '../endpoint.ts'
import type { AccountScope } from '../scope.ts'
import { email } from './account.ts'
import { accessOfUser, lockAccountRow, putUserSettings, userSettings } from './queries.ts'
import { accountUserSettings } from './tables.ts'

type UserSettings = ItemOf<typeof accountUserSettings>
const codec = rowCodec(accountUserSettings)

const EMAIL_TYPES = ['ACCOUNT_PERFORMANCE', 'PERFORMANCE_IMPROVEMENT'] as const

const notificationEmail = email('E-mail address for messages about the account.')
const phone = Type.String({ pattern: '^\\+?[0-9][0-9 ().-]{2,24}$', description: 'A telephone number.' })
const extension = Type.String({ pattern: '^[0-9]{1,10}$', description: 'Extension of the telephone number.' })
const emailTypes = Type.Array(Type.Enum(EMAIL_TYPES), {
  uniqueItems: true,
  description: 'E-mail topics that the user receives.',
})

const Settings = closedComponent('UserSettings', {
  notification_email: nullable(notificationEmail),
  contact_phone: Type.String({ description: 'Empty when there is none.' }),
  contact_phone_extension: Type.String({ description: 'Empty when there is none.' }),
  subscribed_email_types: emailTypes,
})

const at = {
  path: '/accounts/{account_id}/user_settings/{user_id}',
  source: 'Campaign management (reference: access and settings)',
  right: 'read',
  params: { user_id: long('The user.') },
  data: Settings,
} as const

export const getUserSettings = adsEndpoint({
  ...at,
  id: 'getUserSettings',
  method: 'GET',
  summary: 'Get the notification settings of a user',
  description:
    'Returns the settings of the caller. An administrator of the account may read those of each of its users.',
  codes: ['NOT_FOUND', 'ACTION_NOT_ALLOWED'],
  async handle({ scope, principal, params: { user_id } }, { store }) {
    await rejectOthers(user_id, { scope, principal, mayAdmin: true }, store)
    return { data: shown(await known(store, scope.accountId, user_id)) }
  },
})

export const updateUserSettings = adsEndpoint({
  ...at,
  id: 'updateUserSettings',
  method: 'PUT',
  summary: 'Update the notification settings of a user',
  description:
    'Changes only the parameters that are sent. An empty value removes the stored value. Users can change only their own settings.',
  form: {
    notification_email: Type.Optional(clearable(notificationEmail)),
    contact_phone: Type.Optional(clearable(phone)),
    contact_phone_extension: Type.Optional(clearable(extension)),
    subscribed_email_types: Type.Optional(emailTypes),
  },
  codes: ['NOT_FOUND', 'ACTION_NOT_ALLOWED'],
  async handle({ scope, principal, params: { user_id }, form }, { store }) {
    await rejectOthers(user_id, { scope, principal, mayAdmin: false }, store)
    const row = await store.write(async (tx) => {
      await tx.first(lockAccountRow, { id: scope.accountId })
      const before = await known(tx, scope.accountId, user_id)
      const {
        notification_email = before.notification_email,
        contact_phone = before.contact_phone,
        contact_phone_extension = before.contact_phone_extension,
        subscribed_email_types = before.subscribed_email_types,
      } = form
      const after = {
        ...before,
        notification_email,
        contact_phone: contact_phone ?? '',
        contact_phone_extension: contact_phone_extension ?? '',
        subscribed_email_types,
      }
      await tx.run(putUserSettings, codec.encode(after))
      return after
    })
    return { data: shown(row) }
  },
})

async function known(
  store: Pick<Store | Transaction, 'first'>,
  account_id: string,
  user_id: string,
): Promise<UserSettings> {
  const row = await store.first(userSettings, { account: account_id, userId: user_id })
  const nothing = { notification_email: null, contact_phone: '', contact_phone_extension: '' }
  return row ? codec.decode(row) : { account_id, user_id, ...nothing, subscribed_email_types: [] }
}

const shown = ({ account_id, user_id, ...settings }: UserSettings) => settings

/** Settings are private: besides the user, only an administrator may read them. */
async function rejectOthers(
  userId: string,
  { scope, principal, mayAdmin }: { scope: AccountScope; principal: UserCaller; mayAdmin: boolean },
  store: Store,
): Promise<void> {
  if (userId === principal.userId) return
  if (!mayAdmin || !scope.roles.includes('ACCOUNT_ADMIN'))
    throw rejected('user_id', msg`You may not access the settings of User ${userId}`, 'ACTION_NOT_ALLOWED')
  if (await store.first(accessOfUser, { account: scope.accountId, userId })) return
  const message = msg`User ${userId} was not found for Account ${scope.accountId}`
  throw rejected('user_id', message, 'NOT_FOUND')
}
