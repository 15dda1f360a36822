import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component } from '../../../platform/http/schema.ts'
import { appIn } from '../../../workbench/create/apps.ts'
import { userIn } from '../../../workbench/create/find-user.ts'
import { endTokens } from '../../../workbench/create/tokens.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { EXAMPLE, tokenKind } from './token.ts'

const Revoked = component(
  'Revoked',
  Type.Object(
    { revoked: Type.Boolean({ description: 'Whether there was such a token.' }) },
    { additionalProperties: false },
  ),
)

/** POST /admin/v1/tokens/revoke: ends tokens. */
export const revokeTokens = dataEndpoint({
  ...ADMIN,
  id: 'revokeTokens',
  method: 'POST',
  path: '/admin/v1/tokens/revoke',
  summary: 'Revoke tokens',
  description:
    'Ends the tokens of one kind that an app has: for a user, or its app-only bearer token. Every node rejects them before its next request.',
  body: Type.Object(
    {
      kind: tokenKind,
      app_id: appId,
      user: Type.Optional(userName('Id or screen name. Required unless the kind is `bearer`.')),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: Revoked }, { additionalProperties: false }),
  example: {
    body: { kind: 'oauth1', app_id: EXAMPLE.app_id, user: 'ann' },
    reply: { data: { revoked: true } },
  },
  async handle({ body }, { store }) {
    const revoked = await store.write(async (tx) => {
      const app = await appIn(tx, 'app_id', body.app_id)
      const user = body.user === undefined ? undefined : await userIn(tx, 'user', body.user)
      return endTokens(tx, body.kind, { app, user })
    })
    return json({ data: { revoked } })
  },
})
