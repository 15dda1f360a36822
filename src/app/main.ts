import { nearest } from '../platform/common/nearest.ts'
import { boundOldGeneration } from '../platform/common/old-generation.ts'
import { collectInOneThread, holdYoungGeneration } from '../platform/common/young-generation.ts'
import { ConfigError, readConfig } from '../platform/config/config.ts'
import type { Command } from './cli/command.ts'
import { readCall, UsageError } from './cli/command.ts'
import { commands } from './cli/commands.ts'

const FAILED = 1
const WRONG_USAGE = 2

// A reader that has closed the pipe, like `head`, is not a failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
const args = process.argv.slice(2)
const code = await main(args).catch((error: unknown) => fail(error, args))
// Output may still be on its way through a pipe.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))

/** Runs one command. Resolves to the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const [first = ''] = args
  if (first === 'help') return help(args.slice(1))
  if (isHelpFlag(first)) return help([])
  if (first === '--version') return main(['version'])
  if (args.some(isHelpFlag) && !commandOf(withCommand(args)) && groupOf(args).length > 0) return help(args)
  const found = findCommand(withCommand(args))
  if (found.rest.some(isHelpFlag)) return help(found.command.name.split(' '))
  const call = readCall(found.command, found.rest)
  // Before the server's modules are loaded, because what they allocate stays.
  if (found.command.name === 'start') {
    holdYoungGeneration()
    boundOldGeneration()
  }
  collectInOneThread()
  const { run } = await found.command.load()
  return run(call)
}

function isHelpFlag(arg: string): boolean {
  return arg === '--help' || arg === '-h'
}

/** `plaza --core-port 0` is `plaza start --core-port 0`. */
function withCommand(args: readonly string[]): readonly string[] {
  const [first = ''] = args
  return first === '' || first.startsWith('-') ? ['start', ...args] : args
}

/** The words that begin several commands: `app`, or `account feature`. Empty when there are none. */
function groupOf(args: readonly string[]): string[] {
  return [2, 1].map((length) => args.slice(0, length)).find((words) => commandsIn(words).length > 0) ?? []
}

/** The commands that begin with these words: `app create`, `app list`. */
function commandsIn(words: readonly string[]): Command[] {
  return commands.filter(({ name }) => words.length > 0 && name.startsWith(`${words.join(' ')} `))
}

/** The command that the arguments begin with. */
function findCommand(args: readonly string[]): { command: Command; rest: readonly string[] } {
  const command = commandOf(args)
  if (command) return { command, rest: args.slice(command.name.split(' ').length) }
  const [first = ''] = args
  const group = groupOf(args)
  if (group.length > 0)
    throw new UsageError(
      `${group.join(' ')} is followed by another word: ${commandsIn(group)
        .map(({ name }) => name)
        .join(', ')}`,
    )
  const guess = nearest(first, new Set(commands.map(({ name }) => name.split(' ')[0] as string)))
  throw new UsageError(
    `there is no command "${first}"${guess === undefined ? '' : `; did you mean "${guess}"?`}`,
  )
}

function commandOf(args: readonly string[]): Command | undefined {
  for (const length of [3, 2, 1]) {
    const name = args.slice(0, length).join(' ')
    const command = commands.find((one) => one.name === name)
    if (command) return command
  }
  return undefined
}

/** `plaza help app create`: the help for an invalid command line. */
function helpFor(args: readonly string[]): string {
  const words = withCommand(args)
  const name = commandOf(words)?.name ?? groupOf(words).join(' ')
  return ['plaza help', name].filter(Boolean).join(' ')
}

async function help(args: readonly string[]): Promise<number> {
  const { commandHelp, generalHelp } = await import('./cli/help.ts')
  const words = args.filter((arg) => !arg.startsWith('-'))
  const group = groupOf(words)
  if (words.length === 0 || words[0] === 'help') console.log(generalHelp())
  else if (group.length > 0 && words.length === group.length)
    console.log(commandsIn(group).map(commandHelp).join('\n\n'))
  else console.log(commandHelp(findCommand(words).command))
  return 0
}

/** One sentence. The stack trace is only useful for finding a bug in Plaza. */
function fail(error: unknown, args: readonly string[]): number {
  const usage = error instanceof UsageError || error instanceof ConfigError
  const message = error instanceof Error ? sentenceOf(error) : String(error)
  const hint = usage ? `${message.endsWith('?') ? '' : '.'} See: ${helpFor(args)}` : ''
  console.error(`plaza: ${message}${hint}`)
  if (args.includes('--json')) console.log(JSON.stringify({ error: { message, code: codeOf(error) } }))
  if (wantsStack(args) && error instanceof Error) console.error(error.stack)
  return usage ? WRONG_USAGE : FAILED
}

/** The code of an error or of its cause, such as `ECONNREFUSED`; null if it is not a system error. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : codeOf(error.cause)
}

/** System errors name system calls. Users need to know which file it was. */
function sentenceOf(error: NodeJS.ErrnoException): string {
  const { code, path, message } = error
  if (path === undefined) return message
  if (code === 'ENOENT') return `There is no file ${path}.`
  return code === 'EACCES' ? `${path} may not be read or written by this user.` : message
}

function wantsStack(args: readonly string[]): boolean {
  const at = args.indexOf('--log-level')
  if (at !== -1) return args[at + 1] === 'debug'
  if (args.includes('--log-level=debug')) return true
  try {
    return readConfig([]).logLevel === 'debug'
  } catch {
    return false
  }
}
