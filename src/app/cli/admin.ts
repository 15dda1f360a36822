import { join } from 'node:path'
import { adminToken } from '../../api/admin/access.ts'
import { openDictionary } from '../../domain/annotations/dictionary.ts'
import type { Config } from '../../platform/config/config.ts'
import type { FileStore, StoredFile } from '../../platform/storage/files/files.ts'
import { AdminError } from '../admin-client.ts'
import type { AdminTarget } from '../admin-target.ts'
import { openFiles } from '../start/state.ts'
import type { Call } from './command.ts'
import { databaseOf, isRunning, type RunningFile, readFacts, runningFileOf } from './files.ts'
import { hasInstallation, withInstallation } from './installation.ts'
import { findRunning } from './running.ts'
import { vocabularyOf } from './words.ts'

/** The admin API of the running Plaza. */
export async function adminTarget(config: Config): Promise<AdminTarget> {
  const consoleUrl = findRunning(config).facts.console_url
  // A ready file does not hold the master key: with it alone, the caller counts as a program on
  // this machine.
  if (config.readyFile !== undefined || !hasInstallation(config)) return { consoleUrl }
  return { consoleUrl, token: await tokenOf(config) }
}

const tokenOf = (config: Config) => withInstallation(config, async ({ sealer }) => adminToken(sealer))

/** That of the running Plaza, if the settings name one that has it. */
export async function runningAdmin(config: Config): Promise<AdminTarget | undefined> {
  if (config.readyFile !== undefined) return adminTarget(config)
  const running = besideRunning(config)
  return running && { consoleUrl: running.console_url, token: await tokenOf(config) }
}

/**
 * Runs `work` with the admin API: that of the running Plaza, so that its own process makes the
 * change, or, while none runs, one in this process that works on its data.
 */
export async function withAdmin<T>(config: Config, work: (target: AdminTarget) => Promise<T>): Promise<T> {
  try {
    const running = await runningAdmin(config)
    if (running) return await work(running)
    const { withOwnAdmin } = await import('./own-admin.ts')
    const mediaOrigin = config.mediaUrl ?? config.coreUrl ?? ''
    const files = new InstalledFiles(config)
    try {
      const around = {
        ...{ vocabulary: vocabularyOf(config), dictionary: openDictionary(config) },
        ...{ mediaOrigin, files },
      }
      return await withInstallation(config, (installation) => withOwnAdmin(installation, around, work))
    } finally {
      await files.close()
    }
  } catch (error) {
    throw explained(error)
  }
}

/** The media files of an installation, opened at the first use: opening creates folders. */
export class InstalledFiles implements Pick<FileStore, 'read' | 'put'> {
  readonly #config: Config
  #opened: Promise<FileStore> | undefined

  constructor(config: Config) {
    this.#config = config
  }

  async read(...file: Parameters<FileStore['read']>): Promise<Buffer> {
    return (await this.#open()).read(...file)
  }

  async put(...file: Parameters<FileStore['put']>): Promise<StoredFile> {
    return (await this.#open()).put(...file)
  }

  #open(): Promise<FileStore> {
    const { media = join(this.#config.data, 'media') } = this.#config
    this.#opened ??= openFiles({ ...this.#config, media }, undefined)
    return this.#opened
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    opened?.close()
  }
}

/** The Plaza that runs on the data that the settings name and serves the admin API. */
export function besideRunning(config: Config): RunningFile | undefined {
  const facts = readFacts(runningFileOf(config.data))
  // The folder of a node on PostgreSQL may be the default one of an embedded database, too.
  const isOurs = facts?.admin_api === true && (facts.database ?? null) === databaseOf(config)
  return facts && isOurs && isRunning(facts) ? facts : undefined
}

const LISTS = { user: 'users', app: 'apps', account: 'accounts', space: 'spaces' } as const

/** Names the command that lists what does not exist. */
function explained(error: unknown): unknown {
  if (!(error instanceof AdminError)) return error
  const [, what] = /^There is no (user|app|account|space) /.exec(error.message) ?? []
  const list = what as keyof typeof LISTS | undefined
  if (list === undefined) return error
  return new Error(`${error.message} "plaza ${list} list" lists the ${LISTS[list]}.`, { cause: error })
}

/** `plaza admin-token`. */
export async function printToken({ flags, config }: Call): Promise<number> {
  const token = await tokenOf(config)
  console.log(flags.on('json') ? JSON.stringify({ token }) : token)
  return 0
}
