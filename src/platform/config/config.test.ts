import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  ConfigError,
  configOf,
  type GivenSettings,
  listenAddresses,
  options,
  readConfig,
  readSettings,
  seedOf,
  variableOf,
} from './config.ts'
import { drainSecondsOf } from './operation.ts'

const folder = mkdtempSync(join(tmpdir(), 'plaza-config-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
/** Writes a file, and returns its path. */
function written(content: string): string {
  const path = join(folder, `${++files}`)
  writeFileSync(path, content)
  return path
}

const rejects = (args: readonly string[], message: string, environment: Record<string, string> = {}) =>
  assert.throws(
    () => readConfig(args, environment),
    (error) => {
      assert.ok(error instanceof ConfigError)
      assert.equal(error.message, message)
      return true
    },
  )

describe('where a setting comes from', () => {
  const file = written('{"core-port": 1, "ads-port": 2, "console-port": 3}')

  test('a flag is stronger than the environment, which is stronger than the file and the default', () => {
    const environment = { PLAZA_CORE_PORT: '11', PLAZA_ADS_PORT: '12', PLAZA_CONFIG: file }
    const { corePort, adsPort, consolePort, adsSandboxPort } = readConfig(['--core-port=21'], environment)
    assert.deepEqual([corePort, adsPort, consolePort, adsSandboxPort], [21, 12, 3, 8445])
  })

  test('the flag names another file than the environment', () => {
    const other = written('{"core-port": 7}')
    const { corePort, adsPort } = readConfig(['--config', other], { PLAZA_CONFIG: file })
    assert.deepEqual([corePort, adsPort], [7, 8444])
  })

  test('an error names the source', () => {
    const what = 'must be a whole number from 0 to 65535, not "x"'
    rejects(['--core-port=x'], `--core-port ${what}`)
    rejects([], `PLAZA_CORE_PORT ${what}`, { PLAZA_CORE_PORT: 'x' })
    const path = written('{\n  "core-port": "x"}')
    rejects(['--config', path], `--config ${path}:2:3: at /core-port: "core-port" ${what}`)
  })

  test('flags that do not exist, lack a value or have one too many are rejected', () => {
    rejects(['--nope'], "Unknown option '--nope'")
    rejects(['--core-port'], "Option '--core-port <value>' argument missing")
    rejects(['--memory=1'], "Option '--memory' does not take an argument")
    rejects(['more'], "Unexpected argument 'more'. This command does not take positional arguments")
  })

  test('without any source, all settings have their defaults, and none can be changed', () => {
    const config = readConfig([], {})
    assert.deepEqual(config, configOf())
    assert.ok(Object.isFrozen(config) && Object.isFrozen(configOf({ corePort: 1 })))
    assert.equal(configOf({ corePort: 1 }).corePort, 1)
  })

  test('a variable has the name of its flag', () => {
    assert.equal(variableOf('oauth2-code-seconds'), 'PLAZA_OAUTH2_CODE_SECONDS')
    const flags = Object.values(options).map(({ flag }) => flag)
    assert.equal(new Set(flags).size, flags.length)
  })
})

describe('a config file', () => {
  const wrong = (content: string, message: string) => {
    const path = written(content)
    rejects(['--config', path], `--config ${path}${message}`)
  }

  test('holds texts, numbers, truth values and lists', () => {
    const content = '{"listen": "::1", "core-port": 0, "memory": true, "tls-names": ["a", "b"]}'
    const { listen, corePort, memory, tlsNames } = readConfig(['--config', written(content)], {})
    assert.deepEqual([listen, corePort, memory, tlsNames], ['::1', 0, true, ['a', 'b']])
  })

  test('is rejected with the position of what it may not hold', () => {
    wrong('{"memory": true,\n "nope": 1}', ':2:2: at /nope: unknown setting "nope"')
    const kinds = 'must be a string, a number, true, false or a list'
    wrong('{"seed": {}}', `:1:2: at /seed: ${kinds}`)
    wrong('{"seed": null}', `:1:2: at /seed: ${kinds}`)
    wrong('[]', ':1:1: must hold a JSON object')
    rejects(['--config', join(folder, 'none')], `--config ${folder}/none: there is no such file`)
    rejects(['--config', folder], `--config ${folder}: this is a folder`)
  })
})

describe('a secret', () => {
  test('is not repeated in an error', () => {
    const what = 'must be a URL that starts with postgres:// or postgresql://'
    rejects(['--database-url=http://ann:pass@db'], `--database-url ${what}`)
    rejects([], `PLAZA_DATABASE_URL ${what}`, { PLAZA_DATABASE_URL: 'pass' })
    const path = written('http://ann:pass@db')
    rejects(['--database-url-file', path], `--database-url-file ${path}: ${what}`)
  })

  test('is read from a file, without the white space around it', () => {
    const key = readConfig(['--master-key-file', written(' 00ff\n\n')], {})
    assert.equal(key.masterKey, '00ff')
    const { redisUrl } = readSettings({ redisUrlFile: written('redis://cache:6379\r\n') })
    assert.equal(redisUrl, 'redis://cache:6379')
  })

  test('in a file is rejected beside the secret itself, and where the file has none', () => {
    const path = written('00ff')
    const both = '--master-key and --master-key-file are mutually exclusive'
    rejects(['--master-key-file', path, '--master-key=00'], both)
    rejects(['--master-key-file', path], both, { PLAZA_MASTER_KEY: '00' })
    const empty = written(' \n')
    rejects(['--master-key-file', empty], `--master-key-file ${empty}: the file is empty`)
    const none = join(folder, 'no key')
    rejects(
      ['--master-key-file', none],
      `--master-key-file ${none}: ENOENT: no such file or directory, open '${none}'`,
    )
  })
})

test('settings that exclude or need each other are rejected together', () => {
  const postgres = '--database-url=postgres://db'
  rejects(['--memory', postgres], '--memory and --database-url are mutually exclusive')
  const bucket = '--media-endpoint needs a bucket: --media s3://bucket'
  rejects(['--media-endpoint=http://s3'], bucket)
  rejects(['--media-endpoint=http://s3', '--media=folder'], bucket)
  const tls = '--tls-certificate and --tls-key go together'
  rejects(['--tls-certificate=a'], tls)
  rejects(['--tls-key=a'], tls)
  const proxy = '--behind-proxy needs --core-url: signatures cover the public address'
  rejects(['--behind-proxy'], proxy)
  assert.throws(() => readSettings({ behindProxy: true }), { name: 'ConfigError', message: proxy })
  const good = ['--media=s3://bucket', '--media-endpoint=http://s3', '--tls-certificate=a', '--tls-key=b']
  readConfig([...good, '--behind-proxy', '--core-url=https://api.example.com', postgres], {})
})

describe('the settings of a program', () => {
  const given = (settings: object) => readSettings(settings as GivenSettings)

  test('have the names of members, and the checks of the command line', () => {
    const { corePort, adsPort, tlsNames, memory, fetchImages, usageDailyPerApp } = given({
      ...{ corePort: 1, adsPort: undefined, tlsNames: ['a', ' b '], memory: true, fetchImages: false },
      usageDailyPerApp: Number.POSITIVE_INFINITY,
    })
    assert.deepEqual([corePort, adsPort, tlsNames], [1, 8444, ['a', 'b']])
    assert.deepEqual([memory, fetchImages, usageDailyPerApp], [true, false, Number.POSITIVE_INFINITY])
    const wrong = 'corePort must be a whole number from 0 to 65535, not'
    for (const [value, text] of [
      [1.5, '1.5'],
      [-1, '-1'],
      [Number.NaN, 'NaN'],
      [null, 'null'],
      [{}, '[object Object]'],
    ])
      assert.throws(() => given({ corePort: value }), { name: 'ConfigError', message: `${wrong} "${text}"` })
  })

  test('that do not exist are rejected, also those that every object has', () => {
    for (const name of ['core-port', 'toString', 'constructor'])
      assert.throws(() => given({ [name]: 1 }), {
        name: 'ConfigError',
        message: `there is no setting "${name}"`,
      })
  })

  test('may be the content of a file, where a file is named otherwise', () => {
    const seed = { users: [] }
    const rateLimits = { listWebhooks: { app: '1/1m' } }
    const config = given({ seed, rateLimits })
    assert.equal(config.seed, seed)
    assert.equal(config.rateLimits, rateLimits)
  })

  test('may be an address with its port, as the type declares', () => {
    for (const healthListen of [
      { address: '0.0.0.0', port: 8441 },
      { address: '::1', port: 0 },
    ])
      assert.deepEqual(given({ healthListen }).healthListen, healthListen)
    assert.deepEqual(given({ healthListen: '[::]:1' }).healthListen, { address: '::', port: 1 })
    const message =
      'healthListen must be an address and a port, for example 0.0.0.0:8441 or [::]:8441, not "a:99999"'
    assert.throws(() => given({ healthListen: { address: 'a', port: 99_999 } }), {
      name: 'ConfigError',
      message,
    })
  })
})

test('each API listens on its own address, or on that of all', () => {
  const { core, ads, sandbox } = listenAddresses(readConfig(['--listen=::1', '--ads-listen=10.0.0.1'], {}))
  assert.deepEqual([core, ads, sandbox], ['::1', '10.0.0.1', '::1'])
})

test('a service has no seed unless it is given one', () => {
  const seed = (...args: readonly string[]) => seedOf(readConfig(args, {}))
  assert.deepEqual(
    [seed(), seed('--hardened'), seed('--database-url=postgres://db'), seed('--hardened', '--seed=demo')],
    ['demo', 'none', 'none', 'demo'],
  )
})

test('a node behind a balancer drains for five seconds, unless a setting says otherwise', () => {
  const drain = (...args: readonly string[]) => drainSecondsOf(readConfig(args, {}))
  const proxied = ['--behind-proxy', '--core-url=https://api.example.com']
  assert.deepEqual(
    [drain(), drain(...proxied), drain('--health-listen=[::]:1'), drain(...proxied, '--drain-seconds=0')],
    [0, 5, 5, 0],
  )
})
