import { Type } from 'typebox'
import { isoTime } from '../../../platform/common/time.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { base36, component, time } from '../../../platform/http/schema.ts'
import { accountById } from '../../ads/accounts/queries.ts'
import { type ClickPlace, clicksBefore } from '../../ads/conversions/clicks.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { accountId, EXAMPLE } from './account.ts'

const AdClick = component(
  'AdClick',
  Type.Object(
    {
      click_id: Type.String({ description: 'What the landing page or the app gets, for a conversion.' }),
      clicked_at: time('When it happened.'),
    },
    { additionalProperties: false },
  ),
)

const HOUR_MS = 3_600_000

/** The first place of the current hour, which is not over, or that of a token. */
function placeOf(token: string | undefined, nowMs: number): ClickPlace {
  const [, hour, index] = /^([0-9]{1,8})\.([0-9]{1,8})$/.exec(token ?? '') ?? []
  const current = Math.floor(nowMs / HOUR_MS)
  // No click is later: the time until then is not searched.
  return Number(hour) <= current ? { hour: Number(hour), index: Number(index) } : { hour: current, index: 0 }
}

/** GET /admin/v1/accounts/{account_id}/ad_clicks: the clicks that a promoted post got. */
export const listAdClicks = endpoint({
  ...ADMIN,
  id: 'listAdClicks',
  method: 'GET',
  path: '/admin/v1/accounts/{account_id}/ad_clicks',
  summary: 'List clicks on links or the app of a promoted post',
  description:
    'Lists the clicks of simulated people in the hours that are over, newest first. A conversion that names one by its `click_id`, or as the `hashed_device_id` of a conversion in an app, counts for the promoted post.',
  params: { account_id: accountId },
  query: {
    ...PAGE_PARAMETERS,
    promoted_post_id: base36('The promoted post, or a media creative.'),
  },
  reply: pageReply(AdClick),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { account_id: EXAMPLE.id },
    reply: {
      data: [{ click_id: '0k2v5m9x1t7q3z8c4n6b0d5f2', clicked_at: '2026-03-01T12:30:00.000Z' }],
      meta: { result_count: 1 },
    },
  },
  async handle({ params, query }, { store, clock, delivery }) {
    const account = params.account_id
    if (!(await store.first(accountById, { id: account })))
      throw new NotThere(`There is no account ${account}.`)
    await delivery.complete(account)
    const promotion = query.promoted_post_id
    const page = await readPage(query, {
      read: ({ after, limit }) =>
        clicksBefore({ account, promotion, before: placeOf(after, clock.now()), limit }, store),
      keyOf: ({ place }) => `${place.hour}.${place.index}`,
      show: ({ click_id, clicked_at }) => ({ click_id, clicked_at: isoTime(clicked_at) }),
    })
    return json(page)
  },
})
