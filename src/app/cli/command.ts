import { parseArgs } from 'node:util'
import { nearest } from '../../platform/common/nearest.ts'
import type { Config } from '../../platform/config/config.ts'
import { options, readConfig } from '../../platform/config/config.ts'
import { settingFlagsOf } from './settings.ts'

/** A command line is invalid. The message names the flag. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** A flag of one command, in addition to the settings that the command shares with `start`. */
export interface Flag {
  flag: string
  short?: string
  /** The name of the value; absent for a flag without a value. */
  takes?: string
  describe: string
  /** May be given more than once. */
  many?: boolean
  /** The command does nothing without it. */
  isRequired?: boolean
  /** Hidden from the help: only Plaza itself uses it. */
  isHidden?: boolean
}

/** A command, as data. The parser and the help are derived from it. */
export interface Command {
  /** `app create`. */
  name: string
  /** `METHOD URL`. */
  takes?: string
  /** The number of positional arguments. */
  positionals: readonly [min: number, max: number]
  summary: string
  /** Additional text for its own help. */
  details?: string
  flags: readonly Flag[]
  /** Imported only when the command runs, so that `start` does not load the modules of other commands. */
  load(): Promise<{ run(call: Call): Promise<number> }>
}

/** A parsed command line. */
export interface Call {
  readonly flags: Flags
  readonly positionals: readonly string[]
  readonly config: Config
}

/** The values of a command's own flags. */
export class Flags {
  readonly #values: Readonly<Record<string, unknown>>
  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }
  text(flag: string): string | undefined {
    return this.#values[flag] as string | undefined
  }
  required(flag: string): string {
    const value = this.text(flag)
    if (value === undefined || value === '') throw new UsageError(`--${flag} is missing`)
    return value
  }
  list(flag: string): readonly string[] {
    return (this.#values[flag] as string[] | undefined) ?? []
  }
  on(flag: string): boolean {
    return this.#values[flag] === true
  }
  oneOf<const Values extends readonly string[]>(
    flag: string,
    values: Values,
    fallback: Values[number],
  ): Values[number] {
    const value = this.text(flag) ?? fallback
    if (!values.includes(value)) throw new UsageError(`--${flag} must be one of ${values.join(', ')}`)
    return value as Values[number]
  }
}

/** The settings that a command accepts: their declarations in the table of all settings. */
export function settingsOf({ name }: Command) {
  const all = Object.values(options) as (typeof options)['data'][]
  const accepted = settingFlagsOf(name)
  return accepted === 'all' ? all : all.filter(({ flag }) => accepted.includes(flag))
}

/** The flags that the help describes. */
export const shownFlags = ({ flags }: Command) => flags.filter(({ isHidden }) => isHidden !== true)

/**
 * Parses a command line.
 * @throws UsageError
 * @throws ConfigError
 */
export function readCall(command: Command, args: readonly string[]): Call {
  const settings = settingsOf(command)
  const { values, positionals } = parse(args, {
    ...Object.fromEntries(
      settings.map(({ flag, isSwitch }) => [flag, { type: isSwitch ? 'boolean' : 'string' }]),
    ),
    config: { type: 'string' },
    ...Object.fromEntries(
      command.flags.map(({ flag, short, takes, many }) => [
        flag,
        {
          type: takes === undefined ? 'boolean' : 'string',
          ...(short && { short }),
          ...(many && { multiple: true }),
        },
      ]),
    ),
  })
  const [min, max] = command.positionals
  if (positionals.length < min)
    throw new UsageError(`${command.takes?.split(' ')[positionals.length]} is missing`)
  if (positionals.length > max) throw new UsageError(`"${positionals[max]}" is an unexpected argument`)
  rejectMissing(command, values)
  const given = ['config', ...settings.map(({ flag }) => flag)].flatMap((flag) => {
    const value = values[flag]
    return value === undefined ? [] : [value === true ? `--${flag}` : `--${flag}=${value}`]
  })
  return { flags: new Flags(values), positionals, config: readConfig(given) }
}

/** Names every flag that is missing: a first call need not be repeated for each of them. */
function rejectMissing({ flags }: Command, values: Readonly<Record<string, unknown>>): void {
  const missing = flags
    .filter(({ flag, isRequired }) => isRequired === true && (values[flag] ?? '') === '')
    .map(({ flag }) => `--${flag}`)
  const last = missing.pop()
  if (last === undefined) return
  const others = missing.join(', ')
  throw new UsageError(others === '' ? `${last} is missing` : `${others} and ${last} are missing`)
}

type ParserOptions = Record<string, { type: string; short?: string; multiple?: boolean }>

function parse(args: readonly string[], known: ParserOptions) {
  try {
    const parsed = parseArgs({
      args: [...args],
      options: known as NonNullable<Parameters<typeof parseArgs>[0]>['options'] & object,
      allowPositionals: true,
      strict: true,
    })
    return { values: parsed.values as Record<string, unknown>, positionals: parsed.positionals }
  } catch (error) {
    throw new UsageError(complaint((error as Error).message, Object.keys(known)))
  }
}

/** The parser's message about a flag, with a suggestion for a mistyped one. */
function complaint(message: string, known: readonly string[]): string {
  // Only the first sentence is about the flag.
  const [sentence = ''] = message.split(/\.? *\n|\. |\.$/)
  const [, unclear] = /^Option '(?:-\w, )?(--[^' ]+)(?: <value>)?' argument is ambiguous/.exec(sentence) ?? []
  if (unclear !== undefined)
    return `${unclear} needs a value; one that begins with - is written ${unclear}=-…`
  const [, bare] = /^Option '(?:-\w, )?(--[^' ]+) <value>' argument missing/.exec(sentence) ?? []
  if (bare !== undefined) return `${bare} needs a value`
  const [, wrong] = /^Unknown option '--([^']+)'/.exec(sentence) ?? []
  const guess = wrong === undefined ? undefined : nearest(wrong, known)
  return guess === undefined ? sentence : `${sentence}; did you mean --${guess}?`
}
