import { entity } from '../entity/entity.ts'
import { byIds } from '../entity/filters.ts'
import { fields } from './fields.ts'

/**
 * Users whose posts and accounts an advertising account may promote. One of them is its own user,
 * with `FULL`.
 */
export const promotableUsers = entity({
  one: 'promotable user',
  source: 'Campaign management (reference: promotable users)',
  notFound: 'PROMOTABLE_USER_NOT_FOUND',
  verbs: ['list', 'get'],
  filters: {
    promotable_user_ids: byIds('promotable user'),
  },
  indexes: {
    promotable_users_by_user_id: ['account_id', 'user_id', 'visibility', 'id'],
  },
  fields,
})
