import { join } from 'node:path'
import { type ListRelationRow, type ListRow, listRelations, lists } from '../src/domain/lists/tables.ts'
import { NO_PASSWORD } from '../src/identity/users/password.ts'
import { addGeneratedUsers, userByScreenName } from '../src/identity/users/queries.ts'
import { systemClock } from '../src/platform/common/clock.ts'
import { idAt } from '../src/platform/common/ids.ts'
import { insertion } from '../src/platform/storage/insertion.ts'
import { openStore } from '../src/platform/storage/open.ts'
import { columnNames } from '../src/platform/storage/table.ts'
import { bearerOf, Client } from './client.ts'
import { median } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { startPlaza } from './processes.ts'

// The members of one list, and the lists of one member, page by page, among 1,000 lists with 5,000
// members each. npm run bench -- lists [--rounds N]

const LISTS = 1_000
const MEMBERS = 5_000
const PAGE = 100
const LISTS_AT_ONCE = 10
/** The last pages take as long as the first. */
const TARGET_GROWTH = 1.5
const FIRST_MS = Date.UTC(2026, 0, 1)

const userId = (n: number) => idAt(FIRST_MS + n, 1, 0)
const listId = (n: number) => idAt(FIRST_MS + MEMBERS + n, 1, 0)
const addLists = insertion<ListRow>('addBenchLists', lists, columnNames(lists))
const addRelations = insertion<ListRelationRow>(
  'addBenchListRelations',
  listRelations,
  columnNames(listRelations),
)

export async function measureLists(
  folder: string,
  { rounds, add }: { rounds: number; add(figure: Figure): void },
): Promise<void> {
  console.log(`\nlists: ${LISTS} lists with ${MEMBERS} members each`)
  const first = await startPlaza({ folder })
  await first.process.stop()
  await fill(first.data)
  const plaza = await startPlaza({ folder })
  const client = new Client({ port: plaza.process.port, tls: false, connections: 1 })
  try {
    const authorization = `Bearer ${await bearerOf(client)}`
    for (const [name, path, expected] of [
      ['members of a list', `/2/lists/${listId(LISTS / 2)}/members`, MEMBERS],
      ['lists of a member', `/2/users/${userId(MEMBERS / 2)}/list_memberships`, LISTS],
    ] as const) {
      const early: number[] = []
      const late: number[] = []
      let found = 0
      for (let round = 0; round < rounds; round++) {
        const pages = await pagesOf(client, path, authorization)
        found = new Set(pages.flatMap(({ ids }) => ids)).size
        const share = Math.floor(pages.length / 4)
        early.push(...pages.slice(0, share).map(({ ms }) => ms))
        late.push(...pages.slice(-share).map(({ ms }) => ms))
      }
      const growth = median(late) / median(early)
      add({ name: `lists: ${name}, a page`, unit: 'ms', plaza: median([...early, ...late]) })
      add({
        name: `lists: ${name}, last pages beside first`,
        unit: '',
        plaza: growth,
        target: `≤ ${TARGET_GROWTH}`,
        pass: growth <= TARGET_GROWTH,
      })
      add({
        name: `lists: ${name}, found`,
        unit: '',
        plaza: found,
        target: String(expected),
        pass: found === expected,
      })
    }
  } finally {
    await client.close()
    await plaza.process.stop()
  }
}

async function fill(data: string): Promise<void> {
  const store = await openStore(
    { kind: 'file', path: join(data, 'plaza.db') },
    { clock: systemClock, onError: () => undefined },
  )
  try {
    const owner = await store.first(userByScreenName, { key: 'owner' })
    if (!owner) throw new Error('the seed has no owner')
    await store.write((tx) =>
      addGeneratedUsers(
        tx,
        Array.from({ length: MEMBERS }, (_, n) => ({
          ...{ id: userId(n), screen_name: `member${n}`, screen_name_key: `member${n}`, name: `Member ${n}` },
          ...{ password_hash: NO_PASSWORD, suspended: 0, created_at: FIRST_MS },
          ...{ description: '', description_entities: null, location: '' },
          ...{ followers_count: 0, following_count: 0, post_count: 0, listed_count: LISTS, like_count: 0 },
        })),
      ),
    )
    for (let at = 0; at < LISTS; at += LISTS_AT_ONCE) {
      const numbers = Array.from({ length: LISTS_AT_ONCE }, (_, n) => at + n)
      await store.write(async (tx) => {
        await addLists(
          tx,
          numbers.map((n) => ({
            ...{ id: listId(n), owner_id: owner.id, name: `List ${n}`, description: '', private: 0 },
            ...{ member_count: MEMBERS, follower_count: 0, created_at: FIRST_MS },
          })),
        )
        await addRelations(
          tx,
          numbers.flatMap((n) =>
            Array.from({ length: MEMBERS }, (_, member) => ({
              ...{ list_id: listId(n), user_id: userId(member), kind: 'member' },
              // Each list has its members in an order of its own.
              id: idAt(FIRST_MS + 86_400_000 + n * MEMBERS + ((member * 7 + n) % MEMBERS), 1, 0),
            })),
          ),
        )
      })
    }
  } finally {
    await store.close()
  }
}

interface Page {
  ids: string[]
  ms: number
}

async function pagesOf(client: Client, path: string, authorization: string): Promise<Page[]> {
  const pages: Page[] = []
  let token: string | undefined
  do {
    const query = `?max_results=${PAGE}${token === undefined ? '' : `&pagination_token=${token}`}`
    const began = performance.now()
    const { status, text } = await client.send({ method: 'GET', path: path + query, authorization })
    const ms = performance.now() - began
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    const { data = [], meta } = JSON.parse(text) as {
      data?: { id: string }[]
      meta: { next_token?: string }
    }
    pages.push({ ids: data.map(({ id }) => id), ms })
    token = meta.next_token
  } while (token !== undefined)
  return pages
}
