import type { Config } from '../../platform/config/config.ts'

/** A command line is invalid. The message names the flag. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/**
 * Descriptions of flags: `-d, --body <TEXT>`, `--json`; `--form <NAME=VALUE...>` may be given more
 * than once.
 */
export type FlagDescriptions = Readonly<Record<string, string>>

/** A command, as data. The parser, the help and the completion are derived from it. */
export interface CommandDeclaration {
  summary: string
  /** Where the help lists it. */
  heading?: string
  /** Additional text for its own help. */
  details?: string
  /** What `--json` prints, if it accepts that: an object by default. */
  json?: 'object' | 'lines' | 'none'
  /** The settings that it accepts, by their flags; those that find the store by default. */
  settings?: readonly string[] | 'all'
  /** Flags without which the command does nothing. */
  required?: FlagDescriptions
  flags?: FlagDescriptions
  /** A flag that only Plaza itself uses. */
  hidden?: FlagDescriptions
  /**
   * Imports the module when the command runs, so that `start` does not load those of other
   * commands.
   */
  run(call: Call): Promise<number>
}

/** Commands by their words and arguments: `deliveries show <ID>`, `tasks retry [ID...]`. */
export type CommandDeclarations = Readonly<Record<string, CommandDeclaration>>

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
