import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Config, options, readConfig } from './config.ts'
import type { Option } from './option.ts'

/** The least and the greatest value of each setting that is a whole number, and its default. */
const NUMBERS: Readonly<Record<string, readonly [least: number, greatest: number, fallback?: number]>> = {
  'account-activity-users-per-app': [1, 100_000, 5_000],
  'active-campaigns': [1, 1_000_000, 200],
  'activity-connections-per-app': [1, 10_000, 2],
  'activity-subscriptions-per-app': [1, 150_000, 1_500],
  'ad-people-per-user': [1, 1_000_000, 1],
  'ads-port': [0, 65_535, 8_444],
  'ads-sandbox-port': [0, 65_535, 8_445],
  'audience-delay-seconds': [0, 86_400, 0],
  'audience-minimum': [0, 1_000_000, 100],
  'audience-queue-megabytes': [64, 1_048_576, 1_024],
  'body-megabytes': [144, 1_048_576, 256],
  'connections-per-address': [1, 1_000_000, 1_000],
  'console-port': [0, 65_535, 8_440],
  'core-port': [0, 65_535, 8_443],
  'crc-timeout-ms': [50, 60_000, 10_000],
  'database-connections': [4, 1_000, 20],
  'delivery-concurrency': [1, 256, 32],
  'delivery-queue': [1, 10_000_000, 100_000],
  'delivery-retention-hours': [25, 8_760, 26],
  'delivery-timeout-ms': [50, 60_000, 10_000],
  'drain-seconds': [0, 600],
  'event-retention-hours': [1, 8_760, 168],
  'invalid-after-seconds': [1, 8_640_000, 100_800],
  'journal-entries': [1, 100_000, 1_000],
  'journal-megabytes': [1, 1_024, 32],
  'max-connections': [16, 1_000_000, 10_000],
  'media-per-user': [1, 999_999_999_999_999, 4_294_967_296],
  node: [0, 1_022, 0],
  'oauth2-access-seconds': [1, 31_536_000, 7_200],
  'oauth2-code-seconds': [1, 600, 30],
  'revalidate-after-seconds': [1, 864_000, 86_400],
  'revalidate-every-seconds': [1, 86_400, 1_800],
  'seed-population': [0, 100_000],
  'shutdown-seconds': [0, 600, 10],
  'stats-job-seconds': [0, 3_600, 0],
  'stream-backfill-minutes': [0, 5, 5],
  'stream-buffer-kilobytes': [64, 1_048_576, 1_024],
  'stream-connections-per-app': [1, 10_000, 1],
  'stream-posts-per-second': [1, 1_000_000, 250],
  'stream-recovery-hours': [0, 24, 24],
  'stream-recovery-jobs': [1, 100, 2],
  'stream-rules-per-app': [1, 100_000, 1_000],
  'stream-rules-per-project': [1, 1_000_000, 25_000],
  'stream-sample-percent': [1, 100, 1],
  'timestamp-window-seconds': [1, 3_600, 300],
  'usage-daily-per-app': [0, 1_000_000_000_000, 500_000],
  'usage-daily-per-project': [0, 1_000_000_000_000, 1_000_000],
  'usage-monthly-per-app': [0, 1_000_000_000_000, 5_000_000],
  'usage-monthly-per-project': [0, 1_000_000_000_000, 10_000_000],
  'usage-reset-day': [1, 28, 1],
  'webhooks-per-app': [1, 10_000, 5],
}
/** Those that may be `off`. */
const CAPS = Object.keys(NUMBERS).filter((flag) => flag.startsWith('usage-') && flag !== 'usage-reset-day')

const byFlag = new Map(Object.values(options).map((one) => [one.flag, one as Option<unknown>]))
const read = (flag: string, text: string): unknown => byFlag.get(flag)?.read(text)
/** The error for a value; undefined if it is accepted. */
function fault(flag: string, text: string): string | undefined {
  try {
    read(flag, text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Each text with what it is read as, and texts that are rejected with one message. */
function holds(flag: string, good: Readonly<Record<string, unknown>>, bad: readonly string[], why: string) {
  test(`--${flag} takes what it says, and nothing else`, () => {
    for (const [text, value] of Object.entries(good)) assert.deepEqual(read(flag, text), value, text)
    for (const text of bad) assert.equal(fault(flag, text), why, text)
  })
}

describe('whole numbers', () => {
  test('every setting of this kind has its bounds in the table', () => {
    const numbers = [...byFlag.keys()].filter((flag) => fault(flag, 'x!')?.includes('whole number'))
    assert.deepEqual(numbers.sort(), Object.keys(NUMBERS))
  })

  test('the least and the greatest are accepted, and what is beyond them is not', () => {
    for (const [flag, [least, greatest]] of Object.entries(NUMBERS)) {
      const off = CAPS.includes(flag) ? ', or off' : ''
      const wrong = `must be a whole number from ${least} to ${greatest}${off}`
      assert.deepEqual([read(flag, `${least}`), read(flag, `${greatest}`)], [least, greatest], flag)
      for (const text of [`${least - 1}`, `${greatest + 1}`, '', ' 1', '1.0', '1e1', '0x1', '+1'])
        assert.equal(fault(flag, text), wrong, `${flag} ${text}`)
    }
  })

  test('the defaults are those of the table', () => {
    const defaults = readConfig([], {})
    for (const [name, { flag }] of Object.entries(options))
      if (flag in NUMBERS) assert.equal(defaults[name as keyof Config], NUMBERS[flag]?.[2], flag)
  })

  test('caps may be off, which is no limit', () => {
    assert.equal(CAPS.length, 4)
    for (const flag of CAPS)
      assert.deepEqual(
        [read(flag, 'off'), read(flag, 'Infinity'), fault(flag, '-Infinity')],
        [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, fault(flag, 'x')],
      )
  })
})

test('a switch is on as a flag, and on or off in the environment', () => {
  const switches = Object.entries(options).filter(([, one]) => 'isSwitch' in one)
  assert.equal(switches.length, 8)
  for (const [name, { flag }] of switches) {
    const of = (text: string) => read(flag, text)
    assert.deepEqual([of('true'), of('1'), of('false'), of('0')], [true, true, false, false])
    for (const text of ['', 'yes', 'TRUE', '2']) assert.equal(fault(flag, text), 'must be true or false')
    assert.equal(readConfig([], {})[name as keyof Config], false)
  }
  assert.equal(readConfig(['--memory'], { PLAZA_MEMORY: 'false' }).memory, true)
})

describe('texts', () => {
  const anAddress = 'must be an IP address or a host name, for example 127.0.0.1 or ::1'
  const addresses = { '127.0.0.1': '127.0.0.1', '::1': '::1', 'fe80::1%eth0': 'fe80::1%eth0', a: 'a' }
  for (const flag of ['listen', 'core-listen', 'ads-listen', 'ads-sandbox-listen'])
    holds(flag, addresses, ['[::1]', '', 'a b', 'a/b'], anAddress)
  holds(
    'health-listen',
    {
      '0.0.0.0:8441': { address: '0.0.0.0', port: 8441 },
      '[::]:0': { address: '::', port: 0 },
      'host:65535': { address: 'host', port: 65_535 },
    },
    ['8441', ':8441', '::1:8441', 'host:65536', 'host:', '[host]:1', 'a b:1'],
    'must be an address and a port, for example 0.0.0.0:8441 or [::]:8441',
  )

  const anOrigin = 'must be an https URL without a path, for example https://api.example.com'
  const origins = { 'https://API.example.com/': 'https://api.example.com', 'https://a:1': 'https://a:1' }
  const others = ['http://a', 'https://a/b', 'https://a?b', 'https://a#b', 'https://u@a', 'a', '']
  for (const flag of ['core-url', 'ads-url', 'ads-sandbox-url', 'media-url'])
    holds(flag, origins, others, anOrigin)
  holds('core-aliases', { '': [], 'https://a, https://b/': ['https://a', 'https://b'] }, ['a,'], anOrigin)

  const aWebUrl = 'must be a URL that starts with https:// or http://'
  for (const flag of ['media-endpoint', 'registration-url', 'problem-base'])
    holds(flag, { 'http://a/b?c': 'http://a/b?c', 'https://a': 'https://a' }, ['ftp://a', 'a', ''], aWebUrl)
  holds(
    'redis-url',
    { 'rediss://a': 'rediss://a' },
    ['http://a'],
    'must be a URL that starts with redis:// or rediss://',
  )

  const aBucket = 'must be a folder, or a bucket such as s3://bucket or s3://bucket/prefix'
  const places = { './media': './media', 's3://abc': 's3://abc', 's3://a.b-c/d/e_f': 's3://a.b-c/d/e_f' }
  const notBuckets = ['s3://', 's3://ab', 's3://Abc', 's3://abc//d', 's3://abc/.d', 's3://abc/d/', 's3://-bc']
  holds('media', places, notBuckets, aBucket)
  const longest = `a${'b'.repeat(62)}`
  const notNames = ['', 'A', '1a', 'a-b', `${longest}c`]
  holds('database-schema', { _a1: '_a1', [longest]: longest }, notNames, 'must be a lower-case name')
  holds('media-region', { 'eu-1': 'eu-1' }, ['', 'EU', 'a'.repeat(64)], 'must be the name of a region')
  const aCountry = 'must be a country code of two capital letters, for example US'
  holds('default-country', { DE: 'DE', US: 'US' }, ['de', 'XX', 'USA', ''], aCountry)
  holds('seed', { 'a.json': 'a.json' }, [''], 'must be none, demo or the name of a file')
})

describe('choices', () => {
  const among = (flag: string, ...choices: readonly string[]) =>
    holds(
      flag,
      Object.fromEntries(choices.map((one) => [one, one])),
      ['', 'other', choices[0]?.toUpperCase() ?? ''],
      `must be one of ${choices.join(', ')}`,
    )
  among('log-level', 'silent', 'error', 'warn', 'info', 'debug')
  among('delivery-retries', 'short', 'long')
  among('rule-access', 'self-serve', 'enterprise')
  among('verifier-exchange', 'strict', 'lenient')
  const words = { yes: true, true: true, no: false, false: false }
  holds('fetch-images', words, ['1', 'off', ''], 'must be one of yes, no, true, false')
})

describe('lists', () => {
  const list = { '': [], 'a, b ,c': ['a', 'b', 'c'], all: ['all'] }
  for (const flag of ['tls-names', 'history-apps', 'catalog-apps', 'advertiser-user-apps'])
    holds(flag, list, [], '')
  const ranges = { '': [], '10.0.0.0/8, fd00::/8': ['10.0.0.0/8', 'fd00::/8'] }
  const notRange = '"fd00" is not a network such as 10.0.0.0/8 or fd00::/8'
  holds('outbound-allow', ranges, ['fd00', '::1/128,fd00'], notRange)
})

describe('a file of rate limits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-limits-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'limits.json')
  const limits = (content: string) => {
    writeFileSync(file, content)
    return file
  }

  test('holds a limit, or off, for each pool of some endpoints', () => {
    const content = { listWebhooks: { app: '10/1m', user: 'off' }, getUser: {} }
    assert.deepEqual(read('rate-limits', limits(JSON.stringify(content))), content)
    assert.deepEqual([read('rate-limits', 'off'), read('rate-limits', 'documented')], ['off', 'documented'])
  })

  test('is rejected with the position of what is no limit', () => {
    const wrong = (content: string, message: string) =>
      assert.equal(fault('rate-limits', limits(content)), message)
    const pools = 'must hold an object of limits by pool'
    wrong('{"a": "1/1m"}', `names ${file}:1:2: at /a: ${pools}`)
    wrong('{"a": null}', `names ${file}:1:2: at /a: ${pools}`)
    wrong('{"a": []}', `names ${file}:1:2: at /a: ${pools}`)
    const form = 'is not a rate limit: write calls/window, for example 450/15m'
    for (const limit of ['0/1m', '1/0m', '1/1d', '10', ''])
      wrong(`{"a": {"app": "${limit}"}}`, `names ${file}:1:2: at /a: "${limit}" ${form}`)
    wrong('[]', `${file}:1:1: must hold a JSON object`)
  })
})
