import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { newConsoleKey } from '../../src/app/console/access.ts'
import { enqueueDeliveries } from '../../src/delivery/webhooks/enqueue.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { NEVER_MS, until } from '../support/until.ts'
import { demoUser } from '../support/visitor.ts'

const CHROMIUM = process.env.PLAZA_TEST_CHROMIUM ?? '/usr/bin/chromium'
const skip = existsSync(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}: install Chromium (apt-get install chromium) or name one in PLAZA_TEST_CHROMIUM`
const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const HOSTILE = `<script>document.title='owned'</script>`

for (const stage of stages) {
  describe(`the console on ${stage.name}`, { skip: skip || stage.skip }, () => {
    let opened: Opened
    let client: Client
    let receiver: Receiver
    let webhook: string
    let browser: Browser
    let url: string

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', shutdownSeconds: 1 }, { backgroundDeliveries: true })
      client = new Client(opened.plaza)
      const keys = demoKeys(opened.plaza)
      receiver = await startReceiver(keys.consumerSecret)
      const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
      webhook = (reply.json as { data: { id: string } }).data.id
      url = opened.plaza.urls.console
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
    })
    after(async () => {
      await browser?.close()
      await client?.close()
      await opened?.close()
      await receiver?.close()
    })

    const newKey = () => {
      const { sealer, clock } = opened.plaza.context
      return newConsoleKey({ sealer, now: clock.now() })
    }
    async function signIn(key = newKey()): Promise<Page> {
      const context = await browser.newContext()
      context.setDefaultTimeout(NEVER_MS)
      const page = await context.newPage()
      await page.goto(`${url}/sign-in#${key}`)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.goto(`${url}/webhooks`)
      return page
    }

    test('a delivery is shown with its attempts and what the webhook answered, and is sent again', async () => {
      receiver.answerWith((_, response) => response.writeHead(500).end(HOSTILE))
      const body = JSON.stringify({ text: HOSTILE })
      await opened.plaza.context.store.write((tx) =>
        enqueueDeliveries(tx, [{ webhookId: webhook, eventId: '42', body }]),
      )
      const page = await signIn()
      await page.getByRole('link', { name: receiver.url }).click()
      const delivery = page.getByRole('region')
      await until('the attempt', async () => {
        await page.reload()
        return (await delivery.getByText(': 500 after').count()) === 1
      })
      await delivery.getByText(HOSTILE, { exact: true }).waitFor()
      await delivery.getByText('What was sent').click()
      await delivery.getByText(body).waitFor()
      const signature = String(receiver.deliveries[0]?.headers['x-svc-webhooks-signature'])
      await delivery.getByText(`x-svc-webhooks-signature: ${signature}`).waitFor()
      assert.equal(await page.title(), 'Deliveries – Console')
      receiver.answerWith((_, response) => response.writeHead(200).end())
      // The browser cannot reload a page that it is leaving.
      await Promise.all([
        page.waitForEvent('load'),
        delivery.getByRole('button', { name: 'Send again' }).click(),
      ])
      await until('the delivery', async () => {
        await page.reload()
        return (await page.getByRole('heading', { name: ': delivered' }).count()) === 1
      })
      assert.deepEqual(new Set(receiver.deliveries.map((one) => one.body)), new Set([body]))
      await page.context().close()
    })

    test('an event is emitted to those who subscribed; what is wrong is said', async () => {
      const { id } = demoUser(opened.plaza, 'demo')
      const authorization = `Bearer ${await client.bearer(demoKeys(opened.plaza))}`
      const json = { event_type: 'spaces.start', filter: { user_id: id }, webhook_id: webhook }
      const made = await client.send('POST', '/2/activity/subscriptions', {
        headers: { authorization },
        json,
      })
      assert.equal(made.status, 200, made.text)
      receiver.answerWith((_, response) => response.writeHead(200).end())
      const page = await signIn()
      await page.getByRole('link', { name: 'Emit an event' }).click()
      await page.getByLabel('Event type').selectOption('spaces.start')
      const emit = () => page.getByRole('button', { name: 'Emit' }).click()
      await emit()
      await page.getByText('spaces.start needs a user.').waitFor()
      await page.getByLabel('User').fill('@nobody_here')
      await emit()
      await page.getByText('There is no user @nobody_here').waitFor()
      await page.getByLabel('User').fill('@demo')
      await page.getByLabel('Payload').fill('{"broadcast_id":7}')
      await emit()
      await page.getByText('Payload: ').waitFor()
      await page.getByLabel('Payload').fill('')
      await emit()
      await page.getByRole('status').getByText('Emitted spaces.start').waitFor()
      await until('the event', () =>
        receiver.deliveries.some(({ body }) => body.includes('"event_type":"spaces.start"')),
      )
      await page.context().close()
    })

    test('a form of another site, or without the token of the session, does nothing', async () => {
      const signedIn = await fetch(`${url}/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ key: newKey() }),
      })
      assert.equal(signedIn.status, 303)
      const set = signedIn.headers.get('set-cookie') ?? ''
      assert.match(set, /; HttpOnly; SameSite=Strict$/)
      const cookie = set.split(';')[0] as string
      const shown = await fetch(`${url}/emit`, { headers: { cookie } })
      assert.equal(shown.headers.get('cache-control'), 'no-store')
      const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(await shown.text()) ?? []
      const post = async (more: Record<string, string>, headers: Record<string, string> = {}) => {
        const body = new URLSearchParams({ event_type: 'spaces.end', user: 'demo', ...more })
        return (await fetch(`${url}/emit`, { method: 'POST', headers: { cookie, ...headers }, body })).status
      }
      assert.equal(await post({}), 403)
      assert.equal(await post({ form_token: 'x' }), 403)
      assert.equal(await post({ form_token }, { origin: 'http://evil.example' }), 403)
      assert.equal(await post({ form_token }, { 'sec-fetch-site': 'cross-site' }), 403)
      assert.equal(await post({ form_token }, { cookie: '' }), 401)
      assert.equal(await post({ form_token }), 200)
      const ofAnother = await fetch(`${url}/webhooks/7/deliveries/1/resend`, {
        method: 'POST',
        headers: { cookie },
        body: new URLSearchParams({ form_token }),
      })
      assert.equal(ofAnother.status, 404)
    })
  })
}
