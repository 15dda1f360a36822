import { type TObject, Type } from 'typebox'
import { complianceFormat } from '../../../delivery/streams/compliance/source.ts'
import type { ComplianceStream } from '../../../delivery/streams/compliance/lines.ts'
import type { EndpointName } from '../../../delivery/streams/connections/endpoint-names.ts'
import type { StreamDependencies } from '../../../delivery/streams/dependencies.ts'
import { openStream } from '../../../delivery/streams/open-stream.ts'
import type { Past } from '../../../delivery/streams/span.ts'
import { partitionOf } from '../../../delivery/streams/volume/volumes.ts'
import type { App } from '../../../identity/apps/app.ts'
import { enterpriseNeeded } from '../../../identity/auth/authorize.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import { pastOf, pastParameters, pastQueryOf } from '../posts/search/stream/past.ts'
import { LabelLine, LikeLine, PostLine, UserLine } from './lines.ts'

const endpoint = endpointsOf<PlazaTerms<StreamDependencies>>(protocolOf)

const PARTITIONS = 4

const STREAM = {
  host: 'core',
  method: 'GET',
  source: 'Public operations (core reference, 07 sections 3 and 4)',
  auth: ['app'],
  replyKind: 'stream',
  errors: ['too many connections', 'enterprise needed'],
} as const

const LINES =
  'Each event is a line of JSON that ends with CR LF, with one member in `data`. Between them, an empty line at least every 20 seconds keeps the connection alive. With `start_time`, the stream sends a past period and ends; it goes back as far as the event log, at most 24 hours. Only apps with an enterprise plan may use it.'
const PARTS = ` The stream has ${PARTITIONS} partitions: each event is in one of them, and a client opens all.`

const AT = '2026-03-01T12:00:00.000Z'
const POST = '1900000000000000042'
const USER = '1900000000000000001'

interface Opening {
  app: App
  address: string
  past: Past
  partition?: number
}

const openLines =
  (stream: ComplianceStream, endpointName: EndpointName, reply: TObject) =>
  ({ app, address, past, partition }: Opening, dependencies: StreamDependencies) => {
    const { naming, config, complianceEvents } = dependencies
    if (!app.enterprise) throw enterpriseNeeded(app.id, config.registrationUrl)
    const format = complianceFormat(stream, reply, naming)
    const takes = (line: { stream: ComplianceStream; id: string }) =>
      line.stream === stream &&
      (partition === undefined || partitionOf(BigInt(line.id), PARTITIONS) === partition)
    const source = {
      follow: (connection) => complianceEvents.add({ connection, format, takes }),
      replay: (connection, span) => complianceEvents.replay({ connection, format, takes }, span),
    } satisfies Parameters<typeof openStream>[0]['source']
    const place = partition === undefined ? {} : { partition }
    return openStream({ app, address, endpointName, past, source, ...place }, dependencies)
  }

const partition = Type.Integer({ minimum: 1, maximum: PARTITIONS, description: 'The partition to open.' })
const inPartitions = { partition, ...pastParameters('events') }

const openPosts = openLines('posts', 'posts_compliance_stream', PostLine)

/** GET /2/posts/compliance/stream: what became of posts (core reference, 07 section 4.1). */
export const streamPostsCompliance = endpoint({
  ...STREAM,
  id: 'streamPostsCompliance',
  path: '/2/posts/compliance/stream',
  summary: 'Stream compliance events of posts',
  description: `Sends posts that were deleted or edited, so that clients can do the same with what they keep. Each version of a deleted post is an event, and so is each public quote of it, with \`quote_post_id\`.${PARTS} ${LINES}`,
  limits: { app: '100/15m' },
  query: inPartitions,
  reply: PostLine,
  example: { reply: { data: { delete: { post: { id: POST, author_id: USER }, event_at: AT } } } },
  handle: ({ principal: { app }, query, address }, dependencies) =>
    openPosts({ app, address, past: pastIn(query, dependencies), partition: query.partition }, dependencies),
})

const openUsers = openLines('users', 'users_compliance_stream', UserLine)

/** GET /2/users/compliance/stream: what became of users (core reference, 07 section 4.2). */
export const streamUsersCompliance = endpoint({
  ...STREAM,
  id: 'streamUsersCompliance',
  path: '/2/users/compliance/stream',
  summary: 'Stream compliance events of users',
  description: `Sends users who were deleted, suspended or protected, the end of a suspension or protection, and changes of profiles.${PARTS} ${LINES}`,
  limits: { app: '100/15m' },
  query: inPartitions,
  reply: UserLine,
  example: { reply: { data: { user_protect: { user: { id: USER }, event_at: AT } } } },
  handle: ({ principal: { app }, query, address }, dependencies) =>
    openUsers({ app, address, past: pastIn(query, dependencies), partition: query.partition }, dependencies),
})

const openLikes = openLines('likes', 'likes_compliance_stream', LikeLine)

/** GET /2/likes/compliance/stream: likes that were taken back (core reference, 07 section 4.3). */
export const streamLikesCompliance = endpoint({
  ...STREAM,
  id: 'streamLikesCompliance',
  path: '/2/likes/compliance/stream',
  summary: 'Stream compliance events of likes',
  description: `Sends public likes that were taken back. \`favorite.id\` is the post. Likes that end with their post or user are not sent. ${LINES}`,
  limits: { app: '100/15m' },
  query: pastParameters('events'),
  reply: LikeLine,
  example: { reply: { data: { delete: { favorite: { id: POST, user_id: USER }, event_at: AT } } } },
  handle: ({ principal: { app }, query, address }, dependencies) =>
    openLikes({ app, address, past: pastIn(query, dependencies) }, dependencies),
})

const openLabels = openLines('labels', 'post_label_stream', LabelLine)

/** GET /2/posts/label/stream: labels of posts (core reference, 07 section 3). */
export const streamPostLabels = endpoint({
  ...STREAM,
  id: 'streamPostLabels',
  path: '/2/posts/label/stream',
  summary: 'Stream labels of posts',
  description: `Sends public posts that get a label or lose one: a community note that is rated helpful from now on, or no longer. ${LINES}`,
  limits: { app: '50/15m' },
  query: pastParameters('events'),
  reply: LabelLine,
  example: {
    reply: {
      data: {
        public_post_notice: {
          ...{ post: { id: POST, author_id: USER }, event_type: 'community_note', application: 'apply' },
          ...{ event_at: AT, label_title: 'Community note', details: 'The picture is from 2019.' },
        },
      },
    },
  },
  handle: ({ principal: { app }, query, address }, dependencies) =>
    openLabels({ app, address, past: pastIn(query, dependencies) }, dependencies),
})

const pastIn = (query: Parameters<typeof pastQueryOf>[0], { clock, config }: StreamDependencies) =>
  pastOf(pastQueryOf(query), clock.now(), config)
