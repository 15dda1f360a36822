import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import { dropSchema, withPostgres } from './services.ts'

// Schemas of PostgreSQL that tests use one after the other. Emptying one takes a tenth of the time
// of creating its tables and removing them.

const DECLARED = readFileSync(
  new URL('../../src/platform/storage/schema/postgres.sql', import.meta.url),
  'utf8',
)
const FIRST_ROWS = DECLARED.match(/^insert into .*;$/gm) ?? []
/** Schemas with other tables have other names. */
const SPARE = `plaza_spare_${createHash('sha256').update(DECLARED).digest('hex').slice(0, 10)}_`

const mark = () => randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')

/** A name for a schema of a test: an empty one has it, or none, and then the store creates it. */
export async function takeSchema(): Promise<string> {
  const schema = `plaza_test_${mark()}`
  await withPostgres(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, $1) ORDER BY random()',
      [SPARE],
    )
    for (const { name } of rows) {
      const isTaken = await client
        .query(`ALTER SCHEMA "${name}" RENAME TO "${schema}"`)
        .catch(() => undefined)
      if (isTaken) return
    }
  })
  return schema
}

/**
 * Empties a schema for the next test, under another name. No one may be connected to it any more.
 * Without the right to switch off foreign keys, or without the declared tables, removes it.
 */
export async function leaveSchema(schema: string): Promise<string | undefined> {
  const spare = `${SPARE}${mark()}`
  const left = await withPostgres(async (client) => {
    await client.query(`SET search_path = "${schema}"; SET session_replication_role = replica`)
    await client.query(EMPTY)
    await client.query(['DELETE FROM settings', ...FIRST_ROWS].join(';'))
    await client.query(`ALTER SCHEMA "${schema}" RENAME TO "${spare}"`)
    return true
  }).catch(() => false)
  if (left) return spare
  await dropSchema(schema)
  return undefined
}

/** Deletes the rows of tables that have some: truncating a table would write new files. */
const EMPTY = `DO $$
  DECLARE
    name text;
    has_rows boolean;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema LOOP
      CONTINUE WHEN name = 'schema_version';
      EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO has_rows;
      IF has_rows THEN EXECUTE format('DELETE FROM %I', name); END IF;
    END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema LOOP
      PERFORM setval(format('%I', name)::regclass, 1, false);
    END LOOP;
  END
$$`
