import { delimiter, isAbsolute } from 'node:path'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MAX_NODE } from './common/ids.ts'
import type { JsonFile } from './common/json-file.ts'
import { pointerOf, readJsonFile } from './common/json-file.ts'
import type { LimitRules } from './http/limits.ts'
import { parseLimit } from './http/limits.ts'
import { parseAllowList } from './outbound/address.ts'

/** The most users that a first start adds to those of a seed. */
export const MAX_POPULATION = 100_000

/** A wrong setting. The message names it and says what it takes. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** How one setting is read and explained. */
export interface Option<Value> {
  /** Of the flag, without dashes; the environment variable and the member of a config file follow from it. */
  flag: string
  takes: string
  describe: string
  /** Shown in the table; what applies when nothing is set. */
  fallback: Value
  fallbackText?: string
  read(text: string): Value
  /** Flags without a value. */
  isSwitch?: boolean
  secret?: boolean
  /** The setting whose value this setting's file holds, so that it stands neither in a command line nor in the environment. */
  contentOf?: string
}

/** The last number makes the ids of the command line. */
const MAX_SERVER_NODE = MAX_NODE - 1

/** The folders in which programs are looked for. */
export const searchPath = (): string[] => (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)

const plainText = (text: string) => text

function wholeNumber(min: number, max: number) {
  return (text: string) => {
    const value = Number(text)
    if (!/^[0-9]{1,15}$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return value
  }
}

const port = wholeNumber(0, 65_535)

/** `0.0.0.0:8441`, `[::]:8441`. */
function addressAndPort(text: string): { address: string; port: number } {
  const [, inBrackets, plain, digits = ''] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):([0-9]{1,5})$/.exec(text) ?? []
  const address = inBrackets ?? plain
  if (address === undefined || Number(digits) > 65_535)
    throw new Error('must be an address and a port, for example 0.0.0.0:8441 or [::]:8441')
  return { address, port: Number(digits) }
}

function yesOrNo(text: string): boolean {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new Error('must be true or false')
}

function oneOf<const Values extends readonly string[]>(...values: Values) {
  return (text: string): Values[number] => {
    if (!values.includes(text)) throw new Error(`must be one of ${values.join(', ')}`)
    return text as Values[number]
  }
}

function pattern(expression: RegExp, what: string) {
  return (text: string) => {
    if (!expression.test(text)) throw new Error(`must be ${what}`)
    return text
  }
}

function urlOf(...protocols: string[]) {
  return (text: string) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !protocols.includes(url.protocol))
      throw new Error(`must be a URL that starts with ${protocols.map((one) => `${one}//`).join(' or ')}`)
    return text
  }
}

/** `https://api.example.com`, without a path: what a signature's base string begins with. */
function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new Error('must be an https URL without a path, for example https://api.example.com')
  }
  return url.origin
}

/** `s3://bucket` or `s3://bucket/a/prefix`. */
export const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(\w[\w.-]*(?:\/\w[\w.-]*)*)?)?$/

function folderOrBucket(text: string): string {
  if (text.startsWith('s3://') && !BUCKET.test(text))
    throw new Error('must be a folder, or the name of a bucket such as s3://bucket or s3://bucket/prefix')
  return text
}

function list(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim())
}

function addressRanges(text: string): readonly string[] {
  const ranges = list(text)
  parseAllowList(ranges)
  return ranges
}

function rateLimitsOf(path: string): LimitRules {
  const { content, file } = readSettingsFile(path)
  for (const [id, pools] of Object.entries(content)) {
    const wrong = (what: string) => new Error(`names ${file.error(pointerOf(id), what).message}`)
    if (typeof pools !== 'object' || pools === null || Array.isArray(pools))
      throw wrong('must hold an object of limits by pool')
    for (const limit of Object.values(pools)) {
      if (limit === 'off') continue
      try {
        parseLimit(String(limit))
      } catch (error) {
        throw wrong((error as Error).message)
      }
    }
  }
  return content as LimitRules
}

/** A file that holds one JSON object. */
function readSettingsFile(path: string): { content: Record<string, unknown>; file: JsonFile } {
  const file = readJsonFile(path)
  const { value } = file
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw file.error('', 'must hold a JSON object')
  return { content: value as Record<string, unknown>, file }
}

function limitRules(text: string): LimitRules {
  if (text === 'off' || text === 'documented') return text
  return rateLimitsOf(text)
}

const unset = undefined as string | undefined

const option = <Value>(declared: Option<Value>) => declared
const text = (
  declared: Omit<Option<string | undefined>, 'fallback' | 'read'> & { read?: (text: string) => string },
) => option<string | undefined>({ fallback: unset, read: plainText, ...declared })
const toggle = (flag: string, describe: string) =>
  option({ flag, takes: '', describe, fallback: false, read: yesOrNo, isSwitch: true })

const fileOf = (name: string, flag: string) =>
  text({
    flag: `${flag}-file`,
    takes: 'FILE',
    describe: `A file that holds the value of --${flag}.`,
    contentOf: name,
  })

/** Every setting, once. The command line, the environment, config files and the README's table come from here. */
export const options = {
  data: option({
    flag: 'data',
    takes: 'FOLDER',
    describe: 'Folder of all data.',
    fallback: './plaza-data',
    read: plainText,
  }),
  memory: toggle('memory', 'Keep nothing on disk: all data is gone when the process ends.'),
  media: text({
    flag: 'media',
    takes: 'FOLDER|s3://BUCKET',
    describe:
      'Storage of images and videos: a folder, or a bucket of an S3-compatible store (`s3://bucket/prefix`); `media` in the data folder when absent. Nodes that share a database share it.',
    read: folderOrBucket,
  }),
  mediaEndpoint: text({
    flag: 'media-endpoint',
    takes: 'URL',
    describe: 'URL of the S3-compatible store of --media; the AWS endpoint of the region by default.',
    read: urlOf('https:', 'http:'),
  }),
  mediaRegion: option({
    flag: 'media-region',
    takes: 'NAME',
    describe: 'Region of the bucket of --media.',
    fallback: 'us-east-1',
    read: pattern(/^[a-z0-9-]{1,63}$/, 'the name of a region'),
  }),
  mediaUrl: text({
    flag: 'media-url',
    takes: 'URL',
    describe: 'Public origin of images and videos; the origin of the core API by default.',
    read: origin,
  }),
  ffmpeg: text({
    flag: 'ffmpeg',
    takes: 'FILE|none',
    describe:
      'Program that extracts the first frame of a video as its poster; `ffmpeg` on the PATH by default. With `none`, or when there is none, posters are placeholders.',
  }),
  mediaPerUser: option({
    flag: 'media-per-user',
    takes: 'BYTES',
    describe:
      'Quota for the images and videos of one user. Media that a post has shown count towards it permanently.',
    fallback: 4 * 1024 ** 3,
    read: wholeNumber(1, 1e15 - 1),
  }),
  databaseUrl: text({
    flag: 'database-url',
    takes: 'URL',
    describe: 'Use this PostgreSQL database instead of the embedded one.',
    read: urlOf('postgres:', 'postgresql:'),
    secret: true,
  }),
  databaseSchema: option({
    flag: 'database-schema',
    takes: 'NAME',
    describe: 'The PostgreSQL schema; created when absent.',
    fallback: 'plaza',
    read: pattern(/^[a-z_][a-z0-9_]{0,62}$/, 'a lower-case name'),
  }),
  redisUrl: text({
    flag: 'redis-url',
    takes: 'URL',
    describe: 'Share nonces and rate limits between nodes through this Redis.',
    read: urlOf('redis:', 'rediss:'),
    secret: true,
  }),
  redisPrefix: option({
    flag: 'redis-prefix',
    takes: 'TEXT',
    describe: 'Prefix of every Redis key.',
    fallback: 'plaza:',
    read: plainText,
  }),
  node: option({
    flag: 'node',
    takes: `0..${MAX_SERVER_NODE}`,
    describe: 'Number of this node, unique within a deployment.',
    fallback: 0,
    read: wholeNumber(0, MAX_SERVER_NODE),
  }),
  masterKey: text({
    flag: 'master-key',
    takes: 'KEY',
    describe:
      '32 bytes in hex or base64 that encrypt every stored secret. Created in the data folder when absent.',
    secret: true,
  }),
  masterKeyFile: fileOf('masterKey', 'master-key'),
  databaseUrlFile: fileOf('databaseUrl', 'database-url'),
  redisUrlFile: fileOf('redisUrl', 'redis-url'),
  listen: option({
    flag: 'listen',
    takes: 'ADDRESS',
    describe: 'Address of the three API listeners. The console stays on loopback.',
    fallback: '127.0.0.1',
    read: plainText,
  }),
  corePort: option({
    flag: 'core-port',
    takes: 'PORT',
    describe: 'Core API and OAuth. 0 picks a free port.',
    fallback: 8443,
    read: port,
  }),
  adsPort: option({
    flag: 'ads-port',
    takes: 'PORT',
    describe: 'Advertising API.',
    fallback: 8444,
    read: port,
  }),
  adsSandboxPort: option({
    flag: 'ads-sandbox-port',
    takes: 'PORT',
    describe: 'Advertising API, sandbox.',
    fallback: 8445,
    read: port,
  }),
  consolePort: option({
    flag: 'console-port',
    takes: 'PORT',
    describe: 'Console: health, readiness and the CA certificate, plain HTTP on loopback.',
    fallback: 8440,
    read: port,
  }),
  healthListen: option({
    flag: 'health-listen',
    takes: 'ADDRESS:PORT',
    describe:
      'Also serve `GET /health` and `GET /ready` here, in plain HTTP, for a load balancer: `0.0.0.0:8441`.',
    fallback: undefined as { address: string; port: number } | undefined,
    fallbackText: '',
    read: addressAndPort,
  }),
  behindProxy: toggle(
    'behind-proxy',
    'Listen with plain HTTP behind a proxy that terminates TLS and sets X-Forwarded-Proto and X-Forwarded-For.',
  ),
  coreUrl: text({
    flag: 'core-url',
    takes: 'URL',
    describe: 'Public origin of the core API, when clients do not use the listener directly.',
    read: origin,
  }),
  coreAliases: option({
    flag: 'core-aliases',
    takes: 'URL,…',
    describe: 'Additional public origins of the core API, for clients that use a separate host for uploads.',
    fallback: [] as readonly string[],
    fallbackText: '',
    read: (value) => list(value).map(origin),
  }),
  adsUrl: text({
    flag: 'ads-url',
    takes: 'URL',
    describe: 'Public origin of the advertising API.',
    read: origin,
  }),
  adsSandboxUrl: text({
    flag: 'ads-sandbox-url',
    takes: 'URL',
    describe: 'Public origin of the advertising sandbox.',
    read: origin,
  }),
  maxConnections: option({
    flag: 'max-connections',
    takes: 'N',
    describe:
      'Maximum number of open connections on all API listeners. Lower where the system allows fewer open files.',
    fallback: 10_000,
    read: wholeNumber(16, 1_000_000),
  }),
  bodyMegabytes: option({
    flag: 'body-megabytes',
    takes: 'MB',
    describe:
      'Memory for request bodies; further requests get 503. Unauthenticated callers share an additional eighth of it, of which one address may use half.',
    fallback: 256,
    // An eighth of it, halved, holds the largest form.
    read: wholeNumber(144, 1_048_576),
  }),
  connectionsPerAddress: option({
    flag: 'connections-per-address',
    takes: 'N',
    describe:
      'Connections from one IPv4 address or IPv6 /64 network; at most half of --max-connections. Not applied with --behind-proxy.',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000),
  }),
  tlsNames: option({
    flag: 'tls-names',
    takes: 'NAME,…',
    describe: 'Additional names and addresses for the generated certificate.',
    fallback: [] as readonly string[],
    fallbackText: '',
    read: list,
  }),
  tlsCertificate: text({
    flag: 'tls-certificate',
    takes: 'FILE',
    describe: 'Use this certificate chain (PEM) instead of the generated one.',
  }),
  tlsKey: text({ flag: 'tls-key', takes: 'FILE', describe: 'Private key (PEM) of --tls-certificate.' }),
  seed: option({
    flag: 'seed',
    takes: 'none|demo|FILE',
    describe: 'Data that the first start writes to an empty store.',
    fallback: undefined as string | undefined,
    fallbackText: 'demo; none with --database-url or --hardened',
    read: plainText,
  }),
  seedPopulation: option({
    flag: 'seed-population',
    takes: 'N',
    describe:
      'Synthetic users with profiles and posts in several countries and languages that the first start adds, for audience estimates. They cannot sign in.',
    fallback: undefined as number | undefined,
    fallbackText: 'as the seed says: 500 with demo',
    read: wholeNumber(0, MAX_POPULATION),
  }),
  seedRandom: text({
    flag: 'seed-random',
    takes: 'TEXT',
    describe:
      'Seed of random values: the first start creates the same ids, keys and tokens, dated 2026-01-01, on every run, and later tokens are the same too. Anyone who knows the seed knows every secret: for tests only.',
  }),
  readyFile: text({
    flag: 'ready-file',
    takes: 'FILE',
    describe: 'Write a JSON object to this file once every listener is open.',
  }),
  vocabulary: text({
    flag: 'vocabulary',
    takes: 'FILE',
    describe: 'Rename words, identifiers, paths, headers and versions.',
  }),
  hardened: toggle('hardened', 'Reject webhooks with loopback addresses, plain HTTP or a port.'),
  outboundAllow: option({
    flag: 'outbound-allow',
    takes: 'CIDR,…',
    describe: 'Internal address ranges that webhooks may point to. Replaces the loopback default.',
    fallback: undefined as readonly string[] | undefined,
    fallbackText: '127.0.0.0/8,::1/128; none with --hardened',
    read: addressRanges,
  }),
  outboundCa: text({
    flag: 'outbound-ca',
    takes: 'FILE',
    describe: 'Additional certificate authorities (PEM) to trust for webhooks.',
  }),
  crcTimeoutMs: option({
    flag: 'crc-timeout-ms',
    takes: 'MS',
    describe: 'Timeout of a CRC check.',
    fallback: 10_000,
    read: wholeNumber(50, 60_000),
  }),
  revalidateEverySeconds: option({
    flag: 'revalidate-every-seconds',
    takes: 'S',
    describe: 'Interval at which webhooks are examined for due checks.',
    fallback: 1800,
    read: wholeNumber(1, 86_400),
  }),
  revalidateAfterSeconds: option({
    flag: 'revalidate-after-seconds',
    takes: 'S',
    describe: 'Age of the last successful check after which a webhook is checked again.',
    fallback: 86_400,
    read: wholeNumber(1, 864_000),
  }),
  invalidAfterSeconds: option({
    flag: 'invalid-after-seconds',
    takes: 'S',
    describe: 'Age of the last successful check after which a webhook is invalid.',
    fallback: 100_800,
    read: wholeNumber(1, 8_640_000),
  }),
  webhooksPerApp: option({
    flag: 'webhooks-per-app',
    takes: 'N',
    describe: 'Maximum number of webhooks of one app.',
    fallback: 5,
    read: wholeNumber(1, 10_000),
  }),
  activeCampaigns: option({
    flag: 'active-campaigns',
    takes: 'N',
    describe:
      'Maximum number of campaigns of one advertising account; drafts and deleted campaigns do not count.',
    fallback: 200,
    read: wholeNumber(1, 1_000_000),
  }),
  audienceMinimum: option({
    flag: 'audience-minimum',
    takes: 'N',
    describe: 'Minimum number of members of an audience that can be targeted and whose size is reported.',
    fallback: 100,
    read: wholeNumber(0, 1_000_000),
  }),
  audienceDelaySeconds: option({
    flag: 'audience-delay-seconds',
    takes: 'S',
    describe: 'Minimum delay after which uploaded users become members of their audience.',
    fallback: 0,
    read: wholeNumber(0, 86_400),
  }),
  audienceQueueMegabytes: option({
    flag: 'audience-queue-megabytes',
    takes: 'MB',
    describe: 'Total size of uploads that wait to be merged into audiences; further uploads get 503.',
    fallback: 1024,
    // One account alone has half of it, and one upload may take 23 MB.
    read: wholeNumber(64, 1_048_576),
  }),
  historyApps: option({
    flag: 'history-apps',
    takes: 'all|ID,…',
    describe: 'Apps that may read the history of advertising accounts, a beta feature.',
    fallback: ['all'] as readonly string[],
    fallbackText: 'all',
    read: list,
  }),
  catalogApps: option({
    flag: 'catalog-apps',
    takes: 'all|ID,…',
    describe: 'Apps that may use product catalogs, an early-access feature.',
    fallback: ['all'] as readonly string[],
    fallbackText: 'all',
    read: list,
  }),
  fetchImages: option({
    flag: 'fetch-images',
    takes: 'yes|no',
    describe:
      'Fetch the images of products to check their format and size. Problems are reported as warnings when the product is sent again.',
    fallback: true,
    fallbackText: 'yes',
    read: (text: string) => ['yes', 'true'].includes(oneOf('yes', 'no', 'true', 'false')(text)),
  }),
  sandboxAccountList: toggle(
    'sandbox-account-list',
    'Return a list of one when a sandbox account is created, as some clients expect.',
  ),
  advertiserUserApps: option({
    flag: 'advertiser-user-apps',
    takes: 'all|ID,…',
    describe: 'Apps that may set `advertiser_user_id` of line items.',
    fallback: [] as readonly string[],
    fallbackText: '',
    read: list,
  }),
  rateLimits: option({
    flag: 'rate-limits',
    takes: 'documented|off|FILE',
    describe: 'Rate limits: the documented limits, none, or the limits in a file, by endpoint and pool.',
    fallback: 'documented' as LimitRules,
    read: limitRules,
  }),
  timestampWindowSeconds: option({
    flag: 'timestamp-window-seconds',
    takes: 'S',
    describe: 'Maximum difference between the timestamp of a signature and the clock.',
    fallback: 300,
    read: wholeNumber(1, 3600),
  }),
  verifierExchange: option({
    flag: 'verifier-exchange',
    takes: 'strict|lenient',
    describe:
      "Signature required to exchange a verifier for an access token: `strict` requires the request token's secret; `lenient` also accepts the app's secret alone, as some clients sign.",
    fallback: 'strict',
    read: oneOf('strict', 'lenient'),
  }),
  problemBase: text({
    flag: 'problem-base',
    takes: 'URL',
    describe: 'Prefix of Problem type URIs; the core origin when absent.',
    read: urlOf('https:', 'http:'),
  }),
  logLevel: option({
    flag: 'log-level',
    takes: 'LEVEL',
    describe: 'silent, error, warn, info or debug. Lines go to standard error.',
    fallback: 'info',
    read: oneOf('silent', 'error', 'warn', 'info', 'debug'),
  }),
  eventRetentionHours: option({
    flag: 'event-retention-hours',
    takes: 'H',
    describe: 'How long the event log keeps events.',
    fallback: 168,
    read: wholeNumber(1, 8_760),
  }),
  shutdownSeconds: option({
    flag: 'shutdown-seconds',
    takes: 'S',
    describe: 'How long a shutdown waits for requests in progress.',
    fallback: 10,
    read: wholeNumber(0, 600),
  }),
} as const

type Options = typeof options
/** Everything that was decided at start. Frozen. */
export type Config = {
  readonly [Name in keyof Options]: ReturnType<Options[Name]['read']> | Options[Name]['fallback']
}

const ALL = Object.entries(options) as [keyof Options, Option<unknown>][]

/** The environment variable of a setting: `PLAZA_CORE_PORT`. */
export const variableOf = (flag: string) => `PLAZA_${flag.toUpperCase().replaceAll('-', '_')}`

/** The settings that apply when nothing is set; `given` replaces some of them. */
export function configOf(given: Partial<Config> = {}): Config {
  const defaults = Object.fromEntries(ALL.map(([name, { fallback }]) => [name, fallback]))
  return Object.freeze({ ...defaults, ...given }) as Config
}

/** Settings by their names in programs: `{ corePort: 8443 }`. One that is absent or undefined has its default. */
export type GivenSettings = { readonly [Name in keyof Config]?: Config[Name] | undefined }

/** Reads settings that a program gives, with the checks of the command line. Throws ConfigError. */
export function readSettings(given: GivenSettings): Config {
  const config = Object.fromEntries(ALL.map(([name, { fallback }]): [string, unknown] => [name, fallback]))
  for (const [name, value] of Object.entries(given)) {
    const declared = Object.hasOwn(options, name)
      ? (options[name as keyof Options] as Option<unknown>)
      : undefined
    if (!declared) throw new ConfigError(`there is no setting "${name}"`)
    if (value === undefined) continue
    // Rate limits may be the content of their file.
    if (typeof value === 'object' && !Array.isArray(value) && name === 'rateLimits') config[name] = value
    else config[name] = readOne(declared, Array.isArray(value) ? value.join(',') : String(value), name)
  }
  for (const [name, declared] of ALL) readContent(name, declared, config)
  const result = Object.freeze(config) as Config
  checkTogether(result)
  return result
}

/**
 * Reads the settings: flags win over the environment, the environment over the config file
 * (`--config FILE`, JSON with the flags as members). Throws ConfigError.
 */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const flags = readFlags(args)
  const file = readConfigFile(flags.config ?? environment.PLAZA_CONFIG)
  const config: Record<string, unknown> = {}
  for (const [name, declared] of ALL) {
    const found = firstGiven(
      [flags[declared.flag], `--${declared.flag}`],
      [environment[variableOf(declared.flag)], variableOf(declared.flag)],
      [file[declared.flag]?.value, file[declared.flag]?.where ?? ''],
    )
    config[name] = found ? readOne(declared, found.value, found.where) : declared.fallback
  }
  for (const [name, declared] of ALL) readContent(name, declared, config)
  const result = Object.freeze(config) as Config
  checkTogether(result)
  return result
}

function firstGiven(
  ...sources: [string | undefined, string][]
): { value: string; where: string } | undefined {
  for (const [value, where] of sources) if (value !== undefined) return { value, where }
  return undefined
}

function readFlags(args: readonly string[]): Record<string, string | undefined> {
  const known = Object.fromEntries(
    ALL.map(([, { flag, isSwitch }]) => [
      flag,
      { type: isSwitch ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...known, config: { type: 'string' } },
      strict: true,
    })
    return Object.fromEntries(
      Object.entries(values).map(([flag, value]) => [flag, value === undefined ? undefined : String(value)]),
    )
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

/** What the config file says about each setting, and where. */
function readConfigFile(path: string | undefined): Record<string, { value: string; where: string }> {
  if (path === undefined) return {}
  const { content, file } = asConfigError(() => readSettingsFile(path))
  const flags = new Set(ALL.map(([, { flag }]) => flag))
  return Object.fromEntries(
    Object.entries(content).map(([flag, value]) => {
      const wrong = (what: string) => `--config ${file.error(pointerOf(flag), what).message}`
      if (!flags.has(flag)) throw new ConfigError(wrong(`unknown setting "${flag}"`))
      if (typeof value === 'object' && !Array.isArray(value))
        throw new ConfigError(wrong('must be a text, a number, true, false or a list'))
      return [
        flag,
        { value: Array.isArray(value) ? value.join(',') : String(value), where: wrong(`"${flag}"`) },
      ]
    }),
  )
}

function asConfigError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ConfigError(`--config ${(error as Error).message}`)
  }
}

function readOne(declared: Option<unknown>, text: string, where: string): unknown {
  try {
    return declared.read(text)
  } catch (error) {
    // A secret is not repeated where people paste their terminals.
    throw new ConfigError(`${where} ${(error as Error).message}${declared.secret ? '' : `, not "${text}"`}`)
  }
}

/** Reads the file of a setting that names one, in place of the setting itself. */
function readContent(
  name: string,
  { flag, contentOf }: Option<unknown>,
  config: Record<string, unknown>,
): void {
  const path = config[name]
  const target = contentOf === undefined ? undefined : options[contentOf as keyof Options]
  if (contentOf === undefined || target === undefined || typeof path !== 'string') return
  if (config[contentOf] !== undefined)
    throw new ConfigError(`--${target.flag} and --${flag} exclude each other`)
  let content: string
  try {
    content = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`--${flag} ${path}: ${(error as Error).message}`)
  }
  if (content === '') throw new ConfigError(`--${flag} ${path}: the file is empty`)
  config[contentOf] = readOne({ ...target, secret: true } as Option<unknown>, content, `--${flag} ${path}:`)
}

function checkTogether(config: Config): void {
  if (config.memory && config.databaseUrl)
    throw new ConfigError('--memory and --database-url exclude each other')
  if (config.mediaEndpoint !== undefined && !config.media?.startsWith('s3://'))
    throw new ConfigError('--media-endpoint needs a bucket: --media s3://bucket')
  if ((config.tlsCertificate === undefined) !== (config.tlsKey === undefined))
    throw new ConfigError('--tls-certificate and --tls-key go together')
  if (config.behindProxy && !config.coreUrl)
    throw new ConfigError('--behind-proxy needs --core-url: signatures cover the public address')
}

/** Data that the first start writes to an empty store. A service gets nothing that was not asked for. */
export const seedOf = ({
  seed,
  databaseUrl,
  hardened,
}: Pick<Config, 'seed' | 'databaseUrl' | 'hardened'>): string =>
  seed ?? (databaseUrl !== undefined || hardened ? 'none' : 'demo')

/** The README's table of settings, in Markdown. */
export function configTable(): string {
  const rows = ALL.map(([, { flag, takes, describe, fallback, fallbackText, isSwitch }]) => {
    const value = fallbackText ?? (isSwitch || fallback === undefined ? '' : String(fallback))
    const name = isSwitch ? `--${flag}` : `--${flag} ${takes}`
    return `| \`${name.replaceAll('|', '\\|')}\` | ${value === '' ? '' : `\`${value}\``} | ${describe} |`
  })
  return ['| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n')
}
