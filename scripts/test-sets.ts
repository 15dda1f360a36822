import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * What `npm test` runs, as beginnings of paths: units, the interface, conformance, and a journey of
 * each area.
 */
export const QUICK = [
  'scripts/',
  'src/',
  'test/house-rules.test.ts',
  'test/interface/',
  'test/conformance/areas.test.ts',
  'test/conformance/saving.test.ts',
  'test/conformance/stored/',
  'test/journeys/ads-campaigns.test.ts',
  'test/journeys/ads-audience-members.test.ts',
  'test/journeys/ads-media-library.test.ts',
  'test/journeys/ads-tracking-tags.test.ts',
  'test/journeys/cli-files.test.ts',
  'test/journeys/documents.test.ts',
  'test/journeys/oauth.test.ts',
  'test/journeys/replies.test.ts',
  'test/journeys/webhooks.test.ts',
]

/** Units that take as long as all others of their area: the second part runs them. */
export const SLOW = [
  'scripts/new/new.test.ts',
  'src/api/ads/targeting/suggestions/keywords.test.ts',
  'src/delivery/webhooks/sender.test.ts',
  'src/domain/audience-members/sqlite/merger.test.ts',
  'src/domain/audience-members/sqlite/store.test.ts',
  'src/domain/audience-members/membership.test.ts',
  'src/domain/posts/import/import.test.ts',
  'src/domain/query-language/properties.test.ts',
  'src/domain/search/search.test.ts',
  'src/platform/common/old-generation.test.ts',
  'src/platform/storage/durability.test.ts',
]

/**
 * What takes longest, which starts first: begun as the last, it would run on alone when all others
 * have ended.
 */
export const LONGEST = [
  'test/conformance/vocabulary/',
  'test/conformance/stored/',
  // These wait for most of their time, beside which others can run.
  'src/delivery/webhooks/sender.test.ts',
  'src/platform/common/old-generation.test.ts',
  'test/package/',
  'test/journeys/readme.test.ts',
  'test/journeys/fuzz.test.ts',
  'test/journeys/crash.test.ts',
  'src/domain/media/poster/child.test.ts',
  'test/interface/',
  'src/app/openapi/',
  'src/platform/events/',
  'test/conformance/',
  'test/journeys/ads-',
  'test/journeys/',
  'src/domain/query-language/properties.test.ts',
  'src/platform/storage/',
]

/** Files in the order of `LONGEST`, the others behind them. */
export function longestFirst(files: readonly string[]): string[] {
  const place = (file: string) => {
    const found = LONGEST.findIndex((start) => file.startsWith(start))
    return found === -1 ? LONGEST.length : found
  }
  return files.toSorted((a, b) => place(a) - place(b))
}

/** Tests that use PostgreSQL or Redis when they are there. */
const USES_SERVICES = /POSTGRES_URL|REDIS_URL|support\/(stages|stores|services|own-servers)\.ts/

/** No service is looked for at these. */
const NO_SERVICES = {
  PLAZA_TEST_POSTGRES_URL: 'postgres://127.0.0.1:1/none',
  PLAZA_TEST_REDIS_URL: 'redis://127.0.0.1:1',
  PLAZA_TEST_POSTGRES_BIN: '/none',
  PLAZA_TEST_REDIS_SERVER: '/none/redis-server',
}

export type SetName = 'quick' | 'all' | 'rest'

export interface TestSet {
  files: string[]
  env: Record<string, string>
}

export const allFiles = () => globSync('{src,test,scripts}/**/*.test.ts', { cwd: root }).sort()

/**
 * - `quick`: without any service.
 * - `all`: everything.
 * - `rest`: everything that `quick` omits. Its files that use services run again, on those alone
 *   where they name their storage.
 */
export function testSet(name: SetName): TestSet {
  const files = allFiles()
  const quick = files.filter((file) => QUICK.some((start) => file.startsWith(start)) && !SLOW.includes(file))
  if (name === 'all') return { files, env: {} }
  if (name === 'quick') return { files: quick, env: NO_SERVICES }
  const again = quick.filter((file) => USES_SERVICES.test(readFileSync(join(root, file), 'utf8')))
  return {
    files: files.filter((file) => !quick.includes(file) || again.includes(file)),
    env: { PLAZA_TEST_EMBEDDED_RAN: again.join(',') },
  }
}
