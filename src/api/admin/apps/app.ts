import { type Static, Type } from 'typebox'
import { APP_KINDS, CLIENT_TYPES, PERMISSIONS } from '../../../identity/apps/app.ts'
import { choice, component, id, nullable, time } from '../../../platform/http/schema.ts'

export const appId = id('The app.')

/** An app in replies of the admin API. It has no secret. */
export const AdminApp = component(
  'AdminApp',
  Type.Object(
    {
      id: appId,
      name: Type.String(),
      website: Type.String(),
      owner_user_id: id('The developer.'),
      callbacks: Type.Array(Type.String()),
      kind: choice([...APP_KINDS], 'Desktop apps use a PIN.'),
      permission: choice([...PERMISSIONS], 'What the app may ask for.'),
      sign_in: Type.Boolean({ description: 'Whether a user who granted the app before is not asked again.' }),
      client_id: nullable(Type.String({ description: 'Of OAuth 2.0.' })),
      client_type: nullable(choice([...CLIENT_TYPES], 'Of OAuth 2.0.')),
      enrolled: Type.Boolean({ description: 'Whether the app may use the endpoints under `/2/`.' }),
      enterprise: Type.Boolean({
        description: 'Whether the app may open the streams of enterprise plans.',
      }),
      suspended: Type.Boolean(),
      created_at: time('When the app was registered.'),
    },
    { additionalProperties: false },
  ),
)

const ClientMembers = {
  client_id: nullable(Type.String({ description: 'Of OAuth 2.0.' })),
  client_type: nullable(choice([...CLIENT_TYPES], 'Of OAuth 2.0.')),
  client_secret: nullable(Type.String({ description: 'Of a confidential client. Only this reply has it.' })),
}

const KeyMembers = {
  consumer_key: Type.String(),
  consumer_secret: Type.String({ description: 'Only this reply has it.' }),
  ...ClientMembers,
}

/** The keys of an app, once. */
export const AppKeysObject = component(
  'AppKeys',
  Type.Object({ id: appId, ...KeyMembers }, { additionalProperties: false }),
)

/** A new app with its secrets. */
export const CreatedApp = component(
  'CreatedApp',
  Type.Object(
    {
      ...AdminApp.properties,
      ...KeyMembers,
      tokens: Type.Array(
        Type.Object(
          {
            user_id: id('The user who granted access.'),
            screen_name: Type.String(),
            access_token: Type.String(),
            access_token_secret: Type.String({ description: 'Only this reply has it.' }),
          },
          { additionalProperties: false },
        ),
        { description: 'OAuth 1.0a tokens of the users in `grants`.' },
      ),
    },
    { additionalProperties: false },
  ),
)

/** An app after a change; with the client and its secret if the type of the client was given. */
export const ChangedApp = component(
  'ChangedApp',
  Type.Object(
    { ...AdminApp.properties, client_secret: Type.Optional(ClientMembers.client_secret) },
    { additionalProperties: false },
  ),
)

export const EXAMPLE: Static<typeof AdminApp> = {
  id: '1900000000000000042',
  name: 'Tool',
  website: 'https://tool.example/',
  owner_user_id: '1900000000000000007',
  callbacks: ['https://tool.example/callback'],
  kind: 'web',
  permission: 'read-write',
  sign_in: true,
  client_id: 'VGhpcyBpcyBub3QgYSByZWFsIGNsaWVudA',
  client_type: 'confidential',
  enrolled: true,
  enterprise: false,
  suspended: false,
  created_at: '2026-03-01T12:00:00.000Z',
}

export const EXAMPLE_KEYS = {
  consumer_key: 'xvz1evFS4wEEPTGEFPHBog123',
  consumer_secret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBwXyzAbCd',
  client_id: EXAMPLE.client_id,
  client_type: EXAMPLE.client_type,
  client_secret: 'bm90IGEgcmVhbCBzZWNyZXQsIGJ1dCBvZiBpdHMgbGVuZ3RoISE',
}
