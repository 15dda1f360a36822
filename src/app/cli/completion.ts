import type { Command } from 'commander'
import type { Call, CommandDeclarations } from './command.ts'
import { programOf } from './command-line.ts'

/** A candidate for the next word. */
interface Candidate {
  word: string
  describe: string
  /** Whether a value follows it. */
  takes: boolean
}

/**
 * The candidates after some words: `account app` is followed by `add`. The longest match applies.
 */
interface Step {
  after: string
  candidates: readonly Candidate[]
}

const shells: Readonly<Record<string, (steps: readonly Step[]) => string>> = { bash, zsh, fish }

/**
 * `plaza completion`: a script that completes commands and flags, generated from the declared
 * commands.
 */
export async function printCompletion({ positionals: [shell = ''] }: Call, commands: CommandDeclarations) {
  const program = programOf(commands)
  const help = { after: 'help', candidates: wordsOf(program) }
  const steps = [...stepsBelow(program, ''), help].sort((a, b) => b.after.length - a.after.length)
  console.log(shells[shell]?.(steps))
  return 0
}

function stepsBelow(command: Command, after: string): Step[] {
  const own = command.commands.length === 0 ? flagsOf(command) : wordsOf(command)
  const below = command.commands.flatMap((next) => stepsBelow(next, `${after} ${next.name()}`.trim()))
  return [{ after, candidates: own }, ...below]
}

/** The commands and groups of a group. */
const wordsOf = (group: Command): Candidate[] =>
  group
    .createHelp()
    .visibleCommands(group)
    .map((command) => {
      const word = command.name()
      const describe = command.commands.length > 0 ? `Commands: ${word} …` : command.summary()
      return { word, describe, takes: false }
    })

function flagsOf(command: Command): Candidate[] {
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const flags = command.createHelp().visibleOptions(command)
  return [
    ...choices.map((word) => ({ word, describe: command.summary(), takes: false })),
    ...flags.map(({ long = '', description, required }) => ({
      word: long,
      describe: description,
      takes: required,
    })),
  ]
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const pattern = (after: string) => (after === '' ? '*' : `${quoted(`${after} `)}*`)

function bash(steps: readonly Step[]): string {
  const cases = steps.map(
    ({ after, candidates }) =>
      `    ${pattern(after)}) words=${quoted(candidates.map(({ word }) => word).join(' '))} ;;`,
  )
  return [
    '# Load it with: source <(plaza completion bash)',
    '_plaza() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
    '  local words current="${COMP_WORDS[COMP_CWORD]}" typed="${COMP_WORDS[*]:1:COMP_CWORD-1} "',
    '  case "$typed" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _plaza plaza',
  ].join('\n')
}

function zsh(steps: readonly Step[]): string {
  const cases = steps.map(({ after, candidates }) => {
    const items = candidates.map(({ word, describe }) => quoted(`${word}:${describe.replaceAll(':', '\\:')}`))
    return `    ${pattern(after)}) found=(${items.join(' ')}) ;;`
  })
  return [
    '#compdef plaza',
    '# Load it with: source <(plaza completion zsh)',
    '_plaza() {',
    '  local -a found',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
    '  local typed="${(j: :)words[2,CURRENT-1]} "',
    '  case "$typed" in',
    ...cases,
    '  esac',
    "  _describe 'plaza' found || _files",
    '}',
    'compdef _plaza plaza',
  ].join('\n')
}

function fish(steps: readonly Step[]): string {
  const lines = steps.flatMap(({ after, candidates }) =>
    candidates.map(({ word, describe, takes }) => {
      const isFlag = word.startsWith('--')
      const condition = isFlag ? `__plaza_in ${quoted(after)}` : `__plaza_at ${quoted(after)}`
      const offered = isFlag ? `-l ${word.slice(2)}${takes ? ' -r' : ''}` : `-f -a ${word}`
      return `complete -c plaza -n ${quoted(condition)} ${offered} -d ${quoted(describe)}`
    }),
  )
  return [
    '# Load it with: plaza completion fish | source',
    'function __plaza_typed',
    '  set -l words (commandline -opc)',
    '  string join " " -- $words[2..-1]',
    'end',
    'function __plaza_at',
    '  test "$(__plaza_typed)" = "$argv[1]"',
    'end',
    'function __plaza_in',
    '  string match -q -- "$argv[1] *" "$(__plaza_typed) "',
    'end',
    ...lines,
  ].join('\n')
}
