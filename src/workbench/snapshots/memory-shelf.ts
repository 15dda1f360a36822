import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MemoryCluster } from '../../platform/cluster/memory.ts'
import { type CopiedNonces, readJournal, writeJournal } from '../../platform/cluster/nonce-journal.ts'
import type { CopiedWindow } from '../../platform/cluster/windows.ts'
import { systemClock } from '../../platform/common/clock.ts'
import type { FileStore, MemoryFiles } from '../../platform/storage/files/files.ts'
import {
  copiedIntoMemory,
  memoryName,
  vacuumInto,
  writeSettings,
} from '../../platform/storage/sqlite-copy.ts'
import { readLimits } from './checked-files.ts'
import type { CopiedData } from './copied.ts'
import { SnapshotError } from './error.ts'
import type { LiveData, Restoration, Shelf } from './live-data.ts'
import { type Manifest, settingsOf } from './manifest.ts'
import {
  FILE_MODE,
  FOLDER_MODE,
  LIMITS_FILE,
  LOG_FILE,
  MEDIA,
  MEMBERS_FILE,
  NONCES,
  STORE_FILE,
} from './replaced-files.ts'

/** Of all snapshots of one Plaza together. */
const MAX_BYTES = 1024 * 1024 * 1024

/** A database in memory. The connection keeps it. */
interface MemoryDatabase {
  readonly name: string
  readonly db: DatabaseSync
}

interface Snapshot {
  readonly manifest: Manifest
  readonly store: MemoryDatabase
  readonly search: MemoryDatabase | undefined
  readonly members: { readonly log: MemoryDatabase; readonly members: MemoryDatabase } | undefined
  readonly media: ReadonlyMap<string, Buffer>
  readonly nonces: CopiedNonces | undefined
  readonly windows: readonly CopiedWindow[]
}

/** Snapshots in memory, gone with the process. */
export class MemoryShelf implements Shelf {
  readonly #snapshots = new Map<string, Snapshot>()

  async list(): Promise<Manifest[]> {
    return [...this.#snapshots.values()]
      .map(({ manifest }) => manifest)
      .filter(({ name }) => !name.startsWith('.'))
  }

  async find(name: string): Promise<Manifest | undefined> {
    return this.#snapshots.get(name)?.manifest
  }

  async save(manifest: Manifest, live: LiveData, copied: () => void): Promise<Manifest> {
    const opened: MemoryDatabase[] = []
    const empty = () => {
      const name = memoryName()
      const kept = { name, db: new DatabaseSync(name) }
      opened.push(kept)
      return kept
    }
    try {
      const [store, search, log, members] = [empty(), empty(), empty(), empty()]
      // What follows the store first: what it lacks of the store, it gets after it is restored.
      const hasMembers = await live.membership?.copyInto?.({ log: log.name, members: members.name })
      await live.searchIndex?.copyInto?.(search.name)
      await live.store.copyInto?.(store.name)
      const cluster = live.cluster instanceof MemoryCluster ? live.cluster : undefined
      const snapshot = {
        manifest,
        store,
        search: live.searchIndex && search,
        members: hasMembers ? { log, members } : undefined,
        media: isInMemory(live.files) ? live.files.copyAll() : new Map(),
        nonces: cluster?.copyNonces(),
        windows: cluster?.copyWindows() ?? [],
      }
      const kept = this.#keep(snapshot)
      copied()
      return kept
    } catch (error) {
      for (const { db } of opened) db.close()
      throw error
    }
  }

  async prepare(manifest: Manifest): Promise<Restoration> {
    const snapshot = this.#get(manifest.name)
    return {
      async replace(): Promise<CopiedData> {
        const { store, search, members, media, nonces, windows } = snapshot
        // They are written again at each restoration, so the snapshot may have them.
        writeSettings(store.db, settingsOf(manifest, systemClock.now()))
        return {
          store: store.name,
          search: search?.name,
          members: members && { log: members.log.name, members: members.members.name },
          media,
          ...(nonces && { nonces }),
          windows,
        }
      },
      undo: async () => undefined,
      finish: async () => undefined,
      cancel: async () => undefined,
    }
  }

  async remove(name: string): Promise<void> {
    const snapshot = this.#snapshots.get(name)
    this.#snapshots.delete(name)
    for (const { db } of snapshot ? databasesOf(snapshot) : []) db.close()
  }

  async hasSearchIndex(name: string): Promise<boolean> {
    return this.#get(name).search !== undefined
  }

  async writeFiles({ name }: Manifest, folder: string): Promise<void> {
    const { store, members, media, nonces, windows } = this.#get(name)
    vacuumInto(store.db, join(folder, STORE_FILE))
    if (members) {
      vacuumInto(members.log.db, join(folder, LOG_FILE))
      vacuumInto(members.members.db, join(folder, MEMBERS_FILE))
    }
    for (const [hash, content] of media) {
      const place = join(folder, MEDIA, hash.slice(0, 2))
      await mkdir(place, { recursive: true, mode: FOLDER_MODE })
      await writeFile(join(place, hash), content, { mode: FILE_MODE })
    }
    if (nonces) await writeJournal(join(folder, NONCES), nonces)
    await writeFile(join(folder, LIMITS_FILE), JSON.stringify(windows), { mode: FILE_MODE })
  }

  async adopt(manifest: Manifest, folder: string): Promise<Manifest> {
    const opened: MemoryDatabase[] = []
    const loaded = (file: string) => {
      const { db, name } = copiedIntoMemory(join(folder, file))
      opened.push({ db, name })
      return { db, name }
    }
    try {
      const hasMembers = existsSync(join(folder, LOG_FILE))
      return this.#keep({
        manifest,
        store: loaded(STORE_FILE),
        search: undefined,
        members: hasMembers ? { log: loaded(LOG_FILE), members: loaded(MEMBERS_FILE) } : undefined,
        media: await mediaIn(join(folder, MEDIA)),
        nonces: existsSync(join(folder, NONCES)) ? await readJournal(join(folder, NONCES)) : undefined,
        windows: readLimits(await readFile(join(folder, LIMITS_FILE), 'utf8')) ?? [],
      })
    } catch (error) {
      for (const { db } of opened) db.close()
      throw error
    }
  }

  workFolder(): Promise<string> {
    return mkdtemp(join(tmpdir(), 'plaza-snapshot-'))
  }

  async roomBytes(): Promise<number> {
    return this.#room('')
  }

  /** For a snapshot that may replace another one. */
  #room(name: string): number {
    const others = [...this.#snapshots.values()].filter(({ manifest }) => manifest.name !== name)
    return others.reduce((left, { manifest }) => left - manifest.bytes, MAX_BYTES)
  }

  #get(name: string): Snapshot {
    const snapshot = this.#snapshots.get(name)
    if (!snapshot) throw new SnapshotError('missing', `There is no snapshot "${name}".`)
    return snapshot
  }

  #keep(snapshot: Snapshot): Manifest {
    const { manifest } = snapshot
    const bytes = bytesOf(snapshot)
    if (bytes > this.#room(manifest.name))
      throw new SnapshotError(
        'conflict',
        `Snapshots in memory may have ${MAX_BYTES / 1024 / 1024} MB together. Delete some, or start Plaza with --data.`,
      )
    const kept = { ...manifest, bytes }
    const former = this.#snapshots.get(manifest.name)
    this.#snapshots.set(manifest.name, { ...snapshot, manifest: kept })
    for (const { db } of former ? databasesOf(former) : []) db.close()
    return kept
  }
}

const isInMemory = (files: FileStore): files is MemoryFiles => 'copyAll' in files

const databasesOf = ({ store, search, members }: Snapshot): MemoryDatabase[] => [
  store,
  ...(search ? [search] : []),
  ...(members ? [members.log, members.members] : []),
]

function bytesOf(snapshot: Snapshot): number {
  let bytes = 0
  for (const { length } of snapshot.media.values()) bytes += length
  for (const { db } of databasesOf(snapshot)) {
    const { page_count } = db.prepare('PRAGMA page_count').get() as { page_count: number }
    const { page_size } = db.prepare('PRAGMA page_size').get() as { page_size: number }
    bytes += page_count * page_size
  }
  return bytes
}

async function mediaIn(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  if (!existsSync(folder)) return files
  for (const place of await readdir(folder))
    for (const hash of await readdir(join(folder, place)))
      files.set(hash, await readFile(join(folder, place, hash)))
  return files
}
