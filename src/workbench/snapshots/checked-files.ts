import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { emptyMembers } from '../../domain/audience-members/sqlite/database.ts'
import { readJournal } from '../../platform/cluster/nonce-journal.ts'
import type { CopiedWindow } from '../../platform/cluster/windows.ts'
import { BUCKET_LIMIT } from '../../platform/cluster/windows.ts'
import { createEmpty } from '../../platform/storage/schema/schema.ts'
import { MASTER_KEY_CHECK } from '../../platform/storage/settings.ts'
import { readSetting, shapeOf } from '../../platform/storage/sqlite-copy.ts'
import { SnapshotError } from './error.ts'
import { LIMITS_FILE, LOG_FILE, MEDIA, MEMBERS_FILE, NONCES, STORE_FILE } from './replaced-files.ts'

const invalid = (message: string, cause?: unknown) => new SnapshotError('invalid', message, cause)

/**
 * Checks all files of a snapshot that someone else has made, before anything uses them.
 * @throws SnapshotError
 */
export async function checkFiles(folder: string, keyCheck: string): Promise<void> {
  if (!existsSync(join(folder, STORE_FILE))) throw invalid(`The file has no ${STORE_FILE}.`)
  checkDatabase(join(folder, STORE_FILE), STORE_FILE, (db) => {
    checkStore(db, keyCheck)
  })
  const hasMembers = [LOG_FILE, MEMBERS_FILE].map((name) => existsSync(join(folder, name)))
  if (hasMembers[0] !== hasMembers[1])
    throw invalid(`The file has only one of ${LOG_FILE} and ${MEMBERS_FILE}.`)
  if (hasMembers[0])
    for (const [kind, name] of [
      ['log', LOG_FILE],
      ['members', MEMBERS_FILE],
    ] as const)
      checkDatabase(join(folder, name), name, (db) => {
        if (shapeOf(db) !== shapeOfNew(emptyMembers(kind))) throw otherVersion()
      })
  await checkMedia(join(folder, MEDIA))
  if (existsSync(join(folder, NONCES)))
    await readJournal(join(folder, NONCES)).catch((error) => {
      throw invalid('The nonces in the file are damaged.', error)
    })
  if (readLimits(await readFile(join(folder, LIMITS_FILE), 'utf8').catch(() => '')) === undefined)
    throw invalid('The windows of rate limits in the file are damaged.')
}

/**
 * Whether a store can be used by this version, with this master key.
 * @throws SnapshotError
 */
export function checkStore(db: DatabaseSync, keyCheck: string): void {
  if (shapeOf(db) !== shapeOfNew(createEmpty())) throw otherVersion()
  if (readSetting(db, MASTER_KEY_CHECK) !== keyCheck)
    throw invalid(
      'The snapshot was saved with another master key. Start Plaza with that key (--master-key), or save the snapshot again.',
    )
}

const otherVersion = () =>
  invalid(
    'The snapshot was saved by another version of Plaza, and has a different schema. Import it with that version.',
  )

function shapeOfNew(statements: string): string {
  const db = new DatabaseSync(':memory:')
  try {
    db.exec(statements)
    return shapeOf(db)
  } finally {
    db.close()
  }
}

function checkDatabase(file: string, name: string, check: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
    check(db)
    const found = db.prepare('PRAGMA quick_check(1)').get()
    if (found?.quick_check !== 'ok') throw invalid(`${name} in the file is damaged.`)
  } catch (error) {
    throw error instanceof SnapshotError ? error : invalid(`${name} in the file is damaged.`, error)
  } finally {
    db.close()
  }
}

/** Media are named by the hash of their content. */
async function checkMedia(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  for (const place of await readdir(folder))
    for (const name of await readdir(join(folder, place))) {
      const digest = createHash('sha256')
      for await (const chunk of createReadStream(join(folder, place, name))) digest.update(chunk)
      if (digest.digest('hex') !== name) throw invalid(`The medium ${name} in the file is damaged.`)
    }
}

/** Windows of rate limits; undefined if the text is not a list of them. */
export function readLimits(text: string): readonly CopiedWindow[] | undefined {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return undefined
  }
  const isWindow = (one: unknown) =>
    Array.isArray(one) &&
    one.length === 3 &&
    typeof one[0] === 'string' &&
    Number.isInteger(one[1]) &&
    one[1] >= 0 &&
    Number.isFinite(one[2])
  return Array.isArray(read) && read.length <= BUCKET_LIMIT && read.every(isWindow) ? read : undefined
}
