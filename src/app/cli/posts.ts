import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { claimImport, type ImportClaim } from '../../domain/posts/import/claim.ts'
import { ImportStopped, importFile, importGenerated } from '../../domain/posts/import/import.ts'
import type { ImportProgress } from '../../domain/posts/import/queries.ts'
import { locationsReady } from '../../domain/reference-data/locations.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { isAlive } from '../../platform/common/process-start.ts'
import { randomText } from '../../platform/common/random.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { endpoints } from '../endpoints.ts'
import { addAuthors, GeneratedPosts } from '../seed/generated/posts.ts'
import { openVocabulary } from '../start/vocabulary.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'
import { Progress } from './progress.ts'
import { stopSignal } from './signals.ts'
import { numberOf } from './values.ts'

/** The exit code of a command that Ctrl-C interrupted. */
const INTERRUPTED = 130

/** `plaza import posts`. Exits with 1 when a line was rejected. */
export async function importPosts({ flags, positionals, config }: Call): Promise<number> {
  const [given = ''] = positionals
  const name = given === '-' ? 'standard input' : resolve(given)
  const vocabulary = openVocabulary(config, endpoints)
  const author = flags.text('author')
  if (author !== undefined && !/^@?[A-Za-z0-9_]{1,15}$/.test(author))
    throw new UsageError(`--author must be a name: 1 to 15 letters, digits or _, not "${author}"`)
  return withFile(given, (file) =>
    withInstallation(
      config,
      async (installation) => {
        const what = { id: await digestOf(file), name, afresh: flags.on('again') }
        const { size } = statSync(file)
        return imported(what, { flags, installation, vocabulary }, (parts) =>
          importFile(file, {
            ...parts,
            createAuthors: flags.on('create-authors'),
            terms: { vocabulary, author },
            progress: ({ pass, byte, line }) =>
              parts.show({
                pass: pass === 'posts' ? 'importing' : 'counting',
                share: size === 0 ? 1 : byte / size,
                count: line,
              }),
            report: (line, reason) => parts.print(line, `${given}:${line}: ${reason}`, reason),
          }),
        )
      },
      { alone: true },
    ),
  )
}

/** `plaza generate posts`. */
export async function generatePosts({ flags, config }: Call): Promise<number> {
  const count = numberOf(flags, 'count', 1_000_000, 100_000_000)
  const seed = numberOf(flags, 'seed', 1, 1_000_000_000)
  const authors = numberOf(flags, 'authors', Math.min(20_000, Math.ceil(count / 20)), 1_000_000)
  const days = numberOf(flags, 'days', 30, 3_650)
  const name = `generated posts (seed ${seed}, ${count} posts, ${authors} authors, ${days} days)`
  const vocabulary = openVocabulary(config, endpoints)
  await locationsReady()
  return withInstallation(
    config,
    (installation) =>
      imported({ id: name, name, afresh: false }, { flags, installation, vocabulary }, async (parts) => {
        const endMs = parts.claim.found.started_at
        const generated = new GeneratedPosts({ seed, count, authors, days, endMs })
        await addAuthors(parts.store, generated.authors)
        return importGenerated(generated.posts(), {
          ...parts,
          createAuthors: false,
          progress: ({ line, pass }) =>
            parts.show({ pass: 'making', share: pass === 'done' ? 1 : line / count, count: line }),
          report: (line, reason) => parts.print(line, `post ${line}: ${reason}`, reason),
        })
      }),
    { alone: true },
  )
}

/** What both commands pass to an import. */
interface PostCommandOptions extends Pick<Installation, 'store'> {
  ids: Installation['parts']['ids']
  claim: ImportClaim
  vocabulary: Vocabulary
  clock: typeof systemClock
  signal: AbortSignal
  show: Progress['show']
  print(line: number, text: string, reason: string): void
}

interface Around {
  flags: Flags
  installation: Installation
  vocabulary: Vocabulary
}

async function imported(
  what: { id: string; name: string; afresh: boolean },
  { flags, installation, vocabulary }: Around,
  work: (parts: PostCommandOptions) => Promise<ImportProgress>,
): Promise<number> {
  const { store, parts } = installation
  const holder = randomText(parts.random, 20)
  const importer = { holder, host: hostname(), pid: process.pid }
  const claim = await claimImport(what, { store, clock: systemClock, importer, isAlive })
  const stop = new AbortController()
  void stopSignal().then(() => stop.abort())
  const progress = new Progress({ clock: systemClock, of: 'posts' })
  const print: PostCommandOptions['print'] = (line, text, reason) => {
    progress.clear()
    if (flags.on('json')) console.log(JSON.stringify({ line, reason }))
    else console.error(text)
  }
  const show: PostCommandOptions['show'] = (shown) => progress.show(shown)
  try {
    if (claim.found.pass === 'done') return alreadyDone(what.name, claim.found, flags)
    const around = { clock: systemClock, signal: stop.signal, show, print, vocabulary }
    const common = { store, ids: parts.ids, claim, ...around }
    const done = await work(common).finally(() => progress.clear())
    return printDone(`Imported ${what.name}.`, done, flags)
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error
    console.error('Interrupted. Imported posts are kept. To resume, run the same command again.')
    return INTERRUPTED
  } finally {
    await claim.release()
  }
}

function alreadyDone(name: string, done: ImportProgress, flags: Flags): number {
  printDone(`${name} was imported before.`, done, flags)
  return 0
}

function printDone(sentence: string, { added, known, rejected }: ImportProgress, flags: Flags): number {
  if (flags.on('json')) console.log(JSON.stringify({ added, known, rejected }))
  else console.log(`${sentence}\nAdded ${added}  Known ${known}  Rejected ${rejected}`)
  return rejected > 0 ? 1 : 0
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

/** Identifies a file by its content, not by its path. */
async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return `file ${hash.digest('base64url')}`
}
