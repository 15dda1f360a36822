import type { Logger } from 'pino'
import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { Config } from '../../platform/config/config.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import type { Store } from '../../platform/storage/store.ts'

/** The dependencies of uploads. */
export interface MediaDependencies {
  readonly config: Pick<Config, 'mediaPerUser'>
  readonly clock: Clock
  readonly ids: IdSource
  readonly store: Store
  readonly files: FileStore
}

/** What is needed to store a file. */
export interface StoringDependencies {
  readonly clock: Clock
  readonly store: Store
  readonly files: Pick<FileStore, 'put'>
}

/** The dependencies of tasks about media. */
export interface MediaTaskDependencies {
  readonly clock: Clock
  /** The machine's clock, whatever time users see. */
  readonly machineClock: Clock
  readonly store: Store
  readonly files: FileStore
  /**
   * The program that extracts the first frames of videos; if undefined, their posters are
   * placeholders.
   */
  readonly ffmpeg: string | undefined
  readonly log: Logger
}
