import { Type } from 'typebox'
import type { StreamDependencies } from '../../../delivery/streams/dependencies.ts'
import { openStream, type Past } from '../../../delivery/streams/open-stream.ts'
import { objectFormats } from '../../../delivery/streams/posts/formats.ts'
import { postsOf, type Volume } from '../../../delivery/streams/volume/volumes.ts'
import type { App } from '../../../identity/apps/app.ts'
import { enterpriseNeeded } from '../../../identity/auth/authorize.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import { objects } from '../objects/objects.ts'
import { pastOf, pastParameters, pastQueryOf } from './search/stream/past.ts'

const endpoint = endpointsOf<PlazaTerms<StreamDependencies>>(protocolOf)
const formatOf = objectFormats(objects)
const past = pastParameters('posts')

/** What every stream of this kind declares. */
const STREAM = {
  host: 'core',
  method: 'GET',
  source: 'Public operations (core reference, 07 section 1)',
  auth: ['app'],
  replyKind: 'stream',
  reply: objects.reply('post', 'one'),
  errors: ['too many connections'],
  example: {
    reply: {
      data: { id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] },
    },
  },
} as const

const LINES =
  'Each post is a line of JSON that ends with CR LF. Between posts, an empty line at least every 20 seconds keeps the connection alive. When the server ends a stream, the last line has `errors` with a Problem of the type `operational-disconnect`. The posts do not count towards usage caps.'

interface VolumeDeclaration {
  readonly id: string
  readonly path: string
  readonly summary: string
  /** What the stream contains, as a sentence. */
  readonly contents: string
  /** Calls of an app in 15 minutes. */
  readonly calls: number
  readonly volume: Volume
}

/** A stream for every app, without partitions and without past periods except a backfill. */
export const sampleEndpoint = ({ contents, calls, volume, ...declared }: VolumeDeclaration) =>
  endpoint({
    ...STREAM,
    ...declared,
    description: `${contents} ${LINES}`,
    limits: { app: `${calls}/15m` },
    query: { backfill_minutes: past.backfill_minutes, ...objects.parameters('post') },
    handle({ principal: { app }, query, address }, dependencies) {
      const { clock, config } = dependencies
      const opening = { app, address, query, past: pastOf(pastQueryOf(query), clock.now(), config) }
      return openVolume(volume, opening, dependencies)
    },
  })

/** A stream in partitions, for apps with an enterprise plan. */
export const partitionedEndpoint = ({ contents, calls, volume, ...declared }: VolumeDeclaration) =>
  endpoint({
    ...STREAM,
    ...declared,
    errors: [...STREAM.errors, 'enterprise needed'],
    description: `${contents} The stream has ${volume.partitions} partitions: each post is in one of them, and a client opens all. An app opens each once at a time. Only apps with an enterprise plan may use it. With \`start_time\`, the stream sends past posts and ends. ${LINES}`,
    limits: { app: `${calls}/15m` },
    query: {
      partition: Type.Integer({
        minimum: 1,
        maximum: volume.partitions,
        description: 'The partition to open.',
      }),
      ...past,
      ...objects.parameters('post'),
    },
    handle({ principal: { app }, query, address }, dependencies) {
      const { clock, config } = dependencies
      if (!app.enterprise) throw enterpriseNeeded(app.id, config.registrationUrl)
      const { partition } = query
      const opening = {
        app,
        address,
        query,
        partition,
        past: pastOf(pastQueryOf(query), clock.now(), config),
      }
      return openVolume(volume, opening, dependencies)
    },
  })

interface VolumeOpening {
  app: App
  address: string
  query: Readonly<Record<string, unknown>>
  partition?: number
  past: Past
}

function openVolume(
  volume: Volume,
  { app, address, query, partition, past }: VolumeOpening,
  dependencies: StreamDependencies,
) {
  const { naming, volumes, config } = dependencies
  const format = formatOf(objects.select('post', query), naming)
  const takes = postsOf(volume, partition ?? 1, config.streamSamplePercent)
  return openStream(
    {
      app,
      address,
      endpointName: volume.endpointName,
      ...(partition !== undefined && { partition }),
      past,
      source: {
        follow: (connection) => volumes.add({ connection, format, takes }),
        replay: (connection, span) => volumes.replay({ connection, format, takes }, span),
      },
    },
    dependencies,
  )
}
