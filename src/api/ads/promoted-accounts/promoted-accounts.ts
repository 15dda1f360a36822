import { msg } from '../../../platform/http/message.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { entity } from '../entity/entity.ts'
import { byIds, byParents } from '../entity/filters.ts'
import type { Entity, ListValues } from '../entity/types.ts'
import { parentLineItem } from '../line-items/line-items.ts'
import { promotableUser } from '../line-items/queries.ts'
import type { AccountScope } from '../scope.ts'
import { fields } from './fields.ts'
import { accountPromoter } from './queries.ts'

/**
 * A user whom a line item promotes, to gain followers. It can be created and deleted, but not
 * changed.
 */
export const promotedAccounts: Entity<typeof fields> = entity({
  one: 'promoted account',
  source: 'Campaign management (reference: promoted accounts)',
  notFound: 'PROMOTED_ACCOUNT_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  limits: 'entity',
  filters: {
    line_item_ids: byParents('line item'),
    promoted_account_ids: byIds('promoted account'),
  },
  list: { codes: ['INCOMPATIBLE_LINE_ITEM'], narrow: suitable },
  hiddenWithParent: true,
  history: 'PROMOTED_ACCOUNT',
  codes: ['INCOMPATIBLE_LINE_ITEM', 'INVALID_USER_ID', 'LINE_ITEM_NOT_FOUND'],
  delivered: true,
  fields,
  async complete({ line_item_id, user_id: userId }, work) {
    await parentLineItem(work, line_item_id, ['PROMOTED_ACCOUNT'])
    const { accountId } = work.scope
    const promotable = await work.tx.first(promotableUser, { account: accountId, userId })
    // For a user whose posts may only be reposted, only posts can be promoted.
    if (promotable?.promotable_user_type !== 'FULL')
      throw adsApiError(
        wrongAttribute(
          'user_id',
          msg`User ${userId} cannot be promoted by Account ${accountId}`,
          'INVALID_USER_ID',
        ),
      )
    return { line_item_id, user_id: userId, entity_status: 'ACTIVE', approval_status: 'ACCEPTED' }
  },
  same: ['line_item_id', 'user_id'],
  existing: (fresh, work) => promotedAccounts.findSame(work, fresh),
})

/** Rejects a list for line items that cannot promote accounts (reference: promoted accounts). */
async function suitable(
  query: ListValues,
  { scope, context: { store } }: { scope: AccountScope; context: Pick<AdsDependencies, 'store'> },
): Promise<ListValues> {
  if (query.line_item_ids === undefined) return query
  const at = { account: scope.accountId, ids: JSON.stringify(query.line_item_ids) }
  if (await store.first(accountPromoter, at)) return query
  throw rejected(
    'line_item_ids',
    msg`None of these line items can hold promoted accounts`,
    'INCOMPATIBLE_LINE_ITEM',
  )
}
