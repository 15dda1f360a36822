import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { readConfig, seedOf } from '../../src/platform/config/config.ts'
import { dropSchema, POSTGRES_URL } from '../support/services.ts'
import { stages } from '../support/stages.ts'
import { FREE_PORTS, spawnPlaza, temporaryFolder, until } from './cli.fixture.ts'

/** Commands that `plaza start` prints, run as they are printed. */

/** Starts Plaza in a folder and returns what it prints. */
async function printed(t: TestContext, folder: string, args: string[], env: Record<string, string> = {}) {
  const running = spawnPlaza(t, ['start', ...FREE_PORTS, ...args], { cwd: folder, env })
  await until(running, 'the message', () => running.stdout().endsWith('\n') || undefined)
  return running.stdout()
}

/** The commands below a line, without those that wait or that call a webhook. */
function commandsBelow(text: string, line: string): string {
  const [, after = ''] = text.split(`${line}\n`)
  const lines = (after.split('\n\n')[0] as string).split('\n').map((one) => one.slice(2))
  return lines.filter((one) => !/plaza\.mjs listen|^curl .* -d '\{/.test(one)).join('\n')
}

/** Runs commands in another terminal. */
function run(folder: string, script: string, env: Record<string, string> = {}) {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, PATH },
  })
  assert.equal(status, 0, `${script}\n${stdout}${stderr}`)
  return stdout
}

/** A schema of the test server that is dropped afterwards, as flags. */
function ownSchema(t: TestContext): string[] {
  const schema = `greeting_${process.pid}_${Math.floor(performance.now())}`
  t.after(() => dropSchema(schema))
  return [`--database-schema=${schema}`]
}

const TRY = 'Try it, in another terminal:'
const EMPTY =
  'There is no app yet. To create a user, an app and an advertising account, run these commands in another terminal:'
const noPostgres = stages.find(({ shared }) => shared)?.skip ?? false

describe('the commands that a start prints work', () => {
  const starts: Record<string, { args: string[]; finds: RegExp; skip?: string | false; schema?: boolean }> = {
    'the default folder': { args: [], finds: /^node \S+plaza\.mjs request GET \/2\/webhooks --explain$/m },
    'another folder': { args: ['--data=my data'], finds: /--explain --data 'my data'$/m },
    '--memory': {
      args: ['--memory', '--ready-file=ready.json'],
      finds: /--explain --ready-file ready\.json$/m,
    },
    PostgreSQL: {
      args: [`--database-url=${POSTGRES_URL}`, '--seed=demo'],
      finds: /--explain --database-url '?postgres:.* --database-schema greeting_/m,
      skip: noPostgres,
      schema: true,
    },
    '--hardened': { args: ['--hardened', '--seed=demo'], finds: /--explain$/m },
  }
  for (const [name, { args, finds, skip = false, schema = false }] of Object.entries(starts))
    test(name, { skip }, async (t) => {
      const folder = temporaryFolder(t)
      const text = await printed(t, folder, [...args, ...(schema ? ownSchema(t) : [])])
      const script = commandsBelow(text, TRY)
      assert.match(script, finds)
      assert.match(run(folder, script), /\{"data":\[\],"meta":\{"result_count":0\}\}[\s\S]*oauth_token=/)
      assert.equal(/plaza\.mjs listen --register/.test(text), name !== '--hardened', 'a webhook on loopback')
    })

  test('a password of a database is not printed; the environment or a ready file has it', {
    skip: noPostgres,
  }, async (t) => {
    const folder = temporaryFolder(t)
    const url = new URL(POSTGRES_URL)
    // The server does not ask for it.
    url.password ||= 'open-sesame'
    const env = { PLAZA_DATABASE_URL: url.href }
    const schema = ownSchema(t)
    const args = ['--seed=demo', ...schema]
    const text = await printed(t, folder, args, env)
    assert.ok(!text.includes(url.password))
    assert.match(
      text,
      /With PLAZA_DATABASE_URL in the environment of that terminal, set to the value of this server\./,
    )
    run(folder, commandsBelow(text, TRY), env)
  })
})

describe('a service', () => {
  const services: Record<string, { args: string[]; skip?: string | false; schema?: boolean }> = {
    'with --database-url': { args: [`--database-url=${POSTGRES_URL}`], skip: noPostgres, schema: true },
    'with --hardened': { args: ['--hardened'] },
  }
  for (const [name, { args, skip = false, schema = false }] of Object.entries(services))
    test(`${name} is not seeded, prints no secret, and says how to begin`, { skip }, async (t) => {
      const folder = temporaryFolder(t)
      const text = await printed(t, folder, [...args, ...(schema ? ownSchema(t) : [])])
      assert.doesNotMatch(text, /secret|password/i)
      const script = commandsBelow(text, EMPTY)
      assert.match(run(folder, script), /User +@ann[\s\S]*Account +[a-z0-9]+ +production +Account/)
    })

  test('is seeded when it is asked for', () => {
    const seeds = [
      [],
      ['--memory'],
      ['--hardened'],
      ['--database-url=postgres://127.0.0.1/x'],
      ['--hardened', '--seed=demo'],
    ].map((args) => seedOf(readConfig(args, {})))
    assert.deepEqual(seeds, ['demo', 'demo', 'none', 'none', 'demo'])
  })
})
