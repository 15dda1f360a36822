import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'

/**
 * The file in which a run of all tests records which of them got replies from which endpoints;
 * undefined in other runs.
 */
const folder = process.env.PLAZA_TEST_SEEN
const root = fileURLToPath(new URL('../..', import.meta.url))
const seen = new Set<string>()

/** The same endpoints, which record that they replied. Errors do not count. */
export function noting<Given>(endpoints: readonly Endpoint<Given>[]): readonly Endpoint<Given>[] {
  if (folder === undefined) return endpoints
  return endpoints.map((endpoint) => ({
    ...endpoint,
    async handle(...call: Parameters<Endpoint<Given>['handle']>) {
      const result = await endpoint.handle(...call)
      seen.add(endpoint.id)
      return result
    },
  }))
}

if (folder !== undefined)
  process.on('exit', () => {
    if (seen.size === 0) return
    const file = relative(root, process.argv[1] ?? '')
    const name = `${file.replaceAll('/', '.')}.${process.pid}.json`
    writeFileSync(join(folder, name), JSON.stringify({ file, endpoints: [...seen] }))
  })
