import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Clock, systemClock } from '../../platform/common/clock.ts'
import { Gate } from '../../platform/common/gate.ts'
import type { AdjustableClock } from '../clock/adjustable-clock.ts'
import { archiveOf, unpack } from './archive.ts'
import { checkFiles } from './checked-files.ts'
import { SnapshotError } from './error.ts'
import type { LiveData, Restoration, Shelf } from './live-data.ts'
import { FORMAT, isSnapshotName, type Manifest, manifestOf, readManifest } from './manifest.ts'
import { FILE_MODE, MANIFEST_FILE } from './replaced-files.ts'

const MAX_SNAPSHOTS = 100
/** Calls that wait for others: further ones get 503. */
const MAX_WAITING = 64
/** The snapshot of the seed. Its name is none that a user can give. */
const SEED = '.seed'

/** What runs on the data. */
export interface DataUser {
  /** Runs `work` while no request of the APIs is in progress, until it calls `resume`. */
  quietly<T>(work: (live: LiveData, resume: () => void) => Promise<T>): Promise<T>
  /**
   * Closes what uses the data, replaces the data, and opens everything again. Requests wait
   * meanwhile. `caughtUp` runs when everything can be searched, before requests are let in.
   * Rejects with the error of the replacement, after the former data is in use again.
   */
  restart(restoration: Restoration, caughtUp: (live: LiveData) => Promise<void>): Promise<void>
}

interface SnapshotsOptions {
  /** A sentence instead, where there are no snapshots. */
  readonly shelf: Shelf | string
  readonly user: DataUser
  readonly clock: AdjustableClock
  readonly machine?: Clock
  /** What a store has if it belongs to the master key of this Plaza. */
  readonly keyCheck: () => string
  onError(error: unknown): void
}

interface SaveOptions {
  /** Default: `snapshot-` and a number. */
  readonly name?: string | undefined
  /** Whether to replace a snapshot of that name. */
  readonly replace?: boolean | undefined
}

/** Saves and restores the data of a running Plaza, one operation at a time. */
export class Snapshots {
  readonly #options: SnapshotsOptions
  readonly #machine: Clock
  readonly #gate = new Gate(1, MAX_WAITING)
  #isClosed = false

  constructor(options: SnapshotsOptions) {
    this.#options = options
    this.#machine = options.machine ?? systemClock
  }

  /** Why there are no snapshots here, as a sentence; undefined where there are. */
  get unavailable(): string | undefined {
    const { shelf } = this.#options
    return typeof shelf === 'string' ? shelf : undefined
  }

  /** The oldest first. */
  async list(): Promise<Manifest[]> {
    const all = await this.#shelf.list()
    return all.sort((a, b) => a.saved_at.localeCompare(b.saved_at) || a.name.localeCompare(b.name))
  }

  /** @throws SnapshotError There is none of that name. */
  async find(name: string): Promise<Manifest> {
    const found = isSnapshotName(name) ? await this.#shelf.find(name) : undefined
    if (!found) throw new SnapshotError('missing', `There is no snapshot "${name}".`)
    return found
  }

  /** @throws SnapshotError */
  save({ name, replace = false }: SaveOptions): Promise<Manifest> {
    const shelf = this.#shelf
    if (name !== undefined) assertName(name)
    return this.#gate.through(async () => {
      const all = await shelf.list()
      const chosen = name ?? freeName(all)
      this.#assertRoom(all, chosen, replace)
      return this.#options.user.quietly((live, resume) =>
        shelf.save(this.#describe(chosen, live), live, resume),
      )
    })
  }

  /** Saves the data that the seed wrote, for `reset`. Nothing else uses it yet. */
  async saveSeed(live: LiveData): Promise<void> {
    const { shelf } = this.#options
    if (typeof shelf === 'string') return
    await shelf.save(this.#describe(SEED, live), live, () => undefined)
  }

  /** @throws SnapshotError */
  restore(name: string): Promise<Manifest> {
    return this.#gate.through(async () => this.#restore(await this.find(name)))
  }

  /**
   * Restores what the seed wrote.
   * @throws SnapshotError
   */
  reset(): Promise<Manifest> {
    return this.#gate.through(async () => {
      const seed = await this.#shelf.find(SEED)
      if (!seed)
        throw new SnapshotError(
          'conflict',
          'There is no snapshot of the seed: an earlier version of Plaza, or one without the admin API, created this data. Save a snapshot, and restore that.',
        )
      return this.#restore(seed)
    })
  }

  /** @throws SnapshotError */
  remove(name: string): Promise<void> {
    return this.#gate.through(async () => {
      await this.find(name)
      await this.#shelf.remove(name)
    })
  }

  /**
   * A snapshot as one file, which is made while it is read.
   * @throws SnapshotError
   */
  async export(name: string): Promise<Readable> {
    const shelf = this.#shelf
    return this.#gate.through(async () => {
      const manifest = await this.find(name)
      const folder = await shelf.workFolder()
      const remove = () => rm(folder, { recursive: true, force: true }).catch(this.#options.onError)
      try {
        await shelf.writeFiles(manifest, folder)
        await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest), { mode: FILE_MODE })
        const archive = await archiveOf(folder)
        return archive.once('close', remove)
      } catch (error) {
        await remove()
        throw error
      }
    })
  }

  /**
   * Adds a snapshot from a file, if all of it is right.
   * @throws SnapshotError
   */
  import(file: AsyncIterable<Buffer>, { name, replace = false }: SaveOptions): Promise<Manifest> {
    const shelf = this.#shelf
    if (name !== undefined) assertName(name)
    return this.#gate.through(async () => {
      const folder = await shelf.workFolder()
      try {
        await unpack(file, folder, await shelf.roomBytes())
        const manifest = await manifestIn(folder)
        const chosen = name ?? manifest.name
        assertName(chosen)
        this.#assertRoom(await shelf.list(), chosen, replace)
        await checkFiles(folder, this.#options.keyCheck())
        return await shelf.adopt({ ...manifest, name: chosen }, folder)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  /** Runs `work` while no snapshot is saved or restored. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#gate.through(work)
  }

  /** Waits for the operation in progress, and lets no other begin. */
  close(): Promise<void> {
    return this.#gate.through(async () => {
      this.#isClosed = true
    })
  }

  get #shelf(): Shelf {
    const { shelf } = this.#options
    if (typeof shelf === 'string') throw new SnapshotError('conflict', shelf)
    if (this.#isClosed) throw new SnapshotError('conflict', 'Plaza is stopping.')
    return shelf
  }

  async #restore(manifest: Manifest): Promise<Manifest> {
    const shelf = this.#shelf
    const restoration = await shelf.prepare(manifest, this.#options.keyCheck())
    const lacksIndex = manifest.name === SEED && !(await shelf.hasSearchIndex(SEED))
    await this.#options.user.restart(restoration, async (live) => {
      await restoration.finish()
      // The seed was saved before its search index was built, which need not be repeated.
      if (lacksIndex) await shelf.save(manifest, live, () => undefined).catch(this.#options.onError)
    })
    return manifest
  }

  #describe(name: string, live: LiveData): Manifest {
    const { clock } = this.#options
    return manifestOf(name, {
      state: clock.state,
      shownMs: clock.now(),
      machineMs: this.#machine.now(),
      lastId: live.ids.last,
    })
  }

  #assertRoom(all: readonly Manifest[], name: string, replace: boolean): void {
    const isKnown = all.some((one) => one.name === name)
    if (isKnown && !replace)
      throw new SnapshotError('conflict', `There is a snapshot "${name}" already. Delete it, or replace it.`)
    if (!isKnown && all.length >= MAX_SNAPSHOTS)
      throw new SnapshotError('conflict', `There are ${MAX_SNAPSHOTS} snapshots already. Delete some.`)
  }
}

function assertName(name: string): void {
  if (isSnapshotName(name)) return
  throw new SnapshotError(
    'invalid',
    `The name of a snapshot has 1 to 64 letters, digits, ".", "_" and "-", and begins with a letter or a digit: not "${name.slice(0, 100)}".`,
  )
}

function freeName(all: readonly Manifest[]): string {
  const names = new Set(all.map(({ name }) => name))
  let number = 1
  while (names.has(`snapshot-${number}`)) number++
  return `snapshot-${number}`
}

async function manifestIn(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined)
  const manifest = text === undefined ? undefined : readManifest(text)
  if (manifest) return manifest
  throw new SnapshotError(
    'invalid',
    `The file is not a snapshot of this version of Plaza (format ${FORMAT}): its manifest.json is missing or different.`,
  )
}
