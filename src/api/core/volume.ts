import { Type } from 'typebox'
import { isForEnterprise } from '../../delivery/streams/connections/endpoint-names.ts'
import type { StreamDependencies } from '../../delivery/streams/dependencies.ts'
import { openStream, type StreamSource } from '../../delivery/streams/open-stream.ts'
import { type ObjectFormat, objectFormats } from '../../delivery/streams/posts/formats.ts'
import type { Past } from '../../delivery/streams/span.ts'
import type { VolumeStreams } from '../../delivery/streams/volume/volume-streams.ts'
import { takesLike, takesPost, type Volume } from '../../delivery/streams/volume/volumes.ts'
import type { App } from '../../identity/apps/app.ts'
import { enterpriseNeeded } from '../../identity/auth/authorize.ts'
import type { PlazaTerms } from '../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../platform/http/endpoint.ts'
import { protocolOf } from '../../platform/protocols/protocols.ts'
import { objects } from './objects/objects.ts'
import { pastOf, pastParameters, pastQueryOf } from './posts/search/stream/past.ts'

const endpoint = endpointsOf<PlazaTerms<StreamDependencies>>(protocolOf)
const formats = {
  post: objectFormats(objects, 'post'),
  like_with_post_author: objectFormats(objects, 'like_with_post_author'),
}

/** What every stream of this kind declares. */
const STREAM = {
  host: 'core',
  method: 'GET',
  source: 'Public operations (core reference, 07 section 1)',
  auth: ['app'],
  replyKind: 'stream',
  errors: ['too many connections'],
} as const

const POST_EXAMPLE = {
  reply: {
    data: { id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] },
  },
}
const LIKE_EXAMPLE = {
  reply: {
    data: {
      id: '8325675c8c1cb0a3c4b1d5f9e2a70b46',
      created_at: '2026-03-01T12:00:00.000Z',
      timestamp_ms: '1772366400000',
      liked_post_id: '1900000000000000001',
      liked_post_author_id: '1900000000000000007',
    },
  },
}

const linesOf = (what: 'post' | 'like') =>
  `Each ${what} is a line of JSON that ends with CR LF. Between them, an empty line at least every 20 seconds keeps the connection alive. When the server ends a stream, the last line has \`errors\` with a Problem of the type \`operational-disconnect\`. Nothing of it counts towards usage caps.`

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

/** A stream of posts for every app, without partitions and without recovery. */
export const sampleEndpoint = ({ contents, calls, volume, ...declared }: VolumeDeclaration) =>
  endpoint({
    ...STREAM,
    ...declared,
    description: `${contents} ${linesOf('post')}`,
    limits: { app: `${calls}/15m` },
    query: { backfill_minutes: pastParameters('posts').backfill_minutes, ...objects.parameters('post') },
    reply: objects.reply('post', 'one'),
    example: POST_EXAMPLE,
    handle({ principal: { app }, query, address }, dependencies) {
      const { clock, config } = dependencies
      const opening = { app, address, query, past: pastOf(pastQueryOf(query), clock.now(), config) }
      return openVolume('post', volume, opening, dependencies)
    },
  })

/** A stream in partitions, for apps with an enterprise plan. */
function partitioned(
  of: 'post' | 'like_with_post_author',
  { contents, calls, volume, ...declared }: VolumeDeclaration,
) {
  const isPost = of === 'post'
  return endpoint({
    ...STREAM,
    ...declared,
    errors: [...STREAM.errors, 'enterprise needed'],
    description: `${contents} The stream has ${volume.partitions} partitions: each line is in one of them, and a client opens all. An app opens each once at a time. Only apps with an enterprise plan may use it. With \`start_time\`, the stream sends a past period and ends. ${linesOf(isPost ? 'post' : 'like')}`,
    limits: { app: `${calls}/15m` },
    query: {
      partition: Type.Integer({
        minimum: 1,
        maximum: volume.partitions,
        description: 'The partition to open.',
      }),
      ...pastParameters(isPost ? 'posts' : 'likes'),
      ...objects.parameters(of),
    },
    reply: objects.reply(of, 'one'),
    example: isPost ? POST_EXAMPLE : LIKE_EXAMPLE,
    handle({ principal: { app }, query, address }, dependencies) {
      const { clock, config } = dependencies
      if (!app.enterprise) throw enterpriseNeeded(app.id, config.registrationUrl)
      const { partition } = query
      const past = pastOf(pastQueryOf(query), clock.now(), config)
      return openVolume(of, volume, { app, address, query, partition, past }, dependencies)
    },
  })
}

export const postsEndpoint = (declared: VolumeDeclaration) => partitioned('post', declared)
export const likesEndpoint = (declared: VolumeDeclaration) => partitioned('like_with_post_author', declared)

interface VolumeOpening {
  app: App
  address: string
  query: Readonly<Record<string, unknown>>
  partition?: number
  past: Past
}

function openVolume(
  of: keyof typeof formats,
  volume: Volume,
  { app, address, query, partition, past }: VolumeOpening,
  dependencies: StreamDependencies,
) {
  const { naming, config, allPosts, allLikes } = dependencies
  const { endpointName } = volume
  if (isForEnterprise(endpointName) && !app.enterprise) throw enterpriseNeeded(app.id, config.registrationUrl)
  const format = formats[of](objects.select(of, query), naming)
  const part = { volume, partition: partition ?? 1, leastPercent: config.streamSamplePercent }
  const source =
    of === 'post'
      ? sourceOf(allPosts, format, (post) => takesPost(part, post))
      : sourceOf(allLikes, format, (like) => takesLike(part, like))
  return openStream(
    { app, address, endpointName, ...(partition !== undefined && { partition }), past, source },
    dependencies,
  )
}

const sourceOf = <Row>(
  streams: VolumeStreams<Row>,
  format: ObjectFormat,
  takes: (row: Row) => boolean,
): StreamSource => ({
  follow: (connection) => streams.add({ connection, format, takes }),
  replay: (connection, span) => streams.replay({ connection, format, takes }, span),
})
