import { Type } from 'typebox'
import { AccountPost } from '../../../delivery/activities/account/post.ts'
import type { StreamDependencies } from '../../../delivery/streams/dependencies.ts'
import { openPostStream } from '../../../delivery/streams/posts/open.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { usageCaps } from '../../../platform/protocols/catalogue.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import { POWERSTREAM_NAMES, pastOf, powerstreamPast } from '../posts/search/stream/past.ts'
import { powerstreamFormat } from './format.ts'

const endpoint = endpointsOf<PlazaTerms<StreamDependencies & { readonly coreOrigin: string }>>(protocolOf)

/** All posts of a deployment are from one data center. */
const DATACENTER = 'local'

/**
 * GET /2/powerstream: posts that match the rules of the app, in classic form, as they are published
 * (core reference, 03 section 4).
 */
export const streamPowerstream = endpoint({
  id: 'streamPowerstream',
  host: 'core',
  method: 'GET',
  path: '/2/powerstream',
  summary: 'Stream posts that match rules of the powerstream',
  description:
    'Sends each post that matches a rule of the powerstream, once, as a line of JSON that ends with CR LF: a list with the post in classic form. Between posts, an empty line at least every 20 seconds keeps the connection alive. Rule changes take effect on open streams. When the server ends a stream, the last line has `errors` with a Problem of the type `operational-disconnect`. With `startTime`, the stream sends past posts and ends. With `localDcOnly`, the headers `x-powerstream-datacenter` and `x-powerstream-localdconly` and a first line with `type`, `datacenter` and `timestamp` name the data center; a deployment has one, `local`.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '50/15m' },
  replyKind: 'stream',
  query: {
    ...powerstreamPast,
    localDcOnly: Type.Optional(
      Type.Boolean({ description: 'Sends only posts of the data center of the connection, and names it.' }),
    ),
  },
  reply: Type.Array(AccountPost),
  errors: ['no stream rules', 'too many connections', ...usageCaps],
  handle({ principal: { app }, query, address }, dependencies) {
    const { clock, config, naming, powerstream: posts } = dependencies
    const { localDcOnly, backfillMinutes: minutes, startTime: start, endTime: end } = query
    const now = clock.now()
    const past = pastOf({ minutes, start, end }, now, config, POWERSTREAM_NAMES)
    const opened = { app, address, posts, format: powerstreamFormat(dependencies), past }
    return openPostStream(
      {
        ...opened,
        stream: 'powerstream',
        endpointName: 'powerstream',
        ...(localDcOnly && { welcome: welcome(now, naming) }),
      },
      dependencies,
    )
  },
})

const welcome = (timestamp: number, { vocabulary }: StreamDependencies['naming']) => ({
  headers: { 'x-powerstream-datacenter': DATACENTER, 'x-powerstream-localdconly': 'true' },
  line: JSON.stringify({
    [vocabulary.name('type')]: 'connection_metadata',
    [vocabulary.name('datacenter')]: DATACENTER,
    [vocabulary.name('timestamp')]: timestamp,
  }),
})
