import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '../common/clock.ts'
import type { Sync } from './flush.ts'
import { syncData } from './flush.ts'
import { addSetting, putSetting, settingByName } from './settings.ts'
import { openSqlite } from './sqlite.ts'
import { StoreUnavailable } from './store.ts'

/** Large enough that the log is moved into the database, and begun anew, several times. */
const WRITES = 600
const VALUE = 'x'.repeat(30_000)
/** Copies that are opened; the others are only made. */
const CHECKED = 20

describe('durability of the embedded store', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'plaza-durable-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const openWith = (name: string, sync: Sync) => openSqlite(join(folder, name), { clock: systemClock, sync })

  test('a power cut at the moment of an acknowledgement loses nothing that was acknowledged', async () => {
    const file = join(folder, 'cut.db')
    const disk = join(folder, 'disk.db')
    const platter = (name: string) => {
      copyFileSync(file, `${name}.next`)
      copyFileSync(`${file}-wal`, `${name}-wal.next`)
    }
    let flushes = 0
    // What a flush covers is what was there when it began: nothing newer counts as being on the disk.
    const store = await openWith('cut.db', async (log) => {
      platter(disk)
      await syncData(log)
      copyFileSync(`${disk}.next`, disk)
      copyFileSync(`${disk}-wal.next`, `${disk}-wal`)
      flushes++
    })
    let checks = 0
    const acknowledged: number[] = []
    const check = () => {
      const name = join(folder, `cut-${checks++}.db`)
      copyFileSync(disk, name)
      copyFileSync(`${disk}-wal`, `${name}-wal`)
      const db = new DatabaseSync(name)
      const found = db.prepare("SELECT name FROM settings WHERE name LIKE 'n%'").all() as { name: string }[]
      const there = new Set(found.map((one) => one.name))
      for (const n of acknowledged) assert.ok(there.has(`n${n}`), `n${n} was acknowledged and is lost`)
      assert.deepEqual(
        db
          .prepare('PRAGMA integrity_check')
          .all()
          .map((row) => ({ ...row })),
        [{ integrity_check: 'ok' }],
      )
      db.close()
    }
    await Promise.all(
      Array.from({ length: WRITES }, async (_, n) => {
        // Some come together, others one after the other.
        for (let turn = 0; turn < n / 10; turn++) await new Promise((resolve) => setImmediate(resolve))
        await store.write((tx) => tx.run(addSetting, { name: `n${n}`, value: VALUE }))
        acknowledged.push(n)
        if (acknowledged.length % (WRITES / CHECKED) === 0) check()
      }),
    )
    assert.equal(checks, CHECKED)
    assert.ok(flushes > 1)
    await store.close()
  })

  test('while a flush runs, reads and further writes go on, and nothing is acknowledged', async () => {
    const held: (() => void)[] = []
    let isHolding = false
    const store = await openWith('held.db', async (log) => {
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
      await syncData(log)
    })
    isHolding = true
    const order: string[] = []
    const write = (name: string) =>
      store
        .write((tx) => tx.run(addSetting, { name, value: 'yes' }))
        .then(() => order.push(`${name} acknowledged`))
    const first = write('first')
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const second = write('second')
    while (!(await store.first(settingByName, { name: 'second' })))
      await new Promise((resolve) => setImmediate(resolve))
    order.push('both are seen')
    // The second write came after the flush had begun, so that it needs the next one.
    held[0]?.()
    await first
    order.push('the first flush has ended')
    while (held.length === 1) await new Promise((resolve) => setImmediate(resolve))
    held[1]?.()
    await second
    assert.deepEqual(order, [
      'both are seen',
      'first acknowledged',
      'the first flush has ended',
      'second acknowledged',
    ])
    isHolding = false
    await store.close()
  })

  test('a disk that fails a flush fails the writes that wait for it, and every later one', async () => {
    let isBroken = false
    const store = await openWith('broken.db', async (log) => {
      if (isBroken) throw new Error('EIO: i/o error, fdatasync')
      await syncData(log)
    })
    await store.write((tx) => putSetting(tx, 'before', 'yes'))
    isBroken = true
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, (_, n) => store.write((tx) => putSetting(tx, `broken ${n}`, 'yes'))),
    )
    for (const one of outcomes) assert.ok(one.status === 'rejected' && one.reason instanceof StoreUnavailable)
    // The next flush would succeed: the system reports such an error only once.
    isBroken = false
    await assert.rejects(
      store.write((tx) => putSetting(tx, 'after', 'yes')),
      StoreUnavailable,
    )
    assert.deepEqual({ ...(await store.first(settingByName, { name: 'before' })) }, { value: 'yes' })
    await store.close()
  })
})
