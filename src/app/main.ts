import { type Command, CommanderError } from 'commander'
import { boundOldGeneration } from '../platform/common/old-generation.ts'
import { collectInOneThread, holdYoungGeneration } from '../platform/common/young-generation.ts'
import { ConfigError, readConfig } from '../platform/config/config.ts'
import { UsageError } from './cli/command.ts'
import { commandAt, pathOf, programOf } from './cli/command-line.ts'
import { commands } from './cli/commands.ts'

const FAILED = 1
const WRONG_USAGE = 2

// A reader that has closed the pipe, like `head`, is not a failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
const args = commandLine(process.argv.slice(2))
const program = programOf(commands, args).hook('preAction', prepare)
const code = await program.parseAsync(args, { from: 'user' }).then(() => program.exitCode, fail)
// Output may still be on its way through a pipe.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))

/** Other ways to write it: `plaza --core-port 0`, `plaza help app create`, `plaza --version`. */
function commandLine(given: readonly string[]): string[] {
  const [first = '', ...rest] = given
  if (first === '--help' || first === '-h') return ['--help']
  if (first === 'help') return [...rest.filter((word) => word !== 'help' && !word.startsWith('-')), '--help']
  if (first === '--version') return ['version', ...rest]
  return first === '' || first.startsWith('-') ? ['start', ...given] : [...given]
}

/** Before the command's modules are loaded, because what they allocate stays. */
function prepare(_: Command, command: Command): void {
  if (pathOf(command) === 'start') {
    holdYoungGeneration()
    boundOldGeneration()
  }
  collectInOneThread()
}

/** Reports in one sentence. The stack trace is only useful for finding a bug in Plaza. */
function fail(error: unknown): number {
  // Help was printed.
  if (error instanceof CommanderError) return error.exitCode
  const usage = error instanceof UsageError || error instanceof ConfigError
  const message = error instanceof Error ? sentenceOf(error) : String(error)
  const help = `plaza help ${pathOf(commandAt(program, args))}`.trim()
  const hint = usage ? `${message.endsWith('?') ? '' : '.'} See: ${help}` : ''
  console.error(`plaza: ${message}${hint}`)
  if (args.includes('--json')) console.log(JSON.stringify({ error: { message, code: codeOf(error) } }))
  if (wantsStack(args) && error instanceof Error) console.error(error.stack)
  return usage ? WRONG_USAGE : FAILED
}

/**
 * The code of an error or of its cause, such as `ECONNREFUSED`; null if it is not a system error.
 */
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
