import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { webhooksOfApp } from '../../src/api/core/webhooks/queries.ts'
import { newConsoleKey } from '../../src/app/console/access.ts'
import { loadClient } from '../../src/app/console/client-files.ts'
import { adminEndpoints } from '../../src/app/endpoints.ts'
import { enqueueDeliveries } from '../../src/delivery/webhooks/enqueue.ts'
import { pageOfApps } from '../../src/identity/apps/queries.ts'
import { signRequest } from '../../src/identity/auth/signature/sign.ts'
import { appOf } from '../../src/identity/tokens/credentials.ts'
import { Client } from '../support/client.ts'
import { assertAccessible, ConsoleBrowser, noBrowser } from '../support/console-pages.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const MAX_COMPRESSED_BYTES = 300_000
/** Pages of parts of the admin API, and the path that they read first. */
const PARTS = [
  ['/', '/admin/v1/metrics'],
  ['/journal', '/admin/v1/journal'],
  ['/data/users', '/admin/v1/users'],
  ['/data/users/demo', '/admin/v1/users'],
  ['/data/apps', '/admin/v1/apps'],
  ['/data/accounts', '/admin/v1/accounts'],
  ['/data/news', '/admin/v1/news'],
  ['/data/communities', '/admin/v1/communities'],
  ['/data/spaces', '/admin/v1/spaces'],
  ['/data/notes', '/admin/v1/notes'],
  ['/streams', '/admin/v1/explorer/streams/{stream}'],
  ['/webhooks', '/admin/v1/deliveries'],
  ['/explorer', '/admin/v1/explorer/requests'],
  ['/explorer/core/createPost', '/admin/v1/explorer/requests'],
  ['/explorer/ads/createCampaign', '/admin/v1/explorer/requests'],
  ['/signature', '/admin/v1/signature-check'],
  ['/clock', '/admin/v1/clock'],
  ['/faults', '/admin/v1/faults'],
  ['/snapshots', '/admin/v1/snapshots'],
] as const
const served = new Set<string>(adminEndpoints.map(({ path }) => path))
const PAGES = PARTS.flatMap(([page, path]) => (served.has(path) ? [page] : []))
const HOSTILE = `<img src=x onerror="document.title='owned'">`
const LOOKS = [
  { width: 360, height: 740, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 2560, height: 1440, theme: 'light' },
] as const

for (const stage of stages) {
  describe(`the application of the console on ${stage.name}`, { skip: noBrowser || stage.skip }, () => {
    let opened: Opened
    let client: Client
    let browser: ConsoleBrowser
    let url: string
    before(async () => {
      opened = await stage.open(
        { shutdownSeconds: 1 },
        { usesOwnClock: true, backgroundTasks: true, backgroundDeliveries: true },
      )
      client = new Client(opened.plaza)
      url = opened.plaza.urls.console
      browser = await ConsoleBrowser.open()
    })
    after(async () => {
      await browser?.close()
      await client?.close()
      await opened?.close()
    })

    test('every page can be used by all, on every screen, and stays within its policy', async () => {
      // The pages are the same on every store.
      for (const look of stage.shared ? LOOKS.slice(0, 1) : LOOKS) {
        const { page, complaints, close } = await browser.show(url, look)
        for (const path of PAGES) {
          await page.goto(url + path)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
          await assertAccessible(page, `${path} ${look.width} ${look.theme}`)
        }
        assert.deepEqual(complaints, [])
        await close()
      }
    })

    test('where there are no snapshots, their page says how to save the data', async (t) => {
      if (!stage.shared) return t.skip('There are snapshots here.')
      const { page, complaints, close } = await browser.show(`${url}/snapshots`)
      await page.getByText(/Snapshots are not available on PostgreSQL.*pg_dump/).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
      assert.deepEqual(complaints, [])
      await close()
    })

    test('the overview shows what was requested, by endpoint', async () => {
      const person = await Person.join(opened.plaza, client)
      assert.equal((await person.core('GET', `/2/users/${person.id}`)).status, 200)
      assert.equal((await person.core('GET', '/2/nothing')).status, 404)
      const { page, close } = await browser.show(url)
      const row = page.getByRole('row').filter({ hasText: 'GET /2/users/{id}' })
      await row.waitFor()
      const cells = await row.getByRole('cell').allTextContents()
      assert.deepEqual(cells.slice(0, 5), ['GET /2/users/{id}', 'core', '1', '0', '0'])
      const requests = page.getByRole('columnheader', { name: 'Requests' })
      assert.equal(await requests.getAttribute('aria-sort'), 'descending')
      await requests.getByRole('button').click()
      assert.equal(await requests.getAttribute('aria-sort'), 'ascending')
      await page.getByRole('img', { name: /^Requests in the last ten minutes\. 2xx, 3xx: now / }).waitFor()
      await close()
    })

    test('the clock is frozen, advanced, set and resumed; what is wrong is said', async () => {
      const { page, close } = await browser.show(`${url}/clock`)
      const region = (name: string) => page.getByRole('region', { name, exact: true })
      await region('Now').getByRole('button', { name: 'Freeze' }).click()
      await page.getByText('The clock stands still.').waitFor()
      const frozen = await shownTime()
      await region('Advance').getByLabel('Duration').fill('1d2h')
      await region('Advance').getByRole('button', { name: 'Advance', exact: true }).click()
      await page.getByText('Advanced by 1d2h. Everything that became due is done.').waitFor()
      assert.equal((await shownTime()) - frozen, 26 * 3_600_000)
      await region('Advance').getByLabel('Duration').fill('soon')
      await region('Advance').getByRole('button', { name: 'Advance', exact: true }).click()
      await page.getByRole('alert').getByText('$.by: is not valid').waitFor()
      await region('Set').getByLabel('Time in UTC').fill('2020-01-01T00:00:00')
      await region('Set').getByRole('button', { name: 'Set' }).click()
      await page.getByRole('alert').getByText('`now` must not be before the time of the clock').waitFor()
      await region('Set').getByLabel('Time in UTC').fill('2070-01-01T00:00:00')
      await region('Set').getByRole('button', { name: 'Set' }).click()
      await page.getByText('The clock shows 2070-01-01 00:00:00.').waitFor()
      await region('Now').getByRole('button', { name: 'Resume' }).click()
      await page.getByText('The clock goes on.').waitFor()
      await close()

      async function shownTime() {
        const time = await region('Now').locator('time').getAttribute('datetime')
        return Date.parse(time ?? '')
      }
    })

    test('an endpoint is a form, sent as any user, and the call is shown as code', async () => {
      const person = await Person.join(opened.plaza, client)
      const { page, complaints, close } = await browser.show(`${url}/explorer/core`)
      await page.getByLabel('Search endpoints').fill('createPost')
      await page.getByRole('link', { name: 'POST Create a post', exact: true }).click()
      await page.getByLabel('User').fill(person.screenName)
      await page.getByLabel('JSON body').fill(JSON.stringify({ text: HOSTILE }))
      await page.getByRole('button', { name: 'Send' }).click()
      const reply = page.getByRole('region', { name: 'Reply', exact: true })
      await reply.getByText('201').waitFor()
      const text = await reply.getByRole('region', { name: 'Body of the reply' }).innerText()
      assert.equal((JSON.parse(text) as { data: { text: string } }).data.text, HOSTILE)
      await reply.getByRole('tab', { name: 'Sent' }).click()
      await reply.getByText('OAuth oauth_consumer_key=').waitFor()
      const code = page.getByRole('region', { name: 'The call as code' })
      assert.match(await code.innerText(), /^plaza request POST \/2\/posts/)
      for (const [language, start] of [
        ['curl', /^curl --cacert ca\.pem -X POST https:/],
        ['JavaScript', /^const TOKEN = '' .*\nconst response = await fetch\("https:/],
        ['Python', /^import os\nfrom requests_oauthlib import OAuth1Session/],
      ] as const) {
        await page.getByRole('tab', { name: language }).click()
        assert.match(await code.innerText(), start)
      }
      await page.getByLabel('User').fill('nobody_here')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('alert').getByText('There is no user nobody_here.').waitFor()
      assert.notEqual(await page.title(), 'owned')
      assert.deepEqual(
        complaints.filter((one) => !one.includes('status of 400')),
        [],
      )
      await close()
    })

    test('the journal follows requests, and explains a wrong signature', async () => {
      const person = await Person.join(opened.plaza, client)
      const { page, close } = await browser.show(`${url}/journal`)
      await page.getByRole('list').or(page.getByText('No entry matches')).first().waitFor()
      const path = '/2/users/me'
      const wrong = { ...person.keys, tokenSecret: 'wrong' }
      assert.equal((await client.signed('GET', path, wrong)).status, 401)
      await page
        .getByRole('link', { name: `401 GET ${path}` })
        .first()
        .click()
      await page.getByText('The signature is wrong.').waitFor()
      await page.getByRole('region', { name: 'Expected base string' }).getByText('GET&https').waitFor()
      await assertAccessible(page, 'an entry')
      await page.getByRole('button', { name: 'As curl' }).click()
      await page.getByRole('region', { name: 'As curl' }).getByText('curl -X GET').waitFor()
      await page.getByLabel('Status').selectOption('5xx')
      await page.getByText('No entry matches').waitFor()
      await page.getByLabel('Status').selectOption('')
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('button', { name: 'Follow' }).waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByText('No entry matches').waitFor()
      await close()
    })

    test('a signature is checked without sending the request', async () => {
      const person = await Person.join(opened.plaza, client)
      const address = `${opened.plaza.urls.core}/2/users/me`
      const { keys } = person
      const { header } = signRequest({
        ...{
          method: 'GET',
          url: address,
          consumerKey: keys.consumerKey,
          consumerSecret: keys.consumerSecret,
        },
        ...{ token: keys.token, tokenSecret: keys.tokenSecret, nonce: 'abc', timestampSeconds: 1 },
      })
      const { page, close } = await browser.show(`${url}/signature`)
      await page.getByLabel('URL').fill(address)
      await page.getByLabel('Authorization header').fill(`Authorization: ${header}`)
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('The signature is right.').waitFor()
      await page
        .getByRole('region', { name: 'Parameters of the header' })
        .getByText('abc', { exact: true })
        .waitFor()
      await page.getByLabel('Method').selectOption('POST')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('The signature is wrong.').waitFor()
      assert.match(await page.getByRole('region', { name: 'Expected base string' }).innerText(), /^POST&/)
      await page.getByLabel('URL').fill('https://elsewhere.example/2')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('No listener answers for https://elsewhere.example.').waitFor()
      await close()
    })

    test('users and their posts are shown as people know them, made and changed', async () => {
      const [ann, bob] = [await Person.join(opened.plaza, client), await Person.join(opened.plaza, client)]
      const { page, complaints, close } = await browser.show(`${url}/data/users/${ann.screenName}`)
      await page.getByLabel('Text').fill(HOSTILE)
      await page.getByRole('button', { name: 'Publish' }).click()
      const post = page.getByRole('article').filter({ hasText: 'onerror=' })
      await post.waitFor()
      await post.getByRole('link', { name: /ago|now/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Thread' }).waitFor()
      await page.getByLabel('Author').fill(bob.screenName)
      await page.getByLabel('Text').fill('A reply')
      await page.getByRole('button', { name: 'Reply' }).click()
      await page.getByRole('article').filter({ hasText: 'A reply' }).waitFor()
      await page.getByLabel('As the user').fill(bob.screenName)
      await page.getByRole('button', { name: 'Like', exact: true }).click()
      await page.getByRole('article').first().getByText('1 likes').waitFor()
      await assertAccessible(page, 'a thread')
      await page.goto(`${url}/data/users/${ann.screenName}`)
      await page.getByRole('tab', { name: 'Messages' }).click()
      await page.getByLabel('To').fill(bob.screenName)
      await page.getByRole('tabpanel').getByLabel('Text').fill('Hello Bob')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('listitem').filter({ hasText: 'Hello Bob' }).first().waitFor()
      await page.getByRole('tab', { name: 'Edit' }).click()
      await page.getByLabel('Name').fill('Ann <b>')
      await page.getByLabel('Protected').check()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { level: 1, name: 'Ann <b>' }).waitFor()
      await page.getByRole('region', { name: 'Profile' }).getByText('protected').waitFor()
      assert.notEqual(await page.title(), 'owned')
      assert.deepEqual(complaints, [])
      await close()
    })

    test('secrets are shown once, when they are made', async () => {
      const { page, close } = await browser.show(`${url}/data/apps`)
      const form = page.getByRole('region', { name: 'New app' })
      await form.getByLabel('Name').fill('Another app')
      await form.getByLabel('Owner').fill('demo')
      await form.getByRole('button', { name: 'Register' }).click()
      const secret = page.locator('.note').getByText('consumer_secret').locator('xpath=following-sibling::dd')
      const text = await secret.innerText()
      assert.match(text, /^[A-Za-z0-9]{20,}$/)
      await page.reload()
      await page.getByRole('region', { name: 'Another app' }).waitFor()
      assert.equal(await page.getByText(text).count(), 0)
      await close()
    })

    test('a stream shows each post with the rule that it matches', async () => {
      const person = await Person.join(opened.plaza, client)
      const { page, close } = await browser.show(`${url}/streams`)
      await page.getByLabel('Query').fill('heron')
      await page.getByLabel('Tag').fill('birds')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByText('Added.').waitFor()
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.getByText('The stream is open.').waitFor()
      const posted = async () => {
        const json = { text: `A heron ${++posts}` }
        assert.equal((await client.signed('POST', '/2/posts', person.keys, { json })).status, 201)
        return (await page.getByText('birds', { exact: true }).count()) > 1
      }
      let posts = 0
      await until('a post arrives on the stream', posted)
      await page.getByRole('region', { name: 'Live' }).getByText('Matches').first().waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Delete the rule heron' }).click()
      await page.getByText('The app has no rule.').waitFor()
      await close()
    })

    test('a delivery is shown with its attempts, and sent again; an event is emitted', async () => {
      const [app] = await opened.plaza.context.store.all(pageOfApps, { after: '', limit: 1 })
      assert.ok(app)
      const secret = appOf(app, opened.plaza.context.sealer).consumerSecret
      const receiver = await startReceiver(secret)
      try {
        const { page, close } = await browser.show(`${url}/webhooks`)
        await page.getByRole('region', { name: 'Webhooks', exact: true }).getByLabel('URL').fill(receiver.url)
        await page.getByRole('button', { name: 'Register' }).click()
        await page.locator('strong').getByText(receiver.url, { exact: true }).waitFor()
        const [webhook] = await opened.plaza.context.store.all(webhooksOfApp, { appId: app.id })
        receiver.answerWith((_, response) => response.writeHead(500).end(HOSTILE))
        const body = JSON.stringify({ text: HOSTILE })
        await opened.plaza.context.store.write((tx) =>
          enqueueDeliveries(tx, [{ webhookId: String(webhook?.id), eventId: '42', body }]),
        )
        await page.getByRole('link', { name: /42 .*[0-9]+ attempts?/ }).click()
        await page.getByText(HOSTILE, { exact: true }).first().waitFor()
        const whole = page.getByRole('region', { name: 'Body of the delivery' })
        assert.deepEqual(JSON.parse(await whole.innerText()), { text: HOSTILE })
        await page.getByText(String(receiver.deliveries[0]?.headers['x-svc-webhooks-signature'])).waitFor()
        // Each answer has a name of its own.
        await page.getByRole('button', { name: 'Send again' }).click()
        await page.getByRole('region', { name: 'Answer to attempt 2' }).waitFor()
        await assertAccessible(page, 'a delivery')
        receiver.answerWith((_, response) => response.writeHead(200).end())
        await page.getByRole('button', { name: 'Send again' }).click()
        await page
          .getByRole('region', { name: /^Delivery / })
          .getByText('delivered')
          .waitFor()
        await page.goto(`${url}/webhooks`)
        const emit = page.getByRole('region', { name: 'Emit an event' })
        await emit.getByLabel('Event type').selectOption('oauth.revoke')
        await emit.getByLabel('App id').waitFor()
        await emit.getByLabel('Event type').selectOption('spaces.start')
        assert.equal(await emit.getByLabel('App id').count(), 0)
        await emit.getByLabel('User').fill('nobody_here')
        await emit.getByRole('button', { name: 'Emit' }).click()
        await emit.getByRole('alert').getByText('There is no user @nobody_here').waitFor()
        await emit.getByLabel('User').fill('@demo')
        await emit.getByLabel('Members of the payload').fill('{')
        await emit.getByRole('button', { name: 'Emit' }).click()
        await emit.getByRole('alert').getByText('The payload is no JSON').waitFor()
        await emit.getByLabel('Members of the payload').fill('')
        await emit.getByRole('button', { name: 'Emit' }).click()
        await emit.getByText('Emitted spaces.start: those who subscribed receive it.').waitFor()
        await close()
      } finally {
        await receiver.close()
      }
    })

    test('the keyboard reaches the content, the menu and the theme', async () => {
      const { page, close } = await browser.show(`${url}/clock`, { width: 360, height: 740 })
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      assert.equal(await page.evaluate('document.activeElement.id'), 'main')
      await page.getByRole('button', { name: 'Menu' }).press('Enter')
      await page.getByRole('dialog').getByRole('link', { name: 'Overview' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await page.evaluate('document.activeElement.id'), 'main')
      const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
      const light = await background()
      await page.getByRole('button', { name: 'Theme: as the system' }).press('Enter')
      await page.getByRole('button', { name: 'Theme: light' }).press('Enter')
      await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
      assert.notEqual(await background(), light)
      await page.reload()
      await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
      await close()
    })
  })
}

test('without the admin API, the console says how to get it', { skip: noBrowser }, async (t) => {
  const { browser, plaza } = await hardened(t, false)
  const { page } = await browser.show(plaza.urls.console)
  await page.getByText('Start it with --admin-api').waitFor()
  await assertAccessible(page, 'no admin API')
})

test('on a hardened Plaza, a link signs in once', { skip: noBrowser }, async (t) => {
  const { browser, plaza } = await hardened(t, true)
  const { sealer, machineClock } = plaza.context
  const key = newConsoleKey({ sealer, now: machineClock.now() })
  const { page, close } = await browser.show(`${plaza.urls.console}/clock`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await assertAccessible(page, 'sign in')
  await page.getByLabel('Key').fill('1-nothing')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const rejected = 'The key is invalid, was used before, or has expired.'
  await page.getByText(rejected).waitFor()
  // A new document: the same one with another fragment would not load.
  await page.goto('about:blank')
  await page.goto(`${plaza.urls.console}/sign-in#${key}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  assert.equal(page.url(), `${plaza.urls.console}/`)
  assert.doesNotMatch(String(await page.evaluate('document.cookie')), /plaza/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0)
  await close()
  const other = await browser.show(`${plaza.urls.console}/sign-in#${key}`)
  await other.page.getByText(rejected).waitFor()
  assert.equal(other.page.url(), `${plaza.urls.console}/sign-in`)
})

async function hardened(t: TestContext, adminApi: boolean) {
  const browser = await ConsoleBrowser.open()
  t.after(() => browser.close())
  const plaza = await startPlaza({ hardened: true, adminApi, seed: 'none' }, { usesOwnClock: true })
  t.after(() => plaza.close())
  return { browser, plaza }
}

test('the application is small, and nothing in it comes from elsewhere', async () => {
  const { files } = await loadClient()
  const bytes = [...files.values()].reduce((sum, { text }) => sum + brotliCompressSync(text).length, 0)
  assert.ok(bytes < MAX_COMPRESSED_BYTES, `${bytes} bytes`)
  for (const [name, { text }] of files) {
    // Names of XML, banners of libraries, and texts of examples: the policy blocks them anyway.
    const addresses = text.match(/https?:\/\/[\w.]+[\w/]*/g) ?? []
    const loaded = addresses.filter(
      (address) =>
        !/w3\.org|github\.com\/(leeoniya|preactjs)|app\.example\.com|\/\/127\.0\.0\.1/.test(address),
    )
    assert.deepEqual(loaded, [], name)
  }
  const plaza = await startPlaza()
  try {
    for (const path of [...PAGES, '/clock/x', ...[...files.keys()].map((name) => `/console/${name}`)]) {
      const reply = await fetch(plaza.urls.console + path)
      assert.equal(reply.status, 200, path)
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
      const policy = reply.headers.get('content-security-policy')
      if (!path.startsWith('/console/')) {
        assert.match(policy ?? '', /^default-src 'none'; script-src 'self'; style-src 'self'; /)
        assert.doesNotMatch(policy ?? '', /unsafe|https?:|\*/)
        assert.doesNotMatch(await reply.text(), /<script>|<style|\son\w+=/)
        assert.equal(reply.headers.get('cache-control'), 'no-store')
      }
    }
    assert.equal((await fetch(`${plaza.urls.console}/console/other.js`)).status, 404)
    assert.equal((await fetch(`${plaza.urls.console}/other`)).status, 404)
  } finally {
    await plaza.close()
  }
})

test('a session calls the admin API from the console’s own pages only', async () => {
  const plaza = await startPlaza({ hardened: true, adminApi: true, seed: 'none' }, { usesOwnClock: true })
  try {
    const { sealer, machineClock } = plaza.context
    const body = new URLSearchParams({ key: newConsoleKey({ sealer, now: machineClock.now() }) })
    const signedIn = await fetch(`${plaza.urls.console}/sign-in`, {
      method: 'POST',
      body,
      redirect: 'manual',
    })
    const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0] as string
    const read = async (headers: Record<string, string>) =>
      (await fetch(`${plaza.urls.console}/admin/v1/metrics`, { headers })).status
    assert.equal(await read({ cookie }), 200)
    assert.equal(await read({ cookie, origin: plaza.urls.console }), 200)
    const session = async (headers: Record<string, string>) =>
      (await fetch(`${plaza.urls.console}/session`, { headers })).json()
    assert.deepEqual(await session({ cookie }), { status: 'signed in' })
    assert.deepEqual(await session({ cookie: `${cookie}x` }), { status: 'none' })
    assert.equal(await read({}), 401)
    assert.equal(await read({ cookie: `${cookie}x` }), 401)
    assert.equal(await read({ cookie, authorization: 'Bearer wrong' }), 401)
    assert.equal(await read({ cookie, origin: 'http://127.0.0.1:3000' }), 403)
    assert.equal(await read({ cookie, 'sec-fetch-site': 'same-site' }), 403)
  } finally {
    await plaza.close()
  }
})
