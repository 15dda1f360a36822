import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject, time } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { answered, EXAMPLE, SNAPSHOT } from './parts.ts'

/** POST /admin/v1/reset: replaces the data by what the seed wrote. */
export const resetData = endpoint({
  ...SNAPSHOT,
  id: 'resetData',
  method: 'POST',
  path: '/admin/v1/reset',
  summary: 'Reset to the seed',
  description:
    'Replaces all data by what the seed wrote at the first start, with the same ids, keys and tokens, like the restoration of a snapshot that was saved then. Snapshots stay.',
  reply: closedObject({
    data: closedObject({ seeded_at: time("When the seed was written, on the machine's clock.") }),
  }),
  example: { reply: { data: { seeded_at: EXAMPLE.saved_at } } },
  async handle(_call, { snapshots }) {
    const { saved_at } = await answered(() => snapshots.reset())
    return json({ data: { seeded_at: saved_at } })
  },
})
