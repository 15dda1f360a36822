import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { newConsoleKey } from '../../src/app/console/access.ts'
import { loadClient } from '../../src/app/console/client-files.ts'
import { Client } from '../support/client.ts'
import { assertAccessible, ConsoleBrowser, noBrowser } from '../support/console-pages.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'
import { type Opened, stages } from '../support/stages.ts'

const MAX_COMPRESSED_BYTES = 300_000
const PAGES = ['/', '/clock', '/signature'] as const
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
      opened = await stage.open({ shutdownSeconds: 1 }, { usesOwnClock: true })
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
      for (const look of LOOKS) {
        const { page, complaints, close } = await browser.show(url, look)
        for (const path of PAGES) {
          await page.goto(url + path)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await page.getByText('Connected').waitFor({ state: 'attached' })
          await assertAccessible(page, `${path} ${look.width} ${look.theme}`)
        }
        assert.deepEqual(complaints, [])
        await close()
      }
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
      await region('Set').getByLabel('Time in UTC').fill('2100-01-01T00:00:00')
      await region('Set').getByRole('button', { name: 'Set' }).click()
      await page.getByText('The clock shows 2100-01-01 00:00:00.').waitFor()
      await region('Now').getByRole('button', { name: 'Resume' }).click()
      await page.getByText('The clock goes on.').waitFor()
      await close()

      async function shownTime() {
        const time = await region('Now').locator('time').getAttribute('datetime')
        return Date.parse(time ?? '')
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

test('without the admin API, the console says how to get it; with it, a link signs in once', {
  skip: noBrowser,
}, async () => {
  const browser = await ConsoleBrowser.open()
  try {
    const without = await startPlaza({ hardened: true, seed: 'none' }, { usesOwnClock: true })
    const closed = await browser.show(without.urls.console)
    await closed.page.getByText('Start it with --admin-api').waitFor()
    await assertAccessible(closed.page, 'no admin API')
    await closed.close()
    await without.close()
    const plaza = await startPlaza({ hardened: true, adminApi: true, seed: 'none' }, { usesOwnClock: true })
    const { sealer, machineClock } = plaza.context
    const key = newConsoleKey({ sealer, now: machineClock.now() })
    const { page, close } = await browser.show(`${plaza.urls.console}/clock`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertAccessible(page, 'sign in')
    await page.getByLabel('Key').fill('1-nothing')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The key is invalid, was used before, or has expired.').waitFor()
    await page.goto(`${plaza.urls.console}/sign-in#${key}`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.equal(page.url(), `${plaza.urls.console}/`)
    assert.doesNotMatch(String(await page.evaluate('document.cookie')), /plaza/)
    await close()
    const other = await browser.show(`${plaza.urls.console}/sign-in#${key}`)
    await other.page.getByText('The key is invalid, was used before, or has expired.').waitFor()
    await other.close()
    await plaza.close()
  } finally {
    await browser.close()
  }
})

test('the application is small, and nothing in it comes from elsewhere', async () => {
  const { files } = await loadClient()
  const bytes = [...files.values()].reduce((sum, { text }) => sum + brotliCompressSync(text).length, 0)
  assert.ok(bytes < MAX_COMPRESSED_BYTES, `${bytes} bytes`)
  for (const [name, { text }] of files) {
    // Names of XML, and of the library of charts in its banner.
    const addresses = text.match(/https?:\/\/[\w.]+[\w/]*/g) ?? []
    const loaded = addresses.filter((address) => !/w3\.org|github\.com\/leeoniya/.test(address))
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
    assert.equal(await read({}), 401)
    assert.equal(await read({ cookie: `${cookie}x` }), 401)
    assert.equal(await read({ cookie, authorization: 'Bearer wrong' }), 401)
    assert.equal(await read({ cookie, origin: 'http://127.0.0.1:3000' }), 403)
    assert.equal(await read({ cookie, 'sec-fetch-site': 'same-site' }), 403)
  } finally {
    await plaza.close()
  }
})
