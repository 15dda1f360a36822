import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import { systemClock } from '../common/clock.ts'
import { addSetting, putSetting, settingByName } from './settings.ts'
import { openSqlite } from './sqlite.ts'
import { StoreBusy } from './store.ts'

describe('the embedded store while another process writes', () => {
  async function openBeside(t: TestContext, busyTimeoutMs?: number) {
    const folder = mkdtempSync(join(tmpdir(), 'plaza-waiting-'))
    const file = join(folder, 'plaza.db')
    const options = { clock: systemClock, ...(busyTimeoutMs !== undefined && { busyTimeoutMs }) }
    const store = await openSqlite(file, options)
    // In this thread: if the store waited for it here, it would wait in vain.
    const other = new DatabaseSync(file)
    t.after(async () => {
      other.close()
      await store.close()
      rmSync(folder, { recursive: true })
    })
    return { store, other }
  }
  const add = (name: string) => ({ name, value: 'written' })

  test('reads, and its writes wait without blocking anything', async (t) => {
    const { store, other } = await openBeside(t)
    await store.write((tx) => tx.run(addSetting, add('before')))
    other.exec("BEGIN IMMEDIATE; INSERT INTO settings (name, value) VALUES ('other', 'written')")
    const writes = ['one', 'two'].map((name) => store.write((tx) => tx.run(addSetting, add(name))))
    for (let turn = 0; turn < 20; turn++) {
      assert.equal((await store.first(settingByName, { name: 'before' }))?.value, 'written')
      assert.notEqual(store.snapshotVersion(), undefined)
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal(await store.first(settingByName, { name: 'one' }), undefined)
    other.exec('COMMIT')
    await Promise.all(writes)
    for (const name of ['one', 'two', 'other'])
      assert.equal((await store.first(settingByName, { name }))?.value, 'written')
  })

  test('gives up a write that waited for too long, and takes the next one', async (t) => {
    const { store, other } = await openBeside(t, 20)
    other.exec('BEGIN IMMEDIATE')
    await assert.rejects(
      store.write((tx) => tx.run(addSetting, add('late'))),
      StoreBusy,
    )
    other.exec('COMMIT')
    await store.write((tx) => tx.run(addSetting, add('next')))
    assert.equal(await store.first(settingByName, { name: 'late' }), undefined)
    assert.equal((await store.first(settingByName, { name: 'next' }))?.value, 'written')
  })
})

test('in memory, a read waits for one commit, not for every write that is queued', async () => {
  const store = await openSqlite(':memory:', { clock: systemClock })
  const WRITES = 500
  let written = 0
  // There is always a write in the queue, until the last one.
  const writing = (async () => {
    while (written < WRITES) {
      await store.write((tx) => putSetting(tx, 'counted', `${written}`))
      written++
    }
  })()
  await store.write((tx) => tx.run(addSetting, { name: 'first', value: 'x' }))
  for (let reads = 0; reads < 10; reads++) await store.first(settingByName, { name: 'first' })
  assert.ok(written < WRITES, `${written} writes came before`)
  await writing
  await store.close()
})
