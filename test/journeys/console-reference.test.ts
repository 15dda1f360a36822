import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { request } from 'undici'
import type { Plaza } from '../../src/app/server.ts'
import { startPlaza } from '../support/plaza.ts'
import { NEVER_MS } from '../support/until.ts'

const CHROMIUM = process.env.PLAZA_TEST_CHROMIUM ?? '/usr/bin/chromium'
const skip = existsSync(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}: install Chromium (apt-get install chromium) or name one in PLAZA_TEST_CHROMIUM`
const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const VOCABULARY = { words: { post: 'memo', posts: 'memos' } }
const PAGES = ['/reference', '/reference/ads']
const DOCUMENTS = ['/reference/core.json', '/reference/ads.json']
const FILES = ['/reference/viewer.js', '/reference/viewer.css', '/reference/page.js']

interface Document {
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId: string; description: string }>>
}

describe('the reference on the console, with a vocabulary', () => {
  let folder: string
  let plaza: Plaza
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-reference-'))
    const vocabulary = join(folder, 'vocabulary.json')
    await writeFile(vocabulary, JSON.stringify(VOCABULARY))
    plaza = await startPlaza({ vocabulary })
  })
  after(async () => {
    await plaza?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const send = async (
    path: string,
    { method = 'GET', host }: { method?: 'GET' | 'HEAD'; host?: string } = {},
  ) => {
    const { statusCode, headers, body } = await request(plaza.urls.console + path, {
      method,
      ...(host !== undefined && { headers: { host } }),
    })
    return { status: statusCode, headers, text: await body.text() }
  }
  const documentAt = async (path: string): Promise<Document> => JSON.parse((await send(path)).text)

  test('needs no key, and allows scripts, styles and requests of this server alone', async () => {
    for (const path of [...PAGES, ...DOCUMENTS, ...FILES]) {
      const { status, headers } = await send(path)
      assert.equal(status, 200, path)
      const policy = String(headers['content-security-policy']).split('; ')
      assert.ok(policy.includes("default-src 'none'"), path)
      assert.ok(policy.includes("script-src 'self'"), path)
      assert.ok(policy.includes("connect-src 'self'"), path)
      assert.ok(policy.includes("frame-ancestors 'none'"), path)
      assert.doesNotMatch(policy.join(), /unsafe|https?:|\*/, path)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      const head = await send(path, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text], [200, ''])
      assert.equal((await send(path, { host: 'evil.example' })).status, 403, path)
    }
    for (const path of PAGES) assert.doesNotMatch((await send(path)).text, /<script>|\son\w+=|https?:/)
  })

  test('the documents have the servers, names and callers of this Plaza', async () => {
    const core = await documentAt('/reference/core.json')
    assert.deepEqual(
      core.servers.map(({ url }) => url),
      [plaza.urls.core],
    )
    const { description = '' } = core.paths['/2/memos/search/recent']?.get ?? {}
    assert.match(description, /\*\*Callers:\*\* OAuth 2.0 Application-Only; .*\(`memo.read`, `users.read`\)/)
    assert.match(description, /\*\*Rate limits:\*\* 450\/15m per app, 300\/15m per user/)
    const ads = await documentAt('/reference/ads.json')
    assert.deepEqual(
      ads.servers.map(({ url }) => url),
      [plaza.urls.ads, plaza.urls.adsSandbox],
    )
    assert.match(
      ads.paths['/12/accounts/{account_id}/line_items']?.post?.description ?? '',
      /right on the account: campaigns/,
    )
  })

  describe('in a browser', { skip }, () => {
    let browser: Browser
    before(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
    })
    after(async () => browser?.close())

    test('operations of both documents are found by their words, and show parameters and replies', async () => {
      const page = await browser.newPage()
      page.setDefaultTimeout(NEVER_MS)
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
      })
      page.on('request', (sent) => {
        if (!sent.url().startsWith(plaza.urls.console) && !sent.url().startsWith('data:'))
          faults.push(sent.url())
      })
      await page.goto(`${plaza.urls.console}/reference`)
      const others = page.getByText('Stream activities', { exact: true })
      await others.waitFor()
      await page.getByLabel('Search operations').fill('memos last days')
      await others.waitFor({ state: 'detached' })
      await page.getByText('Search memos of the last 7 days').first().click()
      await page.getByText('Callers: OAuth 2.0 Application-Only').waitFor()
      await page.getByText('Query that memos must match').waitFor()
      await page.getByText('Success.').first().waitFor()
      assert.equal(await page.getByRole('button', { name: /Try it out|Authorize/ }).count(), 0)
      await page.getByRole('link', { name: 'Advertising API' }).click()
      await page.getByLabel('Search operations').fill('createLineItem')
      await page.getByText('Create a line item', { exact: true }).first().click()
      await page.waitForURL('**/reference/ads#/line-items/createLineItem')
      await page.getByText('The campaign that it belongs to.').first().waitFor()
      assert.deepEqual(faults, [])
      await page.close()
    })
  })
})
