import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { leavesOf, pathOf, programOf } from '../../src/app/cli/command-line.ts'
import { commands } from '../../src/app/cli/commands.ts'
import { FREE_PORTS, runPlaza, temporaryFolder } from './cli.fixture.ts'

describe('a file that is wrong is named, with the line', () => {
  const wrong: Record<string, { flag: string; text: string; says: RegExp; code: number }> = {
    'a config file that is not JSON': {
      flag: 'config',
      text: '{\n  "memory": true,\n  oops\n}\n',
      says: /^plaza: --config FILE:3:3: this is not JSON: /,
      code: 2,
    },
    'a config file that ends too early': {
      flag: 'config',
      text: '{\n  "memory": true,',
      says: /^plaza: --config FILE:2:[0-9]+: this is not JSON: /,
      code: 2,
    },
    'a config file that is a list': {
      flag: 'config',
      text: '[]',
      says: /^plaza: --config FILE:1:1: must hold a JSON object/,
      code: 2,
    },
    'an unknown setting': {
      flag: 'config',
      text: '{\n  "memory": true,\n  "core-prot": 1\n}\n',
      says: /^plaza: --config FILE:3:3: at \/core-prot: unknown setting "core-prot"/,
      code: 2,
    },
    'a wrong value': {
      flag: 'config',
      text: '{\n  "shutdown-seconds": "x"\n}\n',
      says: /^plaza: --config FILE:2:3: at \/shutdown-seconds: "shutdown-seconds" must be a whole number from 0 to 600, not "x"/,
      code: 2,
    },
    'an object as a value': {
      flag: 'config',
      text: '{\n  "shutdown-seconds": {}\n}\n',
      says: /^plaza: --config FILE:2:3: at \/shutdown-seconds: must be a string, a number, true, false or a list/,
      code: 2,
    },
    'rate limits that are none': {
      flag: 'rate-limits',
      text: '{\n  "listWebhooks": {"app": "10/1m"},\n  "addWebhook": {"app": "often"}\n}\n',
      says: /^plaza: --rate-limits names FILE:3:3: at \/addWebhook: "often" is not a rate limit/,
      code: 2,
    },
    'certificate authorities that are none': {
      flag: 'outbound-ca',
      text: 'no PEM',
      says: /^plaza: --outbound-ca FILE does not begin with a PEM certificate\./,
      code: 1,
    },
  }
  for (const [name, { flag, text, says, code }] of Object.entries(wrong))
    test(name, async (t) => {
      const file = join(temporaryFolder(t), 'a file.txt')
      writeFileSync(file, text)
      const ended = await runPlaza(t, ['start', '--memory', ...FREE_PORTS, `--${flag}`, file])
      assert.match(ended.stderr.replaceAll(file, 'FILE'), says)
      assert.equal(ended.code, code)
    })

  test('a certificate, its key, and one that is not its own', async (t) => {
    const folder = temporaryFolder(t)
    const file = (name: string) => join(folder, name)
    const make = (name: string) =>
      spawnSync('openssl', [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
        ...['-subj', '/CN=localhost', '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)],
      ])
    if (make('one').error) return t.skip('this machine has no openssl')
    make('other')
    writeFileSync(file('none'), 'no PEM')
    const start = (certificate: string, key: string) =>
      runPlaza(t, [
        ...['start', '--memory', ...FREE_PORTS],
        ...[`--tls-certificate=${file(certificate)}`, `--tls-key=${file(key)}`],
      ])
    for (const [certificate, key, says] of [
      ['none', 'one.key', 'plaza: --tls-certificate none does not begin with a PEM certificate.\n'],
      ['one.pem', 'none', 'plaza: --tls-key none is not a PEM private key without a passphrase.\n'],
      [
        'one.pem',
        'other.key',
        'plaza: --tls-key other.key is not the key of the first certificate in one.pem.\n',
      ],
      ['missing.pem', 'one.key', 'plaza: There is no file missing.pem.\n'],
    ] as const) {
      const { code, stderr } = await start(certificate, key)
      assert.deepEqual([code, stderr.replaceAll(`${folder}/`, '')], [1, says])
    }
  })

  test('a product feed that is not there', async (t) => {
    const folder = temporaryFolder(t)
    const { code, stderr } = await runPlaza(t, [
      'import',
      'products',
      join(folder, 'feed.tsv'),
      '--user=demo',
    ])
    assert.deepEqual([code, stderr], [1, `plaza: There is no file ${join(folder, 'feed.tsv')}.\n`])
  })
})

describe('plaza completion', () => {
  const names = leavesOf(programOf(commands)).map(pathOf)
  /** What bash offers for the last word of each command line. */
  function offered(script: string, lines: readonly (readonly string[])[]): string[] {
    const asks = lines.map((words) => {
      const line = ['plaza', ...words].map((word) => `'${word}'`).join(' ')
      return `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _plaza; echo "\${COMPREPLY[*]}"`
    })
    const { stdout, stderr } = spawnSync('bash', ['-c', [script, ...asks].join('\n')], { encoding: 'utf8' })
    assert.equal(stderr, '')
    return stdout.trimEnd().split('\n')
  }

  test('completes commands, their words, their flags and their choices in bash', async (t) => {
    const { code, stdout } = await runPlaza(t, ['completion', 'bash'])
    assert.equal(code, 0)
    const lines = [
      ['sta'],
      ['account', 'f'],
      ['account', 'app', ''],
      ['start', '--core-p'],
      ['start', '--memory', '--det'],
      ['completion', 'z'],
      ['help', 'acc'],
    ]
    assert.deepEqual(offered(stdout, lines), [
      'start status',
      'fund feature',
      'add',
      '--core-port',
      '--detach',
      'zsh',
      'account',
    ])
    const each = names.map((name) => [...name.split(' '), '--help'])
    assert.deepEqual(
      offered(stdout, each),
      each.map(() => '--help'),
    )
  })

  for (const [shell, check] of [
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const)
    test(`writes a script that ${shell} reads`, async (t) => {
      const { code, stdout } = await runPlaza(t, ['completion', shell])
      assert.equal(code, 0)
      for (const name of names) assert.ok(stdout.includes(name.split(' ').at(-1) as string), name)
      const file = join(temporaryFolder(t), 'script')
      writeFileSync(file, stdout)
      const { status, stderr, error } = spawnSync(shell, [...check, file], { encoding: 'utf8' })
      if (error) return t.skip(`this machine has no ${shell}`)
      assert.equal(status, 0, stderr)
    })

  test('knows no other shell', async (t) => {
    const { code, stderr } = await runPlaza(t, ['completion', 'tcsh'])
    assert.equal(code, 2)
    assert.match(stderr, /^plaza: .* 'tcsh' .* bash, zsh, fish\./)
  })
})
