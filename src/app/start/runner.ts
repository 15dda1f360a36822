import { MemoryCluster } from '../../platform/cluster/memory.ts'
import { systemClock } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { StoreUnavailable } from '../../platform/storage/store.ts'
import { UNADJUSTED } from '../../workbench/clock/adjustable-clock.ts'
import { KeyRotationError } from '../../workbench/key-rotation.ts'
import { FolderShelf } from '../../workbench/snapshots/folder-shelf.ts'
import type { LiveData, Restoration } from '../../workbench/snapshots/live-data.ts'
import { manifestOf } from '../../workbench/snapshots/manifest.ts'
import { MemoryShelf } from '../../workbench/snapshots/memory-shelf.ts'
import { type DataUser, Snapshots } from '../../workbench/snapshots/snapshots.ts'
import { endpoints } from '../endpoints.ts'
import { keyCheckOf } from './base.ts'
import { RotationError, rotateKey } from './rotate-key.ts'
import { openRun, type Run, type RunOptions } from './run.ts'
import { portsOf, type Sockets } from './sockets.ts'
import { checkedVocabulary } from './vocabulary.ts'

/** How long requests in progress are waited for before a snapshot is saved without them. */
const QUIET_MS = 2_000
/** How long a restoration waits until everything can be searched. */
const CATCH_UP_MS = 10_000

/** Runs Plaza, and replaces its data while its ports stay open. */
export class Runner implements DataUser {
  readonly #options: RunOptions
  #sockets: Sockets | undefined
  #run: Run | undefined
  #isRotating = false

  constructor(options: Omit<RunOptions, 'snapshots' | 'vocabularyReload' | 'keyRotation'>) {
    const { ground, sockets } = options
    this.#options = {
      ...options,
      snapshots: snapshotsOf(ground, this),
      vocabularyReload: () => this.#reloadVocabulary(),
      keyRotation: (newKey) => this.#rotateKey(newKey),
      sockets: async (certificates) => {
        this.#sockets = await sockets(certificates)
        return this.#sockets
      },
    }
  }

  get snapshots(): Snapshots | undefined {
    return this.#options.snapshots
  }

  async start(): Promise<void> {
    this.#run = await openRun(this.#options)
  }

  get run(): Run {
    if (!this.#run) throw new StoreUnavailable('Plaza is not running')
    return this.#run
  }

  get sockets(): Sockets {
    if (!this.#sockets) throw new StoreUnavailable('the ports are not open')
    return this.#sockets
  }

  async quietly<T>(work: (live: LiveData, resume: () => void) => Promise<T>): Promise<T> {
    await this.run.listeners.hold(QUIET_MS)
    try {
      return await work(this.#live, () => this.#release())
    } finally {
      this.#release()
    }
  }

  restart(restoration: Restoration, caughtUp: (live: LiveData) => Promise<void>): Promise<void> {
    return this.#reopen(async () => restoration, caughtUp)
  }

  /** `prepare` runs when no request is in progress, and the data is still open. */
  async #reopen(
    prepare: (live: LiveData) => Promise<Restoration>,
    caughtUp: (live: LiveData) => Promise<void>,
  ): Promise<void> {
    const { config, log } = this.#options.ground
    await this.run.listeners.hold(config.shutdownSeconds * 1000)
    try {
      const restoration = await prepare(this.#live)
      await this.run.leave().catch((error) => log.error({ err: error }, 'not everything ended as it should'))
      await this.#replace(restoration)
      await caughtUp(this.#live)
    } finally {
      this.#release()
    }
  }

  /**
   * Opens everything again with the vocabulary that its file has now. Resolves to why it cannot be
   * used.
   */
  async #reloadVocabulary(): Promise<string | undefined> {
    const { ground, snapshots } = this.#options
    const former = ground.vocabulary
    let next: Vocabulary
    try {
      next = checkedVocabulary(ground.config, ground.given.endpoints ?? endpoints)
    } catch (error) {
      return (error as Error).message
    }
    const use = (isNew: boolean) => {
      ground.vocabulary = isNew ? next : former
    }
    let same: Restoration | undefined
    const reload = () =>
      this.#reopen(
        async (live) => {
          same = changing(await sameData(ground, live), use)
          return same
        },
        async () => same?.finish(),
      )
    await (snapshots ? snapshots.alone(reload) : reload())
    return undefined
  }

  /**
   * Opens everything again with a new master key, with which every stored secret is encrypted while
   * nothing is open. Requests wait meanwhile.
   * @throws KeyRotationError
   */
  async #rotateKey(newKey: string | undefined): Promise<string | null> {
    const { ground, snapshots } = this.#options
    const why = this.#isRotating ? 'The key is being rotated already.' : reasonAgainstKey(ground, newKey)
    if (why !== undefined) throw new KeyRotationError(why)
    this.#isRotating = true
    let file: string | undefined
    const rotate = () =>
      this.#reopen(
        async (live) => {
          const same = await sameData(ground, live)
          return {
            ...same,
            async replace() {
              file = await rotateGround(ground, newKey)
              return same.replace()
            },
          }
        },
        async () => undefined,
      )
    try {
      await (snapshots ? snapshots.alone(rotate) : rotate())
    } catch (error) {
      if (error instanceof RotationError) throw new KeyRotationError(error.message)
      throw error
    } finally {
      this.#isRotating = false
    }
    return file ?? null
  }

  async #replace(restoration: Restoration): Promise<void> {
    try {
      this.#run = await openRun(this.#options, await restoration.replace())
      await this.#caughtUp()
    } catch (error) {
      await this.#return(restoration)
      throw error
    }
  }

  /** Uses the former data again. Without it, nothing can be answered any more. */
  async #return(restoration: Restoration): Promise<void> {
    try {
      this.#run = await openRun(this.#options, await restoration.undo())
    } catch (error) {
      this.#options.ground.log.fatal({ err: error }, 'the data could not be opened again: restart Plaza')
      await Promise.all(portsOf(this.sockets).map((port) => port.end()))
    }
  }

  async #caughtUp(): Promise<void> {
    const over = new AbortController()
    await Promise.race([this.run.caughtUp, systemClock.at(systemClock.now() + CATCH_UP_MS, over.signal)])
    over.abort()
  }

  async close(): Promise<void> {
    await this.#options.snapshots?.close()
    await this.#run?.close()
  }

  get #live(): LiveData {
    const { base, context } = this.run
    const { searchIndex, membership } = context
    return { ...base, searchIndex, membership }
  }

  #release(): void {
    for (const port of portsOf(this.sockets)) port.release()
  }
}

/** Opens the same data again. In memory, that is a copy: it ends with what was open. */
async function sameData(
  { folder, adjustable, clock }: RunOptions['ground'],
  live: LiveData,
): Promise<Restoration> {
  if (!folder && live.store.copyInto) {
    const shelf = new MemoryShelf()
    const manifest = manifestOf('reload', {
      state: adjustable?.state ?? UNADJUSTED,
      shownMs: clock.now(),
      machineMs: systemClock.now(),
      lastId: live.ids.last,
    })
    await shelf.save(manifest, live, () => undefined)
    const restoration = await shelf.prepare(manifest)
    return { ...restoration, undo: () => restoration.replace(), finish: () => shelf.remove(manifest.name) }
  }
  const windows = live.cluster instanceof MemoryCluster ? live.cluster.copyWindows() : []
  return {
    replace: async () => ({ windows }),
    undo: async () => ({ windows }),
    finish: async () => undefined,
    cancel: async () => undefined,
  }
}

/** A restoration that also changes something, and changes it back. */
const changing = (restoration: Restoration, change: (isNew: boolean) => void): Restoration => ({
  ...restoration,
  replace() {
    change(true)
    return restoration.replace()
  },
  undo() {
    change(false)
    return restoration.undo()
  },
})

/** Why the key of this Plaza cannot be rotated in this way, and what to do instead. */
function reasonAgainstKey({ config }: RunOptions['ground'], newKey: string | undefined): string | undefined {
  if (config.memory) return 'With --memory, Plaza stores no secret: its key needs no rotation.'
  if (config.masterKey === undefined && newKey !== undefined)
    return 'The key is in the data folder, where Plaza replaces it itself. A new key is for one that comes from --master-key or --master-key-file.'
  if (config.masterKey !== undefined && newKey === undefined)
    return 'The key comes from --master-key or --master-key-file. Pass the new key, too.'
  return undefined
}

/** The sealer is the new one as soon as the store has it, whatever happens to snapshots. */
async function rotateGround(
  ground: RunOptions['ground'],
  newKey: string | undefined,
): Promise<string | undefined> {
  const { config, folder } = ground
  return rotateKey(config, {
    folder,
    ...(newKey !== undefined && { newKey: Buffer.from(newKey, 'hex') }),
    resealed(sealer) {
      ground.sealer = sealer
      if (newKey !== undefined) Object.assign(config, { masterKey: newKey })
    },
  })
}

/** Undefined where there is no admin API. */
function snapshotsOf(ground: RunOptions['ground'], user: DataUser): Snapshots | undefined {
  const { config, adjustable, folder, log } = ground
  if (!adjustable) return undefined
  return new Snapshots({
    shelf: reasonAgainst(config) ?? (folder ? new FolderShelf(folder.path) : new MemoryShelf()),
    user,
    clock: adjustable,
    keyCheck: () => keyCheckOf(ground.sealer),
    onError: (error) => log.error({ err: error }, 'a snapshot could not be completed or tidied up'),
  })
}

/** Why there are no snapshots with these settings, and what to do instead. */
function reasonAgainst({ databaseUrl, media }: Config): string | undefined {
  if (databaseUrl !== undefined)
    return 'Snapshots are not available on PostgreSQL. Save the database with pg_dump, or stop all nodes and copy it: CREATE DATABASE saved TEMPLATE plaza. Start Plaza with --data or --memory to use snapshots.'
  if (media !== undefined)
    return 'Snapshots are not available with --media, because the media are not in the data folder. Start Plaza without it to use snapshots.'
  return undefined
}
