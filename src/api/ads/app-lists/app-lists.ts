import { isBlank } from '../../../platform/common/visible.ts'
import { msg } from '../../../platform/http/message.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { systemOf } from '../accounts/app-identifier.ts'
import { lockAccountRow } from '../accounts/queries.ts'
import { entity } from '../entity/entity.ts'
import { byIds } from '../entity/filters.ts'
import { blankName } from '../messages.ts'
import { fields } from './fields.ts'
import { countOfAppLists } from './queries.ts'

const MAX_LISTS = 100

/** A set of apps that line items target. It can be created and deleted, but not changed. */
export const appLists = entity({
  one: 'app list',
  source: 'Campaign management (reference: app lists)',
  notFound: 'NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  filters: {
    app_list_ids: byIds('app list'),
  },
  codes: ['INVALID', 'INVALID_APP_ID'],
  fields,
  check: async ({ name, app_store_identifiers }, { before, tx, scope }) => [
    ...(isBlank(name) ? [blankName(name)] : []),
    ...app_store_identifiers.flatMap(unknownApp),
    ...(before ? [] : await tooMany(tx, scope.accountId)),
  ],
  async derive(items) {
    for (const item of items)
      item.apps = item.app_store_identifiers.map((identifier) => ({
        app_store_identifier: identifier,
        os_type: systemOf(identifier) === 'IOS' ? ('iOS' as const) : ('Android' as const),
      }))
  },
})

const unknownApp = (identifier: string): AdsError[] =>
  systemOf(identifier) !== undefined
    ? []
    : [
        wrongParameter(
          'app_store_identifiers',
          msg`Expected a package name or a number, got "${identifier}" for app_store_identifiers`,
          'INVALID_APP_ID',
        ),
      ]

async function tooMany(tx: Transaction, account: string): Promise<AdsError[]> {
  // Prevents two concurrent requests from exceeding the limit.
  await tx.first(lockAccountRow, { id: account })
  const found = await tx.first(countOfAppLists, { account })
  if (Number(found?.count ?? 0) < MAX_LISTS) return []
  return [wrongAttribute('account_id', msg`Account ${account} has ${MAX_LISTS} app lists, the maximum`)]
}
