import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { noPostgres, POSTGRES_URL } from '../../../../test/support/services.ts'
import { REACH_MS } from '../../../../test/support/until.ts'
import { systemClock } from '../../../platform/common/clock.ts'
import { randomText, systemRandom } from '../../../platform/common/random.ts'
import { openPostgres } from '../../../platform/storage/postgres.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { Merges } from '../merges.ts'
import { BatchWriter, UPDATE } from '../packed.ts'
import { addToLog, audienceStates } from '../queries.ts'
import { mergesOn } from './merges.ts'

const DAY = 86_400
const NOW = 1_800_000_000

const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: REACH_MS })
client.on('error', () => undefined)
if (!noPostgres) await client.connect()
after(() => client.end().catch(() => undefined))

describe('merges on PostgreSQL', { skip: noPostgres }, () => {
  const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`
  let store: Store
  before(async () => {
    store = await openPostgres({ url: POSTGRES_URL, schema, clock: systemClock, onError: () => undefined })
    await client.query(`SET search_path = ${schema}`)
  })
  after(async () => {
    await store?.close()
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  })

  /** Members with one key each, or with two. */
  const batchOf = (names: readonly string[][], expires = NOW + 99 * DAY) => {
    const writer = new BatchWriter(0)
    writer.operation(UPDATE, 0, expires)
    for (const keys of names) {
      writer.user()
      for (const key of keys) writer.key(0, Buffer.from(key).toString('hex').padEnd(64, '0'))
    }
    return Buffer.from(writer.finish())
  }

  const wait = (audience: string, data: Buffer) =>
    store.write((tx) =>
      tx.run(addToLog, { account: 'a', audience, acceptedAt: NOW * 1000, keys: 1, bytes: 1, data }),
    )

  /** Merges all that can be; tells of what could not. */
  async function mergeAll(merges: Merges): Promise<string[]> {
    const errors: string[] = []
    for (;;) {
      const step = await merges.merge({ until: NOW * 1000, now: NOW * 1000 })
      errors.push(...(step.errors ?? []).map(({ message }) => message))
      if (!step.more) return errors
    }
  }

  async function maintainAll(merges: Merges, now: number): Promise<string[]> {
    const errors: string[] = []
    for (;;) {
      const step = await merges.maintain(now * 1000)
      errors.push(...(step.errors ?? []).map(({ message }) => message))
      if (!step.more) return errors
    }
  }

  async function state(audience: string) {
    const asked = { audiences: JSON.stringify([audience]), now: NOW, limit: 100 }
    const { waits, size } = (await store.first(audienceStates, asked)) ?? {}
    return { waits: waits === 1, size }
  }

  const rowsOf = async (table: string, audience: string) =>
    (await client.query(`SELECT 1 FROM ${table} WHERE audience = $1`, [audience])).rowCount

  /**
   * Lets every change of a table fail that is about an audience, until the function is called that
   * comes of it.
   */
  async function fail(table: string, audience: string, state: string) {
    await client.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN IF OLD.audience = '${audience}' OR NEW.audience = '${audience}'
      THEN RAISE EXCEPTION USING errcode = '${state}', message = 'on purpose'; END IF; RETURN coalesce(NEW, OLD); END$$`)
    await client.query(
      `CREATE TRIGGER fail BEFORE INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`,
    )
    return () => client.query(`DROP TRIGGER fail ON ${table}; DROP FUNCTION fail()`)
  }

  test('a batch that cannot be merged becomes a dead letter, and what waits behind it is merged', async () => {
    await wait('damaged', batchOf([['a']]))
    await wait('damaged', Buffer.from('no batch'))
    await wait('damaged', batchOf([['b'], ['c']]))
    await wait('sound', batchOf([['a']]))
    const merges = mergesOn(store)
    const errors = await mergeAll(merges)
    assert.equal(errors.length, 1)
    assert.match(errors[0] as string, /^batch \d+ of audience damaged became a dead letter: a stored batch/)
    assert.deepEqual(await state('damaged'), { waits: false, size: 3 })
    assert.deepEqual(await state('sound'), { waits: false, size: 1 })
    const kept = await client.query("SELECT data FROM membership_set_aside WHERE audience = 'damaged'")
    assert.deepEqual(kept.rows, [{ data: Buffer.from('no batch') }])
  })

  test('a node sets only aside what it could not merge, whatever another one did meanwhile', async () => {
    await wait('both', Buffer.from('no batch'))
    await wait('both', batchOf([['a']]))
    const other = mergesOn(store)
    let writes = 0
    // The audience is made, all that waits is tried, then the first batch alone; now it is to
    // become a dead letter.
    const write: Store['write'] = async (work) => {
      if (++writes === 4) await other.merge({ until: NOW * 1000, now: NOW * 1000 })
      return store.write(work)
    }
    await mergeAll(mergesOn({ ...store, write }))
    await mergeAll(other)
    assert.equal(await rowsOf('membership_set_aside', 'both'), 1)
    assert.deepEqual(await state('both'), { waits: false, size: 1 })
  })

  test('an audience of which a batch can neither be merged nor become a dead letter keeps no other waiting', async () => {
    const mend = await fail('membership_set_aside', 'neither', 'XX000')
    await wait('neither', Buffer.from('no batch'))
    await wait('other', batchOf([['a']]))
    const merges = mergesOn(store, {}, { elapsed: () => 0 })
    assert.deepEqual(await mergeAll(merges), ['audience neither must wait: on purpose'])
    assert.deepEqual(await state('other'), { waits: false, size: 1 })
    await mend()
    await mergeAll(mergesOn(store))
    assert.deepEqual(await state('neither'), { waits: false, size: 0 })
  })

  test('an audience whose merge failed waits, and keeps no other waiting', async () => {
    const mend = await fail('membership_keys', 'held', '55P03')
    await wait('held', batchOf([['a']]))
    await wait('free', batchOf([['a']]))
    let now = 0
    const merges = mergesOn(store, {}, { elapsed: () => now })
    assert.deepEqual(await mergeAll(merges), ['audience held must wait: on purpose'])
    assert.deepEqual(await state('free'), { waits: false, size: 1 })
    // It rests: it is not tried again at once.
    assert.deepEqual(await mergeAll(merges), [])
    now += 1_000
    assert.equal((await mergeAll(merges)).length, 1)
    await mend()
    now += 2_000
    assert.deepEqual(await mergeAll(merges), [])
    assert.deepEqual(await state('held'), { waits: false, size: 1 })
  })

  test('maintenance that fails for one audience is done for the others', async () => {
    const [stuck, due] = ['stuck', 'due']
    for (const audience of [stuck, due]) await wait(audience, batchOf([['a'], ['b', 'c']], NOW + 1))
    const merges = mergesOn(store, { rows: 1 }, { elapsed: () => 0 })
    await mergeAll(merges)
    const mend = await fail('membership_changes', stuck, '55P03')
    assert.deepEqual(await maintainAll(merges, NOW + 3 * DAY), ['audience stuck must wait: on purpose'])
    assert.deepEqual([await rowsOf('membership_keys', stuck), await rowsOf('membership_keys', due)], [3, 0])
    await mend()
    await maintainAll(mergesOn(store), NOW + 9 * DAY)
    for (const table of ['membership_keys', 'membership_people', 'membership_changes'])
      assert.deepEqual([await rowsOf(table, stuck), await rowsOf(table, due)], [0, 0])
  })

  test('members who had already expired when they were merged are removed too', async () => {
    await wait('late', batchOf([['a'], ['b', 'c']], NOW - 9 * DAY))
    const merges = mergesOn(store)
    await mergeAll(merges)
    assert.equal(await rowsOf('membership_keys', 'late'), 3)
    await maintainAll(merges, NOW + DAY)
    await maintainAll(merges, NOW + 3 * DAY)
    assert.equal(await rowsOf('membership_keys', 'late'), 0)
    assert.equal(await rowsOf('membership_people', 'late'), 0)
  })
})
