import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, component, time } from '../../../platform/http/schema.ts'
import { readStatus } from '../../../workbench/status/status.ts'
import { ClockObject } from '../clock/reading.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE } from './example.ts'

const closed = { additionalProperties: false }
const count = (description: string) => Type.Integer({ minimum: 0, description })

const StatusObject = component(
  'Status',
  Type.Object(
    {
      version: Type.String({ description: 'Of Plaza.' }),
      node_version: Type.String({ description: 'Of Node.' }),
      pid: count('The process.'),
      uptime_seconds: count('How long the process has run.'),
      mode: choice(['memory', 'data', 'postgresql'], 'Where the data is.'),
      hardened: Type.Boolean(),
      node: count('The number of this node.'),
      ready: Type.Boolean({ description: 'Whether requests can be answered.' }),
      problems: Type.Array(Type.String(), { description: 'What does not work, as sentences.' }),
      urls: Type.Object(
        { core: Type.String(), ads: Type.String(), ads_sandbox: Type.String(), console: Type.String() },
        closed,
      ),
      clock: ClockObject,
      consumers: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            events: count('Events that it has not handled.'),
            seconds: Type.Number({ minimum: 0, description: 'The age of the oldest of them.' }),
          },
          closed,
        ),
        { description: 'Consumers of the event log.' },
      ),
      tasks: Type.Array(
        Type.Object({ kind: Type.String(), state: Type.String(), count: count('Tasks.') }, closed),
        {
          description: 'Tasks of the queue.',
        },
      ),
      deliveries: Type.Object(
        {
          webhooks_waiting: count('Webhooks with pending deliveries.'),
          next_due_at: Type.Optional(time('When the first of them is due.')),
        },
        closed,
      ),
      streams: count('Streams that are open on this node.'),
      rate_limits: choice(['documented', 'off', 'custom'], 'Which rate limits apply.'),
      memory: Type.Object(
        {
          resident_bytes: count('Of the process.'),
          heap_bytes: count('JavaScript objects in use.'),
          external_bytes: count('Buffers.'),
        },
        closed,
      ),
      snapshots_unavailable: Type.Optional(
        Type.String({ description: 'Why there are no snapshots here, where there are none.' }),
      ),
      disk: Type.Optional(
        Type.Object(
          {
            folder: Type.String({ description: 'The data folder.' }),
            free_bytes: count('Free space.'),
            total_bytes: count('Size of the file system.'),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
)

/** GET /admin/v1/status: how Plaza runs. */
export const getStatus = endpoint({
  ...ADMIN,
  id: 'getStatus',
  method: 'GET',
  path: '/admin/v1/status',
  summary: 'Read the status',
  description:
    'Returns how this node runs: version, addresses, clock, how far consumers of events are behind, tasks, deliveries, streams, memory and free space.',
  reply: Type.Object({ data: StatusObject }, closed),
  example: { reply: { data: EXAMPLE } },
  async handle(_call, { status, clockControl, snapshots: { unavailable } }) {
    const data = await readStatus(status, clockControl.read())
    return json({ data: { ...data, ...(unavailable && { snapshots_unavailable: unavailable }) } })
  },
})
