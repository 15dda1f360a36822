import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { ReadyFile } from '../../src/app/cli/files.ts'
import { query } from '../../src/app/tables.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { processStart } from '../../src/platform/common/process-start.ts'
import { openFolder } from '../../src/platform/storage/folder.ts'
import { openStore } from '../../src/platform/storage/open.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import { until as soon } from '../support/until.ts'
import {
  FREE_PORTS,
  PROGRAM,
  runPlaza,
  spawnPlaza,
  spawnShell,
  startCli,
  stopCli,
  temporaryFolder,
  until,
} from './cli.fixture.ts'

/** As if another node held the search index, and had handled events up to a position. */
const holdIndex = query<{ position: number; until: number }>('holdSearchIndex', (db, at) =>
  db
    .updateTable('event_consumers')
    .set({ position: at.position, holder: 'node 9', lease_until: at.until })
    .where('name', '=', 'search index'),
)

async function withDatabase(data: string, work: (store: Store) => Promise<unknown>): Promise<void> {
  const file = { kind: 'file', path: join(data, 'plaza.db') } as const
  const store = await openStore(file, { clock: systemClock, onError: () => undefined })
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** A port on which connections are taken and never answered. */
async function deafPort(t: TestContext): Promise<number> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const isRunning = (pid: number) => processStart(pid) !== undefined

describe('a start that fails', () => {
  const failing: Record<string, (port: number) => string[]> = {
    'a port in use': (port) => [`--console-port=${port}`],
    'no Redis': () => ['--redis-url=redis://127.0.0.1:1'],
    'no database': () => ['--database-url=postgres://127.0.0.1:1/x'],
    'a ready file that cannot be written': () => ['--ready-file=/dev/null/ready.json'],
    'a vocabulary that is not there': () => ['--vocabulary=/nonexistent'],
  }
  for (const [name, args] of Object.entries(failing))
    test(`ends with 1 and lets the folder go, also without a reader: ${name}`, async (t) => {
      const folder = temporaryFolder(t)
      const data = join(folder, 'data')
      const all = ['start', `--data=${data}`, ...FREE_PORTS, ...args(await deafPort(t))]
      const told = await runPlaza(t, all)
      assert.equal(told.code, 1, told.stderr)
      assert.match(told.stderr, /^plaza: .+$/m)
      const unread = spawn(process.execPath, [PROGRAM, ...all], { stdio: ['ignore', 'pipe', 'pipe'] })
      t.after(() => unread.kill('SIGKILL'))
      unread.stdout.destroy()
      unread.stderr.destroy()
      assert.deepEqual(await once(unread, 'exit'), [1, null])
      for (const left of ['plaza.pid', 'plaza.json']) assert.ok(!existsSync(join(data, left)), left)
      assert.equal((await stopCli(await startCli(t, { folder }))).code, 0)
    })

  test('names the ready file that cannot be written, with --memory and --detach too', async (t) => {
    const path = '/dev/null/ready.json'
    for (const flags of [[], ['--detach'], ['--detach', '--wait']]) {
      const args = ['start', ...flags, '--memory', `--ready-file=${path}`, ...FREE_PORTS]
      const { code, stderr } = await runPlaza(t, args)
      assert.deepEqual([code, stderr], [1, `plaza: Cannot write ${path} (EEXIST).\n`])
    }
  })

  test('a server whose log has lost its reader continues, and stops on request', async (t) => {
    const { child, ready } = await startCli(t)
    child.stderr?.destroy()
    for (let call = 0; call < 3; call++)
      await runPlaza(t, ['request', 'GET', `${ready.core_url}/2/webhooks`, '--as=none', '--json'], {
        env: { NODE_EXTRA_CA_CERTS: ready.ca_file as string },
      })
    assert.equal((await fetch(`${ready.console_url}/health`)).status, 200)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

  test('a start is announced once what was stored before can be searched', async (t) => {
    const folder = temporaryFolder(t)
    const first = await startCli(t, { folder })
    assert.equal((await stopCli(first)).code, 0)
    const { data, readyPath } = first
    const hold = (position: number, untilMs: number) =>
      withDatabase(data, (store) => store.write((tx) => tx.run(holdIndex, { position, until: untilMs })))
    await hold(0, Date.now() + 3_600_000)
    const args = [`--data=${data}`, `--ready-file=${readyPath}`, ...FREE_PORTS]
    const starting = spawnPlaza(t, ['start', '--detach', '--wait', ...args])
    try {
      const running = join(data, 'plaza.json')
      const { console_url } = await until(starting, 'the server', () =>
        existsSync(running) ? (JSON.parse(readFileSync(running, 'utf8')) as ReadyFile) : undefined,
      )
      const reply = await fetch(`${console_url}/ready`)
      const { waiting } = (await reply.json()) as { waiting: { consumer: string }[] }
      assert.deepEqual([reply.status, waiting.map(({ consumer }) => consumer)], [503, ['search index']])
      assert.deepEqual([existsSync(readyPath), starting.child.exitCode, starting.stdout()], [false, null, ''])
      await hold(0, 0)
      assert.equal((await starting.ended).code, 0)
      assert.equal((await fetch(`${console_url}/ready`)).status, 200)
      assert.equal(existsSync(readyPath), true)
      // The log is written in turns of its own.
      await soon('the line in the log', () =>
        /indexes are catching up.*have caught up/s.test(readFileSync(join(data, 'plaza.log'), 'utf8')),
      )
    } finally {
      await runPlaza(t, ['stop', `--data=${data}`])
    }
  })

  test('a server whose output finds the disk full goes on', {
    skip: existsSync('/dev/full') ? false : 'this system has no /dev/full',
  }, async (t) => {
    const folder = temporaryFolder(t)
    const readyPath = join(folder, 'ready.json')
    const args = ['start', `--data=${join(folder, 'data')}`, `--ready-file=${readyPath}`, ...FREE_PORTS]
    const line = [process.execPath, PROGRAM, ...args].map((one) => `'${one}'`).join(' ')
    const running = spawnShell(t, `exec ${line} >/dev/full 2>/dev/full`)
    const ready = await until(running, 'the ready file', () =>
      existsSync(readyPath) ? (JSON.parse(readFileSync(readyPath, 'utf8')) as ReadyFile) : undefined,
    )
    assert.equal((await fetch(`${ready.console_url}/health`)).status, 200)
    running.stop('SIGTERM')
    const { code, signal } = await running.ended
    assert.deepEqual([code, signal], [0, null])
  })

  test('a server whose terminal is closed stops in an orderly way', async (t) => {
    const started = await startCli(t)
    const { code, signal } = await stopCli(started, 'SIGHUP')
    assert.deepEqual([code, signal], [0, null])
    for (const left of [started.readyPath, join(started.data, 'plaza.json')])
      assert.ok(!existsSync(left), left)
  })

  test('a signal during the start ends it', async (t) => {
    const url = `--database-url=postgres://127.0.0.1:${await deafPort(t)}/x`
    const data = join(temporaryFolder(t), 'data')
    const starting = spawnPlaza(t, ['start', `--data=${data}`, url, ...FREE_PORTS])
    await until(starting, 'the folder', () => existsSync(join(data, 'plaza.pid')) || undefined)
    const { code, signal } = await stopCli(starting)
    assert.deepEqual([code, signal], [1, null])
  })
})

test('the ready file contains the ports of the listeners, in addition to the public URLs', async (t) => {
  const { ready } = await startCli(t, { args: ['--core-url=https://api.example.com'] })
  assert.equal(ready.core_url, 'https://api.example.com')
  assert.ok(ready.core_port > 0)
  assert.equal(ready.ads_url, `https://127.0.0.1:${ready.ads_port}`)
  assert.equal(ready.ads_sandbox_url, `https://127.0.0.1:${ready.ads_sandbox_port}`)
  assert.equal(ready.console_url, `http://127.0.0.1:${ready.console_port}`)
})

test('with --json an error is JSON too', async (t) => {
  const { code, stdout, stderr } = await runPlaza(t, [
    ...['request', 'GET', 'https://127.0.0.1:1/2/webhooks', '--as=none', '--json'],
    `--data=${temporaryFolder(t)}`,
  ])
  assert.equal(code, 1)
  const message = 'Cannot connect to https://127.0.0.1:1. Is Plaza running? Start it with "plaza start".'
  assert.deepEqual(JSON.parse(stdout), { error: { message, code: 'ECONNREFUSED' } })
  assert.equal(stderr, `plaza: ${message}\n`)
})

describe('plaza start --detach', () => {
  test('returns once everything listens, and plaza stop ends it', async (t) => {
    const folder = temporaryFolder(t)
    const data = join(folder, 'data')
    const args = [`--data=${data}`, ...FREE_PORTS]
    const started = await runPlaza(t, ['start', '--detach', '--wait', '--timeout=60', ...args])
    assert.equal(started.code, 0, started.stderr)
    assert.match(
      started.stdout,
      /^Plaza .* is ready\.\n[\s\S]*\n {2}App "Demo app"[\s\S]*prints no secrets\. The next start without --detach prints them\.\n/,
    )
    assert.doesNotMatch(started.stdout, /secret {2}|password {2}|-u /)
    assert.ok(
      started.stdout.includes(`\nStop it with node ${PROGRAM} stop --data ${data}. Flags`),
      started.stdout,
    )
    const { pid } = JSON.parse(readFileSync(join(data, 'plaza.json'), 'utf8')) as ReadyFile
    t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'))
    const log = join(data, 'plaza.log')
    assert.equal(started.stderr, `Plaza is starting in the background as process ${pid}. Its log is ${log}\n`)
    assert.equal((await runPlaza(t, ['request', 'GET', '/2/webhooks', `--data=${data}`])).code, 0)
    assert.equal(statSync(log).mode & 0o777, 0o600)

    const again = await runPlaza(t, ['start', '--detach', '--wait', ...args])
    assert.deepEqual(
      [again.code, again.stderr],
      [
        1,
        `plaza: Plaza is already running as process ${pid}. Stop it first: node ${PROGRAM} stop --data ${data}\n`,
      ],
    )
    const stopped = await runPlaza(t, ['stop', `--data=${data}`])
    assert.deepEqual([stopped.code, stopped.stdout], [0, `Plaza has stopped (process ${pid}).\n`])
    assert.ok(!isRunning(pid) && !existsSync(join(data, 'plaza.json')))
    assert.match(readFileSync(log, 'utf8'), /"path":"\/2\/webhooks","status":200/)
    assert.doesNotMatch(readFileSync(log, 'utf8'), /consumer secret/)
    const attached = spawnPlaza(t, ['start', ...args])
    await until(attached, 'the greeting', () => attached.stdout().includes('Stop it with'))
    assert.match(attached.stdout(), /\n {4}consumer secret {6}\S+\n/)
    assert.equal((await stopCli(attached, 'SIGINT')).code, 0)
    const none = await runPlaza(t, ['stop', `--data=${data}`, '--json'])
    assert.deepEqual(
      [none.code, none.stderr],
      [1, `plaza: No Plaza is running with the data folder ${data}.\n`],
    )
  })

  test('with --memory, by the ready file', async (t) => {
    const readyPath = join(temporaryFolder(t), 'ready.json')
    const args = ['--memory', `--ready-file=${readyPath}`, '--json', ...FREE_PORTS]
    const started = await runPlaza(t, ['start', '--detach', '--wait', ...args])
    assert.equal(started.code, 0, started.stderr)
    const ready = JSON.parse(readFileSync(readyPath, 'utf8')) as ReadyFile
    t.after(() => isRunning(ready.pid) && process.kill(ready.pid, 'SIGKILL'))
    assert.ok(ready.app)
    assert.equal((JSON.parse(started.stdout) as ReadyFile).app, null)
    assert.ok(!started.stdout.includes(ready.app.consumer_secret))
    const stopped = await runPlaza(t, ['stop', `--ready-file=${readyPath}`, '--json'])
    assert.deepEqual([stopped.code, JSON.parse(stopped.stdout)], [0, { pid: ready.pid }])
    for (const left of ['', '.pid', '.ca.pem']) assert.ok(!existsSync(readyPath + left), left)
  })

  test('without --wait, plaza stop finds the process before it is ready', async (t) => {
    const folder = temporaryFolder(t)
    const readyPath = join(folder, 'ready.json')
    const args = ['--memory', `--ready-file=${readyPath}`, ...FREE_PORTS]
    const { code, stderr } = await runPlaza(t, ['start', '--detach', ...args])
    const pid = Number(/process ([0-9]+)/.exec(stderr)?.[1])
    t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'))
    assert.equal(code, 0)
    assert.equal((await runPlaza(t, ['stop', `--ready-file=${readyPath}`])).code, 0)
    assert.ok(!isRunning(pid))
  })

  test('ends with the exit code and the words of a start that fails', async (t) => {
    const data = join(temporaryFolder(t), 'data')
    const all = ['start', '--detach', '--wait', `--data=${data}`, ...FREE_PORTS]
    const failed = await runPlaza(t, [...all, '--redis-url=redis://127.0.0.1:1', '--log-level=silent'])
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /^Plaza is starting .*\nplaza: .*Redis/)
    const wrong = await runPlaza(t, [...all, '--core-port=x'])
    assert.equal(wrong.code, 2)
    const json = await runPlaza(t, [...all, '--redis-url=redis://127.0.0.1:1', '--json'])
    assert.equal(json.code, 1)
    assert.match((JSON.parse(json.stdout) as { error: { message: string } }).error.message, /Redis/)
    assert.equal((await runPlaza(t, ['start', '--wait'])).code, 2)
    assert.equal((await runPlaza(t, ['start', '--detach', '--memory'])).code, 2)
  })

  test('ends a start that takes longer than --timeout', async (t) => {
    const data = join(temporaryFolder(t), 'data')
    const url = `--database-url=postgres://127.0.0.1:${await deafPort(t)}/x`
    const { code, stderr } = await runPlaza(t, [
      ...['start', '--detach', '--wait', '--timeout', '1', `--data=${data}`, url],
      ...FREE_PORTS,
    ])
    assert.equal(code, 1)
    assert.match(stderr, /plaza: Plaza was not ready within 1 s and was stopped\.\n$/)
    assert.ok(!isRunning(Number(/process ([0-9]+)/.exec(stderr)?.[1])))
  })
})

describe('the commands for CI in the README', () => {
  const README = new URL('../../README.md', import.meta.url)

  /** Runs them with `npx plaza` being this one, and with tests that look at the ready file. */
  function runSnippet(t: TestContext, env: Record<string, string>) {
    const folder = temporaryFolder(t)
    const script = /## In CI\n\n```sh\n([\s\S]*?)```/.exec(readFileSync(README, 'utf8'))?.[1] ?? ''
    const write = (name: string, text: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    write('npx', `shift; exec '${process.execPath}' '${PROGRAM}' "$@"`)
    write('npm', 'test -s ready.json && echo tested')
    const PATH = [folder, process.env.PATH].join(delimiter)
    return spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', env: { ...env, PATH } })
  }

  test('run the tests beside a Plaza', (t) => {
    const { status, stdout, stderr } = runSnippet(t, {})
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^tested$/m)
    assert.match(stdout, /^Plaza has stopped/m)
  })

  test('end with an error when Plaza does not start', (t) => {
    const { status, stdout, stderr } = runSnippet(t, { PLAZA_REDIS_URL: 'redis://127.0.0.1:1' })
    assert.equal(status, 1)
    assert.match(stderr, /^plaza: .*Redis/m)
    assert.doesNotMatch(stdout, /tested/)
  })
})

test('after SIGTERM the server says that it is not ready, and answers until its time is over', async (t) => {
  const plaza = await startCli(t, { args: ['--drain-seconds=600'] })
  const { console_url } = plaza.ready
  const ready = async () => {
    const reply = await fetch(`${console_url}/ready`)
    return [reply.status, reply.headers.get('connection'), await reply.json()]
  }
  assert.deepEqual(await ready(), [200, 'keep-alive', { status: 'ready' }])
  plaza.child.kill('SIGTERM')
  await until(plaza, 'the end of readiness', async () => ((await ready())[0] === 503 ? true : undefined))
  assert.deepEqual(await ready(), [503, 'close', { status: 'not ready', reason: 'this node is stopping' }])
  assert.equal((await fetch(`${console_url}/health`)).status, 200)
  // Ctrl-C, or a second signal, does not wait.
  const { code, signal } = await stopCli(plaza, 'SIGINT')
  assert.deepEqual([code, signal], [0, null])
})

describe('plaza stop', () => {
  test('reports that Plaza does not end, and --force ends it', async (t) => {
    const { child, data, ready } = await startCli(t)
    child.kill('SIGSTOP')
    const late = await runPlaza(t, ['stop', `--data=${data}`, '--timeout=1'])
    assert.equal(late.code, 1)
    assert.match(
      late.stderr,
      new RegExp(`^plaza: Plaza is still running as process ${ready.pid} after 1 s\\.`),
    )
    const forced = await runPlaza(t, ['stop', `--data=${data}`, '--timeout=1', '--force'])
    assert.equal(forced.code, 0, forced.stderr)
    assert.ok(!existsSync(join(data, 'plaza.json')))
  })

  test('takes no other program for Plaza, whatever its name, and removes what a killed one left', async (t) => {
    const plaza = await startCli(t)
    await stopCli(plaza, 'SIGKILL')
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)', 'plaza', 'start'], {
      stdio: 'ignore',
    })
    t.after(() => other.kill())
    const facts = join(plaza.data, 'plaza.json')
    const { code } = await runPlaza(t, ['stop', `--data=${plaza.data}`])
    assert.equal(code, 1)
    assert.ok(!existsSync(facts))
    writeFileSync(facts, JSON.stringify({ ...plaza.ready, pid: other.pid }))
    writeFileSync(join(plaza.data, 'plaza.pid'), `${other.pid}\n${plaza.ready.pid_started}\n`)
    const reused = await runPlaza(t, ['stop', `--data=${plaza.data}`])
    assert.deepEqual([reused.code, other.exitCode, other.signalCode], [1, null, null])
    assert.equal(reused.stderr, `plaza: No Plaza is running with the data folder ${plaza.data}.\n`)
    assert.ok(!existsSync(facts))
  })

  test('does not end a command that uses the data folder', async (t) => {
    const data = temporaryFolder(t)
    const folder = openFolder(data)
    t.after(() => folder.close())
    // A stop would end this process.
    const { code, stderr } = await runPlaza(t, ['stop', `--data=${data}`])
    assert.deepEqual([code, stderr], [1, `plaza: No Plaza is running with the data folder ${data}.\n`])
  })
})
