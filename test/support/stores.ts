import { relative } from 'node:path'
import { query } from '../../src/domain/tables.ts'
import type { ProfileRow } from '../../src/identity/users/tables.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { ManualClock } from '../../src/platform/common/clock.ts'
import { type IdSource, timeOrderedIds } from '../../src/platform/common/ids.ts'
import type { EventData } from '../../src/platform/events/event.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { openStore } from '../../src/platform/storage/open.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import { leaveSchema, takeSchema } from './schemas.ts'
import { noPostgres, POSTGRES_URL } from './services.ts'

/** Test files whose tests on the embedded store have run before, in this run of all tests. */
const embeddedRan = (process.env.PLAZA_TEST_EMBEDDED_RAN ?? '').split(',')
const isEmbeddedRan = embeddedRan.includes(relative(process.cwd(), process.argv[1] ?? ''))
export const embeddedSkip = isEmbeddedRan && 'npm test has run it'

/** The time of a new store: 2026-03-01T12:00:00Z. */
export const NOW_MS = Date.UTC(2026, 2, 1, 12)

/** A store with the whole schema, and what its callers need. */
export interface OpenedStore {
  readonly store: Store
  readonly clock: ManualClock
  readonly ids: IdSource
  /** Adds a user whose id and screen name are given: `addUser('7', 'ann', { protected: 1 })`. */
  addUser(id: string, screenName: string, more?: Partial<UserFlags>): Promise<void>
  /**
   * Removes all users, with everything that belongs to them, all tasks, and the events from
   * `newEvents`.
   */
  clear(): Promise<void>
  /** The events since the last call, oldest first. */
  newEvents(): Promise<[kind: string, data: EventData][]>
  /** The waiting tasks, in the order in which they are due. */
  tasks(): Promise<{ kind: string; subject: string | null; due_at: number }[]>
  close(): Promise<void>
}

type UserFlags = Pick<
  ProfileRow,
  'protected' | 'suspended' | 'direct_messages_from' | 'following_count' | 'followers_count'
>

const setFlags = query<UserFlags & { id: string }>('setFlagsOfTestUser', (db, at) =>
  db
    .updateTable('users')
    .set({
      protected: at.protected,
      suspended: at.suspended,
      direct_messages_from: at.direct_messages_from,
      following_count: at.following_count,
      followers_count: at.followers_count,
    })
    .where('id', '=', at.id),
)

const removeUsers = query('removeTestUsers', (db) => db.deleteFrom('users'))
/** What stays for others when a user is deleted. */
const removeConversations = query('removeTestConversations', (db) => db.deleteFrom('dm_conversations'))
const removeMedia = query('removeTestMedia', (db) => db.deleteFrom('media'))
const removeMentions = query('removeTestMentions', (db) => db.deleteFrom('post_mentions'))
const removeTasks = query('removeTestTasks', (db) => db.deleteFrom('tasks'))
const allTasks = query<object, { kind: string; subject: string | null; due_at: number }>(
  'allTestTasks',
  (db) => db.selectFrom('tasks').select(['kind', 'subject', 'due_at']).orderBy('due_at').orderBy('id'),
)

/**
 * A kind of store, without a server: rules and queries need none, and it opens in a tenth of the
 * time.
 */
export interface StoreStage {
  name: string
  /** Why it is not available, in the form of node:test's `skip`. */
  skip: string | false
  /** `schema`: that of PostgreSQL, from `takeSchema`; another one by default. */
  open(schema?: string): Promise<OpenedStore>
}

export const storeStages: readonly StoreStage[] = [
  { name: 'SQLite', skip: embeddedSkip, open: openMemory },
  { name: 'PostgreSQL', skip: noPostgres, open: openSchema },
]

async function openMemory(): Promise<OpenedStore> {
  const clock = new ManualClock(NOW_MS)
  const options = { clock, onError: () => undefined, runWritesTwice: true }
  const store = await openStore({ kind: 'memory' }, options)
  return opened(store, clock, () => store.close())
}

async function openSchema(taken?: string): Promise<OpenedStore> {
  const clock = new ManualClock(NOW_MS)
  const schema = taken ?? (await takeSchema())
  const options = { clock, onError: () => undefined, connections: 4 }
  const store = await openStore({ kind: 'postgres', url: POSTGRES_URL, schema }, options)
  return opened(store, clock, async () => {
    await store.close()
    await leaveSchema(schema)
  })
}

function opened(store: Store, clock: ManualClock, close: () => Promise<void>): OpenedStore {
  let position = 0
  async function newEvents(): Promise<[string, EventData][]> {
    const events = await readEvents(store, { after: position, limit: 1_000 })
    position = events.at(-1)?.position ?? position
    return events.map(({ kind, data }) => [kind, data])
  }
  return {
    store,
    clock,
    ids: timeOrderedIds(clock, 1),
    async addUser(id, screen_name, more = {}) {
      const names = { screen_name, screen_name_key: screen_name.toLowerCase(), name: screen_name }
      const flags = {
        ...{ protected: 0, suspended: 0, direct_messages_from: 'everyone' },
        ...{ following_count: 0, followers_count: 0, ...more },
      }
      await store.write(async (tx) => {
        await createUser(tx, { id, ...names, password_hash: 'none', suspended: 0, created_at: 0 })
        await tx.run(setFlags, { id, ...flags })
      })
    },
    async clear() {
      await store.write(async (tx) => {
        await tx.run(removeUsers, {})
        await tx.run(removeConversations, {})
        await tx.run(removeMedia, {})
        await tx.run(removeMentions, {})
        await tx.run(removeTasks, {})
      })
      await newEvents()
    },
    newEvents,
    tasks: () => store.all(allTasks, {}),
    close,
  }
}
