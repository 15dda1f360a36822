import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { pipeline } from 'node:stream/promises'
import type { Dictionary } from '../../domain/annotations/dictionary.ts'
import type { StoringDependencies } from '../../domain/media/dependencies.ts'
import { claimImport, ImportBusy, type ImportClaim, ImportLost } from '../../domain/posts/import/claim.ts'
import type { ImportReadOptions } from '../../domain/posts/import/forms.ts'
import {
  type ImportOptions,
  importFile,
  importGenerated,
  UnreadableImport,
} from '../../domain/posts/import/import.ts'
import type { ImportedPost } from '../../domain/posts/import/imported-post.ts'
import type { ImportProgress } from '../../domain/posts/import/queries.ts'
import { locationsReady } from '../../domain/reference-data/locations.ts'
import { type Clock, systemClock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { isAlive } from '../../platform/common/process-start.ts'
import { type RandomSource, randomText } from '../../platform/common/random.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { Store } from '../../platform/storage/store.ts'

/** What an import says while it runs, in order: `result` or `error` is the last. */
export interface ImportMessage {
  readonly progress?: {
    readonly pass: 'importing' | 'counting' | 'making'
    /** From 0 to 1. */
    readonly share: number
    /** Lines, or posts, so far. */
    readonly count: number
  }
  /** Why a line was omitted, or a post that was generated. */
  readonly rejected?: { readonly line: number; readonly reason: string }
  readonly result?: {
    readonly added: number
    readonly known: number
    readonly rejected: number
    /** Whether all of it had been imported before. */
    readonly repeated: boolean
  }
  readonly error?: string
}

export interface ImportServices {
  /** Finds names and topics in texts. */
  readonly dictionary: Dictionary
  readonly store: Store
  readonly ids: IdSource
  readonly random: RandomSource
  readonly clock: Clock
  readonly vocabulary: Vocabulary
}

export interface GenerateServices extends ImportServices {
  /** Stores the files of images. */
  readonly files: StoringDependencies['files']
}

export interface ImportRun<Message = ImportMessage> {
  /** Ends the import after the current transaction. */
  readonly signal: AbortSignal
  /** Posts per transaction. Default: as many as a process that does nothing else writes at once. */
  readonly postsAtOnce?: number
  /** The import goes on when it resolves. */
  say(message: Message): Promise<void> | void
}

export interface FileOptions {
  /** How users know it. */
  readonly name: string
  /** Imports it even if it was imported before. */
  readonly again: boolean
  readonly createAuthors: boolean
  /** The screen name of the author of posts that name none. */
  readonly author?: string | undefined
}

/** Posts that a generator makes, and their authors. */
export interface GeneratedContent {
  addAuthors(store: Store): Promise<void>
  /** Adds the spaces that are not there yet. */
  addSpaces(store: Store): Promise<void>
  /** Stores the files of the images that the posts show. */
  storeImages(dependencies: StoringDependencies): Promise<void>
  posts(): Iterable<ImportedPost>
}

/** How many posts are generated. The same values generate the same posts. */
export interface GenerateOptions {
  readonly count: number
  readonly seed: number
  readonly authors: number
  readonly days: number
  /** Bursts a day, in which many write about one thing, so that it becomes a news story. */
  readonly bursts: number
  /** Percentage of posts that reply to others, of which conversations result. */
  readonly replies: number
  /** Percentage of posts with a poll. */
  readonly polls: number
  /** Percentage of posts with one to four images. */
  readonly images: number
  /** Spaces over all days, and up to two days later. */
  readonly spaces: number
}

/** The options besides the number of posts, with their bounds and defaults. */
export const GENERATE_NUMBERS = {
  seed: { least: 1, most: 1_000_000_000, about: 'Seed of the random generator: 1 by default.' },
  authors: { least: 1, most: 1_000_000, about: 'Authors: by default one per 20 posts, at most 20,000.' },
  days: { least: 1, most: 3_650, about: 'Days that the posts span: 30 by default.' },
  bursts: { least: 0, most: 24, about: 'Bursts a day, which become news stories: 3 by default.' },
  replies: {
    least: 0,
    most: 80,
    about: 'Percentage of posts that reply to others, for conversations: 22 by default.',
  },
  polls: { least: 0, most: 50, about: 'Percentage of posts with a poll: 0 by default.' },
  images: { least: 0, most: 50, about: 'Percentage of posts with images, which have no poll: 0 by default.' },
  spaces: { least: 0, most: 1_000, about: 'Spaces, over all days and two more: 0 by default.' },
} as const satisfies Partial<Record<keyof GenerateOptions, { least: number; most: number; about: string }>>

/** With defaults for what is not given. */
export const generateOptions = ({
  count,
  seed = 1,
  authors = Math.min(20_000, Math.ceil(count / 20)),
  days = 30,
  bursts = 3,
  replies = 22,
  polls = 0,
  images = 0,
  spaces = 0,
}: { [Name in keyof GenerateOptions]?: number | undefined } & { count: number }): GenerateOptions => ({
  ...{ count, seed, authors, days, bursts, replies, polls, images, spaces },
})

/** How users know what is generated: with the options that are not the default. */
export function nameOfGenerated(options: GenerateOptions): string {
  const { seed, count, authors, days } = options
  const usual = generateOptions({ count })
  const more = (['bursts', 'replies', 'polls', 'images', 'spaces'] as const).flatMap((name) =>
    options[name] === usual[name] ? [] : [`${name} ${options[name]}`],
  )
  const parts = [`seed ${seed}`, `${count} posts`, `${authors} authors`, `${days} days`, ...more]
  return `generated posts (${parts.join(', ')})`
}

/** `endMs`: the time of the newest post. */
export type PostGenerator = (options: GenerateOptions & { endMs: number }) => GeneratedContent

/**
 * Imports a file of past posts, which is known by its content: an import that was interrupted goes
 * on when the same file is imported again. Says the progress after each transaction.
 * @throws ImportStopped The signal was aborted. What was imported stays.
 */
export async function importPostFile(
  file: string,
  { name, again, createAuthors, author }: FileOptions,
  services: ImportServices,
  run: ImportRun,
): Promise<void> {
  const terms: ImportReadOptions = { vocabulary: services.vocabulary, author }
  const { size } = await stat(file)
  const shown = ({ pass, byte, line }: ImportProgress) => ({
    pass: pass === 'posts' ? ('importing' as const) : ('counting' as const),
    share: size === 0 ? 1 : byte / size,
    count: line,
  })
  await imported({ id: await digestOf(file), name, afresh: again }, services, run, {
    shown,
    work: (options) => importFile(file, { ...options, createAuthors, terms, name }),
  })
}

/**
 * Generates posts and authors. The newest post has the time of the first run; a run that was
 * interrupted goes on when it is started with the same values.
 * @throws ImportStopped The signal was aborted. What was generated stays.
 */
export async function generatePosts(
  options: GenerateOptions,
  generator: PostGenerator,
  services: GenerateServices,
  run: ImportRun,
): Promise<void> {
  await locationsReady()
  const name = nameOfGenerated(options)
  await imported({ id: name, name, afresh: false }, services, run, {
    shown: ({ line, pass }) => ({
      pass: 'making',
      share: pass === 'done' ? 1 : line / options.count,
      count: line,
    }),
    async work(parts) {
      const content = generator({ ...options, endMs: parts.claim.found.started_at })
      await content.addAuthors(services.store)
      await content.addSpaces(services.store)
      await content.storeImages(services)
      return importGenerated(content.posts(), { ...parts, createAuthors: false })
    },
  })
}

type CommonOptions = Omit<ImportOptions, 'createAuthors' | 'terms' | 'name'>

interface ImportWork {
  shown(progress: ImportProgress): ImportMessage['progress']
  work(options: CommonOptions): Promise<ImportProgress>
}

async function imported(
  what: { id: string; name: string; afresh: boolean },
  services: ImportServices,
  run: ImportRun,
  { shown, work }: ImportWork,
): Promise<void> {
  try {
    const claim = await claimed(what, services)
    try {
      const done =
        claim.found.pass === 'done' ? undefined : await work(optionsOf(claim, services, run, shown))
      const { added, known, rejected } = done ?? claim.found
      await run.say({ result: { added, known, rejected, repeated: done === undefined } })
    } finally {
      await claim.release()
    }
  } catch (error) {
    if (!isMistake(error)) throw error
    await run.say({ error: error.message })
  }
}

const isMistake = (error: unknown): error is Error =>
  error instanceof ImportBusy || error instanceof ImportLost || error instanceof UnreadableImport

const claimed = (what: { id: string; name: string; afresh: boolean }, { store, random }: ImportServices) =>
  claimImport(what, {
    store,
    // Its lease is one between processes.
    clock: systemClock,
    importer: { holder: randomText(random, 20), host: hostname(), pid: process.pid },
    isAlive,
  })

function optionsOf(
  claim: ImportClaim,
  { store, ids, clock, dictionary, vocabulary }: ImportServices,
  { signal, say, postsAtOnce }: ImportRun,
  shown: ImportWork['shown'],
): CommonOptions {
  let rejections: ImportMessage[] = []
  return {
    ...{ store, ids, clock, dictionary, vocabulary, claim, signal, postsAtOnce },
    report: (line, reason) => void rejections.push({ rejected: { line, reason } }),
    async progress(now) {
      const all = rejections
      rejections = []
      for (const message of all) await say(message)
      const progress = shown(now)
      if (progress) await say({ progress })
    },
  }
}

/** Identifies a file by its content, not by its path. */
async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return `file ${hash.digest('base64url')}`
}
