import { compareIds, LAST_ID, timeOfId } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { JobType } from './jobs.ts'
import { type CheckedPost, type CheckedUser, postsToCheck, recordsOf, usersToCheck } from './queries.ts'
import { POST_DELETED, USER_DELETED, USER_PROTECTED, USER_SUSPENDED } from './records.ts'

/** Why a post or user must no longer be shown. */
type Reason = 'deleted' | 'suspended' | 'protected'

/** What became of a post or user that must no longer be shown. */
interface Finding {
  readonly reason: Reason
  /** When the post or user was made, in epoch milliseconds. */
  readonly createdAt: number
  /** Since when, if it is known without a record. */
  readonly at?: number
  /** The record that knows since when. */
  readonly record: { readonly kind: string; readonly id: string }
}

type Reader = Pick<Store, 'all'>
type Findings = (ids: readonly string[], store: Reader) => Promise<(id: string) => Finding | undefined>

/** Ids without leading zeros that a row can have; the others have none. */
const storable = (ids: readonly string[]) => ids.filter((id) => compareIds(id, LAST_ID) <= 0)

const unknown = (kind: string, id: string): Finding => ({
  ...{ reason: 'deleted', createdAt: timeOfId(id), record: { kind, id } },
})

const findPosts: Findings = async (ids, store) => {
  const rows = await store.all(postsToCheck, { ids: JSON.stringify(storable(ids)) })
  const known = new Map(rows.map((row) => [row.id, row]))
  return (id) => {
    const row = known.get(id)
    return row ? findingOfPost(row) : unknown(POST_DELETED, id)
  }
}

function findingOfPost(row: CheckedPost): Finding | undefined {
  const { id, author_id: author, created_at: createdAt } = row
  const of = (reason: Reason, kind: string, subject: string): Finding => ({
    ...{ reason, createdAt, record: { kind, id: subject } },
  })
  if (row.deleted === 1) return of('deleted', POST_DELETED, id)
  if (row.author_deleted === 1) return of('deleted', USER_DELETED, author)
  if (row.suspended === 1) return of('suspended', USER_SUSPENDED, author)
  return row.protected === 1 ? of('protected', USER_PROTECTED, author) : undefined
}

const findUsers: Findings = async (ids, store) => {
  const rows = await store.all(usersToCheck, { ids: JSON.stringify(ids) })
  const known = new Map(rows.map((row) => [row.id, row]))
  return (id) => {
    const row = known.get(id)
    return row ? findingOfUser(row) : unknown(USER_DELETED, id)
  }
}

function findingOfUser(row: CheckedUser): Finding | undefined {
  const { id, created_at: createdAt } = row
  if (row.deleted_at !== null)
    return { reason: 'deleted', createdAt, at: row.deleted_at, record: { kind: USER_DELETED, id } }
  if (row.suspended === 1) return { reason: 'suspended', createdAt, record: { kind: USER_SUSPENDED, id } }
  return row.protected === 1
    ? { reason: 'protected', createdAt, record: { kind: USER_PROTECTED, id } }
    : undefined
}

const FIND: Readonly<Record<JobType, Findings>> = { posts: findPosts, users: findUsers }

/** When findings began, as far as it was recorded. */
async function timesOf(findings: readonly Finding[], store: Reader) {
  const times = new Map<string, number>()
  for (const [kind, some] of Map.groupBy(findings, ({ record }) => record.kind)) {
    const ids = JSON.stringify([...new Set(some.map(({ record }) => record.id))])
    for (const { id, at } of await store.all(recordsOf, { kind, ids })) times.set(`${kind} ${id}`, at)
  }
  return ({ at, record: { kind, id } }: Finding) => at ?? times.get(`${kind} ${id}`)
}

const WITHOUT_ZEROS = /^0+(?=[0-9])/

/**
 * The lines of the result of a job about some ids, each with its end: one for every id that must no
 * longer be shown. `ids`: 1 to 19 digits each (core reference, 07 section 5.3).
 */
export async function answer(type: JobType, ids: readonly string[], store: Reader): Promise<string> {
  const keys = ids.map((id) => id.replace(WITHOUT_ZEROS, ''))
  const find = await FIND[type]([...new Set(keys)], store)
  const found = keys.flatMap((key, at) => {
    const finding = find(key)
    return finding ? [{ id: ids[at], finding }] : []
  })
  const timeOf = await timesOf(
    found.map(({ finding }) => finding),
    store,
  )
  return found
    .map(({ id, finding }) => {
      const at = timeOf(finding)
      const line = {
        ...{ id, action: 'delete', created_at: isoTime(finding.createdAt) },
        ...(at !== undefined && { redacted_at: isoTime(at) }),
        reason: finding.reason,
      }
      return `${JSON.stringify(line)}\n`
    })
    .join('')
}
