import { type Static, Type } from 'typebox'
import type { AppRow } from '../../../identity/apps/tables.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { appIn } from '../../../workbench/create/apps.ts'
import { userIn } from '../../../workbench/create/find-user.ts'
import { giveBearer, giveToken, giveUserToken } from '../../../workbench/create/tokens.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, type DataDependencies, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { access, CreatedToken, EXAMPLE, scopes, tokenKind } from './token.ts'

const DEFAULT_SECONDS = 7_200
/** A year. */
const MAX_SECONDS = 366 * 86_400

const Body = Type.Object(
  {
    kind: tokenKind,
    app_id: appId,
    user: Type.Optional(userName('Id or screen name. Required unless the kind is `bearer`.')),
    access: Type.Optional(access),
    scopes: Type.Optional(scopes),
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SECONDS,
        description: `When the OAuth 2.0 access token ends, by the clock of Plaza. Default: ${DEFAULT_SECONDS}.`,
      }),
    ),
  },
  { additionalProperties: false },
)

/** POST /admin/v1/tokens: gives an app access. */
export const createToken = dataEndpoint({
  ...ADMIN,
  id: 'createToken',
  method: 'POST',
  path: '/admin/v1/tokens',
  summary: 'Create a token',
  description:
    'Gives an app access to a user without a consent page, or its app-only bearer token. A user and an app have one OAuth 1.0a token: it is returned if it has the same access, and replaced otherwise. By default it has the permission of the app. OAuth 2.0 tokens need `scopes`; with `offline.access` there is a refresh token.',
  body: Body,
  status: 201,
  reply: Type.Object({ data: CreatedToken }, { additionalProperties: false }),
  example: {
    body: { kind: 'oauth1', app_id: EXAMPLE.app_id, user: 'ann' },
    reply: {
      data: {
        ...EXAMPLE,
        access_token: '1900000000000000007-YJmMgxdBRKiHkn6jXzsaWrUbdCXuUTNybAU5nYSS',
        access_token_secret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE0000',
      },
    },
  },
  async handle({ body }, dependencies) {
    checkMembers(body)
    const app = await appIn(dependencies.store, 'app_id', body.app_id)
    const data =
      body.kind === 'bearer' ? await bearer(app, dependencies) : await ofUser(body, app, dependencies)
    return json({ data: { kind: body.kind, app_id: app.id, ...data } })
  },
})

type BodyValues = Static<typeof Body>

/** Rejects members that the kind of token does not have. */
function checkMembers(body: BodyValues): void {
  const { kind } = body
  const known = {
    oauth1: ['user', 'access'],
    oauth2: ['user', 'scopes', 'expires_in_seconds'],
    bearer: [],
  }[kind] as readonly string[]
  for (const member of ['user', 'access', 'scopes', 'expires_in_seconds'] as const)
    if (body[member] !== undefined && !known.includes(member))
      throw new WrongValue(member, body[member], `A token of the kind ${kind} has no \`${member}\`.`)
  const needed = { oauth1: ['user'], oauth2: ['user', 'scopes'], bearer: [] } as const
  for (const member of needed[kind])
    if (body[member] === undefined)
      throw new WrongValue(member, '', `\`${member}\` is missing: a token of the kind ${kind} has one.`)
}

const bearer = async (app: AppRow, dependencies: DataDependencies) => ({
  bearer_token: await giveBearer(app, dependencies),
})

function ofUser(body: BodyValues, app: AppRow, { store, ...parts }: DataDependencies) {
  return store.write(async (tx) => {
    const user = await userIn(tx, 'user', body.user ?? '')
    if (body.kind === 'oauth1') {
      const access = body.access ?? (app.permission as NonNullable<typeof body.access>)
      const { token, secret } = await giveToken(tx, { app, user, access }, parts)
      return { user_id: user.id, access, access_token: token, access_token_secret: secret }
    }
    const { scopes = [], expires_in_seconds: seconds = DEFAULT_SECONDS } = body
    const made = await giveUserToken(tx, { app, user, scopes, seconds }, parts)
    return {
      user_id: user.id,
      scopes: [...scopes],
      expires_at: isoTime(made.expiresAt),
      access_token: made.accessToken,
      ...(made.refreshToken !== undefined && { refresh_token: made.refreshToken }),
    }
  })
}
