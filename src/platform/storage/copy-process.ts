import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { flushFolder, makeFolder } from '../common/make-folder.ts'
import type { CopyOrder } from './copy-files.ts'

// A process of its own, because closing a file that was read past SQLite releases every lock that
// the process has on it: another process would then remove the log of a database in use.

const LOCK_MS = 10_000
const FOLDER_MODE = 0o700

const order = JSON.parse(process.argv[2] ?? '') as CopyOrder

/** The databases. Nothing else writes to them until they are copied. */
const locks = order.databases.filter(existsSync).map((file) => {
  const db = new DatabaseSync(file, { timeout: LOCK_MS })
  if (!order.lockedByCaller.includes(file)) db.exec('BEGIN IMMEDIATE')
  return { file, db }
})
const copies = locks.map(({ file }) => {
  const copy = join(order.target, basename(file))
  for (const end of ['', '-wal']) if (existsSync(file + end)) clone(file + end, copy + end)
  return copy
})
for (const folder of order.folders) copyFolder(folder, join(order.target, basename(folder)), clone)
for (const folder of order.linked) linkFolders(folder, join(order.target, basename(folder)))
for (const { db } of locks) db.close()
process.stdout.write('copied\n')

for (const copy of copies) moveLog(copy)
for (const folder of order.folders)
  for (const name of namesIn(join(order.target, basename(folder))))
    flush(join(order.target, basename(folder), name))
flushFolder(order.target)
process.stdout.write('flushed\n')

/** By reference where the file system can do it. */
function clone(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
}

function copyFolder(from: string, to: string, copy: (from: string, to: string) => void): void {
  if (!existsSync(from)) return
  makeFolder(to, FOLDER_MODE)
  for (const name of namesIn(from)) copy(join(from, name), join(to, name))
}

/** Files named by their hash: they never change, so a second name is a copy. */
function linkFolders(from: string, to: string): void {
  if (!existsSync(from)) return
  makeFolder(to, FOLDER_MODE)
  for (const { name } of readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    if (/^[0-9a-f]{2}$/.test(name)) {
      copyFolder(join(from, name), join(to, name), linkOrClone)
      flushFolder(join(to, name))
    }
}

function linkOrClone(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    // The file system has no hard links, or no more for this file.
    clone(from, to)
    flush(to)
  }
}

/** Moves the write-ahead log of a copy into the copy. */
function moveLog(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = DELETE')
  db.close()
  flush(file)
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
