import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import OAuth from 'oauth-1.0a'
import { Agent, fetch } from 'undici'
import type { ReadyFile } from '../../src/app/cli/files.ts'
import { ConsoleBrowser, noBrowser } from '../support/console-pages.ts'
import { FREE_PORTS, spawnPlaza, temporaryFolder, until } from './cli.fixture.ts'

/** Keeps pictures of the pages, where a folder is named. */
const PICTURES = process.env.PLAZA_TEST_PICTURES

// What someone does who has never seen Plaza: start it, call it wrongly, and look for the reason.
// The test says how long the machine took.
test('a newcomer starts Plaza, sends a wrong signature, and finds in the console what is wrong with it', {
  skip: noBrowser,
}, async (t) => {
  const began = performance.now()
  const { consoleUrl, ready } = await startedDemo(t)
  const reply = await callWithoutQueryInSignature(ready)
  assert.equal(reply.status, 401)

  const browser = await ConsoleBrowser.open()
  t.after(() => browser.close())
  const { page, complaints } = await browser.show(consoleUrl)
  const keep = async (name: string) => {
    if (PICTURES === undefined) return
    mkdirSync(PICTURES, { recursive: true })
    await page.screenshot({ path: join(PICTURES, `newcomer-${name}.png`) })
  }
  await page.getByRole('row').filter({ hasText: 'GET /2/users/{id}' }).waitFor()
  await keep('1-overview')
  await page.getByRole('link', { name: 'Journal' }).click()
  const wrong = page.getByRole('link', { name: /^401 GET \/2\/users\// })
  await wrong.waitFor()
  await keep('2-journal')
  await wrong.click()
  await page.getByText('The signature is wrong.').waitFor()
  const reasons = page.getByRole('region', { name: 'Explanation' })
  await reasons.getByText('The client did not sign the parameters of the query.').waitFor()
  const expected = page.getByRole('region', { name: 'Expected base string' })
  // What the client forgot is what is marked as the difference.
  assert.match(await expected.locator('mark').innerText(), /user\.fields%3Ddescription/)
  await keep('3-explained')
  assert.deepEqual(complaints, [])
  t.diagnostic(`${Math.round(performance.now() - began)} ms of machine time`)
})

/** `plaza start --memory`, as it says at its start where its console is. */
async function startedDemo(t: TestContext) {
  const readyPath = join(temporaryFolder(t), 'ready.json')
  const running = spawnPlaza(t, ['start', '--memory', '--ready-file', readyPath, ...FREE_PORTS])
  await until(running, 'the message', () => running.stdout().includes('Stop it with') || undefined)
  const consoleUrl = /Console +(http:\S+)/.exec(running.stdout())?.[1]
  assert.ok(consoleUrl)
  return { consoleUrl, ready: JSON.parse(readFileSync(readyPath, 'utf8')) as ReadyFile }
}

/** A library signs, and is not told about the query. */
async function callWithoutQueryInSignature({ core_url, ca_file, app, user }: ReadyFile) {
  assert.ok(app && ca_file && user?.access_token && user.access_token_secret)
  const client = new OAuth({
    consumer: { key: app.consumer_key, secret: app.consumer_secret },
    signature_method: 'HMAC-SHA1',
    hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
  })
  const url = `${core_url}/2/users/${user.id}`
  const token = { key: user.access_token, secret: user.access_token_secret }
  const { Authorization } = client.toHeader(client.authorize({ url, method: 'GET' }, token))
  const dispatcher = new Agent({ connect: { ca: readFileSync(ca_file, 'utf8') } })
  const headers = { authorization: Authorization }
  const reply = await fetch(`${url}?user.fields=description`, { headers, dispatcher })
  await reply.text()
  await dispatcher.close()
  return reply
}
