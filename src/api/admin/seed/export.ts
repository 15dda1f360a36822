import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { exportSeed } from '../../../workbench/seed/export.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { exportAccounts } from './export-accounts.ts'

const MAX_USERS = 1_000
const MAX_POSTS = 10_000

/** GET /admin/v1/seed: the present state as a seed. */
export const exportStateAsSeed = dataEndpoint({
  ...ADMIN,
  id: 'exportSeed',
  method: 'GET',
  path: '/admin/v1/seed',
  summary: 'Export the present state as a seed',
  description:
    'Returns users with profiles and relations, apps, posts with reactions and polls, direct messages and spaces as a seed that a first start can load. Media, advertising accounts, webhooks and rules are left out, and so are synthetic users.',
  query: {
    users: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_USERS,
        description: `Users, the oldest; ${MAX_USERS} by default.`,
      }),
    ),
    posts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_POSTS,
        description: `Posts and direct messages, the newest of each; ${MAX_POSTS} by default.`,
      }),
    ),
    secrets: Type.Optional(
      Type.Boolean({
        description: 'Whether to include the passwords, keys and tokens that the seed created.',
      }),
    ),
  },
  reply: Type.Object(
    { data: Type.Object({}, { description: 'The content of a seed file.' }) },
    {
      additionalProperties: false,
    },
  ),
  example: { reply: { data: { users: [{ screen_name: 'ann', name: 'Ann' }] } } },
  async handle({ query: { users = MAX_USERS, posts = MAX_POSTS, secrets = false } }, dependencies) {
    const { seed, ...exported } = await exportSeed(dependencies, { users, posts, secrets })
    const accounts = await exportAccounts(dependencies.store, exported)
    return json({ data: { ...seed, accounts } })
  },
})
