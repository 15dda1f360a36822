import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { MeasurementsObject } from './measurements.ts'

/** GET /admin/v1/metrics: counters of this node. */
export const getMetrics = endpoint({
  ...ADMIN,
  id: 'getMetrics',
  method: 'GET',
  path: '/admin/v1/metrics',
  summary: 'Read the metrics',
  description:
    'Returns the counters that `/metrics` has in the format of Prometheus, and the state of deliveries. Counters of requests begin with the process; rates are differences between two calls.',
  reply: closedObject({ data: MeasurementsObject }),
  example: {
    reply: {
      data: {
        ready: { ready: true, warnings: [] },
        version: '0.1.0',
        uptime_seconds: 60,
        memory_bytes: 150_000_000,
        cpu_seconds: 1.5,
        stream_connections: 1,
        routes: [
          {
            host: 'core',
            route: 'GET /2/posts/{id}',
            replies: [{ status: 200, count: 2 }],
            duration_seconds: 0.004,
            buckets: [{ le: 0.001, count: 0 }, { le: 0.0025, count: 2 }, { count: 0 }],
          },
        ],
        consumers: [{ consumer: 'search', events: 0, seconds: 0 }],
        tasks: [{ kind: 'remove old events', state: 'waiting', count: 1 }],
        deliveries: { pending: 0, last_hour: [{ state: 'delivered', count: 3 }] },
      },
    },
  },
  handle: async (_call, { measure }) => json({ data: await measure() }),
})
