import { deliveriesAfter, placeAfter } from '../../delivery/webhooks/listing.ts'
import { deliveryTarget } from '../../delivery/webhooks/queries.ts'
import { RESEND_PROBLEMS, resendDelivery } from '../../delivery/webhooks/resend.ts'
import { SIGNATURE_HEADER } from '../../delivery/webhooks/signature.ts'
import { errorPage } from '../../platform/protocols/page/layout.ts'
import type { Answer, PageParts, PageRequest } from './page.ts'
import { deliveriesView } from './views.ts'

const DELIVERIES_SHOWN = 20

const nothing = (what: string): Answer => ({
  status: 404,
  body: errorPage('Not found', `There is no such ${what}.`),
})

/** The number of a delivery; undefined when the text is not one. */
const seqOf = (text: string) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : undefined)

/** GET /webhooks/{webhook}: its deliveries, newest first. */
export const deliveriesPage = (asked: PageRequest, parts: PageParts): Promise<Answer> => listed(asked, parts)

async function listed(
  { params, values, formToken }: PageRequest,
  { store, vocabulary }: PageParts,
  failed?: string,
): Promise<Answer> {
  const { webhook = '' } = params
  const target = await store.first(deliveryTarget, { webhook })
  if (!target) return nothing('webhook')
  const before = values.before === undefined ? undefined : seqOf(values.before)
  const place =
    values.before !== undefined && before === undefined ? undefined : await placeAfter(store, before)
  if (!place) return nothing('delivery')
  const rows = await deliveriesAfter(store, { webhook, place, limit: DELIVERIES_SHOWN })
  const last = rows.length === DELIVERIES_SHOWN ? rows.at(-1) : undefined
  const body = deliveriesView({
    webhook: { id: webhook, url: target.url },
    deliveries: rows,
    next: last && `/webhooks/${webhook}?before=${last.seq}`,
    formToken,
    failed,
    signatureHeader: vocabulary.header(SIGNATURE_HEADER),
  })
  return { status: failed === undefined ? 200 : 409, body }
}

/** POST /webhooks/{webhook}/deliveries/{seq}/resend: sends a delivery again. */
export async function resendPage(asked: PageRequest, parts: PageParts): Promise<Answer> {
  const { webhook = '', seq: text = '' } = asked.params
  const seq = seqOf(text)
  if (seq === undefined) return nothing('delivery')
  const problem = await resendDelivery(parts.store, { seq, webhook })
  if (problem === undefined) return { location: `/webhooks/${encodeURIComponent(webhook)}` }
  if (problem === 'no delivery') return nothing('delivery')
  return listed(asked, parts, `Not sent: ${RESEND_PROBLEMS[problem]}.`)
}
