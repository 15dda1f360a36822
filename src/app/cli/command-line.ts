import {
  Argument,
  Command,
  type ErrorOptions,
  type HelpContext,
  Option,
  type ParseOptionsResult,
} from 'commander'
import { nearest } from '../../platform/common/nearest.ts'
import { options, readConfig, variableOf } from '../../platform/config/config.ts'
import { type Call, type CommandDeclaration, type CommandDeclarations, Flags, UsageError } from './command.ts'
import { STORE } from './settings.ts'

const EXIT_CODES = '\nExit codes: 0 success, 1 failure, 2 usage error.'
const GETTING_STARTED =
  '\nGetting started: run "plaza start", and in another terminal\n"plaza listen --register".'
const SETTINGS = `Settings (also in the environment, as ${variableOf('log-level')}, or in --config FILE):`
/** Of a help that is not written to a terminal. */
const DEFAULT_WIDTH = 80
/** The narrowest column of explanations. */
const MIN_WIDTH = 20
const JSON_FORMS = { object: 'Print machine-readable JSON.', lines: 'Print one JSON object per line.' }

/** The program, a group of commands, or a command. Its errors are one sentence. */
export class CommandLine extends Command {
  /** Of the command that ran. Only the program has one. */
  exitCode = 0

  override createCommand(name?: string): CommandLine {
    return new CommandLine(name)
  }

  override error(message: string, { code }: ErrorOptions = {}): never {
    if (code === 'commander.excessArguments')
      throw new UsageError(`"${this.args[this.registeredArguments.length]}" is an unexpected argument`)
    if (code === 'commander.unknownOption') throw this.#unknownFlag(message)
    const suggestion = /\n\(Did you mean (.*)\?\)$/
    throw new UsageError(message.replace(/^error: |\.$/g, '').replace(suggestion, '; did you mean $1?'))
  }

  /** Without the value, which may be a secret: people paste terminal output. */
  #unknownFlag(message: string): UsageError {
    const [, flag = ''] = /'([^'=]*)/.exec(message) ?? []
    const known = this.options.map(({ long = '' }) => long)
    const guess = nearest(flag, known)
    return new UsageError(`unknown option '${flag}'${guess === undefined ? '' : `; did you mean ${guess}?`}`)
  }

  /** A value that begins with "-" is usually a flag, and the value before it was forgotten. */
  override parseOptions(args: string[]): ParseOptionsResult {
    for (const [index, arg] of args.entries()) {
      if (arg === '--') break
      const option = this.options.find(
        ({ required, short, long }) => required && (arg === short || arg === long),
      )
      const value = args[index + 1]
      if (!option || (value !== undefined && !/^-./.test(value))) continue
      const hint = value === undefined ? '' : `; one that begins with - is written ${option.long}=-…`
      throw new UsageError(`${option.long} needs a value${hint}`)
    }
    return super.parseOptions(args)
  }

  /**
   * Lists all commands below this one, as wide as the terminal. Help of an unknown command, or of a
   * group that was called without a command, is an error of one sentence.
   */
  override helpInformation(context?: HelpContext): string {
    const [word = '-'] = this.args
    if (this.commands.length > 0 && !word.startsWith('-')) this.error(`unknown command '${word}'`)
    if (context?.error === true)
      throw new UsageError(
        `${pathOf(this)} is followed by another word: ${leavesOf(this).map(pathOf).join(', ')}`,
      )
    const help = this.createHelp()
    const visible = help.visibleCommands(this)
    help.visibleCommands = () => visible.flatMap(leavesOf)
    help.subcommandTerm = (command) => pathOf(command) || command.name()
    help.minWidthToWrap = MIN_WIDTH
    help.helpWidth = process.stdout.columns ?? DEFAULT_WIDTH
    return help.formatHelp(this, help)
  }
}

/** `app create`. That of the program is empty. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : ''

/** The commands below a group; those of a command are itself. */
export const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

/** The command or group that the words begin with. */
export function commandAt(program: Command, words: readonly string[]): Command {
  const next = program.commands.find((command) => command.name() === words[0])
  return next ? commandAt(next, words.slice(1)) : program
}

/**
 * A program with these commands. Usage errors throw `UsageError`, and help that was printed
 * `CommanderError`. For a command line, only its command has flags: those of all commands would
 * take longer than all else before it runs.
 */
export function programOf(commands: CommandDeclarations, commandLine?: readonly string[]): CommandLine {
  const program = new CommandLine('plaza')
  program
    .helpOption('-h, --help', 'Explain the command and its flags.')
    .commandsGroup('This program:')
    .helpCommand('help [command]', 'Explain a command and its flags.')
    .addHelpText('after', GETTING_STARTED)
    .addHelpText('afterAll', EXIT_CODES)
    .exitOverride()
  for (const [usage, declared] of Object.entries(commands)) {
    const [path = '', ...args] = usage.split(/ (?=[<[])/)
    const words = path.split(' ')
    const group = words.slice(0, -1).reduce(groupIn, program)
    if (group !== program) group.helpGroup(declared.heading ?? '')
    const command = group.command(words.at(-1) ?? '')
    describe(command, declared)
    for (const arg of args) command.addArgument(argumentOf(arg))
    if (words.every((word, index) => word === (commandLine ?? words)[index]))
      for (const option of [...ownOptions(declared), ...settingOptions(declared)]) command.addOption(option)
    command.action(async () => {
      program.exitCode = await declared.run(callOf(command, declared))
    })
  }
  return program
}

const groupIn = (parent: CommandLine, name: string) =>
  (parent.commands.find((command) => command.name() === name) as CommandLine) ??
  parent.command(name).helpCommand(false)

function describe(command: CommandLine, { summary, details, heading }: CommandDeclaration): void {
  if (heading !== undefined) command.helpGroup(heading)
  command.summary(summary).description(details === undefined ? summary : `${summary}\n\n${details}`)
}

/** `<bash|zsh|fish>` accepts these words; `<ID|SCREEN_NAME>` accepts any. */
function argumentOf(arg: string): Argument {
  const argument = new Argument(arg)
  const words = argument.name().split('|')
  return words.length > 1 && words.every((word) => /^[a-z]+$/.test(word)) ? argument.choices(words) : argument
}

function ownOptions({
  required = {},
  flags = {},
  hidden = {},
  json = 'object',
}: CommandDeclaration): Option[] {
  return [
    ...Object.entries(required).map(([flag, text]) => optionOf(flag, `${text} Required.`)),
    ...Object.entries(flags).map(([flag, text]) => optionOf(flag, text)),
    ...Object.entries(hidden).map(([flag, text]) => optionOf(flag, text).hideHelp()),
    ...(json === 'none' || '--json' in flags ? [] : [optionOf('--json', JSON_FORMS[json])]),
  ]
}

/**
 * One that may be repeated takes one value each time, where commander would take all that follow.
 */
function optionOf(flag: string, text: string): Option {
  const option = new Option(flag, text)
  if (!option.variadic) return option
  option.variadic = false
  option.description = `${text} May be repeated.`
  return option.argParser((value, earlier: string[] = []) => [...earlier, value])
}

/** The settings that a command accepts, and `--config`. */
function settingOptions({ settings = STORE }: CommandDeclaration): Option[] {
  const all = Object.values(options) as (typeof options)['data'][]
  const accepted = settings === 'all' ? all : all.filter(({ flag }) => settings.includes(flag))
  return [
    new Option('--config <FILE>', 'Read settings from a JSON file.'),
    ...accepted.map(({ flag, takes, describe, fallback, fallbackText, isSwitch }) => {
      const value = fallbackText ?? (isSwitch ? '' : String(fallback ?? ''))
      const usage = isSwitch ? `--${flag}` : `--${flag} <${takes}>`
      return new Option(usage, value === '' ? describe : `${describe} [${value}]`)
    }),
  ].map((option) => option.helpGroup(SETTINGS))
}

/**
 * What was called.
 * @throws UsageError
 * @throws ConfigError
 */
function callOf(command: CommandLine, { required = {} }: CommandDeclaration): Call {
  const values = command.options.map((option): [Option, unknown] => {
    const value: unknown = command.getOptionValue(option.attributeName())
    return [option, option.negate ? value === false : value]
  })
  rejectMissing(values.filter(([{ flags }, value]) => flags in required && (value ?? '') === ''))
  const given = values.flatMap(([{ helpGroupHeading, long }, value]) => {
    if (helpGroupHeading !== SETTINGS || value === undefined) return []
    return [value === true ? `${long}` : `${long}=${value}`]
  })
  const flags = new Flags(Object.fromEntries(values.map(([option, value]) => [option.name(), value])))
  return { flags, positionals: command.args, config: readConfig(given) }
}

/** Names every flag that is missing: a first call need not be repeated for each of them. */
function rejectMissing(missing: readonly [Option, unknown][]): void {
  if (missing.length === 0) return
  const names = new Intl.ListFormat('en-GB').format(missing.map(([{ long }]) => `${long}`))
  throw new UsageError(`${names} ${missing.length === 1 ? 'is' : 'are'} missing`)
}
