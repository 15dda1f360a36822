import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { request } from 'undici'
import { adHocQuery } from '../../src/app/tables.ts'
import { lockAuthor } from '../../src/identity/users/queries.ts'
import type { CheckMessage } from '../../src/workbench/checks/check.ts'
import { Admin } from '../support/admin.ts'
import { Client } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { runPlaza, smallSeedFlag, startCli } from './cli.fixture.ts'

// `plaza check` by a running Plaza: through the admin API, and by the command that calls it.

for (const stage of stages) {
  describe(`checks of a running Plaza on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true, backgroundTasks: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    async function open(repair: boolean) {
      const { statusCode, body } = await request(`${opened.plaza.urls.console}/admin/v1/check`, {
        method: 'POST',
        body: JSON.stringify({ repair }),
        headers: { 'content-type': 'application/json' },
      })
      return { status: statusCode, body }
    }
    async function check(repair = false): Promise<CheckMessage[]> {
      const { status, body } = await open(repair)
      assert.equal(status, 200)
      return messagesOf(body)
    }
    async function messagesOf(body: Readable): Promise<CheckMessage[]> {
      const messages: CheckMessage[] = []
      for await (const line of createInterface({ input: body }))
        messages.push((JSON.parse(line) as { data: CheckMessage }).data)
      return messages
    }
    const differences = (messages: readonly CheckMessage[]) =>
      messages.flatMap(({ difference }) => (difference ? [difference] : []))
    /** Changes counts behind the program's back. */
    const damage = (count: number) => {
      const declared = adHocQuery<object>('brokenCounts', (db) => ({
        compile: () =>
          sql`update users set followers_count = followers_count + ${sql.lit(count)}`.compile(db),
      }))
      return opened.plaza.context.store.write((tx) => tx.run(declared, {}))
    }

    test('says how far it is, what differs, and what each comparison found', async () => {
      const messages = await check()
      assert.deepEqual(differences(messages), [])
      const compared = messages.flatMap(({ comparison }) => (comparison ? [comparison] : []))
      assert.ok(compared.some(({ name, compared }) => name === 'counts of users' && compared > 0))
      assert.deepEqual(messages.at(-1), {
        result: {
          compared: compared.reduce((sum, one) => sum + one.compared, 0),
          ...{ differing: 0, repaired: false },
        },
      })
    })

    test('repairs while others write, and finds nothing more afterwards', async () => {
      for (let n = 0; n < 20; n++)
        await admin.call('POST', '/users', { screen_name: `fan_${n}`, name: `Fan ${n}` })
      await damage(3)
      let isOver = false
      // Followers come and go until the check has ended.
      const others = (async () => {
        for (let n = 0; !isOver; n++) {
          const fan = `fan_${n % 20}`
          await admin.call('PUT', `/users/${fan}/following/demo`)
          if (n % 3 === 0) await admin.call('DELETE', `/users/${fan}/following/demo`)
        }
      })()
      // The rank of a user in searches follows from the damaged count.
      const counts = (lines: Awaited<ReturnType<typeof check>>) =>
        differences(lines).filter(({ name }) => name !== 'search_terms')
      const found = counts(await check(false))
      assert.ok(found.length >= 20)
      for (const { name, stored, expected } of found)
        assert.deepEqual([name, Number(stored) - Number(expected)], ['followers_count', 3])
      const repaired = await check(true)
      isOver = true
      await others
      assert.deepEqual(
        counts(repaired)
          .map(({ of }) => of)
          .toSorted(),
        found.map(({ of }) => of).toSorted(),
      )
      assert.deepEqual(repaired.at(-1)?.result?.repaired, true)
      assert.deepEqual(differences(await check()), [])
    })

    test('one check runs at a time', async () => {
      const { store } = opened.plaza.context
      const { id } = await admin.call<{ id: string }>('GET', '/users/demo')
      await damage(1)
      // Somebody changes the user for so long that the check has to wait.
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const holding = store.write(async (tx) => {
        await tx.first(lockAuthor, { id })
        begin()
        await held
      })
      await begun
      const first = await open(true)
      const second = await open(true)
      assert.equal(second.status, 409)
      assert.equal(
        ((await second.body.json()) as { detail: string }).detail,
        'Another check runs. Wait until it has ended.',
      )
      release()
      await holding
      assert.equal((await messagesOf(first.body)).at(-1)?.result?.repaired, true)
      assert.deepEqual(differences(await check()), [])
    })

    test('a check that is left ends, and another one can begin', async () => {
      const { body } = await open(true)
      body.on('error', () => undefined).destroy()
      await until('it has ended', async () => {
        const reply = await open(false)
        await reply.body.dump()
        return reply.status === 200
      })
    })
  })
}

test('plaza check reaches a Plaza in memory', async (t) => {
  const { readyPath } = await startCli(t, { args: ['--memory', smallSeedFlag(t)] })
  const { code, stdout, stderr } = await runPlaza(t, ['check', '--repair', `--ready-file=${readyPath}`])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^counts of users: \d+ compared, 0 differ$/m)
  const asJson = await runPlaza(t, ['check', `--ready-file=${readyPath}`, '--json'])
  const lines = asJson.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string })
  assert.ok(lines.some(({ name }) => name === 'follow requests'))
})
