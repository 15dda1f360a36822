import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { type Opened, stages } from '../../../test/support/stages.ts'
import { query } from '../../app/tables.ts'
import { systemClock } from '../common/clock.ts'
import { openStore } from './open.ts'
import { addSetting, checkMasterKey, putSetting, settingByName } from './settings.ts'
import { type Store, StoreUnavailable, type Transaction, UniqueViolation } from './store.ts'
import { TransactionMisused } from './transaction.ts'

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

    test('a write is visible to every reader once it is acknowledged', async () => {
      await store.write((tx) => tx.run(addSetting, { name: 'a1', value: 'x' }))
      assert.deepEqual({ ...(await store.first(settingByName, { name: 'a1' })) }, { value: 'x' })
    })

    test('a read that is repeated returns each change as soon as it was acknowledged', async () => {
      const read = async () => (await store.first(settingByName, { name: 'repeated' }))?.value
      assert.equal(await read(), undefined)
      for (const value of ['one', 'two', 'three']) {
        await store.write((tx) => putSetting(tx, 'repeated', value))
        assert.equal(await read(), value)
        await new Promise((resolve) => setImmediate(resolve))
        assert.equal(await read(), value)
      }
    })

    test('a transaction that throws leaves nothing behind and does not affect others', async () => {
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

    test('writes that arrive together each get their own outcome', async () => {
      const { promise: isTaken, resolve: taken } = Promise.withResolvers<void>()
      const outcomes = await Promise.allSettled([
        store.write(async (tx) => {
          await tx.run(addSetting, { name: 'told 1', value: '1' })
          taken()
        }),
        // On PostgreSQL, writes run concurrently: this one waits for the first.
        isTaken.then(() => store.write((tx) => tx.run(addSetting, { name: 'told 1', value: '2' }))),
        store.write(async (tx) => {
          await tx.run(addSetting, { name: 'told 2', value: '1' })
          await tx.run(addSetting, { name: 'told 2', value: '2' })
        }),
        store.write(async () => {
          throw new Error('changed nothing')
        }),
        store.write((tx) => tx.run(addSetting, { name: 'told 3', value: '1' })),
      ])
      const told = outcomes.map((outcome) =>
        outcome.status === 'rejected' ? outcome.reason.constructor.name : 'done',
      )
      assert.deepEqual(told, ['done', 'UniqueViolation', 'UniqueViolation', 'Error', 'done'])
      assert.equal(await count('told'), 2)
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
      const failed = assert.rejects(writing, /no/)
      const seen = await Promise.all(
        Array.from({ length: 20 }, () => store.first(settingByName, { name: 'd' })),
      )
      await failed
      assert.deepEqual(seen, Array(20).fill(undefined))
    })

    const misuses: [string, (tx: Transaction) => Promise<unknown>][] = [
      ['reads one row of', () => store.first(settingByName, { name: 'inside' })],
      ['reads', () => store.all(settingByName, { name: 'inside' })],
      ['writes', () => store.write((tx) => tx.run(addSetting, { name: 'inside nested', value: '1' }))],
      [
        'reads, later on,',
        async (tx) => {
          await tx.first(settingByName, { name: 'inside' })
          return store.first(settingByName, { name: 'inside' })
        },
      ],
    ]
    for (const [what, misuse] of misuses) {
      test(`a function given to write that ${what} the store gets an error at once`, async () => {
        const writing = store.write(async (tx) => {
          await tx.run(addSetting, { name: `inside ${what}`, value: '1' })
          return misuse(tx)
        })
        const beside = store.first(settingByName, { name: 'inside' })
        await assert.rejects(writing, TransactionMisused)
        assert.equal(await beside, undefined, 'a concurrent read is not affected')
        assert.equal(await count('inside'), 0)
      })
    }

    test('what a write started may use the store once the write has ended', async () => {
      const ended = Promise.withResolvers<void>()
      let later: Promise<unknown> | undefined
      await store.write(async (tx) => {
        later = ended.promise.then(() => store.first(settingByName, { name: 'f' }))
        await tx.run(addSetting, { name: 'f', value: '1' })
      })
      ended.resolve()
      assert.deepEqual({ ...((await later) as object) }, { value: '1' })
    })

    test('a transaction that has ended accepts nothing more', async () => {
      const tx = await store.write(async (tx) => tx)
      await assert.rejects(tx.run(addSetting, { name: 'g', value: '1' }), TransactionMisused)
      await assert.rejects(tx.first(settingByName, { name: 'g' }), TransactionMisused)
      assert.equal(await count('g'), 0)
    })

    test('a transaction has one time, that of the clock', async () => {
      const { clock } = opened.plaza
      const times = await store.write(async (tx) => {
        const first = tx.now
        clock.advance(5_000)
        return [first, tx.now]
      })
      assert.deepEqual(times, [clock.now() - 5_000, clock.now() - 5_000])
      assert.equal(await store.write(async (tx) => tx.now), clock.now())
    })

    test('a notified channel is notified once per committed transaction', async () => {
      const seen: unknown[] = []
      const done = Promise.withResolvers<void>()
      using _ = store.listen('channel', async () => {
        seen.push(await store.first(settingByName, { name: 'h' }))
        done.resolve()
      })
      await store.write(async (tx) => {
        tx.notify('channel')
        await tx.run(addSetting, { name: 'h', value: '1' })
        tx.notify('channel')
        tx.notify('another')
      })
      await done.promise
      assert.deepEqual(
        seen.map((row) => ({ ...(row as object) })),
        [{ value: '1' }],
      )
    })

    test('a transaction that throws notifies no one, and a disposed listener is not notified', async () => {
      let told = 0
      const listener = store.listen('channel', () => told++)
      const failing = store.write(async (tx) => {
        tx.notify('channel')
        throw new Error('changed my mind')
      })
      await assert.rejects(failing, /changed my mind/)
      assert.equal(told, 0)
      await store.write(async (tx) => tx.notify('channel'))
      assert.equal(told, 1)
      listener[Symbol.dispose]()
      await store.write(async (tx) => tx.notify('channel'))
      assert.equal(told, 1)
    })

    test('a transaction that is run again notifies the channels of its last run', {
      skip: !stage.shared,
    }, async () => {
      const told: string[] = []
      using _first = store.listen('first', () => told.push('first'))
      using _second = store.listen('second', () => told.push('second'))
      const runs = ['first', 'second']
      await store.write(async (tx) => {
        const channel = runs.shift() as string
        tx.notify(channel)
        if (channel === 'first') throw Object.assign(new Error('run me again'), { code: '40001' })
      })
      assert.deepEqual(told, ['second'])
    })

    test('another master key is rejected', async () => {
      await assert.rejects(checkMasterKey(store, 'another'), /master key/)
    })
  })

  describe(`a closed store: ${stage.name}`, { skip: stage.skip }, () => {
    test('finishes the writes it took and rejects new ones', async () => {
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
    test('migrate and seed one store once', async () => {
      const opened = await stage.open({ seed: 'none' })
      try {
        const nodes = await Promise.all([opened.second(), opened.second(), opened.second()])
        assert.equal(nodes.filter(({ seeded }) => seeded).length, 0)
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

  const open = (name: string) =>
    openStore({ kind: 'file', path: join(folder, name) }, { clock: systemClock, onError: () => undefined })

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

  test('keeps the version of its snapshot until something is written', async () => {
    const store = await open('version.db')
    const other = new DatabaseSync(join(folder, 'version.db'))
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
    const read = () => store.first(settingByName, { name: 'kept' })
    await store.write((tx) => tx.run(addSetting, { name: 'kept', value: '1' }))
    const version = store.snapshotVersion()
    await nextTurn()
    assert.equal(store.snapshotVersion(), version)
    assert.deepEqual({ ...(await read()) }, { value: '1' })

    other.exec("UPDATE settings SET value = '2' WHERE name = 'kept'")
    await nextTurn()
    const afterOther = store.snapshotVersion()
    assert.notEqual(afterOther, version)
    assert.deepEqual({ ...(await read()) }, { value: '2' })

    await store.write((tx) => putSetting(tx, 'kept', '3'))
    assert.notEqual(store.snapshotVersion(), afterOther)
    assert.deepEqual({ ...(await read()) }, { value: '3' })
    other.close()
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

  test('of another version is rejected and left as it is', async () => {
    const db = new DatabaseSync(join(folder, 'other.db'))
    db.exec('PRAGMA user_version = 999')
    db.close()
    await assert.rejects(open('other.db'), /created by another version of Plaza/)
    const after = new DatabaseSync(join(folder, 'other.db'))
    assert.deepEqual({ ...after.prepare('PRAGMA user_version').get() }, { user_version: 999 })
    after.close()
  })

  test('that is not a database is rejected', async () => {
    const { writeFile } = await import('node:fs/promises')
    await writeFile(join(folder, 'junk.db'), 'this is not a database, it is a text of some length')
    await assert.rejects(open('junk.db'), /not a database/)
  })

  test('rejects writes beyond its queue instead of growing', async () => {
    const store = await open('queue.db')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10_050 }, (_, n) =>
        store.write((tx) => tx.run(addSetting, { name: `q${n}`, value: '' })),
      ),
    )
    const rejected = outcomes.filter(({ status }) => status === 'rejected')
    assert.equal(rejected.length, 50)
    await store.close()
  })
})
