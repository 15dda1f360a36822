import { Type } from 'typebox'
import { signaturesOf } from '../../../delivery/webhooks/listing.ts'
import { deliveryTarget } from '../../../delivery/webhooks/queries.ts'
import { SIGNATURE_HEADER } from '../../../delivery/webhooks/signature.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component, nullable } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { DeliveryObject, deliveryId, EXAMPLE, presentDelivery, theDelivery } from './delivery.ts'

const closed = { additionalProperties: false }

const WholeDelivery = component(
  'WholeDelivery',
  Type.Object(
    {
      ...DeliveryObject.properties,
      url: nullable(Type.String({ description: 'Of the webhook; null if it was deleted.' })),
      signed: Type.Object(
        {
          header: Type.String({ description: 'The header that has the signature.' }),
          value: nullable(Type.String({ description: 'The last signature.' })),
        },
        closed,
      ),
      body: Type.String({ description: 'What was signed and sent.' }),
    },
    closed,
  ),
)

/** GET /admin/v1/deliveries/{delivery_id}: a delivery with its body. */
export const readDelivery = dataEndpoint({
  ...ADMIN,
  id: 'readDelivery',
  method: 'GET',
  path: '/admin/v1/deliveries/{delivery_id}',
  summary: 'Get a delivery',
  description: 'Returns a delivery with what was signed and sent, and each attempt with its response.',
  params: { delivery_id: deliveryId },
  reply: Type.Object({ data: WholeDelivery }, closed),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { delivery_id: EXAMPLE.id },
    reply: {
      data: {
        ...EXAMPLE,
        url: 'https://hooks.example.com/plaza',
        signed: { header: SIGNATURE_HEADER, value: 'sha256=…' },
        body: '{"data":{}}',
      },
    },
  },
  async handle({ params: { delivery_id } }, { store, naming }) {
    const row = await theDelivery(store, delivery_id)
    const target = await store.first(deliveryTarget, { webhook: row.webhook_id })
    const header = naming.vocabulary.header(SIGNATURE_HEADER)
    const signed = { header, value: signaturesOf(row).at(-1) ?? null }
    return json({ data: { ...presentDelivery(row), url: target?.url ?? null, signed, body: row.body } })
  },
})
