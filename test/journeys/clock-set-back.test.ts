import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { Client, demoKeys } from '../support/client.ts'
import { START_MS, startPlaza } from '../support/plaza.ts'

const HOUR_MS = 3_600_000

interface Line {
  level: number
  msg?: string
  status?: number
  detail?: string
  rejected_for_seconds?: number
}

async function begin(t: TestContext) {
  const lines: Line[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const plaza = await startPlaza({}, { log })
  await plaza.caughtUp
  const client = new Client(plaza)
  t.after(async () => {
    await client.close()
    await plaza.close()
  })
  return { lines, plaza, client, clock: plaza.clock, keys: demoKeys(plaza) }
}

test('when the clock was ahead and is set back, signed requests are rejected, and log, readiness and metrics say why', async (t) => {
  const { lines, plaza, client, clock, keys } = await begin(t)
  const bearer = await client.bearer(keys)
  const signed = async () => (await client.signed('GET', '/2/users/me', keys)).status
  const ready = async () => {
    const reply = await fetch(`${plaza.urls.console}/ready`)
    return [reply.status, await reply.json()]
  }
  const rejectedSeconds = async () => {
    const text = await (await fetch(`${plaza.urls.console}/metrics`)).text()
    return Number(/^plaza_signed_requests_rejected_seconds (.*)$/m.exec(text)?.[1])
  }

  clock.advance(HOUR_MS)
  assert.equal(await signed(), 200)
  assert.deepEqual([await ready(), await rejectedSeconds()], [[200, { status: 'ready' }], 0])

  clock.moveTo(START_MS)
  // What was signed within 300 seconds of the newest request may still be told from a repetition.
  const seconds = await rejectedSeconds()
  assert.ok(seconds > 3200 && seconds < 3300, `${seconds}`)
  assert.deepEqual(await ready(), [
    200,
    {
      status: 'ready',
      warnings: [
        `Signed requests (OAuth 1.0a) are rejected for ${seconds} s more, because the clock was set back.`,
      ],
    },
  ])
  lines.length = 0
  for (let n = 0; n < 3; n++) assert.equal(await signed(), 401)
  const now = START_MS / 1000
  const detail = `timestamp ${now}: nonces used up to ${now + seconds} may be forgotten, ${seconds} s ahead of the clock, which was set back`
  assert.deepEqual(
    lines.filter(({ status }) => status === 401).map((line) => line.detail),
    [detail, detail, detail],
  )
  assert.deepEqual(
    lines.flatMap((line) => (line.level === 40 ? [[line.msg, line.rejected_for_seconds]] : [])),
    [['signed requests are rejected, because the clock was set back', seconds]],
  )
  const other = await client.send('GET', '/2/webhooks', { headers: { authorization: `Bearer ${bearer}` } })
  assert.equal(other.status, 200)

  clock.advance((seconds + 1) * 1000)
  assert.equal(await signed(), 200)
  assert.deepEqual([await ready(), await rejectedSeconds()], [[200, { status: 'ready' }], 0])
})

test('a request that is sent twice is not blamed on the clock', async (t) => {
  const { lines, client, keys } = await begin(t)
  const headers = { authorization: client.sign('GET', '/2/users/me', keys) }
  assert.equal((await client.send('GET', '/2/users/me', { headers })).status, 200)
  assert.equal((await client.send('GET', '/2/users/me', { headers })).status, 401)
  assert.equal(lines.find(({ status }) => status === 401)?.detail, 'nonce used before')
})
