import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { exportSeed } from '../../../workbench/seed/export.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { exportAccounts } from './export-accounts.ts'

const MAX_USERS = 1_000
const MAX_POSTS = 10_000
const DEFAULT_MEDIA_BYTES = 16 * 1024 * 1024
const MAX_MEDIA_BYTES = 64 * 1024 * 1024

/** GET /admin/v1/seed: the present state as a seed. */
export const exportStateAsSeed = dataEndpoint({
  ...ADMIN,
  id: 'exportSeed',
  method: 'GET',
  path: '/admin/v1/seed',
  summary: 'Export the present state as a seed',
  description:
    'Returns users with profiles and relations, apps with webhooks, subscriptions and rules, posts with reactions, polls and media, direct messages, spaces, lists, communities, and advertising accounts with their audiences and campaigns as a seed that a first start can load. Members of audiences, what targets them, creatives other than promoted posts and synthetic users are left out.',
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
    media_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_MEDIA_BYTES,
        description: `Size of all media together, those of the newest posts first; ${DEFAULT_MEDIA_BYTES} by default.`,
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
  async handle({ query }, dependencies) {
    const { users = MAX_USERS, posts = MAX_POSTS, secrets = false } = query
    const bounds = { users, posts, secrets, mediaBytes: query.media_bytes ?? DEFAULT_MEDIA_BYTES }
    const { seed, ...exported } = await exportSeed(dependencies, bounds)
    const accounts = await exportAccounts(dependencies.store, exported)
    return json({ data: { ...seed, accounts } })
  },
})
