import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Opened } from '../../test/support/stages.ts'
import { stages } from '../../test/support/stages.ts'
import { openStore } from './open.ts'
import { query } from './query.ts'
import { addSetting, checkMasterKey, settingByName } from './settings.ts'
import type { Store } from './store.ts'
import { StoreUnavailable, UniqueViolation } from './store.ts'

const pragma = (name: string) =>
  query<Record<never, never>, object>(`pragma ${name}`, (db) => ({
    compile: () => sql.raw(`PRAGMA ${name}`).compile(db),
  }))

const countSettings = query<{ prefix: string }, { count: number }>('countSettings', (db, at) =>
  db
    .selectFrom('settings')
    .select((on) => on.fn.countAll<number>().as('count'))
    .where('name', 'like', at.prefix),
)

for (const stage of stages) {
  describe(`the store: ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let store: Store
    before(async () => {
      opened = await stage.open({ seed: 'none' })
      store = opened.plaza.context.store
    })
    after(() => opened.close())

    const count = async (prefix: string) =>
      (await store.first(countSettings, { prefix: `${prefix}%` }))?.count

    test('a write is there for every reader when it was acknowledged', async () => {
      await store.write((tx) => tx.run(addSetting, { name: 'a1', value: 'x' }))
      assert.deepEqual({ ...(await store.first(settingByName, { name: 'a1' })) }, { value: 'x' })
    })

    test('a transaction that throws leaves nothing behind and takes no other with it', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, (_, n) =>
          store.write(async (tx) => {
            await tx.run(addSetting, { name: `b${n}`, value: '1' })
            await tx.run(addSetting, { name: `b${n} again`, value: '2' })
            if (n % 3 === 0) throw new Error('changed my mind')
          }),
        ),
      )
      assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 10)
      assert.equal(await count('b'), 40)
    })

    test('of many writers of one key exactly one wins, and the others are told why', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) =>
          store.write((tx) => tx.run(addSetting, { name: 'c', value: `${n}` })),
        ),
      )
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected')
          assert.ok(outcome.reason instanceof UniqueViolation, String(outcome.reason))
      }
    })

    test('a reader never sees what is not committed', async () => {
      const writing = store.write(async (tx) => {
        await tx.run(addSetting, { name: 'd', value: '1' })
        for (let turn = 0; turn < 50; turn++) await tx.first(settingByName, { name: 'd' })
        throw new Error('no')
      })
      const seen = await Promise.all(
        Array.from({ length: 20 }, () => store.first(settingByName, { name: 'd' })),
      )
      await assert.rejects(writing, /no/)
      assert.deepEqual(seen, Array(20).fill(undefined))
    })

    test('another master key is refused', async () => {
      await assert.rejects(checkMasterKey(store, 'another'), /master key/)
    })
  })

  describe(`a closed store: ${stage.name}`, { skip: stage.skip }, () => {
    test('finishes the writes it took and refuses new ones', async () => {
      const opened = await stage.open({ seed: 'none' })
      const { store } = opened.plaza.context
      const before = store.write((tx) => tx.run(addSetting, { name: 'last', value: '1' }))
      await before
      await opened.close()
      await assert.rejects(
        store.write((tx) => tx.run(addSetting, { name: 'late', value: '1' })),
        StoreUnavailable,
      )
      await assert.rejects(store.first(settingByName, { name: 'last' }), StoreUnavailable)
    })
  })

  describe(`two nodes that start at once: ${stage.name}`, { skip: stage.skip || !stage.shared }, () => {
    test('migrate and plant one store once', async () => {
      const opened = await stage.open({ seed: 'none' })
      try {
        const nodes = await Promise.all([opened.second(), opened.second(), opened.second()])
        assert.equal(nodes.filter(({ firstStart }) => firstStart).length, 0)
      } finally {
        await opened.close()
      }
    })
  })
}

describe('the embedded store', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-store-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const open = (name: string) => openStore({ kind: 'file', path: join(folder, name) }, () => undefined)

  test('syncs every commit to disk: synchronous is FULL in WAL mode', async () => {
    const store = await open('sync.db')
    const synchronous = pragma('synchronous')
    const journal = pragma('journal_mode')
    const [level, mode] = await store.write(async (tx) => [
      await tx.first(synchronous, {}),
      await tx.first(journal, {}),
    ])
    assert.deepEqual([{ ...level }, { ...mode }], [{ synchronous: 2 }, { journal_mode: 'wal' }])
    await store.close()
  })

  test('sees what another process changes in its file', async () => {
    const store = await open('shared.db')
    assert.equal(await store.first(settingByName, { name: 'from outside' }), undefined)
    const other = new DatabaseSync(join(folder, 'shared.db'))
    other.exec("INSERT INTO settings (name, value) VALUES ('from outside', 'yes')")
    other.close()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual({ ...(await store.first(settingByName, { name: 'from outside' })) }, { value: 'yes' })
    await store.close()
  })

  test('finds its data again after it was closed, and closes clean', async () => {
    const store = await open('again.db')
    await store.write((tx) => tx.run(addSetting, { name: 'kept', value: 'yes' }))
    await store.close()
    const again = await open('again.db')
    assert.deepEqual({ ...(await again.first(settingByName, { name: 'kept' })) }, { value: 'yes' })
    await again.close()
    const db = new DatabaseSync(join(folder, 'again.db'))
    assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
    db.close()
  })

  test('of a newer version is refused and left as it is', async () => {
    const db = new DatabaseSync(join(folder, 'newer.db'))
    db.exec('PRAGMA user_version = 999')
    db.close()
    await assert.rejects(open('newer.db'), /newer version/)
    const after = new DatabaseSync(join(folder, 'newer.db'))
    assert.deepEqual({ ...after.prepare('PRAGMA user_version').get() }, { user_version: 999 })
    after.close()
  })

  test('that is no database is refused', async () => {
    const { writeFile } = await import('node:fs/promises')
    await writeFile(join(folder, 'junk.db'), 'this is not a database, it is a text of some length')
    await assert.rejects(open('junk.db'), /not a database/)
  })

  test('refuses writes beyond its queue instead of growing', async () => {
    const store = await open('queue.db')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10_050 }, (_, n) =>
        store.write((tx) => tx.run(addSetting, { name: `q${n}`, value: '' })),
      ),
    )
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    assert.equal(refused.length, 50)
    await store.close()
  })
})
