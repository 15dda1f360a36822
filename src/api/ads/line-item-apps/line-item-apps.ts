import { msg } from '../../../platform/http/message.ts'
import { type AdsError, wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import { wrongApp } from '../accounts/app-identifier.ts'
import { entity, untyped } from '../entity/entity.ts'
import { byIds, byParents } from '../entity/filters.ts'
import type { WriteContext } from '../entity/types.ts'
import { updateItem } from '../entity/write.ts'
import { lineItems } from '../line-items/line-items.ts'
import { fields } from './fields.ts'
import { APP_MEMBERS, type AppSystem } from './follow.ts'

/**
 * An app that a line item promotes: one for each system. The line item has the same as
 * `android_app_store_identifier` and `ios_app_store_identifier`.
 */
export const lineItemApps = entity({
  one: 'line item app',
  source: 'Campaign management (reference: line item apps)',
  notFound: 'LINE_ITEM_APP_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  describe: {
    create: 'Adds an app to a line item: one for each system. The line item shows its identifier.',
    delete: 'Removes the app from its line item. An objective about apps keeps at least one.',
  },
  hiddenWithParent: true,
  delivered: true,
  filters: {
    line_item_app_ids: byIds('line item app'),
    line_item_ids: byParents('line item'),
  },
  codes: ['INVALID', 'INVALID_APP_ID', 'LINE_ITEM_NOT_FOUND'],
  fields,
  async complete(supplied, work) {
    // Locked until the app is written, so that the line item is not changed meanwhile.
    await lineItems.require(work, supplied.line_item_id, 'locked')
    return supplied
  },
  check: async ({ line_item_id, app_store_identifier, os_type }, work) => {
    const lineItem = await lineItems.require(work, line_item_id)
    return [
      ...wrongApp('app_store_identifier', app_store_identifier, os_type),
      ...(lineItem[APP_MEMBERS[os_type]] === null ? [] : [second(line_item_id, os_type)]),
    ]
  },
  after: ({ line_item_id, app_store_identifier, os_type }, work) =>
    change(line_item_id, { [APP_MEMBERS[os_type]]: app_store_identifier }, work),
  // Changes of the line item lock it before its apps, and so do deletions of them.
  async beforeDelete(id, work) {
    const app = await lineItemApps.find(work, id)
    if (app) await lineItems.find(work, app.line_item_id, 'locked')
  },
  afterDelete: ({ line_item_id, os_type }, work) =>
    change(line_item_id, { [APP_MEMBERS[os_type]]: null }, work),
})

async function change(id: string, supplied: Record<string, string | null>, work: WriteContext) {
  // That of a deleted line item is no longer shown anywhere.
  if (await lineItems.find(work, id))
    await updateItem(untyped(lineItems), { id, supplied, sentBack: [] }, work)
}

const second = (lineItem: string, system: AppSystem): AdsError =>
  wrongAttribute('os_type', msg`Line Item ${lineItem} already has an app for ${system}`)
