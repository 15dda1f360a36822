import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import type { Plaza } from '../../src/app/server.ts'
import { type AppKeys, createApp } from '../../src/identity/apps/apps.ts'
import { TOKEN_SCOPES } from '../../src/identity/tokens/scopes.ts'
import { createUser, prepareUser } from '../../src/identity/users/users.ts'
import type { ManualClock } from '../../src/platform/common/clock.ts'
import { Client, type Keys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { NEVER_MS, until } from '../support/until.ts'
import { asClient, exchangeOf, pageOf } from '../support/user-tokens.ts'
import { demoUser, exchange, requestToken } from '../support/visitor.ts'

const CHROMIUM = process.env.PLAZA_TEST_CHROMIUM ?? '/usr/bin/chromium'
/** A folder to put a picture of each page into. */
const SCREENSHOTS = process.env.PLAZA_TEST_SCREENSHOTS
const skip = existsSync(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}: install Chromium (apt-get install chromium) or name one in PLAZA_TEST_CHROMIUM`

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const PHONE = { viewport: { width: 320, height: 640 } }
const HOSTILE = `"><script>document.title='owned'</script><b>'&amp;`
const CALLBACK_PATH = '/callback'
const SCOPES = 'post.read users.read offline.access'

describe('the pages in a browser', { skip }, () => {
  let plaza: Plaza & { clock: ManualClock }
  let client: Client
  let browser: Browser
  let site: Site
  let user: ReturnType<typeof demoUser>

  before(async () => {
    plaza = await startPlaza({ rateLimits: 'off' })
    client = new Client(plaza)
    user = demoUser(plaza, 'demo')
    site = await startSite()
    const trust = `--ignore-certificate-errors-spki-list=${await keyHash(plaza)}`
    browser = await chromium.launch({ executablePath: CHROMIUM, args: [...ARGS, trust] })
  })
  after(async () => {
    await browser?.close()
    await client?.close()
    await site?.close()
    await plaza?.close()
  })
  // The tries to sign in of one address are limited for a while.
  beforeEach(() => plaza.clock.advance(16 * 60_000))

  const newApp = (more: Partial<Parameters<typeof createApp>[1]> = {}): Promise<AppKeys> =>
    plaza.context.store.write((tx) =>
      createApp(
        tx,
        {
          name: 'Paper Boat',
          website: 'https://paperboat.example/',
          ownerUserId: user.id,
          callbacks: [site.origin + CALLBACK_PATH],
          permission: 'read-write',
          kind: 'web',
          signIn: false,
          ...more,
        },
        plaza.context,
      ),
    )

  async function begin(app: Keys, oauth_callback = site.origin + CALLBACK_PATH) {
    const { reply, keys } = await requestToken(client, app, { oauth_callback })
    assert.equal(reply.status, 200, reply.text)
    return { pending: keys, url: `${plaza.urls.core}/oauth/authorize?oauth_token=${keys.token}` }
  }

  async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 900, height: 900 }, ...options })
    context.setDefaultTimeout(NEVER_MS)
    const page = await context.newPage()
    await page.goto(url)
    return page
  }

  async function signIn(page: Page, password = user.password) {
    await page.getByLabel('Username').fill('demo')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  async function picture(page: Page, name: string) {
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true })
  }

  test('a keyboard user signs in, allows access and returns to the app', async () => {
    const { pending, url } = await begin(await newApp({ permission: 'read-write-directmessages' }))
    const page = await open(url)
    await picture(page, 'sign-in')
    await page.keyboard.type('demo')
    await page.keyboard.press('Tab')
    await page.keyboard.type(user.password)
    await page.keyboard.press('Enter')
    await page.waitForURL((to) => !to.search.includes('force'))
    await page.getByRole('heading', { name: 'Give Paper Boat access to your account?' }).waitFor()
    assert.match(await told(page.locator('main')), /Signed in as Demo Developer @demo/)
    assert.match(await told(page.locator('.may')), /direct messages/)
    await picture(page, 'consent')

    await page.keyboard.press('Tab')
    assert.match(await focused(page), /Use another account/)
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Allow access')
    await picture(page, 'consent-focus')
    await page.keyboard.press('Enter')
    await page.waitForURL(/callback\?/)
    const back = new URL(page.url()).searchParams
    assert.equal(back.get('oauth_token'), pending.token)
    const done = await exchange(client, pending, back.get('oauth_verifier') ?? '')
    assert.equal(done.reply.status, 200)
    assert.equal(site.referrers.at(-1), undefined)
  })

  test('a no leads back to the app, before signing in too', async () => {
    const app = await newApp()
    const first = await begin(app)
    const page = await open(first.url)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/callback\?/)
    assert.equal(new URL(page.url()).search, `?denied=${first.pending.token}`)

    const second = await begin(app)
    await page.goto(second.url)
    await signIn(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/callback\?/)
    assert.equal(new URL(page.url()).search, `?denied=${second.pending.token}`)
    await page.goto(second.url)
    assert.match(await told(page.getByRole('alert')), /has already been used, or it is too old/)
    await picture(page, 'error')
  })

  test('a desktop app gets a pin, or nothing', async () => {
    const app = await newApp({ kind: 'desktop', callbacks: [], permission: 'read' })
    const { pending, url } = await begin(app, 'oob')
    const page = await open(url)
    await signIn(page)
    await picture(page, 'consent-read')
    await page.getByRole('button', { name: 'Allow access' }).click()
    const pin = await told(page.locator('#pin'))
    assert.match(pin, /^[0-9]{7}$/)
    await picture(page, 'pin')
    assert.equal((await exchange(client, pending, pin)).reply.status, 200)

    await page.goto((await begin(app, 'oob')).url)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Access denied' }).waitFor()
    await picture(page, 'denied')
  })

  test('a wrong password is reported to every user, and the name stays filled in', async () => {
    const page = await open((await begin(await newApp())).url)
    await signIn(page, 'wrong')
    const alert = page.getByRole('alert')
    assert.match(await told(alert), /^Incorrect username or password\.$/)
    await picture(page, 'sign-in-wrong')
    const password = page.getByLabel('Password')
    assert.equal(await password.getAttribute('aria-describedby'), await alert.getAttribute('id'))
    assert.equal(await password.inputValue(), '')
    assert.equal(await page.getByLabel('Username').inputValue(), 'demo')
    assert.equal(await focused(page), 'password')
    await signIn(page)
    await page.getByRole('button', { name: 'Allow access' }).waitFor()
  })

  test('a session is used, unless the app or the user wants someone to sign in', async () => {
    const app = await newApp()
    const page = await open((await begin(app)).url)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow access' }).waitFor()
    const { url } = await begin(app)
    await page.goto(url)
    await page.getByRole('button', { name: 'Allow access' }).waitFor()
    await page.goto(`${url}&force_login=true&screen_name=advertiser`)
    assert.equal(await page.getByLabel('Username').inputValue(), 'advertiser')
    assert.equal(await focused(page), 'password')
    await page.goto(url)
    await page.getByRole('link', { name: 'Use another account' }).click()
    assert.equal(await focused(page), 'screen_name')
    await page.getByLabel('Username').fill('advertiser')
    await page.getByLabel('Password').fill(demoUser(plaza, 'advertiser').password)
    await page.keyboard.press('Enter')
    await page.getByText('@advertiser').waitFor()
  })

  test('signing in is enough where the app was granted before', async () => {
    const app = await newApp({ signIn: true })
    const first = await begin(app)
    const page = await open(first.url)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow access' }).click()
    await page.waitForURL(/callback\?/)
    const verifier = (at: Page) => new URL(at.url()).searchParams.get('oauth_verifier') ?? ''
    assert.equal((await exchange(client, first.pending, verifier(page))).reply.status, 200)

    const second = await begin(app)
    // From the form over our own page to the app: the policy of the form has to allow the whole
    // way.
    const other = await open(second.url.replace('authorize', 'authenticate'))
    await signIn(other)
    await other.waitForURL(/callback\?/)
    assert.equal((await exchange(client, second.pending, verifier(other))).reply.status, 200)
  })

  test('names are text, whatever they hold', async () => {
    const app = await newApp({ name: HOSTILE, website: `javascript:alert(1)//${HOSTILE}` })
    const page = await open(`${(await begin(app)).url}&screen_name=${encodeURIComponent(HOSTILE)}`)
    assert.ok((await told(page.locator('main'))).includes(HOSTILE))
    assert.equal(await page.getByLabel('Username').inputValue(), HOSTILE)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow access' }).waitFor()
    assert.ok((await told(page.locator('h1'))).includes(HOSTILE))
    assert.equal(await page.title(), `Give ${HOSTILE} access to your account?`)
    assert.equal(await page.locator('script, a[href^="javascript"]').count(), 0)
    await picture(page, 'hostile')
  })

  test('another site can neither frame the pages nor send their forms', async () => {
    const { url, pending } = await begin(await newApp())
    const page = await open(url)
    await signIn(page)
    const formToken = await page.locator('[name=form_token]').inputValue()

    site.page = `<iframe src="${url}"></iframe>`
    await page.goto(`${site.foreign}/page`)
    await until('the frame', () => page.frames().length === 2)
    await page.frames()[1]?.waitForLoadState()
    assert.equal(await page.frames()[1]?.locator('form').count(), 0)

    site.page = `<form method="post" action="${plaza.urls.core}/oauth/authorize">
      <input name="oauth_token" value="${pending.token}"><input name="form_token" value="${formToken}">
      <input name="decision" value="approve"><button>Win a prize</button></form>`
    await page.goto(`${site.foreign}/page`)
    const answer = page.waitForResponse((response) => response.url().endsWith('/oauth/authorize'))
    await page.getByRole('button').click()
    assert.equal((await answer).status(), 403)
    await page.getByRole('heading', { name: 'This form has expired.' }).waitFor()
    await page.goto(url)
    await page.getByRole('button', { name: 'Allow access' }).waitFor()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`everything fits a small screen and can be read, ${colorScheme}`, async () => {
      const app = await newApp({
        name: 'A rather long name of an app that has to be broken',
        permission: 'read-write-directmessages',
      })
      const { url } = await begin(app)
      const page = await open(url, { ...PHONE, colorScheme })
      await fits(page, `small-${colorScheme}-sign-in`)
      await signIn(page, 'wrong')
      await fits(page, `small-${colorScheme}-wrong`)
      await signIn(page)
      await page.getByRole('button', { name: 'Allow access' }).waitFor()
      await fits(page, `small-${colorScheme}-consent`)
      const { url: pinUrl } = await begin(await newApp({ kind: 'desktop', callbacks: [] }), 'oob')
      await page.goto(pinUrl)
      await page.getByRole('button', { name: 'Allow access' }).click()
      await page.locator('#pin').waitFor()
      await fits(page, `small-${colorScheme}-pin`)
    })
  }

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 320, height: 640 },
    { width: 360, height: 480 },
  ]) {
    const size = `${viewport.width}x${viewport.height}`
    test(`both buttons are in view without scrolling, ${size}`, async () => {
      const app = await newApp({
        name: 'A rather long name of an app that is broken',
        permission: 'read-write-directmessages',
      })
      const page = await open((await begin(app)).url, { viewport })
      await page.getByLabel('Username').fill('advertiser')
      await page.getByLabel('Password').fill(demoUser(plaza, 'advertiser').password)
      await page.keyboard.press('Enter')
      for (const name of ['Allow access', 'Cancel']) {
        const box = await page.getByRole('button', { name }).boundingBox()
        assert.ok(
          box && box.y >= 0 && box.y + box.height <= viewport.height,
          `${name}: ${JSON.stringify(box)}`,
        )
        assert.ok(box.x >= 0 && box.x + box.width <= viewport.width, `${name}: ${JSON.stringify(box)}`)
      }
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/view-${size}.png` })
    })
  }

  test('advertising access is named for a user with advertising accounts, and for no other', async () => {
    const context = plaza.context
    const row = await prepareUser({ screenName: 'plain', name: 'Plain', password: 'secret' }, context)
    await context.store.write((tx) => createUser(tx, row))
    const consent = async (permission: 'read' | 'read-write', screenName: string, password: string) => {
      const page = await open((await begin(await newApp({ permission }))).url)
      await page.getByLabel('Username').fill(screenName)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Allow access' }).waitFor()
      return { may: await told(page.locator('.may')), mayNot: await told(page.locator('.may-not')), page }
    }
    const see = 'See your advertising accounts: campaigns, audiences and spending'
    const change = 'Create and change campaigns in your advertising accounts, which spends your money'
    const advertiser = demoUser(plaza, 'advertiser')
    const read = await consent('read', 'advertiser', advertiser.password)
    assert.ok(read.may.includes(see) && !read.may.includes(change) && read.mayNot.includes(change))
    const write = await consent('read-write', 'advertiser', advertiser.password)
    assert.ok(write.may.includes(see) && write.may.includes(change))
    assert.match(await told(write.page.locator('.after')), /^Then you go to 127\.0\.0\.1:\d+\/callback\.$/)
    const plain = await consent('read-write', 'plain', 'secret')
    assert.ok(!/advertising/.test(plain.may + plain.mayNot))
  })

  test('a user sees the apps with access, ends one, and signs out', async () => {
    const app = await newApp({ name: 'Paper Plane' })
    const { pending, url } = await begin(app)
    const page = await open(url)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow access' }).click()
    await page.waitForURL(/callback\?/)
    const verifier = new URL(page.url()).searchParams.get('oauth_verifier') ?? ''
    const { keys } = await exchange(client, pending, verifier)
    assert.equal((await client.signed('GET', '/2/webhooks', keys)).status, 200)

    await page.goto(`${plaza.urls.core}/oauth/apps`)
    const card = page.locator('.granted', { hasText: 'Paper Plane' })
    assert.match(await told(card), /Post and delete posts/)
    await picture(page, 'apps')
    await card.getByRole('button', { name: 'Remove access' }).click()
    await page.getByRole('status').waitFor()
    assert.match(await told(page.getByRole('status')), /The app no longer has access/)
    assert.equal(await page.locator('.granted', { hasText: 'Paper Plane' }).count(), 0)
    assert.equal((await client.signed('GET', '/2/webhooks', keys)).status, 401)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await page.goto(`${plaza.urls.core}/oauth/apps`)
    await page.getByText('Sign in to see the apps').waitFor()
    await picture(page, 'apps-sign-in')
    await signIn(page)
    await page.getByRole('heading', { name: 'Apps with access to your account' }).waitFor()
    await fits(page, 'apps-again')
  })

  test('scopes of OAuth 2.0 are sentences; a yes and a no lead back to the app', async () => {
    const app = await newApp()
    const url = plaza.urls.core + pageOf(app, { redirect_uri: site.origin + CALLBACK_PATH, scope: SCOPES })
    const page = await open(url)
    await signIn(page)
    await page.getByRole('heading', { name: 'Give Paper Boat access to your account?' }).waitFor()
    assert.match(await told(page.locator('.may')), /See the posts that you can see/)
    assert.match(await told(page.locator('.may')), /Keep this access until you end it/)
    assert.match(await told(page.locator('.may-not')), /Send and delete direct messages for you/)
    await fits(page, 'scopes')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/callback\?/)
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')

    await page.goto(url)
    await page.getByRole('button', { name: 'Allow access' }).click()
    await page.waitForURL(/callback\?/)
    const back = new URL(page.url()).searchParams
    assert.deepEqual([...back.keys()], ['state', 'code'])
    assert.equal(back.get('state'), 'a state')
    const redirect_uri = site.origin + CALLBACK_PATH
    const reply = await asClient(client, app, exchangeOf(back.get('code') ?? '', { redirect_uri }))
    assert.equal(reply.status, 200, reply.text)
    assert.equal(site.referrers.at(-1), undefined)
  })

  test('every scope together fits a small screen', async () => {
    const app = await newApp({ name: 'A rather long name of an app that is broken' })
    const scope = TOKEN_SCOPES.join(' ')
    const url = plaza.urls.core + pageOf(app, { redirect_uri: site.origin + CALLBACK_PATH, scope })
    const page = await open(url, PHONE)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow access' }).waitFor()
    assert.equal(await page.locator('.may li').count(), TOKEN_SCOPES.length)
    await fits(page, 'all-scopes')
  })

  async function fits(page: Page, name: string) {
    await picture(page, name)
    const { wide, poor } = await page.evaluate(CHECK_LOOK)
    assert.equal(wide, 0, `${name}: ${wide} pixels too wide`)
    assert.deepEqual(poor, [], `${name}: contrast below 4.5`)
  }
})

/** What someone reads there. */
const told = async (where: Locator) => (await where.allInnerTexts()).join(' ')

const focused = (page: Page) =>
  page.evaluate<string>('((one) => one.innerText.trim() || one.id)(document.activeElement)')

/** Runs in the page: how much it is too wide, and the texts that are hard to read (WCAG 1.4.3). */
const CHECK_LOOK = `(() => {
  const numbers = (color) => (color.match(/[0-9.]+/g) ?? []).map(Number)
  const light = (color) => {
    const [r, g, b] = numbers(color).map((c) => (c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor
      if (numbers(color)[3] !== 0) return color
    }
    return 'rgb(255, 255, 255)'
  }
  const poor = []
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    if (!own && element.tagName !== 'INPUT') continue
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (contrast < 4.5) poor.push(element.tagName + ' ' + contrast.toFixed(2))
  }
  return { wide: Math.max(0, document.documentElement.scrollWidth - innerWidth), poor }
})()` as unknown as () => { wide: number; poor: string[] }

/** The app's site: the callback, and a page that means no good. */
interface Site {
  origin: string
  /** The same server under another name: another site for the browser. */
  foreign: string
  page: string
  /** Of each visit of the callback. */
  referrers: (string | undefined)[]
  close(): Promise<void>
}

async function startSite(): Promise<Site> {
  const server: Server = createServer((incoming, response) => {
    if (incoming.url?.startsWith(CALLBACK_PATH)) site.referrers.push(incoming.headers.referer)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(incoming.url === '/page' ? site.page : '<p>Back in the app.')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const site: Site = {
    origin: `http://127.0.0.1:${port}`,
    foreign: `http://localhost:${port}`,
    page: '',
    referrers: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return site
}

/**
 * Base64 of the SHA-256 of the server's public key: the one certificate that the browser is told to
 * trust.
 */
async function keyHash(plaza: Plaza): Promise<string> {
  const { hostname, port } = new URL(plaza.urls.core)
  const socket = connect({ host: hostname, port: Number(port), ca: plaza.caPem ?? '' })
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}
