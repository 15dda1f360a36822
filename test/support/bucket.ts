import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import type { Config } from '../../src/platform/config/config.ts'

/** The only credentials that the server accepts. It verifies signatures. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** A bucket of an object store, and the settings that name it. */
export interface Bucket {
  settings: Pick<Config, 'media' | 'mediaEndpoint' | 'mediaRegion'>
  /** Makes the store unreachable, and reachable again at the same address with the same data. */
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

/**
 * An object store on a free port. PLAZA_TEST_BUCKET (`s3://name/prefix`) and
 * PLAZA_TEST_BUCKET_ENDPOINT name another one, with credentials in the environment; it cannot be
 * made unreachable.
 */
export async function openBucket(): Promise<Bucket> {
  const given = process.env.PLAZA_TEST_BUCKET
  if (given !== undefined) {
    const mark = randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
    const nothing = async () => undefined
    return {
      settings: {
        media: `${given}/${mark}`,
        mediaEndpoint: process.env.PLAZA_TEST_BUCKET_ENDPOINT,
        mediaRegion: process.env.PLAZA_TEST_BUCKET_REGION ?? 'us-east-1',
      },
      down: nothing,
      up: nothing,
      close: nothing,
    }
  }
  Object.assign(process.env, CREDENTIALS)
  const directory = await mkdtemp(join(tmpdir(), 'plaza-bucket-'))
  let server: S3rver | undefined
  let port = 0
  async function up() {
    server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      vhostBuckets: false,
      configureBuckets: [{ name: 'pictures' }],
    })
    port = (await server.run()).port
  }
  async function down() {
    const closed = server?.close()
    server?.httpServer.closeAllConnections()
    await closed
  }
  await up()
  return {
    settings: {
      media: 's3://pictures/of/plaza',
      mediaEndpoint: `http://127.0.0.1:${port}`,
      mediaRegion: 'us-east-1',
    },
    up,
    down,
    async close() {
      await down()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
