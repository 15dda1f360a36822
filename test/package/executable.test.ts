import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ReadyFile } from '../../src/app/cli/files.ts'
import { appOnly, createClient, oauth1 } from '../../src/client/index.ts'
import { until } from '../support/until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAX_BYTES = 150_000_000
const NO_REGISTRY = /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENOTCACHED)\b/
const PORTS = ['core', 'ads', 'ads-sandbox', 'console'].map((name) => `--${name}-port=0`)

const folder = mkdtempSync(join(tmpdir(), 'plaza-executable-test-'))
const program = join(folder, 'plaza')
const inherited = Object.entries(process.env).filter(([name]) => !/^(PLAZA|NODE(?!_EXTRA)|npm)_/.test(name))

function run(command: string, args: readonly string[], more: Record<string, string> = {}) {
  return spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...Object.fromEntries(inherited), XDG_CACHE_HOME: join(folder, 'cache'), ...more },
  })
}

/** Runs the executable where no Node can be found. */
function plaza(...args: string[]): string {
  const { status, stdout, stderr } = run(program, args, { PATH: '/nowhere' })
  assert.equal(status, 0, `plaza ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

describe('the single executable', () => {
  let skip: string | false = false

  before(() => {
    const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
    const npm = { PATH, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' }
    const built = run(process.execPath, [join(ROOT, 'scripts/executable.ts'), program], npm)
    if (built.status !== 0 && NO_REGISTRY.test(built.stderr)) skip = 'the npm registry does not answer'
    else assert.equal(built.status, 0, built.stderr)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('has less than 150 MB, and needs no Node', (t) => {
    if (skip) return t.skip(skip)
    const { size } = statSync(program)
    t.diagnostic(`${size} bytes`)
    assert.ok(size < MAX_BYTES, `${size} bytes`)
    assert.match(plaza('version'), /^Plaza \d+\.\d+\.\d+, Node \d+/)
    assert.equal(readdirSync(join(folder, 'cache/plaza')).length, 1, 'it is unpacked once')
    assert.match(plaza('help'), /^Usage: plaza /m)
  })

  test('starts in the background, with its tables and threads, takes commands, and stops', async (t) => {
    if (skip) return t.skip(skip)
    const where = ['--ready-file', join(folder, 'ready.json')]
    plaza('start', '--detach', '--wait', '--memory', ...where, ...PORTS)
    t.after(() => run(program, ['stop', ...where]))
    const ready = JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8')) as ReadyFile
    const { app, user, advertiser, accounts } = ready
    assert.ok(app && user && advertiser)
    const keys = { consumerKey: app.consumer_key, consumerSecret: String(app.consumer_secret) }
    const client = createClient({
      urls: { core: ready.core_url, ads: ready.ads_url, adsSandbox: ready.ads_sandbox_url },
      ca: readFileSync(String(ready.ca_file), 'utf8'),
      auth: oauth1({
        ...keys,
        token: String(advertiser.access_token),
        tokenSecret: String(advertiser.access_token_secret),
      }),
    })
    t.after(() => client.close())
    const { data: cities } = await client.ads.listLocations({ location_type: 'CITIES', q: 'san fr' })
    assert.ok(cities.length > 0)
    // Members are merged in a thread, and searches run in another.
    const account_id = String(accounts.find(({ environment }) => environment === 'sandbox')?.id)
    const { data: audience } = await client.sandbox.createCustomAudience({ account_id, name: 'Buyers' })
    const users = Array.from({ length: 120 }, (_, n) => ({ email: [n.toString(16).padStart(64, '0')] }))
    await client.sandbox.uploadCustomAudienceUsers({
      account_id,
      custom_audience_id: audience.id,
      body: [{ operation_type: 'Update', params: { users } }],
    })
    await until('the members', async () => {
      const found = await client.sandbox.getCustomAudience({ account_id, custom_audience_id: audience.id })
      return found.data.targetable
    })
    const { data: post } = await client.core.createPost({ text: 'A word that is found' })
    const reader = client.with({ auth: appOnly(keys) })
    await until('the post', async () => {
      const query = { query: 'word', until_id: '9223372036854775807' }
      const { data } = await reader.core.searchRecentPosts(query)
      return data?.some(({ id }) => id === post.id)
    })
    assert.match(plaza('clock', 'advance', '1h', ...where), /^\d{4}-/)
    assert.match(plaza('stop', ...where), /stopped/)
  })
})
