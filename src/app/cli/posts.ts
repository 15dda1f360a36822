import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDictionary } from '../../domain/annotations/dictionary.ts'
import { ImportStopped } from '../../domain/posts/import/import.ts'
import { systemClock } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import {
  GENERATE_NUMBERS,
  generatePosts as generateInStore,
  generateOptions,
  type ImportMessage,
  type ImportRun,
  type GenerateServices,
  importPostFile,
  nameOfGenerated,
} from '../../workbench/imports/post-imports.ts'
import { AdminError, followAdmin } from '../admin-client.ts'
import type { AdminPath } from '../admin-path.ts'
import { endpoints } from '../endpoints.ts'
import { generatedPosts } from '../seed/generated/posts.ts'
import { openVocabulary } from '../start/vocabulary.ts'
import { InstalledFiles, runningAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { Progress } from './progress.ts'
import { stopSignal } from './signals.ts'
import { numberOf } from './values.ts'

/** The exit code of a command that Ctrl-C interrupted. */
const INTERRUPTED = 130

/** `plaza import posts`. Exits with 1 when a line was rejected. */
export async function importPosts({ flags, positionals, config }: Call): Promise<number> {
  const [given = ''] = positionals
  const name = given === '-' ? 'standard input' : resolve(given)
  const author = flags.text('author')
  if (author !== undefined && !/^@?[A-Za-z0-9_]{1,15}$/.test(author))
    throw new UsageError(`--author must be a name: 1 to 15 letters, digits or _, not "${author}"`)
  const [again, createAuthors] = [flags.on('again'), flags.on('create-authors')]
  return withFile(given, (file) =>
    run(config, {
      ...{ flags, name, place: (line) => `${given}:${line}` },
      online: () => ({
        path: `/posts/import?${new URLSearchParams({
          ...{ name, again: String(again), create_authors: String(createAuthors) },
          ...(author !== undefined && { author }),
        })}`,
        send: createReadStream(file),
        type: 'application/octet-stream',
      }),
      offline: (services, running) =>
        importPostFile(file, { name, again, createAuthors, author }, services, running),
    }),
  )
}

/** `plaza generate posts`. */
export async function generatePosts({ flags, config }: Call): Promise<number> {
  const given = Object.entries(GENERATE_NUMBERS).map(([name, { least, most }]) => [
    name,
    numberOf(flags, name, undefined, most, { least }),
  ])
  const options = generateOptions({
    count: numberOf(flags, 'count', 1_000_000, 100_000_000),
    ...Object.fromEntries(given),
  })
  return run(config, {
    ...{ flags, place: (line) => `post ${line}` },
    name: nameOfGenerated(options),
    online: () => ({ path: '/posts/generate', send: JSON.stringify(options), type: 'application/json' }),
    offline: (services, running) => generateInStore(options, generatedPosts, services, running),
  })
}

/** An import, by the running Plaza or in this process. */
interface PostCommand {
  readonly flags: Flags
  readonly name: string
  /** How a rejected line is called. */
  place(line: number): string
  online(): { path: AdminPath; send: string | ReturnType<typeof createReadStream>; type: string }
  offline(services: GenerateServices, run: ImportRun): Promise<void>
}

async function run(config: Config, command: PostCommand): Promise<number> {
  const stop = new AbortController()
  void stopSignal().then(() => stop.abort())
  const output = new Output(command)
  try {
    const running = await runningAdmin(config)
    if (running) {
      const { path, ...sent } = command.online()
      const options = { ...sent, method: 'POST', signal: stop.signal } as const
      for await (const message of followAdmin<ImportMessage>(running, path, options)) output.say(message)
    } else {
      await offline(config, command, { signal: stop.signal, say: (message) => output.say(message) })
    }
  } catch (error) {
    // The connection is lost when Plaza is killed.
    const isStopped = error instanceof ImportStopped || stop.signal.aborted
    if (!isStopped && (error instanceof AdminError || !output.hasBegun)) throw error
    if (!isStopped) console.error(`plaza: ${(error as Error).message}`)
    console.error('Interrupted. Imported posts are kept. To resume, run the same command again.')
    return INTERRUPTED
  } finally {
    output.clear()
  }
  return output.end()
}

async function offline(config: Config, command: PostCommand, running: ImportRun): Promise<void> {
  const files = new InstalledFiles(config)
  const around = { files, dictionary: openDictionary(config), vocabulary: openVocabulary(config, endpoints) }
  try {
    await withInstallation(
      config,
      ({ store, parts }) => command.offline({ ...parts, store, ...around }, running),
      { alone: true },
    )
  } finally {
    await files.close()
  }
}

/** Prints what an import says. */
class Output {
  readonly #command: PostCommand
  readonly #progress = new Progress({ clock: systemClock, of: 'posts' })
  #result: ImportMessage['result']
  #failure: string | undefined
  hasBegun = false

  constructor(command: PostCommand) {
    this.#command = command
  }

  say({ progress, rejected, result, error }: ImportMessage): void {
    this.hasBegun = true
    if (progress) this.#progress.show(progress)
    if (rejected) this.#reject(rejected)
    this.#result = result
    if (error !== undefined) this.#failure = error
  }

  #reject({ line, reason }: { line: number; reason: string }): void {
    this.#progress.clear()
    const { flags, place } = this.#command
    if (flags.on('json')) console.log(JSON.stringify({ line, reason }))
    else console.error(`${place(line)}: ${reason}`)
  }

  clear(): void {
    this.#progress.clear()
  }

  /** Prints the result. Resolves to the exit code. */
  end(): number {
    const { flags, name } = this.#command
    if (this.#failure !== undefined) throw new Error(this.#failure)
    if (!this.#result) throw new Error('The import ended without a result. Run the same command again.')
    const { added, known, rejected, repeated } = this.#result
    const sentence = repeated ? `${name} was imported before.` : `Imported ${name}.`
    if (flags.on('json')) console.log(JSON.stringify({ added, known, rejected }))
    else console.log(`${sentence}\nAdded ${added}  Known ${known}  Rejected ${rejected}`)
    return rejected > 0 && !repeated ? 1 : 0
  }
}

/** Copies standard input to a file, because an import reads it twice. */
async function withFile(given: string, work: (file: string) => Promise<number>): Promise<number> {
  if (given !== '-') return work(given)
  const folder = mkdtempSync(join(tmpdir(), 'plaza-import-'))
  try {
    const file = join(folder, 'posts.jsonl')
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }))
    return await work(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
