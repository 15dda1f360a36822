import { readFileSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import { parseArgs } from 'node:util'
import { pointerOf } from '../common/json-file.ts'
import type { LimitRules } from '../http/limits.ts'
import { adsOptions } from './ads.ts'
import { apiOptions } from './api.ts'
import { insightOptions } from './insights.ts'
import { listenerOptions } from './listeners.ts'
import { mediaOptions } from './media.ts'
import { operationOptions } from './operation.ts'
import type { Option } from './option.ts'
import { limitRulesIn, readSettingsFile } from './readers.ts'
import { startOptions } from './start.ts'
import { dataOptions, sharedOptions } from './storage.ts'
import { streamOptions } from './streams.ts'
import { usageOptions } from './usage.ts'
import { userTokenOptions } from './user-tokens.ts'
import { webhookOptions } from './webhooks.ts'

/** A setting is invalid. The message names it and says which values it accepts. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The folders in which programs are searched for. */
export const searchPath = (): string[] => (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)

/** Whether npm or npx started this process. */
export const isStartedByNpm = () => process.env.npm_command !== undefined

/**
 * Every setting. The command line, the environment, config files and the table in
 * docs/guides/settings.md are derived from this list.
 */
export const options = {
  ...dataOptions,
  ...mediaOptions,
  ...sharedOptions,
  ...listenerOptions,
  ...startOptions,
  ...webhookOptions,
  ...streamOptions,
  ...usageOptions,
  ...insightOptions,
  ...adsOptions,
  ...apiOptions,
  ...userTokenOptions,
  ...operationOptions,
} as const

type Options = typeof options
/** All settings of a start. Frozen. */
export type Config = {
  readonly [Name in keyof Options]: ReturnType<Options[Name]['read']> | Options[Name]['fallback']
}

const ALL = Object.entries(options) as [keyof Options, Option<unknown>][]

/** The environment variable of a setting: `PLAZA_CORE_PORT`. */
export const variableOf = (flag: string) => `PLAZA_${flag.toUpperCase().replaceAll('-', '_')}`

/** The default settings with some changes. */
export function configOf(changes: Partial<Config> = {}): Config {
  const defaults = Object.fromEntries(ALL.map(([name, { fallback }]) => [name, fallback]))
  return Object.freeze({ ...defaults, ...changes }) as Config
}

/**
 * Settings by their names in programs: `{ corePort: 8443 }`. One that is absent or undefined has
 * its default.
 */
export type GivenSettings = { readonly [Name in keyof Config]?: Config[Name] | undefined }

/** Settings that may be given as the content of their file. */
const OF_FILES: ReadonlySet<string> = new Set<keyof Config>(['rateLimits', 'seed'])

/** Reads the settings of a program, with the checks of the command line. Throws ConfigError. */
export function readSettings(given: GivenSettings): Config {
  const config = Object.fromEntries(ALL.map(([name, { fallback }]): [string, unknown] => [name, fallback]))
  for (const [name, value] of Object.entries(given)) {
    const declared = Object.hasOwn(options, name)
      ? (options[name as keyof Options] as Option<unknown>)
      : undefined
    if (!declared) throw new ConfigError(`there is no setting "${name}"`)
    if (value === undefined) continue
    if (typeof value === 'object' && !Array.isArray(value) && OF_FILES.has(name)) config[name] = value
    else config[name] = readOne(declared, textOf(declared, value), name)
  }
  for (const [name, declared] of ALL) readContent(name, declared, config)
  const result = Object.freeze(config) as Config
  checkTogether(result)
  return result
}

/** Settings that may be changed while Plaza runs: whatever reads them does so for each use. */
export const RUNTIME_SETTINGS = [
  'logLevel',
  'rateLimits',
  'usageDailyPerApp',
  'usageMonthlyPerApp',
  'usageDailyPerProject',
  'usageMonthlyPerProject',
  'usageResetDay',
  'webhooksPerApp',
  'streamRulesPerApp',
  'streamRulesPerProject',
  'streamConnectionsPerApp',
  'activitySubscriptionsPerApp',
  'activeCampaigns',
  'oauth2AccessSeconds',
  'oauth2CodeSeconds',
] as const satisfies readonly (keyof Options)[]
export type RuntimeSetting = (typeof RUNTIME_SETTINGS)[number]

/** The runtime settings by their flags. */
const runtimeFlags: ReadonlyMap<string, RuntimeSetting> = new Map(
  RUNTIME_SETTINGS.map((name) => [options[name].flag, name]),
)

/**
 * Reads new values of runtime settings, by their flags, with the checks of a start.
 * @throws ConfigError A value is wrong. The message names the setting.
 */
export function readRuntimeSettings(given: Readonly<Record<string, unknown>>): Partial<Config> {
  const read: Record<string, unknown> = {}
  for (const [flag, value] of Object.entries(given)) {
    const name = runtimeFlags.get(flag)
    if (name === undefined)
      throw new ConfigError(
        `"${flag}" cannot be changed while Plaza runs. These can: ${[...runtimeFlags.keys()].join(', ')}`,
      )
    const declared = options[name] as Option<unknown>
    read[name] =
      name === 'rateLimits' && value !== 'off' && value !== 'documented'
        ? checkedRules(value, flag)
        : readOne(declared, String(value), `"${flag}"`)
  }
  return read as Partial<Config>
}

/** Rate limits that are given as the content of their file. */
function checkedRules(value: unknown, flag: string): LimitRules {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigError(`"${flag}" must be documented, off, or an object of limits, not "${value}"`)
  try {
    return limitRulesIn(value)
  } catch (error) {
    throw new ConfigError(`"${flag}" ${(error as Error).message}`)
  }
}

function textOf(declared: Option<unknown>, value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' && value !== null && declared.textOf
    ? declared.textOf(value)
    : String(value)
}

/**
 * Reads the settings. Flags override the environment, which overrides the config file
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

/** The settings in the config file, with their positions. */
function readConfigFile(path: string | undefined): Record<string, { value: string; where: string }> {
  if (path === undefined) return {}
  const { content, file } = asConfigError(() => readSettingsFile(path))
  const flags = new Set(ALL.map(([, { flag }]) => flag))
  return Object.fromEntries(
    Object.entries(content).map(([flag, value]) => {
      const wrong = (what: string) => `--config ${file.error(pointerOf(flag), what).message}`
      if (!flags.has(flag)) throw new ConfigError(wrong(`unknown setting "${flag}"`))
      if (typeof value === 'object' && !Array.isArray(value))
        throw new ConfigError(wrong('must be a string, a number, true, false or a list'))
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
    // Errors do not repeat a secret: people paste terminal output.
    throw new ConfigError(`${where} ${(error as Error).message}${declared.secret ? '' : `, not "${text}"`}`)
  }
}

/** Reads the file of a `--…-file` setting into the setting that it replaces. */
function readContent(
  name: string,
  { flag, contentOf }: Option<unknown>,
  config: Record<string, unknown>,
): void {
  const path = config[name]
  const target = contentOf === undefined ? undefined : options[contentOf as keyof Options]
  if (contentOf === undefined || target === undefined || typeof path !== 'string') return
  if (config[contentOf] !== undefined)
    throw new ConfigError(`--${target.flag} and --${flag} are mutually exclusive`)
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
    throw new ConfigError('--memory and --database-url are mutually exclusive')
  if (config.mediaEndpoint !== undefined && !config.media?.startsWith('s3://'))
    throw new ConfigError('--media-endpoint needs a bucket: --media s3://bucket')
  if ((config.tlsCertificate === undefined) !== (config.tlsKey === undefined))
    throw new ConfigError('--tls-certificate and --tls-key go together')
  if (config.behindProxy && !config.coreUrl)
    throw new ConfigError('--behind-proxy needs --core-url: signatures cover the public address')
}

/** The address on which each API listens. */
export const listenAddresses = ({
  listen,
  coreListen,
  adsListen,
  adsSandboxListen,
}: Pick<Config, 'listen' | 'coreListen' | 'adsListen' | 'adsSandboxListen'>) => ({
  core: coreListen ?? listen,
  ads: adsListen ?? listen,
  sandbox: adsSandboxListen ?? listen,
})

/** The seed of an empty store. By default, a service is not seeded. */
export const seedOf = ({
  seed,
  databaseUrl,
  hardened,
}: Pick<Config, 'seed' | 'databaseUrl' | 'hardened'>): string | object =>
  seed ?? (databaseUrl !== undefined || hardened ? 'none' : 'demo')

/** The table of docs/guides/settings.md, in Markdown. */
export function configTable(): string {
  const rows = ALL.map(([, { flag, takes, describe, fallback, fallbackText, isSwitch }]) => {
    const value = fallbackText ?? (isSwitch || fallback === undefined ? '' : String(fallback))
    const name = isSwitch ? `--${flag}` : `--${flag} ${takes}`
    return `| \`${name.replaceAll('|', '\\|')}\` | ${value === '' ? '' : `\`${value}\``} | ${describe} |`
  })
  return ['| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n')
}
