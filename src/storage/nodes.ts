import { sql } from 'kysely'
import { locked, postgres, query } from './query.ts'
import type { Store, Transaction } from './store.ts'
import type { NodeRow } from './tables.ts'

/** The node that claims a number. */
export interface NodeClaim {
  node: number
  /** Unique for each start of a process. */
  holder: string
  /** Equal for processes that cannot run at the same time because they lock the same data folder. */
  place: string
  host: string
  pid: number
  /** Whether nonces and rate limits are shared. */
  redis: boolean
  /** How long the claim is valid without renewal. */
  leaseMs: number
}

/** The reason why a claim fails, and the node that causes it. */
export type Obstacle = { why: 'taken' | 'needs Redis'; by: NodeRow }

/** Nodes may have different clocks; the database has one. */
export const databaseTime = (isPostgres: boolean) =>
  isPostgres
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

const databaseNow = query<object, { now: number }>('databaseNow', (db) => ({
  compile: () => sql`select ${databaseTime(postgres(db))} as now`.compile(db),
}))

/** A row that always exists. It serializes the claims of nodes that start at the same time. */
const lockClaims = query<object, { name: string }>('lockClaims', (db) =>
  locked(db, db.selectFrom('settings').select('name').where('name', '=', 'master_key_check')),
)

const allNodes = query<object, NodeRow>('allNodes', (db) =>
  db.selectFrom('nodes').selectAll().where('node', '>=', 0).orderBy('node'),
)

const addNode = query<NodeRow>('addNode', (db, at) =>
  db.insertInto('nodes').values({
    node: at.node,
    holder: at.holder,
    place: at.place,
    host: at.host,
    pid: at.pid,
    redis: at.redis,
    renewed_at: at.renewed_at,
    expires_at: at.expires_at,
  }),
)

const removeNode = query<{ node: number }>('removeNode', (db, at) =>
  db.deleteFrom('nodes').where('node', '=', at.node),
)

const renewHeld = query<{ node: number; holder: string; leaseMs: number }>('renewNode', (db, at) =>
  db
    .updateTable('nodes')
    .set({
      renewed_at: databaseTime(postgres(db)),
      expires_at: sql<number>`${databaseTime(postgres(db))} + ${at.leaseMs}`,
    })
    .where('node', '=', at.node)
    .where('holder', '=', at.holder),
)

const releaseHeld = query<{ node: number; holder: string }>('releaseNode', (db, at) =>
  db.deleteFrom('nodes').where('node', '=', at.node).where('holder', '=', at.holder),
)

/** The running nodes, locked so that no other node starts until the transaction ends. */
export async function runningNodes(tx: Transaction): Promise<NodeRow[]> {
  await tx.first(lockClaims, {})
  const at = (await tx.first(databaseNow, {}))?.now ?? 0
  return (await tx.all(allNodes, {})).filter((one) => one.expires_at > at)
}

/** Claims a node number. Returns the obstacle, or undefined on success. */
export function claimNode(store: Store, claim: NodeClaim): Promise<Obstacle | undefined> {
  const { node, holder, place, host, pid, redis, leaseMs } = claim
  return store.write(async (tx) => {
    await tx.first(lockClaims, {})
    const at = (await tx.first(databaseNow, {}))?.now ?? 0
    const others = (await tx.all(allNodes, {})).filter(
      (one) => one.expires_at > at && one.place !== place && one.holder !== holder,
    )
    const taken = others.find((one) => one.node === node)
    if (taken) return { why: 'taken', by: taken }
    const apart = others.find((one) => !redis || one.redis === 0)
    if (apart) return { why: 'needs Redis', by: apart }
    await tx.run(removeNode, { node })
    const until = { renewed_at: at, expires_at: at + leaseMs }
    await tx.run(addNode, { node, holder, place, host, pid, redis: Number(redis), ...until })
    return undefined
  })
}

/** False when another node has claimed the number. */
export const renewNode = async (store: Store, { node, holder, leaseMs }: NodeClaim): Promise<boolean> =>
  (await store.write((tx) => tx.run(renewHeld, { node, holder, leaseMs }))) === 1

export const releaseNode = (store: Store, { node, holder }: NodeClaim): Promise<unknown> =>
  store.write((tx) => tx.run(releaseHeld, { node, holder }))
