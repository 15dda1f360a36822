import type { Call, Command } from './command.ts'
import { settingsOf, shownFlags, UsageError } from './command.ts'

/** A candidate for the next word. */
interface Candidate {
  word: string
  describe: string
  /** Whether a value follows it. */
  takes: boolean
}

/** The candidates after some words: `account app` is followed by `add`. The longest match applies. */
interface Step {
  after: string
  candidates: readonly Candidate[]
}

const shells: Readonly<Record<string, (steps: readonly Step[]) => string>> = { bash, zsh, fish }

/** `plaza completion`: a script that completes commands and flags, generated from the table of commands. */
export function printCompletion({ positionals }: Call, commands: readonly Command[]): number {
  const [name = ''] = positionals
  const write = Object.hasOwn(shells, name) ? shells[name] : undefined
  if (!write) throw new UsageError(`"${name}" must be one of ${Object.keys(shells).join(', ')}`)
  console.log(write(stepsOf(commands)))
  return 0
}

function stepsOf(all: readonly Command[]): Step[] {
  const groups = new Set(['', ...all.flatMap(({ name }) => prefixesOf(name))])
  return [
    ...all.map((command) => ({ after: command.name, candidates: candidatesOf(command) })),
    { after: 'help', candidates: wordsAfter(all, '') },
    ...[...groups].map((after) => ({
      after,
      candidates: [...wordsAfter(all, after), ...(after === '' ? [HELP] : [])],
    })),
  ].sort((a, b) => b.after.length - a.after.length)
}

const HELP: Candidate = { word: 'help', describe: 'Explain a command and its flags.', takes: false }

/** The beginnings of a command: `account` and `account app` for `account app add`. */
const prefixesOf = (name: string) =>
  name
    .split(' ')
    .slice(0, -1)
    .map((_, index, words) => words.slice(0, index + 1).join(' '))

/** The next words of the commands that begin with some words. */
function wordsAfter(all: readonly Command[], before: string): Candidate[] {
  const depth = before === '' ? 0 : before.split(' ').length
  const found = new Map<string, Candidate>()
  for (const { name, summary } of all) {
    if (before !== '' && !name.startsWith(`${before} `)) continue
    const words = name.split(' ')
    const word = words[depth] as string
    const isWhole = words.length === depth + 1
    const describe = isWhole ? summary : `Commands: ${word} …`
    if (!found.has(word) || isWhole) found.set(word, { word, describe, takes: false })
  }
  return [...found.values()]
}

function candidatesOf(command: Command): Candidate[] {
  const choices = /^\[?([a-z]+(?:\|[a-z]+)+)\]?$/.exec(command.takes ?? '')?.[1]?.split('|') ?? []
  const settings = settingsOf(command).map(({ flag, describe, isSwitch }) => ({
    word: `--${flag}`,
    describe,
    takes: isSwitch !== true,
  }))
  const own = shownFlags(command).map(({ flag, describe, takes }) => ({
    word: `--${flag}`,
    describe,
    takes: takes !== undefined,
  }))
  return [
    ...choices.map((word) => ({ word, describe: command.summary, takes: false })),
    ...own,
    ...settings,
    { word: '--config', describe: 'Read settings from a JSON file.', takes: true },
    { word: '--help', describe: 'Explain the command and its flags.', takes: false },
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
