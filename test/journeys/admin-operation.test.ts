import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { startPlaza as startPlazaInProcess } from '../../src/app/index.ts'
import { VERSION } from '../../src/platform/common/version.ts'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { FREE_PORTS, runPlaza, spawnPlaza, startCli, temporaryFolder } from './cli.fixture.ts'

interface Setting {
  name: string
  value: string
  changed: boolean
}

for (const stage of stages) {
  describe(`status, log and settings on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    before(async () => {
      opened = await stage.open({ logLevel: 'silent' }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const me = () => client.signed('GET', '/2/users/me', demoKeys(opened.plaza))

    test('the status names mode, addresses, clock and what waits', async () => {
      const status = await until('it is ready', async () => {
        const now = await admin.call('GET', '/status')
        return now.ready === true && now
      })
      assert.deepEqual(
        [status.version, status.ready, status.problems, status.streams],
        [VERSION, true, [], 0],
      )
      assert.equal((status.urls as Record<string, string>).core, opened.plaza.urls.core)
      assert.equal(status.mode, stage.shared ? 'postgresql' : opened.folder === undefined ? 'memory' : 'data')
      assert.ok(Number((status.memory as { resident_bytes: number }).resident_bytes) > 1_000_000)
      assert.equal('disk' in status, status.mode !== 'memory')
    })

    test('rate limits and caps change at once, and a wrong value changes nothing', async () => {
      const first = await me()
      const usual = Number(first.headers['x-rate-limit-limit'])
      assert.ok(usual > 1)
      const set = (body: unknown) => admin.call<Setting[]>('PUT', '/settings', body)
      const changed = await set({ 'rate-limits': { getOwnUser: { user: '1/15m' } }, 'webhooks-per-app': 7 })
      assert.deepEqual(
        changed.filter((one) => one.changed).map(({ name, value }) => [name, value]),
        [
          ['rate-limits', '{"getOwnUser":{"user":"1/15m"}}'],
          ['webhooks-per-app', '7'],
        ],
      )
      assert.equal((await me()).status, 429)
      await set({ 'rate-limits': 'off' })
      const free = await me()
      assert.deepEqual([free.status, free.headers['x-rate-limit-limit']], [200, undefined])
      const before = await admin.call('GET', '/settings')
      for (const [body, says] of [
        [
          { 'rate-limits': 'documented', 'webhooks-per-app': 'many' },
          /^"webhooks-per-app" must be .*, not "many"\.$/,
        ],
        [{ 'rate-limits': '/etc/passwd' }, /^"rate-limits" must be documented, off, or an object/],
        [
          { 'rate-limits': { getOwnUser: { user: 'often' } } },
          /^"rate-limits" at \/getOwnUser: "often" is not a rate limit/,
        ],
        [{ 'log-level': 'loud' }, /^"log-level" must be .* not "loud"\.$/],
        [{ 'core-port': 1 }, /^"core-port" cannot be changed while Plaza runs\. These can: log-level, /],
        [[], /^The body must be an object/],
      ] as const) {
        const [status, said] = await admin.wrong('PUT', '/settings', body)
        assert.equal(status, 400, said)
        assert.match(said, says)
      }
      assert.deepEqual(await admin.call('GET', '/settings'), before)
      await set({ 'rate-limits': 'documented' })
      assert.equal(Number((await me()).headers['x-rate-limit-limit']), usual)
    })

    if (stage.shared)
      test('a change applies to the other node, too', async () => {
        const other = await opened.second()
        await admin.call('PUT', '/settings', { 'webhooks-per-app': 9 })
        await until('the other node has it', () => other.context.config.webhooksPerApp === 9)
      })

    test('the log level changes at once; its lines can be read and waited for, without secrets', async () => {
      const lines = (query: string) => admin.call<{ number: number; line: string }[]>('GET', `/logs?${query}`)
      const last = async () => (await lines('limit=1'))[0]?.number ?? 0
      const silent = await last()
      await me()
      assert.equal(await last(), silent)
      await admin.call('PUT', '/settings', { 'log-level': 'info' })
      const start = await last()
      const waiting = lines(`after=${start}&wait_seconds=60`)
      await me()
      const arrived = await waiting
      assert.ok(arrived.length > 0)
      const all = await lines(`after=${silent}&limit=1000`)
      assert.ok(all.some(({ line }) => (JSON.parse(line) as { path?: string }).path === '/2/users/me'))
      const keys = demoKeys(opened.plaza)
      for (const secret of [keys.consumerSecret, keys.token, keys.tokenSecret])
        assert.ok(!JSON.stringify(all).includes(secret as string))
      await admin.call('PUT', '/settings', { 'log-level': 'silent' })
    })
  })
}

/** Runs a command against a Plaza in memory, which it finds by the ready file. */
async function startInMemory(t: TestContext) {
  const readyPath = join(temporaryFolder(t), 'ready.json')
  const running = spawnPlaza(t, ['start', '--memory', `--ready-file=${readyPath}`, ...FREE_PORTS])
  await until('the ready file', () => existsSync(readyPath))
  const run = (...args: string[]) => runPlaza(t, [...args, `--ready-file=${readyPath}`])
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(...args, '--json')
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as T
  }
  return { running, run, json, readyPath }
}

test('with --memory, commands work through the ready file, and change the running Plaza at once', async (t) => {
  const { run, json, readyPath } = await startInMemory(t)
  const user = await json<{ id: string; password: string }>(
    ...['user', 'create', '--screen-name=ann', '--name=Ann', '--verified-type=blue'],
  )
  const app = await json<{ id: string; tokens: Record<string, string>[] }>(
    ...['app', 'create', '--name=Tool', '--website=https://tool.example/', '--owner=ann', '--grant=ann'],
  )
  assert.equal(app.tokens[0]?.user_id, user.id)
  assert.match((await run('user', 'list')).stdout, /@ann/)
  assert.match((await run('app', 'list')).stdout, /Tool/)
  await json('user', 'update', 'ann', '--name=Ann B')
  const account = await json<{ id: string }>('account', 'create', '--owner=ann', '--name=Bridges')
  await json('account', 'fund', account.id, '--currency=EUR')
  assert.match((await run('account', 'list')).stdout, /Bridges/)
  assert.deepEqual(Object.keys(await json('emit', 'follow.follow', '--user=ann')), ['event_type', 'payload'])
  assert.deepEqual(Object.keys(await json('news', 'refresh')), ['appeared', 'updated'])
  assert.deepEqual((await run('deliveries', 'list')).stderr, 'There are no deliveries.\n')
  const { key, url } = await json<{ key: string; url: string }>('console')
  assert.ok(key.length > 20 && url.startsWith('http://127.0.0.1:'))
  const status = await run('status')
  assert.equal(status.code, 0, status.stderr)
  assert.match(status.stdout, /^Plaza {7}\d.*\nState {7}ready\n/)
  assert.match(status.stdout, /\nData {8}in memory\n/)
  assert.match((await run('logs', '--lines=5')).stdout, /"level":30/)
  assert.match((await run('settings', 'show')).stdout, /^log-level +info$/m)
  assert.match(
    (await run('settings', 'set', 'rate-limits', 'off')).stdout,
    /^rate-limits +off {2}\(changed\)\n$/,
  )
  const wrong = await run('settings', 'set', 'usage-reset-day', '40')
  assert.deepEqual(
    [wrong.code, wrong.stderr],
    [1, 'plaza: "usage-reset-day" must be a whole number from 1 to 28, not "40".\n'],
  )
  const unknown = await run('user', 'suspend', 'nobody')
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, 'plaza: There is no user nobody. "plaza user list" lists the users.\n'],
  )
  const dot = await json<{ id: string }>('user', 'create', '--screen-name=dot', '--name=Dot')
  assert.deepEqual(await json('user', 'delete', 'DOT'), { id: dot.id, screen_name: 'dot', deleted: true })
  const held = await run('user', 'delete', 'ann')
  assert.equal(held.code, 1)
  assert.equal(
    held.stderr,
    `plaza: @ann owns the apps ${app.id} and has roles in the advertising accounts ${account.id}. Delete the apps and remove the roles first.\n`,
  )
  await json('clock', 'freeze')
  const { now } = await json<{ now: string }>('clock', 'advance', '1d')
  await json('user', 'create', '--screen-name=late', '--name=Late')
  const late = (await run('user', 'list', '--json', '--name-prefix=late')).stdout
  assert.equal((JSON.parse(late) as { created_at: string }).created_at, now, 'it has the time that users see')
  const doctor = await run('doctor')
  assert.match(doctor.stdout, /^warning {2}clock +Plaza shows .* and stands still/m)
  assert.match(doctor.stdout, /^ok +running +A Plaza runs with the ready file/m)
  const gone = JSON.parse(readFileSync(readyPath, 'utf8')) as { pid: number }
  assert.ok(gone.pid > 0)
})

test('a command that runs while no Plaza does works on the data, with the clock that was stored', async (t) => {
  const plaza = await startCli(t)
  const data = `--data=${plaza.data}`
  const run = (...args: string[]) => runPlaza(t, [...args, data])
  assert.equal((await run('clock', 'advance', '2d')).code, 0)
  assert.equal((await run('stop')).code, 0)
  assert.equal((await plaza.ended).code, 0)
  const made = await run('user', 'create', '--screen-name=zed_9', '--name=Ann', '--json')
  assert.equal(made.code, 0, made.stderr)
  const listed = await run('user', 'list', '--name-prefix=zed_9', '--json')
  const { created_at } = JSON.parse(listed.stdout) as { created_at: string }
  assert.ok(Date.parse(created_at) > Date.now() + 86_400_000, created_at)
  const taken = await run('user', 'create', '--screen-name=ZED_9', '--name=Ann')
  assert.deepEqual([taken.code, taken.stderr], [1, 'plaza: The screen name @ZED_9 is taken.\n'])
  for (const args of [['status'], ['logs'], ['settings', 'show']]) {
    const ended = await run(...args)
    assert.equal(ended.code, 1)
    assert.match(ended.stderr, /^plaza: No Plaza is running with the data folder/)
  }
  const doctor = await run('doctor', '--json', ...FREE_PORTS)
  assert.equal(doctor.code, 0, doctor.stdout)
  const findings = doctor.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { check: string; level: string; says: string })
  assert.deepEqual(
    new Set(findings.map(({ check }) => check)),
    new Set(['versions', 'running', 'ports', 'certificates', 'clock', 'disk', 'database', 'redis']),
  )
  assert.match(
    findings.find(({ check }) => check === 'database')?.says ?? '',
    /opens, and its master key fits/,
  )
})

test('the doctor says what to do about each problem, and fails', async (t) => {
  const folder = temporaryFolder(t)
  const taken = createServer()
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening))
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const ended = await runPlaza(t, [
    ...['doctor', `--data=${join(folder, 'data')}`, `--core-port=${port}`],
    ...['--ads-port=0', '--ads-sandbox-port=0', '--console-port=0'],
    '--redis-url=redis://127.0.0.1:1/0',
    `--tls-certificate=${join(folder, 'none.pem')}`,
    `--tls-key=${join(folder, 'none.pem')}`,
  ])
  assert.equal(ended.code, 1, ended.stderr)
  assert.match(
    ended.stdout,
    new RegExp(
      `^PROBLEM {2}ports +Port ${port} of 127\\.0\\.0\\.1 is in use\\. Stop the program that uses it, or choose another port with --core-port\\.$`,
      'm',
    ),
  )
  assert.match(ended.stdout, /^PROBLEM {2}redis +Redis does not answer at 127\.0\.0\.1:1/m)
  assert.match(ended.stdout, /^PROBLEM {2}certificates +.*none\.pem is not a certificate/m)
  assert.match(ended.stdout, /^ok +database +There is no database in .* yet/m)
})

test('startPlaza makes what a test needs, emits, and names what clients read', async () => {
  const plaza = await startPlazaInProcess()
  const { create } = plaza
  const ann = await create.user({ screenName: 'ann', name: 'Ann', verifiedType: 'blue' })
  const bob = await create.user({ screenName: 'bob', name: 'Bob', password: 'secret', protected: true })
  assert.deepEqual([ann.screenName, bob.password, ann.password.length], ['ann', 'secret', 16])
  const app = await create.app({ name: 'Tool', owner: 'ann', grants: ['ann'] })
  assert.equal(app.tokens[0]?.userId, ann.id)
  const bearer = await create.token({ kind: 'bearer', appId: app.id })
  assert.ok(bearer.bearerToken)
  const token = await create.token({
    ...{ kind: 'oauth2', appId: app.id, user: 'ann' },
    scopes: ['post.read', 'users.read'],
  } as const)
  assert.ok(token.accessToken && token.expiresAt)
  assert.deepEqual((await create.follow('ann', 'bob')).pending, true)
  const post = await create.post({ author: 'ann', text: 'Hello', createdAt: '-2h' })
  const reply = await create.post({ author: 'bob', text: 'Hi', inReplyToPostId: post.id })
  assert.equal(reply.conversationId, post.id)
  await create.like('bob', post.id)
  assert.ok(await create.repost('bob', post.id))
  const message = await create.directMessage({ from: 'ann', to: ['bob'], text: 'Psst' })
  assert.equal(message.senderId, ann.id)
  const account = await create.account({
    ...{ name: 'Bridges', owner: 'ann' },
    funding: [{ currency: 'EUR', type: 'CREDIT_LINE', creditLimitLocalMicro: 5_000_000_000 }],
  })
  const [funding_instrument_id] = account.fundingInstrumentIds
  const values = { name: 'First', funding_instrument_id, daily_budget_amount_local_micro: 1_000_000 }
  assert.ok((await create.campaign(account.id, values)).id)
  assert.ok((await create.rule({ appId: app.id, value: 'bridge' })).id)
  const filter = { userId: ann.id }
  const { subscriptionId } = await create.subscription({ appId: app.id, eventType: 'post.create', filter })
  assert.ok(subscriptionId)
  assert.ok(await plaza.emit('profile.update.bio', { user: 'ann' }))
  await assert.rejects(create.user({ screenName: 'ANN', name: 'A' }), {
    message: 'The screen name @ANN is taken.',
  })
  await assert.rejects(plaza.emit('x'), /is not an event type/)

  const env = await plaza.env()
  const [demo] = plaza.apps
  assert.deepEqual(
    [env.API_URL, env.CONSUMER_KEY, env.ACCESS_TOKEN],
    [plaza.urls.core, demo?.consumerKey, plaza.users[0]?.tokens[0]?.token],
  )
  assert.equal(readFileSync(String(env.NODE_EXTRA_CA_CERTS), 'utf8'), plaza.ca)
  const code = `const r = await fetch(process.env.API_URL + '/2/webhooks', { headers: { authorization: 'Bearer ' + process.env.BEARER_TOKEN } }); console.log(r.status)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH: process.env.PATH, ...env },
  })
  assert.equal(stdout, '200\n')
  await assert.rejects(plaza.env({ user: 'nobody' }), /The seed made no user @nobody/)
  await plaza.close()
  assert.ok(!existsSync(String(env.NODE_EXTRA_CA_CERTS)))
})
