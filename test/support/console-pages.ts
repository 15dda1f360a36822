import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { NEVER_MS } from './until.ts'

const CHROMIUM = process.env.PLAZA_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Why there is no browser, in the form of node:test's `skip`. */
export const noBrowser = existsSync(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}: install Chromium (apt-get install chromium) or name one in PLAZA_TEST_CHROMIUM`

const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

export interface Shown {
  readonly page: Page
  /** What the browser complained about: errors of scripts, and what the policy blocked. */
  readonly complaints: string[]
  close(): Promise<void>
}

export interface Look {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
}

/** Chromium, for pages of the console. */
export class ConsoleBrowser {
  readonly #browser: Browser

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async open(): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(await chromium.launch({ executablePath: CHROMIUM, args: ARGS }))
  }

  /** A page in a new profile. */
  async show(url: string, { width = 1280, height = 860, theme = 'light' }: Look = {}): Promise<Shown> {
    const context = await this.#browser.newContext({ viewport: { width, height }, colorScheme: theme })
    context.setDefaultTimeout(NEVER_MS)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error.stack)))
    await page.goto(url)
    return { page, complaints, close: () => context.close() }
  }

  close(): Promise<void> {
    return this.#browser.close()
  }
}

/** Fails if axe finds anything on a page, or if the page is wider than the window. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const violations = (await page.evaluate(
    `${AXE};axe.run(document).then(({ violations }) => violations)`,
  )) as Violation[]
  assert.deepEqual(
    violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`,
    ),
    [],
    what,
  )
  const excess = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.equal(excess, 0, `${what} is wider than its window`)
}
