import { FIRST_ID } from '../../../platform/common/ids.ts'
import type { Reply } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { StreamDependencies } from '../dependencies.ts'
import { type OpenStream, openStream } from '../open-stream.ts'
import { pageOfRuleIds } from '../queries.ts'
import type { RuledStream } from '../rules.ts'
import type { PostFormat } from './formats.ts'
import type { PostStreams } from './post-streams.ts'

export interface OpenPostStream extends Omit<OpenStream, 'source'> {
  stream: RuledStream
  posts: PostStreams
  format: PostFormat
}

/**
 * Opens a stream of the posts that match the rules of the app.
 * @throws ApiError `no stream rules`, `too many connections`, one of `usageCaps`
 */
export async function openPostStream(
  { stream, posts, format, ...opening }: OpenPostStream,
  dependencies: StreamDependencies,
): Promise<Reply<never>> {
  const { store, config, usage } = dependencies
  const { app } = opening
  const [rule] = await store.all(pageOfRuleIds, { app: app.id, stream, after: FIRST_ID, limit: 1 })
  if (!rule) throw apiError('no stream rules')
  await usage.check(app)
  return openStream(
    {
      ...opening,
      perSecond: config.streamPostsPerSecond,
      source: {
        follow: (connection) => posts.add({ app, connection, format }),
        prepare: (connection) => posts.holdRules(connection),
        replay: (connection, span) => posts.replay({ app, connection, format }, span),
      },
    },
    dependencies,
  )
}
