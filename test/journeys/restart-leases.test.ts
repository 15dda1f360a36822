import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { query } from '../../src/app/tables.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { startReceiver } from '../support/receiver.ts'
import { stages } from '../support/stages.ts'

const KIND = 'check webhook'
const DAY_MS = 86_400_000

/** What a process leaves that is killed while it runs the task. */
const leaveLeased = query<{ until: number }>('testLeaveLeased', (db, at) =>
  db.updateTable('tasks').set({ leased: 1, due_at: at.until }).where('kind', '=', KIND),
)

/**
 * Kills no process: the task of a process that has ended is made to look as if it had been killed.
 */
async function restarted(t: TestContext, first: Plaza, restart: () => Promise<Plaza>): Promise<void> {
  const client = new Client(first)
  t.after(() => client.close())
  const keys = demoKeys(first)
  const receiver = await startReceiver(keys.consumerSecret)
  t.after(() => receiver.close())
  await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
  const { store, clock } = first.context
  const checked = await client.signed('GET', '/2/webhooks', keys)
  const { id } = (checked.json as { data: { id: string }[] }).data[0] ?? assert.fail('no webhook')
  // The check leases the task, and delays it.
  await client.signed('PUT', `/2/webhooks/${id}`, keys)
  await store.write((tx) => tx.run(leaveLeased, { until: clock.now() + DAY_MS }))
  await first.close()
  const second = await restart()
  assert.equal(await second.tasks.runDue(KIND), 1)
}

test('SQLite: a task of a process that was killed runs at once when the server starts again', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'plaza-restart-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  await restarted(t, await startPlaza({ data }), async () => {
    const second = await startPlaza({ data, node: 7 })
    t.after(() => second.close())
    return second
  })
})

const shared = stages.find((stage) => stage.shared)

test('PostgreSQL: a task of a process that was killed runs at once when its node starts again', {
  skip: shared?.skip ?? true,
}, async (t) => {
  const opened = await shared?.open({ node: 3 })
  if (!opened) return
  t.after(() => opened.close())
  await restarted(t, opened.plaza, () => opened.second())
})
