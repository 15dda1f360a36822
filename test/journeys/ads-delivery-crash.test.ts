import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cellsIn } from '../../src/domain/ad-delivery/ledger.ts'
import { AT } from '../../src/domain/ad-delivery/metrics.ts'
import { runPlaza, startCli, stopCli, temporaryFolder } from './cli.fixture.ts'

/** When the process is killed, after the clock began to advance: in different phases. */
const KILLED_AFTER_MS = [0, 60, 150, 250]
const ARGS = ['--seed=demo', '--ad-people-per-user=100']

interface Row {
  promotion_id: string
  from_time: number
  charged: number
  cells: string
  last_cell: string
}

test('a process that is killed while it delivers has every hour once in the ledger', async (t) => {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  const start = () => {
    // It is written again once the server answers.
    rmSync(join(folder, 'ready.json'), { force: true })
    return startCli(t, { folder, args: ARGS })
  }
  let plaza = await start()
  const advance = (by: string) =>
    fetch(`${plaza.ready.console_url}/admin/v1/clock/advance`, {
      method: 'POST',
      body: JSON.stringify({ by, timeout_seconds: 120 }),
      headers: { 'content-type': 'application/json' },
    })
  for (const killedAfterMs of KILLED_AFTER_MS) {
    const call = advance('47h').catch(() => undefined)
    await pause(killedAfterMs)
    await stopCli(plaza, 'SIGKILL')
    await call
    plaza = await start()
  }
  const advanced = await advance('30h')
  const { data: reading } = (await advanced.json()) as { data: { settled: boolean } }
  assert.equal(reading.settled, true)
  await stopCli(plaza, 'SIGTERM')
  const checked = await runPlaza(t, ['check', `--data=${data}`])
  assert.equal(checked.code, 0, checked.stdout + checked.stderr)
  assert.match(checked.stdout, /spent amounts of advertising/)

  const database = new DatabaseSync(join(data, 'plaza.db'), { readOnly: true })
  const rows = database
    .prepare(
      'select promotion_id, from_time, charged, cells, last_cell from ad_deliveries order by from_time',
    )
    .all() as unknown as Row[]
  database.close()
  assert.ok(rows.length >= 3, 'the demo campaign was delivered on several days')
  let untilMs = 0
  for (const row of rows) {
    let charged = 0
    for (const cell of cellsIn(row, { fromMs: 0, untilMs: Number.POSITIVE_INFINITY })) {
      assert.ok(cell.fromMs >= untilMs, 'no period is computed twice')
      untilMs = cell.untilMs
      charged += cell.counts[AT.billed_charge_local_micro] ?? 0
    }
    assert.equal(charged, row.charged)
  }
})
