import type { StreamDependencies } from '../../../../../delivery/streams/dependencies.ts'
import { MatchingRules, postFormats } from '../../../../../delivery/streams/posts/formats.ts'
import { openPostStream } from '../../../../../delivery/streams/posts/open.ts'
import type { PlazaTerms } from '../../../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../../../platform/http/endpoint.ts'
import { usageCaps } from '../../../../../platform/protocols/catalogue.ts'
import { protocolOf } from '../../../../../platform/protocols/protocols.ts'
import { objects } from '../../../objects/objects.ts'
import { pastOf, pastParameters, pastQueryOf } from './past.ts'

const endpoint = endpointsOf<PlazaTerms<StreamDependencies>>(protocolOf)
const formatOf = postFormats(objects)

/**
 * GET /2/posts/search/stream: posts that match the rules of the app, as they are published (core
 * reference, 03 section 2).
 */
export const streamPosts = endpoint({
  id: 'streamPosts',
  host: 'core',
  method: 'GET',
  path: '/2/posts/search/stream',
  summary: 'Stream posts that match rules',
  description:
    'Sends each post that matches a rule of the app as a line of JSON that ends with CR LF, once, with all rules that it matches. Between posts, an empty line at least every 20 seconds keeps the connection alive. Rule changes take effect on open streams. When the server ends a stream, the last line has `errors` with a Problem of the type `operational-disconnect`. With `start_time`, the stream sends past posts and ends.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '50/15m' },
  replyKind: 'stream',
  query: { ...pastParameters('posts'), ...objects.parameters('post') },
  reply: objects.reply('post', 'one', { matching_rules: MatchingRules }),
  errors: ['no stream rules', 'too many connections', ...usageCaps],
  example: {
    reply: {
      data: { id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] },
      matching_rules: [{ id: '1900000000000000042', tag: 'greetings' }],
    },
  },
  handle({ principal: { app }, query, address }, dependencies) {
    const { clock, config, naming, filteredStream: posts } = dependencies
    const past = pastOf(pastQueryOf(query), clock.now(), config)
    const format = formatOf(objects.select('post', query), naming)
    const opened = { app, address, posts, format, past }
    return openPostStream({ ...opened, stream: 'filtered', endpointName: 'filtered_stream' }, dependencies)
  },
})
