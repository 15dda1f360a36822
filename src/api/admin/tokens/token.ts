import { Type } from 'typebox'
import { PERMISSIONS } from '../../../identity/apps/app.ts'
import { TOKEN_SCOPES } from '../../../identity/tokens/scopes.ts'
import { choice, component, id, time } from '../../../platform/http/schema.ts'
import { TOKEN_KINDS } from '../../../workbench/create/tokens.ts'
import { appId } from '../apps/app.ts'

export const tokenKind = choice(
  [...TOKEN_KINDS],
  '`oauth1`: a token and a secret of a user, to sign with. `oauth2`: a bearer token of a user. `bearer`: the app-only bearer token.',
)

export const access = choice([...PERMISSIONS], 'What the token allows: of OAuth 1.0a.')

export const scopes = Type.Array(Type.Enum([...TOKEN_SCOPES]), {
  minItems: 1,
  uniqueItems: true,
  description: 'What the token allows: of OAuth 2.0.',
})

/** What tokens of an app allow, without the tokens. */
const AdminToken = component(
  'AdminToken',
  Type.Object(
    {
      kind: tokenKind,
      app_id: appId,
      user_id: Type.Optional(id('The user; absent for an app-only token.')),
      access: Type.Optional(access),
      scopes: Type.Optional(Type.Array(Type.String(), { description: 'Of OAuth 2.0.' })),
      created_at: Type.Optional(time('When access was given.')),
      expires_at: Type.Optional(time('When the access token ends.')),
    },
    { additionalProperties: false },
  ),
)

/** New tokens, once. */
export const CreatedToken = component(
  'CreatedToken',
  Type.Object(
    {
      ...AdminToken.properties,
      access_token: Type.Optional(Type.String({ description: 'Only this reply has it.' })),
      access_token_secret: Type.Optional(
        Type.String({ description: 'Of OAuth 1.0a. Only this reply has it.' }),
      ),
      refresh_token: Type.Optional(
        Type.String({ description: 'Of OAuth 2.0 with the scope `offline.access`. Only this reply has it.' }),
      ),
      bearer_token: Type.Optional(Type.String({ description: 'The app-only bearer token.' })),
    },
    { additionalProperties: false },
  ),
)

export const EXAMPLE = {
  kind: 'oauth1',
  app_id: '1900000000000000042',
  user_id: '1900000000000000007',
  access: 'read-write',
} as const
