import { MemoryCluster } from '../../platform/cluster/memory.ts'
import { systemClock } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { StoreUnavailable } from '../../platform/storage/store.ts'
import { UNADJUSTED } from '../../workbench/clock/adjustable-clock.ts'
import { FolderShelf } from '../../workbench/snapshots/folder-shelf.ts'
import type { LiveData, Restoration } from '../../workbench/snapshots/live-data.ts'
import { manifestOf } from '../../workbench/snapshots/manifest.ts'
import { MemoryShelf } from '../../workbench/snapshots/memory-shelf.ts'
import { type DataUser, Snapshots } from '../../workbench/snapshots/snapshots.ts'
import { endpoints } from '../endpoints.ts'
import { keyCheckOf } from './base.ts'
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

  constructor(options: Omit<RunOptions, 'snapshots' | 'vocabularyReload'>) {
    const { ground, sockets } = options
    this.#options = {
      ...options,
      snapshots: snapshotsOf(ground, this),
      vocabularyReload: () => this.#reloadVocabulary(),
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

/** Undefined where there is no admin API. */
function snapshotsOf(ground: RunOptions['ground'], user: DataUser): Snapshots | undefined {
  const { config, adjustable, folder, sealer, log } = ground
  if (!adjustable) return undefined
  return new Snapshots({
    shelf: reasonAgainst(config) ?? (folder ? new FolderShelf(folder.path) : new MemoryShelf()),
    user,
    clock: adjustable,
    keyCheck: keyCheckOf(sealer),
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
