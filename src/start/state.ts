import type { Logger } from 'pino'
import type { MembershipPlace } from '../ads/audiences/membership/open.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { MemoryCluster } from '../cluster/memory.ts'
import type { Config } from '../config.ts'
import { BUCKET } from '../config.ts'
import type { Clock } from '../kit/clock.ts'
import { systemRandom } from '../kit/random.ts'
import type { FileStore } from '../store/files/files.ts'
import { memoryFiles } from '../store/files/memory.ts'
import type { Folder } from '../store/folder.ts'
import type { StoreLocation } from '../store/open.ts'
import type { Store } from '../store/store.ts'

/** Where the settings say that the store is. */
export function storeLocation(config: Config, folder: Folder | undefined): StoreLocation {
  if (config.databaseUrl !== undefined)
    return { kind: 'postgres', url: config.databaseUrl, schema: config.databaseSchema }
  return folder ? { kind: 'file', path: folder.file('plaza.db') } : { kind: 'memory' }
}

/** Where files are kept: in the folder or bucket that the settings name, or in the data folder. */
export async function openFiles(config: Config, folder: Folder | undefined): Promise<FileStore> {
  const path = config.media ?? folder?.file('media')
  if (path === undefined) return memoryFiles()
  const [, bucket, prefix = ''] = BUCKET.exec(path) ?? []
  if (bucket !== undefined) {
    const { s3Files } = await import('../store/files/s3.ts')
    const { mediaEndpoint: endpoint, mediaRegion: region } = config
    return s3Files({ bucket, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region })
  }
  const { diskFiles } = await import('../store/files/disk.ts')
  return diskFiles(path, systemRandom)
}

/** Where the settings say that the members of audiences are. */
export function membershipPlace(config: Config, folder: Folder | undefined, store: Store): MembershipPlace {
  if (config.databaseUrl !== undefined)
    return { kind: 'postgres', url: config.databaseUrl, schema: config.databaseSchema, store }
  return folder ? { kind: 'folder', folder: folder.path } : { kind: 'passing' }
}

/** The state that nodes share: in Redis, or of this one node with a journal in its folder. */
export async function openCluster(
  config: Config,
  clock: Clock,
  folder: Folder | undefined,
  log: Logger,
): Promise<Cluster> {
  const nonceWindowSeconds = config.timestampWindowSeconds
  if (config.redisUrl !== undefined) {
    const { RedisCluster } = await import('../cluster/redis.ts')
    const cluster = new RedisCluster({
      clock,
      url: config.redisUrl,
      keyPrefix: config.redisPrefix,
      nonceWindowSeconds,
      onError: (error) => log.error({ err: error }, 'Redis connection lost'),
    })
    await cluster.ready()
    return cluster
  }
  return new MemoryCluster({
    clock,
    random: systemRandom,
    nonceWindowSeconds,
    ...(folder && { journalFolder: folder.file('nonces') }),
  })
}
