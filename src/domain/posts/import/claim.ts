import type { TimeSource } from '../../../platform/common/clock.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import {
  addImport,
  type ImportProgress,
  lockImport,
  moveImport,
  releaseImport,
  takeImport,
} from './queries.ts'
import type { PostImportRow } from './tables.ts'

/** After this time without a write, another process may continue an import. */
export const IMPORT_LEASE_MS = 60_000

/** The importing process. */
export interface Importer {
  /** Unique per process. */
  holder: string
  host: string
  pid: number
}

/** Another process is running the import. */
export class ImportBusy extends Error {
  override readonly name = 'ImportBusy'
  constructor({ name, host, pid }: Pick<PostImportRow, 'name' | 'host' | 'pid'>) {
    super(
      `Process ${pid} on ${host} is importing ${name}. Wait for it to finish; if it was stopped, another process can continue ${IMPORT_LEASE_MS / 1000} seconds later.`,
    )
  }
}

/** Another process has continued the import, because this one was idle for too long. */
export class ImportLost extends Error {
  override readonly name = 'ImportLost'
  constructor() {
    super('Another process has continued this import.')
  }
}

interface ClaimOptions {
  store: Store
  /** The clock of the machine. */
  clock: TimeSource
  importer: Importer
  /** Whether a process on this machine is running. */
  isAlive(pid: number): boolean
}

/** An import that this process has claimed. */
export interface ImportClaim {
  readonly id: string
  /** The progress at the time of the claim: where to continue. */
  readonly found: PostImportRow
  /**
   * Records progress, in the transaction of the imported posts.
   * @throws ImportLost
   */
  move(tx: Transaction, progress: ImportProgress): Promise<void>
  release(): Promise<void>
}

/**
 * Claims an import for this process. With `afresh`, restarts a finished import.
 * @throws ImportBusy
 */
export async function claimImport(
  { id, name, afresh }: { id: string; name: string; afresh: boolean },
  { store, clock, importer, isAlive }: ClaimOptions,
): Promise<ImportClaim> {
  const { holder } = importer
  const expiry = () => clock.now() + IMPORT_LEASE_MS
  const found = await store.write(async (tx) => {
    await tx.run(addImport, newImport(id, name, clock.now()))
    const row = (await tx.first(lockImport, { id })) as PostImportRow
    const isDead = row.host === importer.host && !isAlive(row.pid)
    if (row.holder !== '' && row.expires_at > clock.now() && !isDead) throw new ImportBusy(row)
    await tx.run(takeImport, { id, ...importer, expires_at: expiry() })
    if (!afresh || row.pass !== 'done') return row
    const restarted = { ...newImport(id, name, clock.now()), started_at: row.started_at }
    await tx.run(moveImport, { ...restarted, holder, expires_at: expiry() })
    return restarted
  })
  return {
    id,
    found,
    async move(tx, progress) {
      const moved = await tx.run(moveImport, { ...progress, id, holder, expires_at: expiry() })
      if (moved === 0) throw new ImportLost()
    },
    release: async () => void (await store.write((tx) => tx.run(releaseImport, { id, holder }))),
  }
}

const newImport = (id: string, name: string, now: number): PostImportRow => ({
  ...{ id, name, holder: '', host: '', pid: 0, expires_at: 0, pass: 'posts', line: 0, byte: 0 },
  ...{ added: 0, known: 0, rejected: 0, started_at: now },
})
