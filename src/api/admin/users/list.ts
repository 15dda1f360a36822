import { Type } from 'typebox'
import { pageOfUsers, usersWithPrefix } from '../../../identity/users/queries.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { presentUser } from '../../../workbench/create/users.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, type PageQuery, pageReply, readPage } from '../page.ts'
import { AdminUser, EXAMPLE } from './user.ts'

/** GET /admin/v1/users: users, in pages. */
export const listUsers = dataEndpoint({
  ...ADMIN,
  id: 'listUsers',
  method: 'GET',
  path: '/admin/v1/users',
  summary: 'List users',
  description:
    'Lists users who can sign in, by id. With `screen_name_prefix`, lists all users whose screen names begin with it, by screen name: imported and generated users too, who cannot sign in.',
  query: {
    ...PAGE_PARAMETERS,
    screen_name_prefix: Type.Optional(
      Type.String({
        pattern: '^@?[A-Za-z0-9_]{1,15}$',
        description: 'Beginning of the screen name, in any case.',
      }),
    ),
  },
  reply: pageReply(AdminUser),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ query: { screen_name_prefix, ...page } }, { store }) {
    const prefix = screen_name_prefix?.replace(/^@/, '').toLowerCase()
    return json(await (prefix === undefined ? byId(page, store) : byName(prefix, page, store)))
  },
})

const byId = (page: PageQuery, store: Store) =>
  readPage(page, {
    // The query selects whole rows.
    read: ({ after = '', limit }) => store.all(pageOfUsers, { after, limit }) as Promise<ProfileRow[]>,
    keyOf: ({ id }) => id,
    show: (row) => presentUser(store, row),
  })

const byName = (prefix: string, page: PageQuery, store: Store) =>
  readPage(page, {
    read: ({ after = '', limit }) => store.all(usersWithPrefix, { prefix, after, limit }),
    keyOf: ({ screen_name_key }) => screen_name_key,
    show: (row) => presentUser(store, row),
  })
