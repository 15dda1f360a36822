import { DatabaseSync } from 'node:sqlite'
import { makePrivate } from '../../../platform/storage/private-file.ts'
import { isInMemory, vacuumInto } from '../../../platform/storage/sqlite-copy.ts'
import { whenFree } from '../../../platform/storage/sqlite-errors.ts'
import type { MemberCopies } from '../membership.ts'

/** How long a merge in progress is waited for. */
const LOCK_MS = 10_000

/** Copies one of the files. The copy is missing or empty. */
export function copyFile(source: string, copy: string): void {
  if (!isInMemory(copy)) makePrivate(copy)
  const from = new DatabaseSync(source)
  try {
    vacuumInto(from, copy)
  } finally {
    from.close()
  }
}

/** Copies both files, while neither of them is written. */
export async function copyTogether(files: MemberCopies, copies: MemberCopies): Promise<void> {
  const locks = [files.members, files.log].map((file) => new DatabaseSync(file, { timeout: 0 }))
  try {
    for (const lock of locks) await whenFree(() => lock.exec('BEGIN IMMEDIATE'), LOCK_MS)
    copyFile(files.log, copies.log)
    copyFile(files.members, copies.members)
  } finally {
    for (const lock of locks) lock.close()
  }
}
