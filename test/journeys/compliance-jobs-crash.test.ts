import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { Client } from '../support/client.ts'
import { type Started, startCli, stopCli, temporaryFolder, until } from './cli.fixture.ts'

const IDS = Array.from({ length: 120_000 }, (_, n) => String(1_800_000_000_000_000_000n + BigInt(n)))

const clientOf = (t: TestContext, { ready }: Started) => {
  const caPem = readFileSync(String(ready.ca_file), 'utf8')
  const client = new Client({ urls: { core: ready.core_url }, caPem } as Plaza)
  t.after(() => client.close())
  return client
}

test('a job that is being processed when Plaza is killed is completed after the next start', async (t) => {
  const folder = temporaryFolder(t)
  const args = ['--seed-population=0']
  const killed = await startCli(t, { folder, args })
  const client = clientOf(t, killed)
  const { app } = killed.ready
  assert.ok(app)
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = app
  const authorization = `Bearer ${await client.bearer({ consumerKey, consumerSecret })}`
  const created = await client.send('POST', '/2/compliance/jobs', {
    headers: { authorization },
    json: { type: 'posts' },
  })
  const job = (created.json as { data: Record<string, string> }).data
  const uploaded = await client.send('PUT', String(job.upload_url), { body: Buffer.from(IDS.join('\n')) })
  assert.equal(uploaded.status, 200, uploaded.text)

  const row = () => {
    const database = new DatabaseSync(join(folder, 'data', 'plaza.db'), { readOnly: true, timeout: 5_000 })
    try {
      return database.prepare('select status, next_part from compliance_jobs').get() ?? {}
    } finally {
      database.close()
    }
  }
  await until(killed, 'a part is processed', () => Number(row().next_part) > 0)
  await stopCli(killed, 'SIGKILL')
  assert.equal(row().status, 'in_progress')

  rmSync(join(folder, 'ready.json'), { force: true })
  const plaza = await startCli(t, { folder, args })
  await until(plaza, 'the job is complete', () => row().status === 'complete')
  const result = await clientOf(t, plaza).send('GET', new URL(String(job.download_url)).pathname)
  const lines = result.text.trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { id: string }).id),
    IDS,
  )
  await stopCli(plaza)
})
