import { Type } from 'typebox'
import { deliveriesAfter, type ListPlace, placeAfter } from '../../../delivery/webhooks/listing.ts'
import { DELIVERY_STATES } from '../../../delivery/webhooks/states.ts'
import type { DeliveryRow } from '../../../delivery/webhooks/tables.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, id } from '../../../platform/http/schema.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply } from '../page.ts'
import { DeliveryObject, EXAMPLE, presentDelivery } from './delivery.ts'

const DEFAULT_LIMIT = 50
const AT_ONCE = 200
/** Deliveries of other states that one page passes over. */
const MAX_PASSED_OVER = 5_000

/** GET /admin/v1/deliveries: deliveries to webhooks, newest first. */
export const listDeliveries = dataEndpoint({
  ...ADMIN,
  id: 'listDeliveries',
  method: 'GET',
  path: '/admin/v1/deliveries',
  summary: 'List deliveries to webhooks',
  description: `Lists deliveries, newest first. The next page begins after the delivery that \`pagination_token\` names. With \`state\`, a page is shorter once it has passed over ${MAX_PASSED_OVER.toLocaleString('en')} others.`,
  query: {
    ...PAGE_PARAMETERS,
    webhook_id: Type.Optional(id('Only deliveries to this webhook.')),
    state: Type.Optional(choice([...DELIVERY_STATES], 'Only deliveries in this state.')),
  },
  reply: pageReply(DeliveryObject),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ query }, { store }) {
    const { limit = DEFAULT_LIMIT, pagination_token: after, webhook_id: webhook, state } = query
    const start = await placeAfter(store, after === undefined ? undefined : seqOf(after))
    if (!start) throw gone(after ?? '')
    const { rows, next } = await page(store, { start, webhook, state, limit })
    const meta = { result_count: rows.length, ...(next !== undefined && { next_token: String(next) }) }
    return json({ data: rows.map(presentDelivery), meta })
  },
})

const gone = (given: string) =>
  new WrongValue('pagination_token', given, `Delivery ${given} does not exist, or has been removed.`)

function seqOf(token: string): number {
  if (!/^[0-9]{1,15}$/.test(token)) throw gone(token)
  return Number(token)
}

interface WantedPage {
  start: ListPlace
  webhook: string | undefined
  state: string | undefined
  limit: number
}

/** The deliveries of a page, and the last one that it read if there may be more. */
async function page(
  store: Store,
  { start, webhook, state, limit }: WantedPage,
): Promise<{ rows: DeliveryRow[]; next: number | undefined }> {
  const rows: DeliveryRow[] = []
  let passedOver = 0
  for (let place = start; ; ) {
    const read = await deliveriesAfter(store, { webhook, place, limit: AT_ONCE })
    for (const row of read) {
      if (rows.length === limit || passedOver === MAX_PASSED_OVER) return { rows, next: place.seq }
      place = row
      if (state === undefined || row.state === state) rows.push(row)
      else passedOver++
    }
    if (read.length < AT_ONCE) return { rows, next: undefined }
  }
}
