import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leaveSchema, takeSchema } from '../../../test/support/schemas.ts'
import { noPostgres, POSTGRES_URL } from '../../../test/support/services.ts'
import { ManualClock, systemClock } from '../../platform/common/clock.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import { openPostgres } from '../../platform/storage/postgres.ts'
import { BODY_WORDS, type Words } from './check.ts'
import type { MemberStore, Membership } from './membership.ts'
import { openMembership } from './open.ts'
import { PostgresMembers } from './postgres/store.ts'
import { SqliteMembers } from './sqlite/store.ts'

// Audience members under test, in each storage.

export const START_MS = Date.UTC(2026, 2, 1, 12)
export const DAY_MS = 86_400_000
export const DAY = DAY_MS / 1000

/** A membership under test, and its end. */
export interface Opened {
  membership: Membership
  clock: ManualClock
  /** The same storage, opened again as after the end of the process. */
  reopen(): Promise<Membership>
  close(): Promise<void>
}

/**
 * The storage of members alone: nothing is done that a test does not ask for, and maintenance takes
 * the smallest steps.
 */
export interface OpenedStore {
  store: MemberStore
  close(): Promise<void>
}

export interface Kind {
  name: string
  skip: string | false
  open(settings?: { maxWaitingBytes?: number; delaySeconds?: number }): Promise<Opened>
  openStore(): Promise<OpenedStore>
}

type MembershipSettings = Parameters<typeof openMembership>[0]

const settingsWith = (clock: ManualClock) => ({
  clock,
  vocabulary: neutralVocabulary,
  delaySeconds: 0,
  maxWaitingBytes: 1e9,
  onError: (error: unknown) => {
    throw error
  },
})

const words = Object.fromEntries(BODY_WORDS.map((word) => [word, word])) as Words
const stepwise = { words, maxWaitingBytes: 1e9, stepRows: 1 }

/** Members in a place that outlasts a membership. `remove`: removes the place. */
function reopening(
  clock: ManualClock,
  settings: Partial<MembershipSettings> & Pick<MembershipSettings, 'place'>,
  remove: () => unknown,
): Opened {
  const open = () => openMembership({ ...settingsWith(clock), ...settings })
  let membership = open()
  return {
    get membership() {
      return membership
    },
    clock,
    async reopen() {
      await membership.close()
      membership = open()
      return membership
    },
    async close() {
      await membership.close()
      await remove()
    },
  }
}

export const inFiles: Kind = {
  name: 'files',
  skip: false,
  async open(more = {}) {
    const clock = new ManualClock(START_MS)
    const folder = mkdtempSync(join(tmpdir(), 'plaza-members-'))
    const place = { kind: 'folder', folder } as const
    return reopening(clock, { ...more, place }, () => rmSync(folder, { recursive: true, force: true }))
  },
  async openStore() {
    const folder = mkdtempSync(join(tmpdir(), 'plaza-members-'))
    const store = new SqliteMembers({ ...stepwise, folder })
    return {
      store,
      async close() {
        await store.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

export const temporary: Kind = {
  name: 'temporary files',
  skip: false,
  async open(more = {}) {
    const clock = new ManualClock(START_MS)
    const membership = openMembership({ ...settingsWith(clock), place: { kind: 'temporary' }, ...more })
    return { membership, clock, reopen: async () => membership, close: () => membership.close() }
  },
  async openStore() {
    const store = new SqliteMembers({ ...stepwise, folder: undefined })
    return { store, close: () => store.close() }
  },
}

export const inPostgres: Kind = {
  name: 'PostgreSQL',
  skip: noPostgres,
  async open(more = {}) {
    const clock = new ManualClock(START_MS)
    const { drop, ...at } = await openSchema()
    const place = { kind: 'postgres', ...at } as const
    return reopening(clock, { ...more, place }, drop)
  },
  async openStore() {
    const { drop, ...at } = await openSchema()
    const store = new PostgresMembers({ ...stepwise, ...at })
    return {
      store,
      async close() {
        await store.close()
        await drop()
      },
    }
  },
}

async function openSchema() {
  const schema = await takeSchema()
  const at = { url: POSTGRES_URL, schema }
  const store = await openPostgres({ ...at, clock: systemClock, onError: () => undefined })
  const drop = async () => {
    await store.close()
    await leaveSchema(schema)
  }
  return { ...at, store, drop }
}

export const hashed = (text: string) => createHash('sha256').update(text).digest('hex')

/** A user by the e-mails that are known of them. */
export const person = (...emails: string[]) => ({ email: emails.map(hashed) })

export interface Operation {
  operation_type: 'Update' | 'Delete'
  params: { users: object[]; effective_at?: string; expires_at?: string }
}

export const update = (users: object[], times: object = {}): Operation => ({
  operation_type: 'Update',
  params: { users, ...times },
})
export const remove = (users: object[]): Operation => ({ operation_type: 'Delete', params: { users } })
export const at = (ms: number) => new Date(ms).toISOString().replace('.000', '')

export async function upload(
  membership: Membership,
  audience: string,
  operations: readonly object[],
  account = 'account',
) {
  const body = new TextEncoder().encode(JSON.stringify(operations))
  return membership.accept({ account, audience, target: 'audience', body })
}

export interface Sent {
  remove: boolean
  users: string[][]
  /** Seconds until the end of those who are updated. */
  lasts: number
}

export function operationOf(sent: Sent, now: number): Operation {
  const users = sent.users.map((keys) => person(...keys))
  return sent.remove ? remove(users) : update(users, { expires_at: at(now + sent.lasts * 1000) })
}

/** Members as anybody would keep them who had few of them. */
export class Model {
  #people: { keys: Set<string>; began: number; expires: number }[] = []

  play({ remove, users, lasts }: Sent, now: number): void {
    this.#people = this.#people.filter(({ expires }) => expires > now)
    for (const keys of users) {
      const known = this.#people.filter((one) => keys.some((key) => one.keys.has(key)))
      this.#people = this.#people.filter((one) => !known.includes(one))
      if (remove) continue
      const all = new Set([...keys, ...known.flatMap((one) => [...one.keys])])
      this.#people.push({ keys: all, began: now, expires: now + lasts * 1000 })
    }
  }

  members(now: number) {
    return this.#people.filter(({ expires }) => expires > now)
  }

  size(now: number): number {
    return this.members(now).length
  }
}
