import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { base36, choice, component, text } from '../../../platform/http/schema.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { APP_SYSTEMS, MAX_APP_IDENTIFIER, MAX_DEEP_LINK } from '../../ads/accounts/app-fields.ts'
import { registerApp } from '../../ads/accounts/apps.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { accountId, EXAMPLE } from './account.ts'
import { theAccount } from './new-account.ts'

const MobileApp = component(
  'MobileApp',
  Type.Object(
    {
      id: base36('The app in the account.'),
      app_store_identifier: Type.String(),
      os_type: choice([...APP_SYSTEMS], 'Operating system of the app.'),
    },
    { additionalProperties: false },
  ),
)

/** POST /admin/v1/accounts/{account_id}/account_apps: registers a mobile app. */
export const addAccountApp = dataEndpoint({
  ...ADMIN,
  id: 'createAccountApp',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/account_apps',
  summary: 'Register a mobile app that an account may promote',
  description: 'Registers a mobile app by its package name, or by its number in the store of iOS.',
  params: { account_id: accountId },
  body: Type.Object(
    {
      app_store_identifier: text(1, MAX_APP_IDENTIFIER, 'Package name, or number in the store.'),
      os_type: Type.Optional(choice([...APP_SYSTEMS], 'Operating system; Android by default.')),
      conversion_tracking_enabled: Type.Optional(
        Type.Boolean({ description: 'Whether conversions are counted.' }),
      ),
      deep_link_pattern: Type.Optional(text(1, MAX_DEEP_LINK, 'Pattern of deep links into the app.')),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Type.Object({ data: MobileApp }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { account_id: EXAMPLE.id },
    body: { app_store_identifier: 'com.example.app' },
    reply: { data: { id: 'abc', app_store_identifier: 'com.example.app', os_type: 'Android' } },
  },
  async handle({ params, body }, { store, ...parts }) {
    const { app_store_identifier: identifier, os_type: system = 'Android' } = body
    const form = system === 'iOS' ? /^[0-9]{1,20}$/ : /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+$/
    const wrong = (sentence: string) => new WrongValue('app_store_identifier', identifier, sentence)
    if (!form.test(identifier))
      throw wrong(
        `"${identifier}" is not ${system === 'iOS' ? 'the number of an iOS app' : 'the package name of an Android app'}.`,
      )
    const app = {
      ...{ identifier, system, conversionTracking: body.conversion_tracking_enabled ?? false },
      deepLinkPattern: body.deep_link_pattern ?? null,
    }
    const id = await store.write(async (tx) =>
      registerApp(tx, (await theAccount(tx, params.account_id)).id, app, parts),
    )
    if (id === undefined) throw wrong(`The account already has the app ${identifier} for ${system}.`)
    return json({ data: { id, app_store_identifier: identifier, os_type: system } })
  },
})
