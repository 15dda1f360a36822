import type { TimeSource } from '../../../platform/common/clock.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import { locationsReady } from '../../reference-data/locations.ts'
import { announce, type ImportBatchOptions, type NumberedPost, writeBatch } from './batch.ts'
import { type ImportReadOptions, postReader } from './forms.ts'
import { BadLine, type ImportedPost, UnknownForm } from './imported-post.ts'
import { addHoursOfRaised, type ImportProgress, lockPosts, noteRaisedCounts, raiseCounts } from './queries.ts'
import { type FilePosition, MAX_LINE_BYTES, readFile } from './read-file.ts'

/**
 * Posts per transaction. On SQLite, where no one else writes meanwhile, large transactions make
 * index updates cheaper. On PostgreSQL, servers wait for the rows that a transaction changes.
 */
const POSTS_AT_ONCE = { sqlite: 5_000, postgres: 1_000 }
/** Long posts end a transaction earlier. */
const MAX_CHARACTERS_AT_ONCE = 4_000_000

export interface ImportOptions extends ImportBatchOptions {
  /** No post is later than this clock. */
  clock: TimeSource
  /** Ends the import after the current transaction. */
  signal: AbortSignal
  /** How to read a file. */
  terms?: ImportReadOptions
  /** How users know the file. Its path by default. */
  name?: string | undefined
  /** Posts per transaction. */
  postsAtOnce?: number | undefined
  /** Reports the progress after each transaction. The next one waits for it. */
  progress(now: ImportProgress): void | Promise<void>
}

/** The import was stopped. What was imported stays, and the same import continues from there. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped'
}

/** A file that begins with something else than posts. */
export class UnreadableImport extends Error {
  override readonly name = 'UnreadableImport'
}

const FORMS =
  'It must hold posts in JSON, one a line or all in an array: as the API returns them, in pages with their includes, or in the classic format of 1.1 and of archives. If its members have other names, name the vocabulary with --vocabulary.'

/**
 * Imports a file of posts, from the position of its claim. Reads the file a second time for the
 * counts of posts, which may include posts imported after them.
 * @throws ImportLost, ImportStopped, UnreadableImport
 */
export async function importFile(file: string, parts: ImportOptions): Promise<ImportProgress> {
  await locationsReady()
  let progress = progressOf(parts)
  if (progress.pass === 'posts') {
    progress = await importPosts(postsOf(file, progress, parts), progress, parts)
    progress = await pass(progress, 'counts', parts)
  }
  if (progress.pass === 'counts') {
    for await (const { reads, at } of batchesOf(postsOf(file, progress, parts), parts)) {
      progress = { ...progress, ...at }
      await raise(reads, progress, parts)
      await parts.progress(progress)
    }
    progress = await pass(progress, 'done', parts)
  }
  return progress
}

/** Imports generated posts, from the position of its claim. */
export async function importGenerated(
  posts: Iterable<ImportedPost>,
  parts: ImportOptions,
): Promise<ImportProgress> {
  const progress = progressOf(parts)
  if (progress.pass === 'done') return progress
  const done = await importPosts(numbered(posts, progress.line), progress, parts)
  return pass(done, 'done', parts)
}

const progressOf = ({ claim: { found } }: ImportOptions): ImportProgress => found

async function* numbered(posts: Iterable<ImportedPost>, done: number): AsyncGenerator<ImportedLine> {
  let line = 0
  for (const post of posts)
    if (++line > done) yield { line, next: { line, byte: 0 }, posts: [post], reasons: [] }
}

/** The next pass begins at the first line. */
async function pass(progress: ImportProgress, next: string, parts: ImportOptions): Promise<ImportProgress> {
  const moved = { ...progress, pass: next, line: 0, byte: 0 }
  await parts.store.write((tx) => parts.claim.move(tx, moved))
  await parts.progress(moved)
  return moved
}

/** A line, or an element of an array, that was read: its posts, and why others are invalid. */
interface ImportedLine {
  line: number
  next: FilePosition
  posts: ImportedPost[]
  reasons: string[]
}

const NEUTRAL: ImportReadOptions = { vocabulary: neutralVocabulary }

async function* postsOf(
  file: string,
  from: ImportProgress,
  { clock, terms = NEUTRAL, name = file }: ImportOptions,
): AsyncGenerator<ImportedLine> {
  const read = postReader(terms, clock)
  let isFirst = from.byte === 0
  for await (const { line, next, text } of readFile(file, from)) {
    if (text?.trim() === '') {
      yield { line, next, posts: [], reasons: [] }
      continue
    }
    const all = text === undefined ? [new BadLine(`it is longer than ${MAX_LINE_BYTES} bytes`)] : read(text)
    const bad = all.filter((result) => result instanceof BadLine)
    // A file of another kind is rejected once, not line by line.
    if (isFirst && bad[0] instanceof UnknownForm)
      throw new UnreadableImport(`Line ${line} of ${name} is not a post: ${bad[0].message}. ${FORMS}`)
    isFirst = false
    const posts = all.filter((result): result is ImportedPost => !(result instanceof BadLine))
    yield { line, next, posts, reasons: bad.map(({ message }) => message) }
  }
}

async function importPosts(
  all: AsyncIterable<ImportedLine>,
  from: ImportProgress,
  parts: ImportOptions,
): Promise<ImportProgress> {
  let progress = from
  for await (const { reads, at } of batchesOf(all, parts)) {
    const bad = reads.flatMap(({ line, reasons }) => reasons.map((reason) => ({ line, reason })))
    const posts = reads.flatMap(({ line, posts }): NumberedPost[] => posts.map((post) => ({ line, post })))
    const moved = { ...progress, ...at, rejected: progress.rejected + bad.length }
    const noted: { line: number; reason: string }[] = [...bad]
    const report = (line: number, reason: string) => void noted.push({ line, reason })
    progress = await writeBatch(posts, moved, { ...parts, report })
    for (const { line, reason } of noted.sort((a, b) => a.line - b.line)) parts.report(line, reason)
    await parts.progress(progress)
  }
  return progress
}

/** The lines of one transaction, with the next position. Throws if the signal is aborted. */
async function* batchesOf(
  all: AsyncIterable<ImportedLine>,
  { store, signal, postsAtOnce = POSTS_AT_ONCE[store.dialect] }: ImportOptions,
): AsyncGenerator<{ reads: ImportedLine[]; at: { line: number; byte: number } }> {
  let reads: ImportedLine[] = []
  let size = 0
  let characters = 0
  for await (const read of all) {
    reads.push(read)
    size += Math.max(1, read.posts.length + read.reasons.length)
    for (const { text } of read.posts) characters += text.length
    if (size < postsAtOnce && characters < MAX_CHARACTERS_AT_ONCE) continue
    yield { reads, at: read.next }
    reads = []
    size = 0
    characters = 0
    if (signal.aborted) throw new ImportStopped('the import was stopped')
  }
  const last = reads.at(-1)
  if (last) yield { reads, at: last.next }
}

/** Raises the counts of posts to those in their lines. */
async function raise(
  reads: readonly ImportedLine[],
  progress: ImportProgress,
  parts: ImportOptions,
): Promise<void> {
  const posts = reads.flatMap((read) => read.posts)
  const counts = posts.flatMap((post) => {
    if (post.id === undefined) return []
    const { reply_count, repost_count, quote_count } = post.counts
    if (reply_count + repost_count + quote_count === 0) return []
    return [{ id: post.id, reply_count, repost_count, quote_count }]
  })
  await parts.store.write(async (tx) => {
    await parts.claim.move(tx, progress)
    if (counts.length === 0) return
    await tx.all(lockPosts, { ids: JSON.stringify(counts.map(({ id }) => id)) })
    await tx.run(noteRaisedCounts, { counts: JSON.stringify(counts) })
    for (const add of addHoursOfRaised) await tx.run(add, { counts: JSON.stringify(counts) })
    await tx.run(raiseCounts, { counts: JSON.stringify(counts) })
    await announce(
      tx,
      parts.claim.id,
      counts.map(({ id }) => id),
    )
  })
}
