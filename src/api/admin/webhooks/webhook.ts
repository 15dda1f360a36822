import { id } from '../../../platform/http/schema.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { webhookById } from '../../core/webhooks/queries.ts'

export const webhookId = id('The webhook.')

/**
 * The webhook that is read or changed.
 * @throws NotThere
 */
export async function theWebhook(store: Pick<Store, 'first'>, given: string) {
  const row = await store.first(webhookById, { id: given })
  if (!row) throw new NotThere(`There is no webhook ${given}.`)
  return row
}

export const EXAMPLE = {
  id: '1900000000000000043',
  url: 'https://hooks.example.com/plaza',
  valid: true,
  created_at: '2026-02-03T04:05:06.000Z',
}
