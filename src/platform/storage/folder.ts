import { readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../common/make-folder.ts'
import { processStart } from '../common/process-start.ts'
import { errorCode } from './atomic-file.ts'
import { makePrivate } from './private-file.ts'

/** A data folder that is locked for this process until `close`. */
export interface Folder {
  /** Absolute path, symbolic links resolved. */
  readonly path: string
  /**
   * Absolute path of the file `name` in the folder. Throws a RangeError if it would be outside the
   * folder.
   */
  file(name: string): string
  /** A warning for the operator when other users of the machine can read the folder. */
  readonly warning?: string
  /** Unlocks the folder. May be called more than once. */
  close(): void
}

/** Another server, or this process a second time, uses the folder. The message says what to do. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  readonly folder: string
  /** The process that has locked the folder, if known. */
  readonly pid: number | undefined
  constructor(folder: string, pid: number | undefined) {
    const holder =
      pid === undefined ? 'another process' : pid === process.pid ? `this process (${pid})` : `process ${pid}`
    super(
      `The data folder ${folder} is in use by ${holder}. ` +
        'Stop that server first, or choose another folder with --data.',
    )
    this.folder = folder
    this.pid = pid
  }
}

/** The folder cannot be created, read or written. The message says which one and why. */
export class FolderUnusable extends Error {
  override readonly name = 'FolderUnusable'
  readonly folder: string
  constructor(folder: string, why: string, cause?: unknown) {
    super(`The data folder ${folder} cannot be used: ${why}`, cause === undefined ? {} : { cause })
    this.folder = folder
  }
}

const LOCK_FILE = 'lock.db'
const PID_FILE = 'plaza.pid'
const BUSY_TIMEOUT_MS = 100

const SQLITE_BUSY = 5
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

// An unreferenced database is closed by the garbage collector, which releases its lock.
const held = new Set<DatabaseSync>()

/**
 * Creates the folder if it is missing (mode 0700, with parents) and locks it for this process.
 *
 * The lock is the operating system's lock on `lock.db`. It ends with the process, however that
 * ends, so there is never a stale lock to remove. Closing any descriptor of that file in this
 * process would also release it, so nothing else may open `lock.db`. `plaza.pid` is only
 * informational: its first line is the process id. For a `server`, which `plaza stop` may end, the
 * second line is the start of the process.
 *
 * Throws `FolderInUse` within about 0.1 s when another process has locked it, `FolderUnusable` when
 * it cannot be used.
 */
export function openFolder(path: string, { server = false } = {}): Folder {
  const folder = usableFolder(resolve(path))
  const warning = warningOf(folder)
  const lock = takeLock(folder)
  held.add(lock)
  const pidFile = join(folder, PID_FILE)
  const release = () => {
    if (held.delete(lock)) lock.close()
  }
  try {
    const started = server ? `${processStart(process.pid) ?? ''}\n` : ''
    writeFileSync(pidFile, `${process.pid}\n${started}`, { mode: 0o600 })
  } catch (error) {
    release()
    throw new FolderUnusable(folder, reasonOf(error), error)
  }
  return {
    path: folder,
    ...(warning !== undefined && { warning }),
    file(name) {
      const file = resolve(folder, name)
      const inside = relative(folder, file)
      if (inside === '' || isAbsolute(inside) || inside.split(/[\\/]/)[0] === '..') {
        throw new RangeError(`${JSON.stringify(name)} is not the name of a file in the data folder`)
      }
      return file
    },
    close() {
      if (!held.has(lock)) return
      // While the lock is still held: afterwards, the file may belong to the next holder.
      try {
        rmSync(pidFile, { force: true })
      } finally {
        release()
      }
    },
  }
}

function usableFolder(folder: string): string {
  try {
    makeFolder(folder, 0o700)
    if (!statSync(folder).isDirectory()) throw new FolderUnusable(folder, 'it is a file, not a folder.')
    return realpathSync(folder)
  } catch (error) {
    if (error instanceof FolderUnusable) throw error
    throw new FolderUnusable(folder, reasonOf(error), error)
  }
}

/**
 * The permissions of the folder itself are not changed: it may be shared with a group on purpose.
 */
function warningOf(folder: string): string | undefined {
  const bits = statSync(folder).mode & 0o777
  if ((bits & 0o077) === 0) return undefined
  const mode = bits.toString(8).padStart(4, '0')
  return `Other users of this machine can read the data folder ${folder} (mode ${mode}). Run: chmod 700 ${folder}`
}

function takeLock(folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    makePrivate(join(folder, LOCK_FILE))
    lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: BUSY_TIMEOUT_MS })
    // The journal stays in memory, so that only the empty lock file is ever left behind.
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    const sqliteCode = sqliteCodeOf(error)
    if (sqliteCode === SQLITE_BUSY) throw new FolderInUse(folder, readPid(folder))
    if (sqliteCode === SQLITE_NOTADB) {
      throw new FolderUnusable(
        folder,
        `${join(folder, LOCK_FILE)} was damaged by something else. It holds no data: delete it and start again.`,
        error,
      )
    }
    throw new FolderUnusable(folder, whyNoLock(folder, sqliteCode, error), error)
  }
}

/** SQLite reports only "unable to open": writing a file reveals the actual reason. */
function whyNoLock(folder: string, sqliteCode: number | undefined, error: unknown): string {
  const probe = join(folder, `.plaza-probe.${process.pid}`)
  try {
    writeFileSync(probe, '')
    rmSync(probe, { force: true })
  } catch (probeError) {
    return reasonOf(probeError)
  }
  if (sqliteCode === SQLITE_CANTOPEN) {
    return `${join(folder, LOCK_FILE)} cannot be opened for writing${asUser()}.`
  }
  return `it could not be locked (${messageOf(error)}). Network file systems without locks do not work; use a local disk.`
}

function reasonOf(error: unknown): string {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return `permission is missing${asUser()}. Give that user access to the folder, or choose another folder with --data.`
    case 'EROFS':
      return 'it is on a read-only file system. Choose another folder with --data.'
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it, or a part of its path, is a file, not a folder.'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full.'
    default:
      return `${messageOf(error)}.`
  }
}

function asUser(): string {
  const user = process.geteuid?.()
  return user === undefined ? '' : ` for user ${user}`
}

function readPid(folder: string): number | undefined {
  try {
    const [pid = ''] = readFileSync(join(folder, PID_FILE), 'utf8').split('\n')
    return /^[1-9][0-9]{0,9}$/.test(pid) ? Number(pid) : undefined
  } catch {
    return undefined
  }
}

function sqliteCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  // The low byte is the primary code; the rest only refines it.
  return error.errcode & 0xff
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
