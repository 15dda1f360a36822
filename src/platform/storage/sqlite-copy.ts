import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { systemRandom } from '../common/random.ts'

/**
 * A name for a database in memory. It exists while a connection of this process, in any thread, is
 * open.
 */
export const memoryName = (): string => `file:/${systemRandom.bytes(16).toString('hex')}?vfs=memdb`

/** Copies what is committed into a file, or a database in memory, that is missing or empty. */
export function vacuumInto(from: DatabaseSync, target: string): void {
  from.prepare('VACUUM INTO ?').run(isInMemory(target) ? target : fileName(target))
}

/** Without naming it, the target would be where the source is: in memory. */
function fileName(path: string): string {
  const url = pathToFileURL(path)
  url.searchParams.set('vfs', process.platform === 'win32' ? 'win32' : 'unix')
  return String(url)
}

/** Opens a database in memory with the content of another. */
export function copiedIntoMemory(
  source: string,
  connect: (name: string) => DatabaseSync = (name) => new DatabaseSync(name),
): { db: DatabaseSync; name: string } {
  const name = memoryName()
  const db = connect(name)
  const from = new DatabaseSync(source, { readOnly: !isInMemory(source) })
  try {
    vacuumInto(from, name)
  } finally {
    from.close()
  }
  return { db, name }
}

/** Whether a name is one of `memoryName`. */
export const isInMemory = (name: string): boolean => name.endsWith('?vfs=memdb')

/** Writes settings into a database that no store uses. */
export function writeSettings(db: DatabaseSync, settings: Readonly<Record<string, string>>): void {
  const put = db.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  for (const [name, value] of Object.entries(settings)) put.run(name, value)
}

/** A setting of a database that no store uses. */
export function readSetting(db: DatabaseSync, name: string): string | undefined {
  const row = db.prepare('SELECT value FROM settings WHERE name = ?').get(name)
  return row === undefined ? undefined : String(row.value)
}

/** The statements that created a database, and its version. */
export function shapeOf(db: DatabaseSync): string {
  const rows = db
    .prepare("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name")
    .all()
  const version = db.prepare('PRAGMA user_version').get()?.user_version
  return JSON.stringify([version, rows.map(({ sql }) => sql)])
}
