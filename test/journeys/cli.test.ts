import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import {
  FREE_PORTS,
  oldNode,
  PINNED_NODE,
  runPlaza,
  type Started,
  spawnPlaza,
  startCli,
  stopCli,
  temporaryFolder,
  until,
} from './cli.fixture.ts'

/** Longer than the time in which two signals count as one. */
const ANOTHER_SIGNAL_MS = 400

/** A webhook that answers its check when the test says so. */
async function slowWebhook(t: TestContext) {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => asked.resolve(response)).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    asked: asked.promise,
  }
}

/**
 * Waits until a process has heard its signal: the ready file is the first thing that it takes away.
 */
const stopBegun = ({ readyPath, ...running }: Started) =>
  until(running, 'the stop', () => !existsSync(readyPath))

const requestTo = (t: TestContext, { data }: Started, ...args: string[]) =>
  runPlaza(t, ['request', ...args, `--data=${data}`, '--json'])

const statusOf = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as { status: number }).status

describe('plaza start', () => {
  const nodes: Record<string, string | undefined> = {
    'this Node': process.execPath,
    'the pinned Node': PINNED_NODE,
    'an old Node, which hands over': oldNode(),
  }
  for (const [name, node] of Object.entries(nodes)) {
    test(`starts, prints its addresses, stops and starts again: ${name}`, {
      skip: node === undefined,
    }, async (t) => {
      const folder = temporaryFolder(t)
      const first = await startCli(t, { folder, node: node as string })
      const { ready } = first
      assert.equal(statSync(first.readyPath).mode & 0o777, 0o600)
      assert.equal(statSync(join(first.data, 'plaza.json')).mode & 0o777, 0o600)
      assert.match(first.stdout(), /Plaza .* is ready/)
      assert.match(first.stdout(), /--cacert .*ca\.pem/)
      assert.match(first.stdout(), /loopback webhooks are allowed/i)
      assert.ok(
        ready.app && ready.user?.access_token && ready.user.access_token_secret && ready.user.password,
      )
      for (const secret of [ready.app.consumer_secret, ready.user.password, ready.user.access_token_secret]) {
        assert.ok(first.stdout().includes(secret), 'the first start shows what it made')
        assert.ok(!readFileSync(join(first.data, 'plaza.json'), 'utf8').includes(secret))
      }
      const stopped = await stopCli(first)
      assert.deepEqual([stopped.code, stopped.signal], [0, null])
      assert.ok(!existsSync(first.readyPath) && !existsSync(join(first.data, 'plaza.json')))
      assert.doesNotMatch(stopped.stderr, /Warning/)

      const second = await startCli(t, { folder, node: node as string })
      assert.ok(!second.stdout().includes(ready.app.consumer_secret), 'secrets are shown once')
      assert.deepEqual([second.ready.app, second.ready.user], [ready.app, ready.user])
      assert.equal((await stopCli(second, 'SIGINT')).code, 0)
    })
  }

  test('curl trusts the authority of the ready file', async (t) => {
    const { ready } = await startCli(t)
    const code = ['-s', '-o', '/dev/null', '-w', '%{http_code}', `${ready.core_url}/2/webhooks`]
    const trusting = spawnSync('curl', ['--cacert', ready.ca_file as string, ...code], { encoding: 'utf8' })
    if (trusting.error) return t.skip('this machine has no curl')
    assert.equal(trusting.stdout, '401')
    assert.notEqual(spawnSync('curl', code).status, 0)
  })

  test('a process that was killed leaves no ready file that a later one would be mistaken for', async (t) => {
    const folder = temporaryFolder(t)
    const killed = await startCli(t, { folder })
    await stopCli(killed, 'SIGKILL')
    assert.ok(existsSync(killed.readyPath))
    const next = spawnPlaza(t, [
      'start',
      `--data=${killed.data}`,
      `--ready-file=${killed.readyPath}`,
      ...FREE_PORTS,
    ])
    await until(next, 'the new ready file', () =>
      existsSync(killed.readyPath) &&
      readFileSync(killed.readyPath, 'utf8').includes(`"pid":${next.child.pid}`)
        ? true
        : undefined,
    )
    assert.equal((await stopCli(next)).code, 0)
  })

  test('a second start on the same folder is rejected and does not affect the first', async (t) => {
    const first = await startCli(t)
    const second = await runPlaza(t, [
      `--data=${first.data}`,
      `--ready-file=${first.readyPath}`,
      ...FREE_PORTS,
    ])
    assert.equal(second.code, 1)
    assert.match(second.stderr, /^plaza: The data folder .* is in use by process [0-9]+\. .*\n$/)
    assert.equal(statusOf(await requestTo(t, first, 'GET', '/2/webhooks')), 200)
    assert.ok(existsSync(first.readyPath))
  })

  test('a port in use is named with its flag', async (t) => {
    const first = await startCli(t)
    const port = new URL(first.ready.core_url).port
    const second = await runPlaza(t, ['--memory', ...FREE_PORTS, `--core-port=${port}`])
    assert.equal(second.code, 1)
    assert.match(second.stderr, new RegExp(`^plaza: Port ${port} .* in use.*--core-port\\.\n$`))
  })

  test('the keys are shown until one start has shown them', async (t) => {
    const busy = createServer().listen(0, '127.0.0.1')
    t.after(() => busy.close())
    await once(busy, 'listening')
    const { port } = busy.address() as AddressInfo
    const folder = temporaryFolder(t)
    const args = [`--data=${join(folder, 'data')}`, '--seed-population=0', ...FREE_PORTS]
    const onBusyPort = await runPlaza(t, [...args, `--console-port=${port}`])
    assert.equal(onBusyPort.code, 1)
    // A file cannot take the place of a folder, which is noticed when the server is ready.
    const late = await runPlaza(t, [...args, `--ready-file=${folder}`])
    assert.deepEqual([late.code, late.stdout], [1, ''], late.stderr)
    const firstStarts: boolean[] = []
    for (let start = 0; start < 2; start++) {
      const running = spawnPlaza(t, [...args, '--json'])
      await until(running, 'the line', () => running.stdout().endsWith('\n') || undefined)
      const told = JSON.parse(running.stdout()) as { first_start: boolean; app: object | null }
      assert.equal(told.app !== null, told.first_start)
      firstStarts.push(told.first_start)
      assert.equal((await stopCli(running)).code, 0)
    }
    assert.deepEqual(firstStarts, [true, false])
  })

  test('nothing stays of --memory', async (t) => {
    const readyPath = join(temporaryFolder(t), 'ready.json')
    const running = spawnPlaza(t, ['--memory', `--ready-file=${readyPath}`, '--json', ...FREE_PORTS])
    await until(running, 'the line', () => running.stdout().endsWith('\n') || undefined)
    const told = JSON.parse(running.stdout()) as { ca_file: string; first_start: boolean; app: object }
    assert.equal(told.first_start, true)
    assert.ok(existsSync(told.ca_file))
    const asked = await runPlaza(t, ['request', 'GET', '/2/webhooks', `--ready-file=${readyPath}`])
    assert.equal(asked.code, 0, asked.stderr)
    const asUser = (name: string) =>
      runPlaza(t, ['request', 'GET', '/2/users/me', `--user=${name}`, `--ready-file=${readyPath}`])
    assert.match((await asUser('Advertiser')).stdout, /"username":"advertiser"/)
    const { code, stderr } = await asUser('nobody')
    assert.deepEqual([code, stderr.includes('--user must be demo or advertiser')], [2, true])
    assert.equal((await stopCli(running)).code, 0)
    assert.ok(!existsSync(readyPath) && !existsSync(told.ca_file))
  })

  test('without a seed, the ready file has null members', async (t) => {
    const { ready, stdout } = await startCli(t, { args: ['--seed=none', '--hardened'] })
    assert.deepEqual([ready.app, ready.user], [null, null])
    assert.match(stdout(), /Hardened/)
  })

  test('a request in progress finishes after SIGTERM', async (t) => {
    const plaza = await startCli(t)
    const hook = await slowWebhook(t)
    const body = JSON.stringify({ url: hook.url })
    const asking = requestTo(t, plaza, 'POST', '/2/webhooks', '-d', body)
    const response = await hook.asked
    const stopping = stopCli(plaza)
    await stopBegun(plaza)
    assert.equal(plaza.child.exitCode, null, 'it waits')
    response.end('{}')
    assert.equal(statusOf(await asking), 400)
    assert.equal((await stopping).code, 0)
  })

  test('a second signal does not wait', async (t) => {
    const plaza = await startCli(t)
    const hook = await slowWebhook(t)
    const asking = requestTo(t, plaza, 'POST', '/2/webhooks', '-d', JSON.stringify({ url: hook.url }))
    await hook.asked
    plaza.child.kill('SIGTERM')
    await stopBegun(plaza)
    await sleep(ANOTHER_SIGNAL_MS)
    // A stop that waited for the webhook would end with 0, when its time is up.
    assert.equal((await stopCli(plaza)).code, 1)
    assert.equal((await asking).code, 1)
  })

  test('the same --seed-random makes the same ids, keys and tokens', async (t) => {
    const told: object[] = []
    for (let run = 0; run < 2; run++) {
      const plaza = await startCli(t, { args: ['--seed-random=a test'] })
      told.push([plaza.ready.app as object, plaza.ready.user as object])
      await stopCli(plaza)
    }
    assert.deepEqual(told[0], told[1])
  })

  test('with --seed-random, ids and times agree: of what the start makes, and of what requests make', async () => {
    const timeIn = (id: string) => Number((BigInt(id) >> 22n) + 1_288_834_974_657n)
    for (let run = 0; run < 2; run++) {
      const plaza = await startPlaza({ seedRandom: 'a test' })
      const client = new Client(plaza)
      const keys = demoKeys(plaza)
      const me = await client.signed('GET', '/1.1/account/verify_credentials.json', keys)
      const user = me.json as { id_str: string; created_at: string }
      assert.equal(user.created_at, 'Thu Jan 01 00:00:00 +0000 2026')
      assert.equal(new Date(timeIn(user.id_str)).toISOString(), '2026-01-01T00:00:00.000Z')
      const url = `${plaza.urls.adsSandbox}/12/accounts`
      const made = await client.signed('POST', url, keys)
      const account = (made.json as { data: { id: string; created_at: string } }).data
      assert.equal(account.created_at, '2026-03-01T12:00:00Z')
      const id = [...account.id].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
      assert.equal(new Date(timeIn(String(id))).toISOString(), '2026-03-01T12:00:00.000Z')
      await client.close()
      await plaza.close()
    }
  })

  test('flags win over the environment, that over the config file', async (t) => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'config.json')
    const names = ['flag', 'environment', 'file'].map((name) => join(folder, `${name}.json`))
    const [flag = '', environment = '', fromFile = ''] = names
    writeFileSync(file, JSON.stringify({ 'ready-file': fromFile, 'log-level': 'silent', memory: true }))
    const steps: [string[], Record<string, string>, string][] = [
      [[`--ready-file=${flag}`], { PLAZA_READY_FILE: environment }, flag],
      [[], { PLAZA_READY_FILE: environment }, environment],
      [[], {}, fromFile],
    ]
    for (const [args, env, expected] of steps) {
      const running = spawnPlaza(t, ['start', `--config=${file}`, ...FREE_PORTS, ...args], { env })
      await until(running, 'the message', () => running.stdout().endsWith('\n') || undefined)
      assert.deepEqual(
        names.filter((name) => existsSync(name)),
        [expected],
      )
      await stopCli(running)
    }
  })
})

describe('a usage error exits with 2 and names the problem', () => {
  const wrong: [string[], RegExp][] = [
    [['--nonsense'], /--nonsense/],
    [['start', '--core-port=x'], /--core-port/],
    [['start', '--ads-port'], /--ads-port/],
    [['start', '--seed='], /--seed must be none, demo or the name of a file, not ""/],
    [['start', '--core-listen=[::1]'], /--core-listen must be an IP address .*, not "\[::1\]"/],
    [
      ['start', '--memory', ...FREE_PORTS, '--health-listen=nowhere.invalid:8441'],
      /--health-listen must be an address or a name of this machine, not "nowhere\.invalid"/,
    ],
    [
      ['start', '--memory', ...FREE_PORTS, '--ads-listen=nowhere.invalid'],
      /--ads-listen must be an address or a name of this machine, not "nowhere\.invalid"/,
    ],
    [['start', 'again'], /"again"/],
    [['strat'], /unknown command 'strat'; did you mean start\? See: plaza help\n$/],
    [['help', 'strat'], /unknown command 'strat'\. See: plaza help\n$/],
    [['nowhere-near'], /unknown command 'nowhere-near'\. See: plaza help\n$/],
    [['--core-prot=1'], /'--core-prot'; did you mean --core-port\? See: plaza help start\n$/],
    [['deliveries', 'lst'], /unknown command 'lst'; did you mean list\? See: plaza help deliveries\n$/],
    [['app'], /app create/],
    [
      ['app', 'create', '--name=Tool'],
      /^plaza: --website and --owner are missing\. See: plaza help app create\n$/,
    ],
    [['app', 'create', '--name=Tool', '--owner=ann', '--website=x'], /--website must/],
    [
      [
        'app',
        'create',
        '--name=Tool',
        '--owner=ann',
        '--website=https://x.example/',
        '--callback=javascript:1',
      ],
      /--callback javascript:1/,
    ],
    [['app', 'rotate'], /missing required argument 'ID'\. See: plaza help app rotate\n$/],
    [['user', 'create'], /: --screen-name and --name are missing\. /],
    [['user', 'create', '--screen-name=a b', '--name=Ann'], /--screen-name must/],
    [['user', 'update', 'ann'], /: at least one flag is required\. See: plaza help user update\n$/],
    [
      ['stop', '--timeout', '-1'],
      /: --timeout needs a value; one that begins with - is written --timeout=-…\. See/,
    ],
    [['stop', '--timeout'], /: --timeout needs a value\. See/],
    [['account', 'grant', 'abc'], /: missing required argument 'SCREEN_NAME'\. /],
    [
      ['account', 'feature'],
      /: account feature is followed by another word: account feature add, account feature remove\. See: plaza help account feature\n$/,
    ],
    [['request', 'GET'], /: missing required argument 'URL'\. /],
    [
      ['request', 'GET', '/x', '--consumer-key=k'],
      /--consumer-key and --consumer-secret must be given together/,
    ],
    [['request', 'GET', '/x', '--token=t'], /--token and --token-secret must be given together/],
    [['request', 'G ET', '/x'], /"G ET" is not an HTTP method/],
    [['request', 'GETT', '/x'], /"GETT" is not an HTTP method; did you mean GET\?/],
    [['request', 'connect', '/x'], /"CONNECT" is not an HTTP method/],
    [['request', 'GET', '/x', '--as=nobody'], /--as/],
    [['request', 'GET', '/x', '--as=app', '--explain'], /--explain/],
    [['request', 'GET', '/x', '--form=a=b', '-d', 'c'], /--body/],
    [['listen', '--secert=hidden'], /unknown option '--secert'; did you mean --secret\?/],
    [['listen', '--port=70000'], /--port/],
    [['listen', '--consumer-key=k'], /--consumer-key needs --consumer-secret or --secret/],
    [['openapi', 'other'], /'other'.* core, ads/],
  ]
  for (const [args, names] of wrong) {
    test(args.join(' '), async (t) => {
      const { code, stdout, stderr } = await runPlaza(t, args, { cwd: temporaryFolder(t) })
      assert.equal(code, 2)
      assert.equal(stdout, '')
      assert.match(stderr, /^plaza: [^\n]*\n$/)
      assert.match(stderr, names)
    })
  }
})

test('help explains every command and every setting', async (t) => {
  const { stdout } = await runPlaza(t, ['--help'])
  for (const command of ['start', 'listen', 'request', 'app create', 'user rotate', 'openapi', 'version'])
    assert.ok(stdout.includes(`  ${command}`), command)
  assert.match(stdout, /0 success, 1 failure, 2 usage error/)
  const headings = stdout.split('\n').filter((line) => /^[A-Z].*:$/.test(line))
  assert.deepEqual(headings.slice(0, 3), ['Options:', 'Run Plaza:', 'See and steer a running Plaza:'])
  assert.equal(headings.at(-1), 'This program:', 'no command is without a heading')
  assert.match((await runPlaza(t, ['start', '--help'])).stdout, /--shutdown-seconds <S>/)
  assert.match((await runPlaza(t, ['help', 'app', 'rotate'])).stdout, /plaza app rotate \[options\] <ID>/)
  assert.equal((await runPlaza(t, ['version'])).stdout.split(' ')[0], 'Plaza')
})

test('help that is not written to a terminal has 80 columns', async (t) => {
  for (const args of [['--help'], ['start', '--help'], ['user', 'update', '--help'], ['help', 'request']]) {
    const { stdout } = await runPlaza(t, args)
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.length > 80),
      [],
    )
  }
})

test('--help explains a group of commands, and help itself', async (t) => {
  const feature = await runPlaza(t, ['account', 'feature', '--help'])
  assert.equal(feature.code, 0)
  assert.match(feature.stdout, /^Usage: plaza account feature /)
  assert.match(
    feature.stdout,
    /^ +account feature add +Grant features .*\n +account feature remove +Revoke features /m,
  )
  assert.deepEqual(await runPlaza(t, ['help', '--help']), await runPlaza(t, ['help']))
  assert.match((await runPlaza(t, ['app', 'create', '--help'])).stdout, /--owner <SCREEN_NAME> .* Required\./)
  assert.match(
    (await runPlaza(t, ['stop', '--help'])).stdout,
    /--ready-file <FILE> +JSON file that describes the running Plaza\. `start`\s+writes it/,
  )
})

test('the documents are printed', async (t) => {
  for (const which of ['core', 'ads', 'admin']) {
    const { stdout } = await runPlaza(t, ['openapi', which])
    assert.equal((JSON.parse(stdout) as { openapi: string }).openapi, '3.1.0')
  }
})

test('a folder without a Plaza is reported in one sentence, and stays unchanged', async (t) => {
  const folder = join(temporaryFolder(t), 'none')
  for (const args of [['app', 'list'], ['user', 'list'], ['listen'], ['request', 'GET', '/2/webhooks']]) {
    const { code, stderr } = await runPlaza(t, [...args, `--data=${folder}`])
    assert.equal(code, 1)
    assert.equal(
      stderr,
      `plaza: There is no Plaza in ${folder} yet. Start one with "plaza start", or set its folder with --data. If it runs with --memory, its data is in its process only, so this command cannot reach it: start it with --data instead.\n`,
    )
  }
  assert.ok(!existsSync(folder))
})

test('plaza query explain shows how a query is read, and points at what is wrong', async (t) => {
  const read = await runPlaza(t, ['query', 'explain', '(coca-cola OR #pets) -dog'])
  assert.equal(
    read.stdout,
    `(coca-cola OR #pets) -dog

all of
├─ any of
│  ├─ coca-cola  posts with the words coca, cola in sequence
│  └─ #pets      posts with the hashtag pets
└─ -dog          not posts with the word dog

stream: 25 of 1024 characters, 3 of 200 clauses
found by: words coca cola, hashtag pets
`,
  )
  const wrong = await runPlaza(t, ['query', 'explain', '日本 form:ada', '--for=search/recent'])
  assert.deepEqual(
    [wrong.code, wrong.stdout, wrong.stderr],
    [
      1,
      '',
      "  日本 form:ada\n       ^^^^\nReference to invalid operator 'form'. Operator is not available in current product or product packaging. Please refer to complete available operator list at docs/reference/query-language.md (at position 4)\n" +
        "  日本 form:ada\n       ^^^^\nReference to invalid field 'form' (at position 4)\nDid you mean from:?\n",
    ],
  )
  const data = await runPlaza(t, ['query', 'explain', 'cat lang:zh-TW', '--json', '--plan=enterprise'])
  const { query, length, terms } = JSON.parse(data.stdout)
  assert.deepEqual(
    { query, length, terms },
    {
      query: 'cat lang:zh-tw',
      length: { used: 14, most: 2048 },
      terms: [{ oneOf: ['word cat'], and: 'language zh' }],
    },
  )
})
