import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { dropSchema, POSTGRES_URL } from '../../../test/support/services.ts'
import { stages } from '../../../test/support/stages.ts'
import { ManualClock, systemClock } from '../common/clock.ts'
import { randomText, systemRandom } from '../common/random.ts'
import { openStore, type StoreLocation } from '../storage/open.ts'
import { endless, endlessKind } from './crash.fixture.ts'
import { enqueue } from './enqueue.ts'
import { Leases } from './leases.ts'
import { earliestDue } from './queries.ts'
import { DONE } from './task.ts'
import { startWorker } from './worker.ts'

const program = fileURLToPath(new URL('crash.fixture.ts', import.meta.url))

/**
 * Kills a process while it runs two tasks, and has another process run them: one of the same node,
 * or one of another.
 */
async function killed(location: StoreLocation, { isRestarted }: { isRestarted: boolean }): Promise<void> {
  const clock = new ManualClock(systemClock.now())
  const store = await openStore(location, { clock, onError: () => undefined })
  try {
    await store.write((tx) => enqueue(tx, endless.task({ name: 'a' }), endless.task({ name: 'b' })))
    const child = spawn(process.execPath, [program, JSON.stringify(location)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    for await (const chunk of child.stdout) {
      said += chunk
      if (said.includes('running a') && said.includes('running b')) break
    }
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])

    const runs: string[] = []
    const kind = endlessKind(async (name, attempt) => {
      runs.push(`${name} ${attempt}`)
      return DONE
    })
    const parts = { store, clock, random: systemRandom, log: pino({ enabled: false }) }
    const worker = await startWorker([kind], { ...parts, holder: 'node 2' }, { background: false })
    if (isRestarted) {
      assert.equal(await worker.runDue(), 0)
      const again = { ...parts, holder: 'node 1' }
      await new Leases(again).freeOwn()
      assert.equal(await (await startWorker([kind], again, { background: false })).runDue(), 2)
      assert.deepEqual(runs.sort(), ['a 2', 'b 2'])
      return
    }
    const leased = await store.first(earliestDue, { kind: endless.name })
    clock.moveTo((leased?.due_at ?? 0) - 1)
    assert.equal(await worker.runDue(), 0)
    clock.advance(60_000)
    assert.equal(await worker.runDue(), 2)
    assert.deepEqual(runs.sort(), ['a 2', 'b 2'])
    assert.equal(await store.first(earliestDue, { kind: endless.name }), undefined)
  } finally {
    await store.close()
  }
}

const outcomes = [
  { isRestarted: true, when: 'at once when its node starts again' },
  { isRestarted: false, when: 'on another node when their leases end' },
]

for (const { isRestarted, when } of outcomes) {
  const name = `tasks of a process that was killed run again ${when}, and none is lost`

  test(`SQLite: ${name}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plaza-queue-'))
    after(() => rm(folder, { recursive: true, force: true }))
    await killed({ kind: 'file', path: join(folder, 'plaza.db') }, { isRestarted })
  })

  test(`PostgreSQL: ${name}`, { skip: stages.find(({ shared }) => shared)?.skip ?? true }, async () => {
    const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`
    after(() => dropSchema(schema))
    await killed({ kind: 'postgres', url: POSTGRES_URL, schema }, { isRestarted })
  })
}
