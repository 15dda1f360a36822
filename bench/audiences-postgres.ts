import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ACCOUNT, Bench, OPERATIONS, watchMemory } from './audiences.ts'
import { Client } from './client.ts'
import type { Figure } from './figure.ts'
import { startPlaza } from './processes.ts'

// Uploads of users on PostgreSQL, beside a plain loop of upserts with `unnest`, one durable
// transaction for each upload.

/** Members before the measurement, and members that it adds. */
const ROWS = 500_000

export async function measureAudiencesOnPostgres(
  folder: string,
  { add, url }: { add(figure: Figure): void; url: string },
): Promise<void> {
  const schema = `plaza_bench_${randomBytes(6).toString('hex')}`
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    const more = ['--database-url', url, '--database-schema', schema]
    await startPlaza({ folder, more }).then((first) => first.process.stop())
    await seedAccount(db, schema)
    const plaza = await startPlaza({ folder, more })
    const memory = watchMemory(plaza)
    const client = new Client({ port: plaza.adsPort, tls: false, connections: 1 })
    try {
      const audience = await Bench.create(plaza, client)
      await audience.fill(ROWS)
      const { perSecond } = await audience.fill(ROWS)
      const raw = await rawRate(db, schema)
      add({
        name: `audiences on PostgreSQL: ${ROWS / 1e6} to ${(2 * ROWS) / 1e6} million, beside a plain loop of unnest`,
        unit: '/s',
        plaza: perSecond,
        bare: raw,
        ratio: perSecond / raw,
      })
      add({ name: '  resident memory at its most', unit: 'MB', plaza: memory.most / 2 ** 20 })
    } finally {
      memory.stop()
      await client.close()
      await plaza.process.stop()
    }
  } finally {
    await db.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    await db.end()
  }
}

async function seedAccount(db: pg.Client, schema: string): Promise<void> {
  await db.query(`SET search_path TO "${schema}"`)
  const now = Date.now()
  await db.query(
    `INSERT INTO accounts (id, environment, name, name_key, timezone, approval_status, created_at, updated_at, deleted)
     VALUES ($1, 'production', 'Bench', 'bench', 'UTC', 'ACCEPTED', $2, $2, 0)`,
    [ACCOUNT, now],
  )
  await db.query(
    `INSERT INTO account_access (user_id, account_id, roles, created_at)
     SELECT id, $1, 'ACCOUNT_ADMIN', $2 FROM users WHERE screen_name = 'owner'`,
    [ACCOUNT, now],
  )
}

/** Rows per second. */
async function rawRate(db: pg.Client, schema: string): Promise<number> {
  await db.query(
    `CREATE TABLE "${schema}".raw (audience integer, hash bytea, effective bigint, expires bigint, PRIMARY KEY (audience, hash))`,
  )
  const fill = async () => {
    for (let done = 0; done < ROWS; done += OPERATIONS) {
      const hashes = Array.from({ length: OPERATIONS }, () => randomBytes(32))
      await db.query({
        name: 'raw',
        text: `INSERT INTO "${schema}".raw SELECT 1, hash, 0, 1900000000 FROM unnest($1::bytea[]) AS hash
          ON CONFLICT (audience, hash) DO UPDATE SET effective = excluded.effective, expires = excluded.expires`,
        values: [hashes],
      })
    }
  }
  await fill()
  const began = performance.now()
  await fill()
  return ROWS / ((performance.now() - began) / 1000)
}
