import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fetch } from 'undici'
import type { ReadyFile, RunningFile } from '../../src/app/cli/files.ts'
import { demoSeed } from '../../src/app/seed/seed.ts'
import type { Plaza } from '../../src/app/server.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client } from '../support/client.ts'
import { programOf } from '../support/programs.ts'
import { consumerOf, README, TOOL_GUIDES } from '../support/readme.ts'
import { until as eventually } from '../support/until.ts'
import { Visitor } from '../support/visitor.ts'
import { type Ended, type Running, spawnShell, temporaryFolder, until } from './cli.fixture.ts'

// Runs every command of the README and the guides as written, in order. Those of the README run
// once more, as by a reader who begins again; the guides of tools start what they need each time.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLONE = ['bin', 'docs', 'examples', 'node_modules', 'package.json', 'scripts', 'src']
const missing = ['curl', 'npm', 'npx'].filter((name) => programOf(name) === undefined)
const skip =
  missing.length > 0 && `${missing.join(', ')} cannot be found on the PATH: install it to run the guides`

/** The command lines of the guides: what follows `$ `, and the lines of blocks of shell. */
function commandsIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  return blocks.flatMap(([, language, text = '']) => {
    const lines = text.replaceAll('\\\n', '').split('\n')
    if (language === '') return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2))
    if (language !== 'sh') return []
    return lines.flatMap((line) => line.replace(/ +#.*$/, '').split(' && ')).filter((line) => line !== '')
  })
}

/** A reader who follows the guides in a clone. */
class Reader {
  readonly #t: TestContext
  readonly folder: string
  readonly #env: Record<string, string>
  readonly #isDirect: boolean
  server: Running | undefined
  /** Consumers of webhooks. */
  readonly consumers: Running[] = []
  webhook = ''
  /** The id of a request. */
  transaction = ''
  userId = ''
  /** Posts that it has published: none may say the same as another. */
  posts = 0
  /** How often it has read its campaign. */
  campaigns = 0
  /** Whether the clock has passed the end of its access token. */
  expired = false
  /** Files that it has exported: none may exist before. */
  exports = 0

  constructor(t: TestContext, folder: string, env: Record<string, string>, isDirect = false) {
    this.#isDirect = isDirect
    this.#t = t
    this.folder = folder
    this.#env = env
    mkdirSync(folder, { recursive: true })
    for (const name of CLONE) symlinkSync(join(ROOT, name), join(folder, name))
  }

  /** Where its own consumer listens. */
  get port(): string {
    return this.#env.PORT ?? ''
  }

  /** A line with the callback that is registered. */
  calledBack(line: string): string {
    return line.replace('127.0.0.1:3000', `127.0.0.1:${this.#env.CALLBACK_PORT}`)
  }

  keep(name: string, value: string): void {
    this.#env[name] = value
  }

  spawn(line: string): Running {
    // What npx finds in a clone, without the second that it takes. The README's are run as written.
    const run = this.#isDirect ? line.replace(/^npx plaza /, 'node bin/plaza.mjs ') : line
    return spawnShell(this.#t, run, { cwd: this.folder, env: this.#env })
  }

  /** Runs a command line; it has to succeed. */
  async run(line: string): Promise<Ended> {
    const ended = await this.spawn(line).ended
    assert.equal(ended.code, 0, `${line}\n${ended.stdout}${ended.stderr}`)
    return ended
  }

  /** Runs a server until `stop`; `file` is there once it listens. */
  async start(line: string, file: string): Promise<void> {
    await this.stop()
    const server = this.spawn(line)
    this.server = server
    await until(server, file, () => this.has(file))
    await until(server, 'the greeting', () => server.stdout().includes('Stop it with Ctrl-C'))
    const [, key] = /consumer key +(\S+)/.exec(server.stdout()) ?? []
    const [, secret] = /consumer secret +(\S+)/.exec(server.stdout()) ?? []
    // Shown by the first start alone.
    if (key && secret) Object.assign(this.#env, { KEY: key, SECRET: secret })
  }

  async stop(): Promise<void> {
    for (const one of [...this.consumers.splice(0), this.server]) {
      one?.stop('SIGINT')
      await one?.ended
    }
    this.server = undefined
  }

  read<T>(file: string): T {
    return JSON.parse(readFileSync(join(this.folder, file), 'utf8')) as T
  }

  has(file: string): boolean {
    try {
      this.read(file)
      return true
    } catch {
      return false
    }
  }
}

/** A port that no one listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Puts the address of the server in place of the one of the guides: the test lets the system choose
 * its ports.
 */
const addressed = (reader: Reader, line: string) =>
  line.replace('https://127.0.0.1:8443', reader.read<RunningFile>('plaza-data/plaza.json').core_url)

async function signIn(reader: Reader, line: string): Promise<void> {
  const example = reader.spawn(line)
  const url = await until(
    example,
    'the address',
    () => /https:\S+oauth_token=\S+/.exec(example.stdout())?.[0],
  )
  const callback = await allow(reader.read<ReadyFile>('ready.json'), String(url))
  await (await fetch(callback)).text()
  const { code, stdout } = await example.ended
  assert.equal(code, 0)
  assert.match(stdout, /Signed in: @demo/)
}

/** Signs the user of a ready file in, allows access, and resolves to where the browser is sent. */
async function allow({ core_url, ca_file, user }: ReadyFile, page: string): Promise<URL> {
  assert.ok(user)
  const caPem = readFileSync(String(ca_file), 'utf8')
  const client = new Client({ urls: { core: core_url }, caPem } as Plaza)
  const by = { screenName: user.screen_name, password: String(user.password) }
  const reply = await new Visitor(client).answer(page, by, 'approve')
  await client.close()
  return new URL(String(reply.headers.location))
}

/** The variables of the guide to advertising, by what is created. */
const VARIABLES: Readonly<Record<string, string>> = {
  accounts: 'ACCOUNT',
  funding_instruments: 'FUNDING',
  campaigns: 'CAMPAIGN',
  line_items: 'LINE_ITEM',
  post: 'POST',
  promoted_posts: 'PROMOTED_POST',
  web_event_tags: 'TAG',
}

type Step = ((reader: Reader, line: string) => Promise<unknown>) | { notRun: string }

/** `data` of the reply that `plaza request` prints after its status. */
const dataOf = <T>(stdout: string) => (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { data: T }).data

/** What replies about a running campaign must say, by their paths. */
const REPORTS: readonly (readonly [path: RegExp, said: RegExp])[] = [
  [/account clicks /, /^2030-\S+ {2}[0-9a-z]{25}$/m],
  [/metric_groups=WEB_CONVERSION/, /"conversion_purchases":\{"metric":\[1\],.*"sale_amount":\[499000000\]/],
  [
    /metric_groups=MOBILE_CONVERSION/,
    /"mobile_conversion_installs":\{"post_view":null,"post_engagement":\[1\]/,
  ],
  [/\/12\/conversion_(attribution|event)\?/, /"service_attribution":\{"country_code":"US",.*"CLICK"/],
  [/\/12\/stats\/accounts\//, /"billed_charge_local_micro":\[\d{7,8},\d{7,8}\]/],
  [/\/line_items\/\$LINE_ITEM"/, /"reasons_not_servable":\["BUDGET_EXHAUSTED"\]/],
  [/GET "\/12\/stats\/jobs\//, /"status":"SUCCESS","url":"https/],
  [/"\$URL"/, /^\{"data_type":"stats",.*"segment_value":"AGE_13_TO_24"/],
]

/** A command of the report about a campaign: keeps what later ones name. */
async function readReport(reader: Reader, line: string): Promise<void> {
  const said = REPORTS.find(([path]) => path.test(line))?.[1] ?? /"data":/
  const stdout = await eventually(line, async () => {
    const ended = await beside(reader).run(line)
    // A job takes a moment.
    return said.test(ended.stdout) && ended.stdout
  })
  const [, click] = / {2}([0-9a-z]{25})$/m.exec(stdout) ?? []
  if (click !== undefined) reader.keep('CLICK', click)
  const isText = line.includes('gunzip') || click !== undefined
  const data = isText ? [] : dataOf<Named | Named[]>(stdout)
  const [one] = Array.isArray(data) ? data : [data]
  const [, made = ''] = /\/(\w+)"? (?:--form|--user)/.exec(line) ?? []
  const variable = line.includes('/users/me') ? 'USER_ID' : VARIABLES[made]
  if (variable !== undefined && one) reader.keep(variable, one.id_str ?? one.id)
  if (one?.url) reader.keep('URL', one.url)
  if (one?.website_tag_id) reader.keep('SOURCE', one.website_tag_id)
}

interface Named {
  id: string
  id_str?: string
  url?: string
  website_tag_id?: string
}

/** A time as the dates of replays are written. */
const minuteAgo = (minutes: number) =>
  new Date(systemClock.now() - minutes * 60_000)
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 12)

/**
 * How each command of the guides is run. A command that is missing here, or exists only here, fails
 * the test.
 */
const STEPS: readonly (readonly [command: RegExp, step: Step])[] = [
  [/^npm ci$/, { notRun: 'the folder has its packages' }],
  [/^npm (test|run test:all)$/, { notRun: 'this is one of those tests' }],
  [/^npm start$/, (reader, line) => reader.start(line, 'plaza-data/plaza.json')],
  [
    /^curl .*:8443\/oauth2\/token$/,
    async (reader, line) => {
      const { stdout } = await reader.run(addressed(reader, line))
      const reply = JSON.parse(stdout) as { token_type: string; access_token: string }
      assert.equal(reply.token_type, 'bearer')
      reader.keep('BEARER', reply.access_token)
    },
  ],
  [
    /^curl .*\/2\/webhooks$/,
    async (reader, line) => {
      const { stdout } = await reader.run(addressed(reader, line))
      assert.match(stdout, /^HTTP\/1\.1 200 OK\r\n/)
      assert.ok(stdout.endsWith('\r\n\r\n{"data":[],"meta":{"result_count":0}}'), stdout)
    },
  ],
  [
    /^curl .*\/2\/posts\/search\/stream\/rules$/,
    // The second time, the rule is there already.
    async (reader, line) =>
      assert.match((await reader.run(addressed(reader, line))).stdout, /"cat has:hashtags"/),
  ],
  [
    /^npx plaza request POST \/2\/posts .*#caturday/,
    async (reader, line) => {
      reader.posts++
      const { stdout } = await reader.run(line.replace('#caturday', `#caturday ${reader.posts}`))
      assert.match(stdout, /"A cat on the keyboard #caturday/)
    },
  ],
  [
    /^npx plaza request GET "\/2\/posts\/search\/recent/,
    // The index has a post within a second.
    (reader, line) =>
      eventually('the post is found', async () => /#caturday/.test((await reader.run(line)).stdout)),
  ],
  [
    /^curl .*:8443\/2\/posts\/search\/stream\?/,
    async (reader, line) =>
      assert.match(
        (await reader.run(addressed(reader, line))).stdout,
        /^\{"data":\{.*#caturday.*"matching_rules":\[\{"id":"[0-9]+","tag":"cats"\}\]\}\r\n$/,
      ),
  ],
  [
    /^npx plaza listen --register$/,
    async (reader, line) => {
      const listener = reader.spawn(`${line} --port=0`)
      reader.consumers.push(listener)
      const id = await until(listener, 'its id', () => /as webhook ([0-9]+)/.exec(listener.stdout())?.[1])
      reader.webhook = String(id)
    },
  ],
  [
    /^npx plaza request PUT \/2\/webhooks\/[0-9]+$/,
    async (reader, line) => {
      const { stdout } = await reader.run(line.replace(/[0-9]+$/, reader.webhook))
      assert.equal(stdout, '{"data":{"attempted":true}}')
    },
  ],
  [
    /^npx plaza request GET \/2\/webhooks --explain --dry-run$/,
    async (reader, line) => assert.match((await reader.run(line)).stdout, /^6\. The signature: HMAC-SHA1/m),
  ],
  [/^npm install express$/, { notRun: 'the folder has its packages' }],
  [
    /^SECRET="\$SECRET" node consumer\.mjs$/,
    async (reader, line) => {
      writeFileSync(join(reader.folder, 'consumer.mjs'), consumerOf(README))
      const consumer = reader.spawn(line)
      reader.consumers.push(consumer)
      await until(consumer, 'that it listens', () => consumer.stdout().includes('Listening'))
    },
  ],
  [
    /^npx plaza request POST \/2\/webhooks --body /,
    async (reader, line) => {
      const { stdout } = await reader.run(line.replace('3002', reader.port))
      reader.webhook = dataOf<{ id: string }>(stdout).id
    },
  ],
  [
    /^npx plaza request GET \/2\/users\/me$/,
    async (reader, line) => {
      reader.userId = dataOf<{ id: string }>((await reader.run(line)).stdout).id
    },
  ],
  [
    /^npx plaza request POST \/2\/activity\/subscriptions /,
    (reader, line) =>
      reader.run(
        line
          .replace(/("user_id":")[0-9]+/, `$1${reader.userId}`)
          .replace(/("webhook_id":")[0-9]+/, `$1${reader.webhook}`),
      ),
  ],
  [
    /^npx plaza request POST \/2\/posts .*Hello, webhook/,
    async (reader, line) => {
      await reader.run(line.replace('webhook', `webhook ${++reader.posts}`))
      const consumer = reader.consumers.at(-1) as Running
      await until(consumer, 'the event', () => /^post\.create [0-9]+$/m.test(consumer.stdout()))
    },
  ],
  [
    /^npx plaza request POST \/2\/webhooks\/replay /,
    async (reader, line) => {
      const [from, to] = [40, 20].map((minutes) => minuteAgo(minutes))
      const dated = line.replace(/("from_date":")[0-9]+(","to_date":")[0-9]+/, `$1${from}$2${to}`)
      await reader.run(dated.replace(/("webhook_id":")[0-9]+/, `$1${reader.webhook}`))
      const consumer = reader.consumers.at(-1) as Running
      await until(consumer, 'the end of the replay', () =>
        /^replay Complete [0-9]+$/m.test(consumer.stdout()),
      )
    },
  ],
  [
    /^npx plaza request DELETE \/2\/webhooks\/[0-9]+$/,
    async (reader, line) => {
      const { stdout } = await reader.run(line.replace(/[0-9]+$/, reader.webhook))
      assert.deepEqual(dataOf(stdout), { deleted: true })
    },
  ],
  [/^npm start -- --ready-file ready\.json$/, (reader, line) => reader.start(line, 'ready.json')],
  [/ examples\/(campaign|creatives|errors)\.mjs ready\.json$/, (reader, line) => reader.run(line)],
  [/ examples\/sign-in\.mjs ready\.json$/, signIn],
  [/^set -e$/, { notRun: 'each command has to succeed here anyway' }],
  [
    /^npx plaza start --detach --wait --memory /,
    async (reader, line) => {
      await beside(reader).run(line)
      const [, file = ''] = /--ready-file (\S+)/.exec(line) ?? []
      const { core_url, core_port, app } = beside(reader).read<ReadyFile>(file)
      reader.keep('CORE', core_url)
      reader.keep('CORE_PORT', String(core_port))
      reader.keep('CONSUMER_KEY', String(app?.consumer_key))
      reader.keep('CLIENT_ID', String(app?.client_id))
      reader.keep('CLIENT_SECRET', String(app?.client_secret))
    },
  ],
  [/^npx plaza .*--ready-file admin\.json$/, (reader, line) => beside(reader).run(line)],
  [
    /^npx plaza console --ready-file console\.json$/,
    async (reader, line) =>
      assert.match(
        (await beside(reader).run(line)).stdout,
        /^Console {2}http:\/\/127\.0\.0\.1:[0-9]+\/sign-in#/,
      ),
  ],
  [/^npx plaza clock .*--ready-file clock\.json$/, (reader, line) => beside(reader).run(line)],
  [
    /^npx plaza request GET \/2\/users\/me --as none --ready-file journal\.json --include$/,
    async (reader, line) => {
      const { code, stdout } = await beside(reader).spawn(line).ended
      assert.equal(code, 1, 'the status is not a success')
      reader.transaction = /^x-transaction-id: ([0-9a-f]{16})$/m.exec(stdout)?.[1] ?? ''
    },
  ],
  [
    /^npx plaza explain [0-9a-f]{16} --ready-file journal\.json$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(line.replace(/[0-9a-f]{16}/, reader.transaction))
      assert.equal(stdout.split('\n')[0], 'GET /2/users/me was rejected with 401: bad authentication data.')
    },
  ],
  [
    /^npx plaza journal list --status 4xx --ready-file journal\.json$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(line)
      assert.match(stdout, new RegExp(` 401 GET /2/users/me .* ${reader.transaction}  no credentials\n$`))
    },
  ],
  [/^npx plaza record --upstream https:\/\/api\.example\.com /, { notRun: 'there is no such service' }],
  [
    /^npx plaza seed check town\.yaml$/,
    async (reader, line) => {
      const guide = readFileSync(join(ROOT, 'docs/guides/seeds.md'), 'utf8')
      const [, seed = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(guide) ?? []
      writeFileSync(join(beside(reader).folder, 'town.yaml'), seed)
      const { stdout } = await beside(reader).run(line)
      assert.ok(guide.includes(stdout.trim()), stdout)
    },
  ],
  [
    /^npx plaza seed from-recording recorded\.har > recorded\.yaml$/,
    async (reader, line) => {
      const text = JSON.stringify({ data: { id: '7', username: 'ann', name: 'Ann' } })
      const request = { method: 'GET', url: 'https://api.example.com/2/users/7' }
      const entries = [{ request, response: { status: 200, content: { text } } }]
      writeFileSync(join(beside(reader).folder, 'recorded.har'), JSON.stringify({ log: { entries } }))
      const { stderr } = await beside(reader).run(line)
      assert.equal(stderr, '1 users and 0 posts of 1 exchanges.\n')
    },
  ],
  [
    /^npx plaza seed check recorded\.yaml$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(line)
      assert.equal(stdout, 'recorded.yaml is a seed file: 1 users, 0 apps, 0 accounts, 0 posts.\n')
    },
  ],
  [
    /^npx plaza seed export --ready-file seeds\.json$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(line)
      assert.match(stdout, /^ {4}text: The bakery opens on Monday\.$/m)
      assert.match(stdout, /^ {4}pinned_post: post2$/m)
    },
  ],
  [
    /^npx plaza (snapshot|reset|request) .*--ready-file snapshots\.json$/,
    (reader, line) => {
      if (line.includes(' export ')) reader.exports++
      return beside(reader).run(line.replace('empty.tar', `empty-${reader.exports}.tar`))
    },
  ],
  [
    /^npx plaza request POST \/2\/posts --body .*Limited.* --ready-file faults\.json$/,
    async (reader, line) => {
      const { code, stdout } = await beside(reader).spawn(line).ended
      assert.equal(code, 1, 'the status is not a success')
      assert.match(stdout, /"title":"Too Many Requests"/)
    },
  ],
  [
    /^npx plaza fault (add|list|remove) .*--ready-file faults\.json$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(line)
      const counts = line.includes('list') ? '1 of 1' : '0 of 0'
      const printed = `f1  POST /2/posts  error  status=429 times=1  ${counts}\n`
      assert.equal(stdout, line.includes('remove') ? '' : printed)
    },
  ],
  [
    /^npx plaza stop --ready-file (ready|clock|console|faults|journal|seeds|snapshots|streams|advertising|report|oauth|troubleshooting)\.json$/,
    (reader, line) => beside(reader).run(line),
  ],
  [
    /^npx plaza request POST \/oauth2\/token --as basic /,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(line)
      reader.keep('BEARER', (JSON.parse(stdout) as { access_token: string }).access_token)
    },
  ],
  [
    /^npx plaza request POST \/2\/posts.* --ready-file streams\.json$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(line)
      assert.match(stdout, /"valid":1|"text":"A cat in the garden #cats"/)
    },
  ],
  [
    /^curl .*"\$CORE\/2\/posts\/(search|sample|firehose)\/stream\?/,
    async (reader, line) =>
      assert.match(
        (await beside(reader).run(line)).stdout,
        /^\{"data":\{.*"text":"A cat in the garden #cats"/,
      ),
  ],
  [
    /^npx plaza request POST .*--ready-file advertising\.json$/,
    async (reader, line) => {
      const { id, id_str } = dataOf<{ id: string; id_str?: string }>((await beside(reader).run(line)).stdout)
      const [, made = ''] = /\/(\w+)"? --host sandbox/.exec(line) ?? []
      const variable = VARIABLES[made]
      if (variable !== undefined) reader.keep(variable, id_str ?? id)
    },
  ],
  [/^npx plaza (request|account clicks) .*--ready-file report\.json( \| gunzip)?$/, readReport],
  [
    /^npx plaza request GET \/2\/users\/me --ready-file (advertising|oauth)\.json$/,
    async (reader, line) => {
      const { id, username } = dataOf<{ id: string; username: string }>(
        (await beside(reader).run(line)).stdout,
      )
      assert.equal(username, 'demo')
      reader.keep('USER_ID', id)
    },
  ],
  [
    /^npx plaza request GET "\/12\/.*--ready-file advertising\.json$/,
    async (reader, line) => {
      const { servable, reasons_not_servable } = dataOf<Record<string, unknown>>(
        (await beside(reader).run(line)).stdout,
      )
      const shown = { servable, reasons_not_servable }
      const guide = readFileSync(join(ROOT, 'docs/guides/advertising.md'), 'utf8')
      const [after = ''] = guide.split(line).slice(reader.campaigns++ === 0 ? 1 : 2)
      assert.ok(after.split('\n')[1]?.includes(JSON.stringify(shown).slice(1, -1)), JSON.stringify(shown))
    },
  ],
  [
    /^npx plaza request GET \/2\/users\/me --explain --dry-run --ready-file oauth\.json$/,
    async (reader, line) =>
      assert.match((await beside(reader).run(line)).stdout, /^6\. The signature: HMAC-SHA1/m),
  ],
  [
    /^npx plaza request POST \/oauth\/request_token .*--ready-file oauth\.json$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(reader.calledBack(line))
      const pending = new URLSearchParams(stdout)
      reader.keep('TOKEN', String(pending.get('oauth_token')))
      reader.keep('TOKEN_SECRET', String(pending.get('oauth_token_secret')))
    },
  ],
  [
    /^echo "\$CORE\/(oauth|2\/oauth2)\/authorize\?/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(reader.calledBack(line))
      const { searchParams } = await allow(beside(reader).read<ReadyFile>('oauth.json'), stdout.trim())
      reader.keep('VERIFIER', searchParams.get('oauth_verifier') ?? '')
      reader.keep('CODE', searchParams.get('code') ?? '')
    },
  ],
  [
    /^npx plaza request POST \/oauth\/access_token .*--ready-file oauth\.json$/,
    async (reader, line) => assert.match((await beside(reader).run(line)).stdout, /&screen_name=demo$/),
  ],
  [
    /^curl .*"\$CORE\/2\/oauth2\/token"$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(reader.calledBack(line))
      const tokens = JSON.parse(stdout) as Record<string, string | number>
      assert.equal(tokens.expires_in, 7200, stdout)
      reader.keep('ACCESS_TOKEN', String(tokens.access_token))
      reader.keep('REFRESH_TOKEN', String(tokens.refresh_token))
      reader.expired = false
    },
  ],
  [
    /^curl .*oauth\.json.*"\$CORE\/2\/users\/(me|by\/username\/demo)"$/,
    async (reader, line) => {
      const expected = reader.expired ? '"status":401' : '"username":"demo"'
      assert.ok((await beside(reader).run(line)).stdout.includes(expected))
    },
  ],
  [
    /^npx plaza clock .*--ready-file (advertising|oauth|report)\.json$/,
    async (reader, line) => {
      await beside(reader).run(line)
      reader.expired = line.includes('oauth')
    },
  ],
  [
    /^npx plaza request .*--include --ready-file troubleshooting\.json$/,
    async (reader, line) => {
      const { code, stdout } = await beside(reader).spawn(line).ended
      assert.equal(code, 1, 'the status is not a success')
      reader.transaction = /^x-transaction-id: ([0-9a-f]{16})$/m.exec(stdout)?.[1] ?? ''
    },
  ],
  [
    /^npx plaza explain [0-9a-f]{16} --ready-file troubleshooting\.json$/,
    async (reader, line) => {
      const { stdout } = await beside(reader).run(line.replace(/[0-9a-f]{16}/, reader.transaction))
      const guide = readFileSync(join(ROOT, 'docs/guides/troubleshooting.md'), 'utf8')
      const [first = ''] = stdout.split('\n')
      assert.equal(guide.split(line)[1]?.split('\n')[1], first)
    },
  ],
  [
    /^curl -sS "\$CORE\/2\/users\/me"$/,
    async (reader, line) => {
      const { code, stderr } = await beside(reader).spawn(line).ended
      assert.equal(code, 60)
      assert.match(stderr, /SSL certificate problem/)
    },
  ],
  [
    /^curl -s --cacert troubleshooting\.json\.ca\.pem /,
    async (reader, line) => assert.match((await beside(reader).run(line)).stdout, /"status":401/),
  ],
  [
    /^npx plaza (start --memory|doctor) --core-port "\$CORE_PORT" /,
    async (reader, line) => {
      const { code, stdout, stderr } = await beside(reader).spawn(line).ended
      assert.equal(code, 1)
      assert.match(stdout + stderr, /Port [0-9]+ of 127\.0\.0\.1 is in use\. Stop the program that uses it/)
    },
  ],
  [
    /^npx plaza doctor --ready-file troubleshooting\.json$/,
    async (reader, line) =>
      assert.match((await beside(reader).run(line)).stdout, /The running Plaza listens on the ports/),
  ],
  [/^npx plaza start --core-url /, { notRun: 'the host belongs to a service' }],
  [/^HTTPS_PROXY=/, { notRun: 'a client of one’s own' }],
  [/^openssl rand /, { notRun: 'the next command reads its file' }],
  [/^npx plaza start --database-url-file /, { notRun: 'it is for services on other machines' }],
]

const folders = new WeakMap<Reader, Reader>()
/** The same reader in another clone, which the snippet for CI starts a server of its own in. */
const beside = (reader: Reader): Reader => folders.get(reader) as Reader

test('every command of the guides works, and those of the README work again', { skip }, async (t) => {
  const tour = commandsIn(README)
  const commands = [...tour, ...commandsIn(TOOL_GUIDES)]
  const stepOf = (line: string) => STEPS.filter(([pattern]) => pattern.test(line))
  for (const line of commands) assert.equal(stepOf(line).length, 1, `no step runs: ${line}`)
  for (const [pattern] of STEPS)
    assert.ok(
      commands.some((line) => pattern.test(line)),
      `gone: ${pattern}`,
    )

  let other: Reader | undefined
  t.after(() => {
    // The server that was started detached, when a test failed before it was stopped.
    if (other?.has('ready.json')) process.kill(other.read<ReadyFile>('ready.json').pid)
  })
  const folder = temporaryFolder(t)
  const [callbackPort, consumerPort] = [await freePort(), await freePort()]
  const demo = demoSeed()
  const [app] = demo.apps ?? []
  const callbacks = [`http://127.0.0.1:${callbackPort}/callback`]
  writeFileSync(join(folder, 'seed.json'), JSON.stringify({ ...demo, apps: [{ ...app, callbacks }] }))
  const env = {
    // The Node of the repository comes first, as in the scripts of npm.
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    CALLBACK_PORT: String(callbackPort),
    PORT: String(consumerPort),
    npm_config_cache: join(folder, 'npm'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    ...Object.fromEntries(
      ['CORE', 'ADS', 'ADS_SANDBOX', 'CONSOLE'].map((name) => [`PLAZA_${name}_PORT`, '0']),
    ),
    PLAZA_SEED: join(folder, 'seed.json'),
  }
  const reader = new Reader(t, join(folder, 'clone'), env)
  other = new Reader(t, join(folder, 'ci'), env, true)
  folders.set(reader, other)
  for (const [round, lines] of [
    ['the first time', commands],
    ['the second time', tour],
  ] as const) {
    for (const line of lines) {
      const [, step] = stepOf(line)[0] ?? []
      if (typeof step === 'function')
        await t.test(`${line}, ${round}`, async () => {
          await step(reader, line)
        })
    }
    await reader.stop()
  }
})
