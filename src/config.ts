import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MAX_NODE } from './kit/ids.ts'
import type { LimitRules } from './kit/limits.ts'
import { parseLimit } from './kit/limits.ts'
import { parseAllowList } from './outbound/address.ts'

/** A wrong setting. The message names it and says what it takes. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** How one setting is read and explained. */
interface Option<Value> {
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
}

/** The last number makes the ids of the command line. */
const MAX_SERVER_NODE = MAX_NODE - 1

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

function limitRules(text: string): LimitRules {
  if (text === 'off' || text === 'documented') return text
  const file = JSON.parse(readFileSync(text, 'utf8')) as Record<string, Record<string, string>>
  for (const pools of Object.values(file))
    for (const limit of Object.values(pools)) if (limit !== 'off') parseLimit(limit)
  return file
}

const unset = undefined as string | undefined

const option = <Value>(declared: Option<Value>) => declared
const text = (
  declared: Omit<Option<string | undefined>, 'fallback' | 'read'> & { read?: (text: string) => string },
) => option<string | undefined>({ fallback: unset, read: plainText, ...declared })
const toggle = (flag: string, describe: string) =>
  option({ flag, takes: '', describe, fallback: false, read: yesOrNo, isSwitch: true })

/** Every setting, once. The command line, the environment, config files and the README's table come from here. */
export const options = {
  data: option({
    flag: 'data',
    takes: 'FOLDER',
    describe: 'Where everything is kept.',
    fallback: './plaza-data',
    read: plainText,
  }),
  memory: toggle('memory', 'Keep nothing on disk: all data is gone when the process ends.'),
  media: text({
    flag: 'media',
    takes: 'FOLDER|s3://BUCKET',
    describe:
      'Where images and videos are kept: a folder, or a bucket of an S3-compatible store (`s3://bucket/prefix`); `media` in the data folder when absent. Nodes that share a database share it.',
    read: folderOrBucket,
  }),
  mediaEndpoint: text({
    flag: 'media-endpoint',
    takes: 'URL',
    describe: 'Address of the S3-compatible store of --media; that of the region when absent.',
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
    describe: 'Public origin of images and videos, when it is not that of the core API.',
    read: origin,
  }),
  mediaPerUser: option({
    flag: 'media-per-user',
    takes: 'BYTES',
    describe: 'Room that the images and videos of one user may take. What a post showed takes it for good.',
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
    describe: 'The PostgreSQL schema; made when absent.',
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
    describe: 'In front of every Redis key.',
    fallback: 'plaza:',
    read: plainText,
  }),
  node: option({
    flag: 'node',
    takes: `0..${MAX_SERVER_NODE}`,
    describe: 'Number of this node; each node of a deployment needs its own.',
    fallback: 0,
    read: wholeNumber(0, MAX_SERVER_NODE),
  }),
  masterKey: text({
    flag: 'master-key',
    takes: 'KEY',
    describe: '32 bytes in hex or base64 that seal every stored secret. Made in the data folder when absent.',
    secret: true,
  }),
  listen: option({
    flag: 'listen',
    takes: 'ADDRESS',
    describe: 'Where the three API listeners listen. The console stays on loopback.',
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
  behindProxy: toggle(
    'behind-proxy',
    'Listen with plain HTTP behind a proxy that ends TLS and sets X-Forwarded-Proto and X-Forwarded-For.',
  ),
  coreUrl: text({
    flag: 'core-url',
    takes: 'URL',
    describe: 'Public origin of the core API, when clients use another than the listener.',
    read: origin,
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
  tlsNames: option({
    flag: 'tls-names',
    takes: 'NAME,…',
    describe: 'More names and addresses for the generated certificate.',
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
    describe: 'What a first start puts into an empty store.',
    fallback: 'demo',
    read: plainText,
  }),
  seedRandom: text({
    flag: 'seed-random',
    takes: 'TEXT',
    describe:
      'The same ids and tokens on every run. Whoever knows the text knows every secret: for tests only.',
  }),
  readyFile: text({
    flag: 'ready-file',
    takes: 'FILE',
    describe: 'Write one JSON object here once everything listens.',
  }),
  vocabulary: text({
    flag: 'vocabulary',
    takes: 'FILE',
    describe: 'Speak other words: renames identifiers, paths and headers.',
  }),
  hardened: toggle('hardened', 'Webhooks may not point to loopback addresses, plain HTTP or a port.'),
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
    describe: 'More certificate authorities (PEM) that webhooks may use.',
  }),
  crcTimeoutMs: option({
    flag: 'crc-timeout-ms',
    takes: 'MS',
    describe: 'How long a webhook may take to answer a CRC check.',
    fallback: 10_000,
    read: wholeNumber(50, 60_000),
  }),
  revalidateEverySeconds: option({
    flag: 'revalidate-every-seconds',
    takes: 'S',
    describe: 'How often webhooks are looked at for a check.',
    fallback: 1800,
    read: wholeNumber(1, 86_400),
  }),
  revalidateAfterSeconds: option({
    flag: 'revalidate-after-seconds',
    takes: 'S',
    describe: 'A webhook is checked again when its last success is older.',
    fallback: 86_400,
    read: wholeNumber(1, 864_000),
  }),
  invalidAfterSeconds: option({
    flag: 'invalid-after-seconds',
    takes: 'S',
    describe: 'A webhook without a success for this long is invalid.',
    fallback: 100_800,
    read: wholeNumber(1, 8_640_000),
  }),
  webhooksPerApp: option({
    flag: 'webhooks-per-app',
    takes: 'N',
    describe: 'Webhooks that one app may register.',
    fallback: 5,
    read: wholeNumber(1, 10_000),
  }),
  activeCampaigns: option({
    flag: 'active-campaigns',
    takes: 'N',
    describe: 'Campaigns that one advertising account may have, drafts and deleted ones not counted.',
    fallback: 200,
    read: wholeNumber(1, 1_000_000),
  }),
  audienceMinimum: option({
    flag: 'audience-minimum',
    takes: 'N',
    describe: 'Members that an audience needs before it can be targeted and its size is shown.',
    fallback: 100,
    read: wholeNumber(0, 1_000_000),
  }),
  audienceDelaySeconds: option({
    flag: 'audience-delay-seconds',
    takes: 'S',
    describe: 'How long uploaded users wait at least before they become members of their audience.',
    fallback: 0,
    read: wholeNumber(0, 86_400),
  }),
  audienceQueueMegabytes: option({
    flag: 'audience-queue-megabytes',
    takes: 'MB',
    describe: 'How much may wait to be merged into audiences; uploads beyond it are answered 503.',
    fallback: 1024,
    // One account alone has half of it, and one upload may take 23 MB.
    read: wholeNumber(64, 1_048_576),
  }),
  historyApps: option({
    flag: 'history-apps',
    takes: 'all|ID,…',
    describe: 'Apps that may read the history of advertising accounts, which is a beta.',
    fallback: ['all'] as readonly string[],
    fallbackText: 'all',
    read: list,
  }),
  catalogApps: option({
    flag: 'catalog-apps',
    takes: 'all|ID,…',
    describe: 'Apps that may use product catalogs, which are early access.',
    fallback: ['all'] as readonly string[],
    fallbackText: 'all',
    read: list,
  }),
  fetchImages: option({
    flag: 'fetch-images',
    takes: 'yes|no',
    describe:
      'Fetch the images of products to look at their format and size. What is wrong with them is told as warnings when the product is sent again.',
    fallback: true,
    fallbackText: 'yes',
    read: (text: string) => oneOf('yes', 'no')(text) === 'yes',
  }),
  sandboxAccountList: toggle(
    'sandbox-account-list',
    'Reply to a new sandbox account with a list of one, as some clients expect.',
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
    describe: 'Rate limits; a file gives other figures by endpoint and pool.',
    fallback: 'documented' as LimitRules,
    read: limitRules,
  }),
  timestampWindowSeconds: option({
    flag: 'timestamp-window-seconds',
    takes: 'S',
    describe: 'How far the timestamp of a signature may be from the clock.',
    fallback: 300,
    read: wholeNumber(1, 3600),
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
  shutdownSeconds: option({
    flag: 'shutdown-seconds',
    takes: 'S',
    describe: 'How long a stop waits for requests under way.',
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

/**
 * Reads the settings: flags win over the environment, the environment over the config file
 * (`--config FILE`, JSON with the flags as members). Throws ConfigError.
 */
export function readConfig(args: readonly string[], environment: NodeJS.ProcessEnv = process.env): Config {
  const flags = readFlags(args)
  const file = readConfigFile(flags.config ?? environment.PLAZA_CONFIG)
  const config: Record<string, unknown> = {}
  for (const [name, declared] of ALL) {
    const found = firstGiven(
      [flags[declared.flag], `--${declared.flag}`],
      [environment[variableOf(declared.flag)], variableOf(declared.flag)],
      [file[declared.flag], `"${declared.flag}" of the config file`],
    )
    config[name] = found ? readOne(declared, found.value, found.where) : declared.fallback
  }
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

function readConfigFile(path: string | undefined): Record<string, string> {
  if (path === undefined) return {}
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError(`--config ${path}: ${(error as Error).message}`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new ConfigError(`--config ${path}: must hold a JSON object`)
  const flags = new Set(ALL.map(([, { flag }]) => flag))
  return Object.fromEntries(
    Object.entries(content).map(([flag, value]) => {
      if (!flags.has(flag)) throw new ConfigError(`--config ${path}: unknown setting "${flag}"`)
      return [flag, Array.isArray(value) ? value.join(',') : String(value)]
    }),
  )
}

function readOne(declared: Option<unknown>, text: string, where: string): unknown {
  try {
    return declared.read(text)
  } catch (error) {
    // A secret is not repeated where people paste their terminals.
    throw new ConfigError(`${where} ${(error as Error).message}${declared.secret ? '' : `, not "${text}"`}`)
  }
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

/** The README's table of settings, in Markdown. */
export function configTable(): string {
  const rows = ALL.map(([, { flag, takes, describe, fallback, fallbackText, isSwitch }]) => {
    const value = fallbackText ?? (isSwitch || fallback === undefined ? '' : String(fallback))
    const name = isSwitch ? `--${flag}` : `--${flag} ${takes}`
    return `| \`${name.replaceAll('|', '\\|')}\` | ${value === '' ? '' : `\`${value}\``} | ${describe} |`
  })
  return ['| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n')
}
