import type { Logger } from 'pino'
import type { PostViews } from '../../domain/analytics/views.ts'
import type { Usage } from '../../domain/usage/usage.ts'
import type { Bus } from '../../platform/cluster/bus.ts'
import type { Clock } from '../../platform/common/clock.ts'
import type { Disposer } from '../../platform/common/disposer.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { Tail } from '../../platform/events/tail.ts'
import type { Naming } from '../../platform/http/contract.ts'
import type { Store } from '../../platform/storage/store.ts'
import { complianceSource } from './compliance/source.ts'
import { StreamConnections } from './connections/connections.ts'
import { ConnectionKills } from './connections/kills.ts'
import type { ConnectionDependencies, StreamDependencies } from './dependencies.ts'
import { PostStreams } from './posts/post-streams.ts'
import { RuleSets } from './posts/rule-sets.ts'
import { ShownPosts } from './posts/shown-posts.ts'
import { namesOf, type RuledStream } from './rules.ts'
import { likeSource, postSource } from './volume/sources.ts'
import { VolumeStreams } from './volume/volume-streams.ts'

interface StreamsOptions {
  config: Config
  store: Store
  bus: Bus
  clock: Clock
  random: RandomSource
  naming: Naming
  log: Logger
  mediaOrigin: string
  usage: Usage
  views: Pick<PostViews, 'add'>
  /** Identifies this process: unique per start. */
  holder: string
}

const BYTES_PER_KILOBYTE = 1024

/** The streams that this node holds open, and their sources. */
export function streamsOf(
  parts: StreamsOptions,
  disposer: Disposer,
): Pick<
  StreamDependencies,
  | 'connections'
  | 'filteredStream'
  | 'powerstream'
  | 'allPosts'
  | 'allLikes'
  | 'complianceEvents'
  | 'streamFailed'
> &
  Pick<ConnectionDependencies, 'kills'> {
  const { config, store, log } = parts
  const maxBytes = config.streamBufferKilobytes * BYTES_PER_KILOBYTE
  const failed = (message: string) => (error: unknown) => log.error({ err: error }, message)
  const onError = failed('the records of stream connections could not be updated')
  const connections = disposer.add(new StreamConnections({ ...parts, maxBytes, onError }), (one) =>
    one.close(),
  )
  const tail = new Tail({ store, onError: failed('streams are waiting: events could not be read') })
  const shown = disposer.add(
    new ShownPosts({ ...parts, onError: failed('posts of streams could not be counted yet') }),
    (one) => one.close(),
  )
  const streamFailed = failed('a stream ended: its posts could not be read')
  const behindFailed = failed('the streams of an app are waiting: its rules or posts could not be read')
  const postStreams = (stream: RuledStream) =>
    disposer.add(
      new PostStreams({
        ...parts,
        stream,
        rules: rulesOf(stream, parts),
        shown,
        tail,
        onError: behindFailed,
      }),
      (one) => one.close(),
    )
  const filteredStream = postStreams('filtered')
  const powerstream = postStreams('powerstream')
  const allPosts = new VolumeStreams({
    ...{ ...parts, tail, source: postSource(store) },
    onSent: (key, times) => parts.views.add(key, times),
  })
  const allLikes = new VolumeStreams({ ...parts, tail, source: likeSource(store) })
  const complianceEvents = new VolumeStreams({ ...parts, tail, source: complianceSource(store) })
  disposer.add(tail, (one) => one.close())
  const kills = disposer.add(new ConnectionKills({ ...parts, connections }), (one) => one.close())
  const followed = { filteredStream, powerstream, allPosts, allLikes, complianceEvents }
  return { connections, kills, ...followed, streamFailed }
}

/** The rules of a stream, for the apps whose rules this node needs. */
export const rulesOf = (
  stream: RuledStream,
  { store, naming, log }: Pick<StreamsOptions, 'store' | 'naming' | 'log'>,
) =>
  new RuleSets({
    store,
    stream,
    names: namesOf(naming.vocabulary),
    onUnreadable: ({ id, app_id }) =>
      log.warn({ rule: id, app: app_id }, 'a stored stream rule can no longer be parsed'),
  })
