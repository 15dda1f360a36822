import type { Logger } from 'pino'
import type { MembershipPlace } from '../../domain/audience-members/open.ts'
import { anyFile } from '../../domain/media/queries.ts'
import { postgresSearchIndex } from '../../domain/search/index/postgres-index.ts'
import { CANDIDATE_LIMITS, type SearchIndex } from '../../domain/search/index/search-index.ts'
import { sqliteSearchIndex } from '../../domain/search/index/sqlite-index.ts'
import { type Bus, MemoryBus } from '../../platform/cluster/bus.ts'
import { type Cluster, ClusterUnavailable, type Keyspace, MARK_KEY } from '../../platform/cluster/cluster.ts'
import { MemoryCluster } from '../../platform/cluster/memory.ts'
import { type Clock, systemClock } from '../../platform/common/clock.ts'
import { systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { BUCKET } from '../../platform/config/readers.ts'
import { errorCode } from '../../platform/storage/atomic-file.ts'
import { type FileStore, MARK_FILE } from '../../platform/storage/files/files.ts'
import { memoryFiles } from '../../platform/storage/files/memory.ts'
import type { Folder } from '../../platform/storage/folder.ts'
import type { StoreLocation } from '../../platform/storage/open.ts'
import type { Store } from '../../platform/storage/store.ts'
import { unreachable } from '../../platform/storage/unusable.ts'
import type { CopiedData } from '../../workbench/snapshots/copied.ts'
import { NodeLease } from './node-lease.ts'
import { PlaceConflict, type SharedPlace, type SharedPlaces } from './shared-places.ts'

/** What is opened in a folder, or in memory. */
interface EmbeddedParts {
  folder: Folder | undefined
  store: Store
  /** In memory: what to begin with. */
  copied: CopiedData | undefined
}

/** The location of the store, according to the settings. */
export function storeLocation(
  config: Config,
  folder: Folder | undefined,
  copied?: CopiedData,
): StoreLocation {
  if (config.databaseUrl !== undefined)
    return { kind: 'postgres', url: config.databaseUrl, schema: config.databaseSchema }
  return folder ? { kind: 'file', path: folder.file('plaza.db') } : { kind: 'memory', copyOf: copied?.store }
}

/** The location of files: the folder or bucket in the settings, or the data folder. */
export async function openFiles(
  config: Config,
  folder: Folder | undefined,
  copied?: CopiedData,
): Promise<FileStore> {
  const path = mediaPath(config, folder)
  if (path === undefined) return memoryFiles({ copied: copied?.media })
  const [, bucket, prefix = ''] = BUCKET.exec(path) ?? []
  if (bucket !== undefined) {
    const { s3Files } = await import('../../platform/storage/files/s3.ts').catch((error: unknown) => {
      if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
      throw new Error(
        `--media ${path} needs a package that is not installed. Run: npm install @aws-sdk/client-s3`,
      )
    })
    const { mediaEndpoint: endpoint, mediaRegion: region } = config
    return s3Files({ bucket, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region })
  }
  const { diskFiles } = await import('../../platform/storage/files/disk.ts')
  return diskFiles(path, systemRandom)
}

const mediaPath = ({ media }: Config, folder: Folder | undefined) => media ?? folder?.file('media')

/** The location of the members of audiences, according to the settings. */
export function membershipPlace(config: Config, { folder, store, copied }: EmbeddedParts): MembershipPlace {
  if (config.databaseUrl !== undefined)
    return { kind: 'postgres', url: config.databaseUrl, schema: config.databaseSchema, store }
  return folder ? { kind: 'folder', folder: folder.path } : { kind: 'temporary', copyOf: copied?.members }
}

/** The search index: in the database of the store, or in a file beside the embedded one. */
export const openSearchIndex = (config: Config, { folder, store, copied }: EmbeddedParts): SearchIndex =>
  config.databaseUrl === undefined
    ? sqliteSearchIndex(folder?.file('search.db'), CANDIDATE_LIMITS, copied?.search)
    : postgresSearchIndex(store)

/** The state that nodes share: in Redis, or, for a single node, with a journal in its folder. */
export async function openCluster(
  config: Config,
  {
    clock,
    machineClock,
    folder,
    isNew,
    copied,
    log,
    warn,
  }: {
    clock: Clock
    machineClock: Clock
    folder: Folder | undefined
    /** Whether this start created the store. */
    isNew: boolean
    copied: CopiedData | undefined
    log: Logger
    warn: (sentence: string) => void
  },
): Promise<Cluster> {
  const nonceWindowSeconds = config.timestampWindowSeconds
  if (config.redisUrl !== undefined) {
    const { LostKeys, RedisCluster } = await import('../../platform/cluster/redis.ts')
    let isUp = false
    let last: Error | undefined
    const cluster = new RedisCluster({
      clock,
      machineClock,
      url: config.redisUrl,
      keyPrefix: config.redisPrefix,
      nonceWindowSeconds,
      isNew,
      onError: (error) => {
        last = error
        // A failed start reports the reason once.
        if (isUp || error instanceof LostKeys) log.error({ err: error }, 'Redis error')
      },
    })
    try {
      for (const sentence of await cluster.ready()) warn(sentence)
    } catch (error) {
      await cluster.close()
      throw redisUnusable(error instanceof ClusterUnavailable ? (last ?? error) : error, config.redisUrl)
    }
    isUp = true
    return cluster
  }
  return new MemoryCluster({
    clock,
    machineClock,
    random: systemRandom,
    nonceWindowSeconds,
    isNew,
    nonces: copied?.nonces,
    windows: copied?.windows,
    ...(folder && { journalFolder: folder.file('nonces') }),
  })
}

/** The bus between nodes: Redis, or local to a single node. */
export async function openBus({ redisUrl, redisPrefix }: Config, log: Logger): Promise<Bus> {
  const onDropped = (channel: string, error: unknown) =>
    log.error({ err: error, channel }, 'a message on the bus was dropped')
  if (redisUrl === undefined) return new MemoryBus(onDropped)
  const { RedisBus } = await import('../../platform/cluster/redis-bus.ts')
  const onError = (error: Error) => log.error({ err: error }, 'Redis error')
  return new RedisBus({ url: redisUrl, prefix: redisPrefix, onError, onDropped })
}

/** The claim of the node's number. The embedded store belongs to one node: its folder is locked. */
export async function openLease(
  config: Config,
  {
    files,
    cluster: { keyspace },
    warn,
    ...parts
  }: {
    store: Store
    folder: Folder | undefined
    files: FileStore
    cluster: Cluster
    log: Logger
    warn: (sentence: string) => void
  },
): Promise<NodeLease | undefined> {
  if (config.databaseUrl === undefined) return undefined
  const shared: SharedPlaces = {
    ...(keyspace && { redis: redisPlace(config, keyspace, warn) }),
    media: mediaPlace(config, { ...parts, files }),
  }
  const machine = { clock: systemClock, random: systemRandom }
  return NodeLease.open({ ...parts, ...machine, node: config.node, shared })
}

function redisPlace(
  { redisUrl = '', redisPrefix }: Config,
  keyspace: Keyspace,
  warn: (sentence: string) => void,
): SharedPlace {
  const name = `Redis at ${redisAt(redisUrl)} with --redis-prefix ${redisPrefix}`
  return {
    marked: keyspace,
    name,
    ifForeign: `Give each database its own --redis-url or --redis-prefix, or delete the key ${redisPrefix}${MARK_KEY} there if that database is gone.`,
    ifOther:
      'Start all nodes with the same --redis-url and --redis-prefix. Stop all of them to change these.',
    keep: (mark) => keyspace.keepMark(mark),
    async replace(hasMark) {
      warn(
        `${name} is empty, or not what this database used before: requests that were signed before this start are rejected, and rate limits start again.`,
      )
      // Without a mark, there are no nonces either.
      if (hasMark) await keyspace.startNonceWindow()
    },
  }
}

function mediaPlace(
  config: Config,
  { files, folder, store }: { files: FileStore; folder: Folder | undefined; store: Store },
): SharedPlace {
  const name = `The media store ${mediaPath(config, folder)}`
  return {
    marked: files,
    name,
    ifForeign: `Give each database its own --media, or delete ${MARK_FILE} there if that database is gone.`,
    ifOther:
      'Start all nodes with the same --media, a shared folder or a bucket. Stop all of them to change it.',
    async replace() {
      if (config.mediaMoved || !(await store.first(anyFile, {}))) return
      throw new PlaceConflict(
        `${name} is not what this database used before, and the database has media. Correct --media, or add --media-moved to one start to use this one from now on.`,
      )
    },
  }
}

function redisAt(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}:${port || '6379'}${pathname === '/' ? '' : pathname}`
}

/**
 * Explains a failed start with Redis in terms of the settings, in one line without any password.
 */
export function redisUnusable(error: unknown, url: string): Error {
  const at = redisAt(url)
  const { cause = error } = error as Error
  const { message } = cause as Error
  const why = unreachable(error)
  if (why) return new Error(`Redis does not answer at ${at} (${why}). Start it, or correct --redis-url.`)
  if (/WRONGPASS|NOAUTH|AUTH <password>|invalid password/i.test(message))
    return new Error(
      `Redis at ${at} rejects the login (${message}). Correct the user and password in --redis-url.`,
    )
  return new Error(`Redis at ${at} cannot be used: ${message}. Correct --redis-url.`)
}
