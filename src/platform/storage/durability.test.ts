import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import workerThreads from 'node:worker_threads'
import { until } from '../../../test/support/until.ts'
import { systemClock } from '../common/clock.ts'
import { type Sync, syncData } from './flush.ts'
import { addSetting, putSetting, settingByName } from './settings.ts'
import { openSqlite } from './sqlite.ts'
import { type Store, StoreUnavailable } from './store.ts'

const WRITES = 600
/** So few that the log is moved into the database, and restarts, several times. */
const CHECKPOINTS = { rowsBetween: 50, maxLogPages: 100 }
const VALUE = 'x'.repeat(30_000)
/** Maximum number of copies that are opened; the others are only made. */
const CHECKED = 20

describe('durability of the embedded store', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'plaza-durable-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const openWith = (name: string, sync: Sync) =>
    openSqlite(join(folder, name), { clock: systemClock, sync, checkpoints: CHECKPOINTS })
  /** How often the log of a database has restarted: a number in its header. */
  const beginnings = (file: string) => {
    const log = openSync(`${file}-wal`, 'r')
    const header = Buffer.alloc(32)
    readSync(log, header)
    closeSync(log)
    return header.readUInt32BE(12)
  }

  test('a power cut at the moment of an acknowledgement loses nothing that was acknowledged', async () => {
    const file = join(folder, 'cut.db')
    const disk = join(folder, 'disk.db')
    const platter = (name: string) => {
      copyFileSync(file, `${name}.next`)
      copyFileSync(`${file}-wal`, `${name}-wal.next`)
    }
    let flushes = 0
    // A flush covers only what existed when it began: nothing newer counts as being on the disk.
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
      const there = new Set(found.map((file) => file.name))
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
    /** Resolves to the number of writes that were acknowledged with it. */
    const write = async (n: number) => {
      await store.write((tx) => tx.run(addSetting, { name: `n${n}`, value: VALUE }))
      return acknowledged.push(n)
    }
    await Promise.all(
      Array.from({ length: WRITES }, async (_, n) => {
        // Some arrive together, others one after another.
        for (let turn = 0; turn < n / 10; turn++) await new Promise((resolve) => setImmediate(resolve))
        if ((await write(n)) % (WRITES / CHECKED) === 0) check()
      }),
    )
    assert.equal(checks, CHECKED)
    assert.ok(flushes > 1)
    // On a slow disk, few checkpoints end between so many writes.
    await until('the log begins again', async () => {
      await write(acknowledged.length)
      return beginnings(file) >= 3
    })
    check()
    await store.close()
  })

  test('a read waits for the disk when it asks to, with a flush that began after the commit', async () => {
    const flushes: PromiseWithResolvers<void>[] = []
    let isHeld = false
    const store = await openWith('seen.db', async (log) => {
      const flush = Promise.withResolvers<void>()
      if (isHeld) {
        flushes.push(flush)
        await flush.promise
      }
      await syncData(log)
    })
    isHeld = true
    const written = store.write((tx) => putSetting(tx, 'seen', 'early'))
    await until(
      'the commit is seen',
      async () => (await store.first(settingByName, { name: 'seen' })) !== undefined,
    )
    let isDurable = false
    const durable = store.durable().then(() => {
      isDurable = true
    })
    await until('the flush has begun', () => flushes.length === 1)
    flushes[0]?.resolve()
    await written
    // It may have begun before the commit that the reader saw.
    await until('another flush begins', () => flushes.length === 2)
    assert.equal(isDurable, false)
    isHeld = false
    flushes[1]?.resolve()
    await durable
    await store.close()
    await assert.rejects(store.durable(), StoreUnavailable)
  })

  test('a log that is written continuously still restarts', async () => {
    const file = join(folder, 'long.db')
    const store = await openWith('long.db', syncData)
    let isEnough = false
    let writes = 0
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; !isEnough; n++, writes++)
        await store.write((tx) => putSetting(tx, `${writer}`, `${n} ${'x'.repeat(4_000)}`))
    })
    const size = () => statSync(`${file}-wal`).size
    // The log only grows until the checkpoint thread has started.
    await until('the log begins again', () => beginnings(file) >= 5)
    const [sizeBefore, writesBefore] = [size(), writes]
    await until('the log begins again and again', () => beginnings(file) >= 25)
    const [grown, written] = [size() - sizeBefore, (writes - writesBefore) * 4_120]
    isEnough = true
    await Promise.all(writers)
    // Without restarts, it has at least one more page for each write.
    assert.ok(grown < written / 3, `${grown} bytes more after ${written} bytes`)
    await store.close()
  })

  test('acknowledged writes survive when the process is killed between checkpoints', async () => {
    const file = join(folder, 'killed.db')
    const program = `
      import { openSqlite } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
      import { addSetting } from ${JSON.stringify(new URL('./settings.ts', import.meta.url).href)}
      const [file, round] = process.argv.slice(-2)
      const checkpoints = ${JSON.stringify(CHECKPOINTS)}
      const store = await openSqlite(file, { clock: { now: Date.now }, checkpoints })
      for (let writer = 0; writer < 8; writer++) void (async () => {
        for (let n = 0; ; n++) {
          const name = [round, writer, n].join(' ')
          await store.write((tx) => tx.run(addSetting, { name, value: 'x'.repeat(2000) }))
          process.stdout.write(name + '\\n')
        }
      })()`
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, file, `${round}`])
      let told = ''
      child.stdout.setEncoding('latin1').on('data', (text: string) => {
        told += text
      })
      const ended = once(child, 'close')
      await until('the log begins again', () => told !== '' && beginnings(file) >= 3)
      child.kill('SIGKILL')
      await ended
      // The last line may be incomplete.
      acknowledged.push(...told.split('\n').slice(0, -1))
      const store = await openWith('killed.db', syncData)
      for (const name of acknowledged) assert.ok(await store.first(settingByName, { name }), name)
      await store.close()
    }
  })

  test('a checkpoint that fails fails no write, and is made again when it can be', async () => {
    const made = join(folder, 'moved.db')
    const store = await openWith('moved.db', syncData)
    // The thread opens the database by its name, and does not find it.
    renameSync(made, `${made}.away`)
    let counted = 0
    const write = (name: string) =>
      Promise.all(
        Array.from({ length: 4 * CHECKPOINTS.rowsBetween }, (_, n) =>
          store.write((tx) => putSetting(tx, `${name} ${n}`, `${counted++}`)),
        ),
      )
    for (let round = 0; round < 3; round++) await write(`away ${round}`)
    assert.equal(beginnings(made), 0)
    renameSync(`${made}.away`, made)
    await until('a checkpoint is made again', async () => {
      await write('back')
      return beginnings(made) > 0
    })
    await store.close()
    const again = await openWith('moved.db', syncData)
    assert.ok(await again.first(settingByName, { name: 'away 2 9' }))
    await again.close()
  })

  test('a reader elsewhere that stays on its snapshot holds up no write, and the log begins again after it', async () => {
    const file = join(folder, 'read.db')
    const store = await openWith('read.db', syncData)
    let n = 0
    const write = () => store.write((tx) => putSetting(tx, 'read', `${n++} ${VALUE}`))
    await write()
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN')
    const seen = () => String(reader.prepare("SELECT value FROM settings WHERE name = 'read'").get()?.value)
    assert.match(seen(), /^0 /)
    // Several times the rows between checkpoints, and the pages from which on the log must restart.
    for (let round = 0; round < 8 * CHECKPOINTS.rowsBetween; round++) await write()
    assert.equal(beginnings(file), 0)
    assert.match(seen(), /^0 /)
    reader.exec('COMMIT')
    await until('the log begins again', async () => {
      await write()
      return beginnings(file) > 0
    })
    assert.match(seen(), new RegExp(`^${n - 1} `))
    reader.close()
    await store.close()
  })

  /** Ways for the thread to end. They resolve when it has ended. */
  const losses: [string, (thread: workerThreads.Worker) => Promise<unknown>][] = [
    ['during its first checkpoint', (thread) => thread.terminate()],
    [
      'between checkpoints',
      (thread) => new Promise((resolve) => thread.once('message', () => resolve(thread.terminate()))),
    ],
  ]
  const pages = 4_000
  /** Writes more than the log may contain, and checks that the log stays small. */
  const writeOver = async (store: Store, file: string) => {
    const begun = beginnings(file)
    for (let n = 0; n < pages; n += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          store.write((tx) => putSetting(tx, `bounded ${index}`, `${n} ${'x'.repeat(4_000)}`)),
        ),
      )
    assert.ok(beginnings(file) >= begun + 2, `the log restarted ${beginnings(file) - begun} times`)
    assert.ok(statSync(`${file}-wal`).size < 3_000 * 4_120, `${statSync(`${file}-wal`).size} bytes`)
  }
  for (const [when, lose] of losses) {
    test(`the log stays small when the thread that moves it is gone ${when}`, async () => {
      const file = join(folder, `lost ${when}.db`)
      // One call for each checkpoint, however long the log is.
      const checkpoints = { ...CHECKPOINTS, maxLogPages: 1_000_000 }
      const store = await openSqlite(file, { clock: systemClock, checkpoints })
      let gone: Promise<unknown> | undefined
      process.once('worker', (thread) => {
        gone = lose(thread)
      })
      while (!gone) await store.write((tx) => putSetting(tx, 'first', 'checkpoint'))
      await gone
      await writeOver(store, file)
      await store.close()
    })
  }

  test('the log stays small when there can be no thread', async () => {
    const { Worker } = workerThreads
    workerThreads.Worker = class {
      constructor() {
        throw new Error('ERR_WORKER_INIT_FAILED: EAGAIN')
      }
    } as unknown as typeof Worker
    syncBuiltinESMExports()
    try {
      const store = await openWith('none.db', syncData)
      await writeOver(store, join(folder, 'none.db'))
      await store.close()
    } finally {
      workerThreads.Worker = Worker
      syncBuiltinESMExports()
    }
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
    // The second write arrived after the flush had begun, so it needs the next one.
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
    for (const outcome of outcomes)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable)
    // The next flush would succeed, because the system reports such an error only once.
    isBroken = false
    await assert.rejects(
      store.write((tx) => putSetting(tx, 'after', 'yes')),
      StoreUnavailable,
    )
    assert.deepEqual({ ...(await store.first(settingByName, { name: 'before' })) }, { value: 'yes' })
    await store.close()
  })
})
