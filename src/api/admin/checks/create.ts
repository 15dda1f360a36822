import { stream } from '../../../platform/http/reply-kinds.ts'
import { closedObject, flag } from '../../../platform/http/schema.ts'
import { type CheckMessage, CheckStopped } from '../../../workbench/checks/check.ts'
import { endpoint } from '../endpoint.ts'
import { alone, STREAMED, sayInto } from '../streamed.ts'
import { CheckMessageObject } from './message.ts'

/** POST /admin/v1/check: compares counters and indexes with their rows. */
export const checkData = endpoint({
  ...STREAMED,
  id: 'checkData',
  method: 'POST',
  path: '/admin/v1/check',
  summary: 'Check counters and indexes',
  description:
    'Compares every counter and every index in the database with the rows that they are computed from, and corrects what differs on request. Each row that seems to differ is locked and compared again, so others may write meanwhile. The reply has a line of JSON for the progress, for each `difference` and for each `comparison`; the last one has the `result`, or an `error`. Without it, the connection was lost: what was repaired stays. One check runs at a time; others get 409.',
  body: closedObject({ repair: flag('Whether to correct what differs; false by default.') }),
  reply: closedObject({ data: CheckMessageObject }),
  example: {
    body: { repair: true },
    reply: { data: { result: { compared: 812, differing: 0, repaired: false } } },
  },
  async handle({ body: { repair = false } }, { store, dataChecks, checkAll }) {
    const leave = await alone(dataChecks, 'Another check runs. Wait until it has ended.')
    return stream<{ data: CheckMessage }>(async (sink, signal) => {
      const say = sayInto(sink)
      try {
        await checkAll(store, { repair, signal, say })
      } catch (error) {
        if (!(error instanceof CheckStopped)) throw error
        await say({ error: 'Plaza stops. What was repaired stays.' }).catch(() => undefined)
      } finally {
        leave()
      }
    }, leave)
  },
})
