import { Type } from 'typebox'
import { PERMISSIONS, type Permission } from '../../../identity/apps/app.ts'
import { userGrantsOfPairs } from '../../../identity/apps/queries.ts'
import { readScopes } from '../../../identity/tokens/scopes.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, component, nullable, time } from '../../../platform/http/schema.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { type GrantedApp, grantedApps } from '../../oauth/queries.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, type DataDependencies, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { userName } from '../users/user.ts'
import { EXAMPLE } from './token.ts'

const GrantedAccess = component(
  'GrantedAccess',
  Type.Object(
    {
      app_id: appId,
      app_name: Type.String(),
      access: nullable(choice([...PERMISSIONS], 'Of the OAuth 1.0a token; null without one.')),
      scopes: Type.Array(Type.String(), { description: 'Of all OAuth 2.0 tokens that have not ended.' }),
      created_at: time('When the app first got access.'),
    },
    { additionalProperties: false },
  ),
)

/** GET /admin/v1/users/{user}/tokens: what a user allows apps. */
export const listTokens = dataEndpoint({
  ...ADMIN,
  id: 'listTokens',
  method: 'GET',
  path: '/admin/v1/users/{user}/tokens',
  summary: 'List the apps with access to a user',
  description: 'Lists what a user allows apps, by app, without the tokens themselves.',
  params: { user: userName('Id or screen name.') },
  query: PAGE_PARAMETERS,
  reply: pageReply(GrantedAccess),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { user: 'ann' },
    reply: {
      data: [
        {
          app_id: EXAMPLE.app_id,
          app_name: 'Tool',
          access: 'read-write',
          scopes: ['post.read', 'users.read'],
          created_at: '2026-03-01T12:00:00.000Z',
        },
      ],
      meta: { result_count: 1 },
    },
  },
  async handle({ params, query }, dependencies) {
    const { store, clock } = dependencies
    const { id: userId } = await theUser(store, params.user)
    const page = await readPage(query, {
      read: ({ after = '', limit }) => store.all(grantedApps, { userId, after, limit, now: clock.now() }),
      keyOf: ({ app_id }) => app_id,
      show: (row) => present(row, userId, dependencies),
    })
    return json(page)
  },
})

async function present(row: GrantedApp, userId: string, { store, clock }: DataDependencies) {
  const pairs = JSON.stringify([[userId, row.app_id]])
  const grants = await store.all(userGrantsOfPairs, { pairs, now: clock.now() })
  return {
    app_id: row.app_id,
    app_name: row.name,
    access: row.access as Permission | null,
    scopes: [...new Set(grants.flatMap(({ scopes }) => [...readScopes(scopes)]))].sort(),
    created_at: isoTime(row.created_at),
  }
}
