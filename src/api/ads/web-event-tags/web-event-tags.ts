import { nextBase36 } from '../../../platform/common/ids.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { msg } from '../../../platform/http/message.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { lockAccountRow } from '../accounts/queries.ts'
import { entity } from '../entity/entity.ts'
import { byIds } from '../entity/filters.ts'
import type { WriteContext } from '../entity/types.ts'
import { blankName } from '../messages.ts'
import { fields } from './fields.ts'
import { addSource, sourceOfAccount } from './queries.ts'

/**
 * A conversion on the website of an advertiser, for line items with the goal WEBSITE_CONVERSIONS.
 */
export const webEventTags = entity({
  one: 'web event tag',
  source: 'Line item update parameters (reference: WEB_EVENT_TAG_NOT_FOUND)',
  notFound: 'WEB_EVENT_TAG_NOT_FOUND',
  filters: {
    web_event_tag_ids: byIds('web event tag'),
  },
  codes: ['INVALID'],
  fields,
  complete: async (supplied, work) => ({
    ...supplied,
    status: 'UNVERIFIED',
    last_tracked_at: null,
    website_tag_id: await sourceOf(work),
  }),
  // Conversions of the former type say nothing about the new one.
  adjust: (item, { before }) => (item.type === before.type ? {} : { status: 'UNVERIFIED' }),
  check: ({ name, click_window, view_through_window: view }) => [
    ...(isBlank(name) ? [blankName(name)] : []),
    ...(view <= click_window ? [] : [tooLong(view, click_window)]),
  ],
  async derive(items) {
    for (const item of items)
      item.embed_code = `<!-- Event source ${item.website_tag_id}, web event tag ${item.id} -->`
  },
})

/** The event source of an account, which its first tag creates. */
async function sourceOf({ tx, scope, context }: WriteContext): Promise<string> {
  // Prevents two concurrent requests from creating two.
  await tx.first(lockAccountRow, { id: scope.accountId })
  const found = await tx.first(sourceOfAccount, { account: scope.accountId })
  if (found) return found.id
  const id = nextBase36(context.ids)
  await tx.run(addSource, { id, account_id: scope.accountId })
  return id
}

const tooLong = (view: number, click: number) =>
  wrongParameter(
    'view_through_window',
    msg`Expected at most the ${click} days of click_window, got ${view} for view_through_window`,
  )
