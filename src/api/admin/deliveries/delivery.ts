import { type Static, Type } from 'typebox'
import { attemptsOf } from '../../../delivery/webhooks/listing.ts'
import { deliveryBySeq } from '../../../delivery/webhooks/queries.ts'
import { DELIVERY_STATES } from '../../../delivery/webhooks/states.ts'
import type { DeliveryRow } from '../../../delivery/webhooks/tables.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { choice, component, id, time } from '../../../platform/http/schema.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'

export const deliveryId = Type.String({ pattern: '^[0-9]{1,15}$', description: 'The delivery.' })

const closed = { additionalProperties: false }

const Attempt = component(
  'DeliveryAttempt',
  Type.Object(
    {
      at: time('When the request was sent.'),
      ms: Type.Number({ description: 'From the request to the response, in milliseconds.' }),
      signature: Type.Optional(Type.String({ description: 'With the secret of that time.' })),
      status: Type.Optional(Type.Integer({ description: 'Of the response; absent without one.' })),
      answer: Type.Optional(Type.String({ description: 'The first bytes of the response.' })),
      error: Type.Optional(Type.String({ description: 'Why there was no response.' })),
      replay: Type.Optional(Type.String({ description: 'The replay that sent it.' })),
    },
    closed,
  ),
)

/** A delivery to a webhook. */
export const DeliveryObject = component(
  'Delivery',
  Type.Object(
    {
      id: deliveryId,
      webhook_id: id('The webhook.'),
      event_id: Type.String({ description: 'The event.' }),
      state: choice([...DELIVERY_STATES], 'What became of it.'),
      created_at: time('When the event happened.'),
      resent_at: Type.Optional(time('When it was last sent again by hand.')),
      due_at: Type.Optional(time('When the next attempt is due.')),
      ended_at: Type.Optional(time('When it ended.')),
      attempts: Type.Array(Attempt),
    },
    closed,
  ),
)

export const presentDelivery = (row: DeliveryRow): Static<typeof DeliveryObject> => ({
  id: String(row.seq),
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  state: row.state as Static<typeof DeliveryObject>['state'],
  created_at: isoTime(row.created_at),
  ...(row.resent_at !== null && { resent_at: isoTime(row.resent_at) }),
  ...(row.ended_at === null && { due_at: isoTime(row.due_at) }),
  ...(row.ended_at !== null && { ended_at: isoTime(row.ended_at) }),
  attempts: attemptsOf(row).map(({ at, ms, ...attempt }) => ({ at: isoTime(at), ms, ...attempt })),
})

/**
 * The delivery that is read or sent again.
 * @throws NotThere
 */
export async function theDelivery(reader: Pick<Transaction, 'first'>, given: string): Promise<DeliveryRow> {
  const row = await reader.first(deliveryBySeq, { seq: Number(given) })
  if (!row) throw new NotThere(`There is no delivery ${given}. "plaza deliveries list" lists the deliveries.`)
  return row
}

export const EXAMPLE: Static<typeof DeliveryObject> = {
  id: '42',
  webhook_id: '1900000000000000042',
  event_id: '6f8c5cb4-1d1f-4b39-8d5c-2f4dd7f1f9c1',
  state: 'delivered',
  created_at: '2026-03-01T12:00:00.000Z',
  ended_at: '2026-03-01T12:00:00.050Z',
  attempts: [{ at: '2026-03-01T12:00:00.010Z', ms: 12.3, signature: 'sha256=…', status: 200 }],
}
