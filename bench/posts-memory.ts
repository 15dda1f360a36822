import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { bearerOf, Client, expectStatus } from './client.ts'
import type { Figure } from './figure.ts'
import { COMMAND, startPlaza, type Tls } from './processes.ts'

// The resident memory of a server with many posts: after its indexes have caught up with them, and
// after searches.

const POSTS = 100_000
/** V8 collects 8 s after a process has become idle, and once more. */
const IDLE_MS = 60_000
const AFTER_MS = 30_000
const SEARCHES = ['music', 'news', 'game', 'food', 'love', 'world', 'time', 'people', 'good', 'day']
const TARGET_IDLE_MB = 200
const TARGET_SEARCHED_MB = 220

export async function measurePostsMemory(
  folder: string,
  { add, tls }: { add: (figure: Figure) => void; tls: Tls | undefined },
): Promise<void> {
  console.log(`\nmemory: ${POSTS} posts`)
  // The first start makes the folder, and the second indexes the posts.
  const { process: first, data } = await startPlaza({ folder, tls })
  await first.stop()
  execFileSync(process.execPath, [COMMAND, 'generate', 'posts', '--count', String(POSTS), '--data', data], {
    stdio: 'ignore',
  })
  const { process: server } = await startPlaza({ folder, data, tls })
  const client = new Client({ port: server.port, tls: tls !== undefined, connections: 1 })
  const addMemory = (name: string, most: number) => {
    const megabytes = (server.residentBytes() ?? Number.NaN) / 2 ** 20
    add({ name, unit: 'MB', plaza: megabytes, target: `≤ ${most}`, pass: megabytes <= most })
  }
  try {
    await sleep(IDLE_MS)
    addMemory(`memory with ${POSTS} posts, idle`, TARGET_IDLE_MB)
    const authorization = `Bearer ${await bearerOf(client)}`
    for (const word of SEARCHES) {
      const path = `/2/posts/search/recent?query=${word}&max_results=100`
      expectStatus(await client.send({ method: 'GET', path, authorization }), 200, path)
    }
    await sleep(AFTER_MS)
    addMemory(`  after ${SEARCHES.length} searches`, TARGET_SEARCHED_MB)
  } finally {
    await client.close()
    await server.stop()
  }
}
