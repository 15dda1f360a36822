import { sql } from 'kysely'
import { query } from '../tables.ts'
import { locked, postgres } from './query.ts'
import { addSetting, putSetting, settingByName } from './settings.ts'
import type { Store, Transaction } from './store.ts'
import type { NodeRow } from './tables.ts'

/** The node that claims a number. */
export interface NodeClaim {
  node: number
  /** Unique for each start of a process. */
  holder: string
  /**
   * Equal for processes that cannot run at the same time because they lock the same data folder.
   */
  place: string
  host: string
  pid: number
  shared: SharedIds
  /** How long the claim is valid without renewal. */
  leaseMs: number
}

/** What nodes share besides the database. */
const NAMES = ['redis', 'media'] as const
type SharedName = (typeof NAMES)[number]

/**
 * The ids in the marks of what nodes share. Without `redis`, nonces and rate limits are not shared.
 */
export type SharedIds = { redis?: string; media: string }

/** The reason why a claim fails, and the node that causes it. */
export type Obstacle = { why: 'taken' | 'needs Redis' | SharedName; by: NodeRow }

const DATABASE_ID = 'database_id'

/** The settings that keep the ids of what the running nodes share, or the last ones did. */
const SETTINGS: Record<SharedName, string> = { redis: 'redis_keyspace', media: 'media_store' }

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

/** What is known of the nodes of a database. */
export interface ClusterState {
  /** The id of the database. */
  database: string
  /** The ids of what the running nodes share, or the last ones did. */
  shared: Partial<SharedIds>
  /** The running nodes, and those that ended a moment ago without saying so. */
  others: NodeRow[]
}

/** How the nodes of a database stand. Gives the database an id, unless it has one. */
export function clusterStateOf(
  store: Store,
  claim: Pick<NodeClaim, 'holder' | 'place'>,
  newId: string,
): Promise<ClusterState> {
  return store.write(async (tx) => {
    const others = await otherNodes(tx, claim)
    const known = await tx.first(settingByName, { name: DATABASE_ID })
    if (!known) await tx.run(addSetting, { name: DATABASE_ID, value: newId })
    return { database: known?.value ?? newId, shared: await sharedIds(tx), others }
  })
}

async function sharedIds(tx: Transaction): Promise<Partial<SharedIds>> {
  const redis = await tx.first(settingByName, { name: SETTINGS.redis })
  const media = await tx.first(settingByName, { name: SETTINGS.media })
  return { ...(redis && { redis: redis.value }), ...(media && { media: media.value }) }
}

/**
 * The running nodes except this one, locked so that no other node starts until the transaction
 * ends.
 */
async function otherNodes(
  tx: Transaction,
  { holder, place }: Pick<NodeClaim, 'holder' | 'place'>,
): Promise<NodeRow[]> {
  return (await runningNodes(tx)).filter((row) => row.place !== place && row.holder !== holder)
}

/** The running nodes, locked so that no other node starts until the transaction ends. */
export async function runningNodes(tx: Transaction): Promise<NodeRow[]> {
  await tx.first(lockClaims, {})
  const at = (await tx.first(databaseNow, {}))?.now ?? 0
  return (await tx.all(allNodes, {})).filter((row) => row.expires_at > at)
}

/** Claims a node number. Returns the obstacle, or undefined on success. */
export function claimNode(store: Store, claim: NodeClaim): Promise<Obstacle | undefined> {
  const { node, holder, place, host, pid, shared, leaseMs } = claim
  const redis = shared.redis !== undefined
  return store.write(async (tx) => {
    const others = await otherNodes(tx, claim)
    const taken = others.find((row) => row.node === node)
    if (taken) return { why: 'taken', by: taken }
    const apart = others.find((row) => !redis || row.redis === 0)
    if (apart) return { why: 'needs Redis', by: apart }
    const known = await sharedIds(tx)
    const changed = NAMES.filter((name) => shared[name] !== undefined && shared[name] !== known[name])
    const why = changed.find((name) => known[name] !== undefined)
    if (why && others[0]) return { why, by: others[0] }
    for (const name of changed) await putSetting(tx, SETTINGS[name], shared[name] ?? '')
    await tx.run(removeNode, { node })
    const at = (await tx.first(databaseNow, {}))?.now ?? 0
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
