import { Type } from 'typebox'
import { RESEND_PROBLEMS, resendDelivery } from '../../../delivery/webhooks/resend.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { deliveryId, EXAMPLE } from './delivery.ts'

/** POST /admin/v1/deliveries/{delivery_id}/resend: sends a delivery again. */
export const resendAnyDelivery = dataEndpoint({
  ...ADMIN,
  id: 'resendDelivery',
  method: 'POST',
  path: '/admin/v1/deliveries/{delivery_id}/resend',
  summary: 'Send a delivery again',
  description:
    'Sends a delivery again with all attempts of the schedule, whether it has ended or is pending.',
  params: { delivery_id: deliveryId },
  reply: Type.Object(
    { data: Type.Object({ resent: Type.Boolean() }, { additionalProperties: false }) },
    { additionalProperties: false },
  ),
  example: { params: { delivery_id: EXAMPLE.id }, reply: { data: { resent: true } } },
  async handle({ params: { delivery_id } }, { store }) {
    const problem = await resendDelivery(store, { seq: Number(delivery_id) })
    if (problem !== undefined) throw new WrongValue('delivery_id', delivery_id, RESEND_PROBLEMS[problem])
    return json({ data: { resent: true } })
  },
})
