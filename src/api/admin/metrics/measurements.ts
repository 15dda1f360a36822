import { type Static, Type } from 'typebox'
import { closedComponent, closedObject } from '../../../platform/http/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const RouteObject = closedComponent('RouteMeasurement', {
  host: Type.String({ description: 'The listener.' }),
  route: Type.String({ description: 'Method and path of the endpoint; empty if a request matched none.' }),
  replies: Type.Array(closedObject({ status: Type.Integer(), count: count('Replies with this status.') })),
  duration_seconds: Type.Number({ description: 'The sum of the latencies.' }),
  buckets: Type.Array(
    closedObject({
      le: Type.Optional(Type.Number({ description: 'Upper bound in seconds; the last bucket has none.' })),
      count: count('Replies that took at most this long, but longer than the bound before.'),
    }),
    { description: 'Latencies by their bound.' },
  ),
})

export const MeasurementsObject = closedComponent('Measurements', {
  ready: closedObject({
    ready: Type.Boolean({ description: 'Whether requests can be answered.' }),
    reason: Type.Optional(Type.String({ description: 'Why they cannot.' })),
    warnings: Type.Array(Type.String(), { description: 'What does not work nevertheless.' }),
  }),
  version: Type.String(),
  uptime_seconds: count('Since the process started.'),
  memory_bytes: count('Resident memory of the process.'),
  cpu_seconds: Type.Number({ description: 'Processor time of the process.' }),
  stream_connections: count('Streams that are open on this node.'),
  routes: Type.Array(RouteObject, { description: 'Requests by endpoint since the process started.' }),
  consumers: Type.Array(
    closedObject({
      consumer: Type.String(),
      events: count('Events that it has not handled.'),
      seconds: Type.Number({ description: 'Age of the oldest of them.' }),
    }),
    { description: 'The consumers of the event log.' },
  ),
  tasks: Type.Array(
    closedObject({
      kind: Type.String(),
      state: Type.String(),
      count: count('Tasks of this kind in this state.'),
    }),
  ),
  deliveries: closedObject({
    pending: count('Deliveries to webhooks that have not ended; 10,000 if there are more.'),
    last_hour: Type.Array(
      closedObject({ state: Type.String(), count: count('Deliveries that ended in this state.') }),
      { description: 'Of the newest 10,000.' },
    ),
  }),
})

export type Measurements = Static<typeof MeasurementsObject>
export type RouteMeasurement = Static<typeof RouteObject>

/** Reads the measurements of this node. */
export type Measure = () => Promise<Measurements>
