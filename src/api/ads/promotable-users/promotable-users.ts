import { base36, ids } from '../../../platform/http/schema.ts'
import { entity } from '../entity/entity.ts'
import { fields } from './fields.ts'

/** Users whose posts and accounts an advertising account may promote. One of them is its own user, with `FULL`. */
export const promotableUsers = entity({
  one: 'promotable user',
  many: 'promotable users',
  table: 'promotable_users',
  path: '/accounts/{account_id}/promotable_users',
  id: 'promotable_user_id',
  source: 'Campaign management (reference: promotable users)',
  notFound: 'PROMOTABLE_USER_NOT_FOUND',
  verbs: ['list', 'get'],
  filters: {
    promotable_user_ids: {
      column: 'id',
      schema: ids(base36('A promotable user.'), 'Returns only the items with these ids.'),
    },
  },
  indexes: {
    promotable_users_by_user_id: ['account_id', 'user_id', 'visibility', 'id'],
  },
  fields,
})
