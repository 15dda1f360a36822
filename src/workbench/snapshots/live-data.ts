import type { Membership } from '../../domain/audience-members/membership.ts'
import type { SearchIndex } from '../../domain/search/index/search-index.ts'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { ResumableIds } from '../../platform/common/ids.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { CopiedData } from './copied.ts'
import type { Manifest } from './manifest.ts'

/** The data of a running Plaza. */
export interface LiveData {
  readonly store: Store
  readonly ids: ResumableIds
  readonly files: FileStore
  readonly cluster: Cluster
  /** Absent while a start writes the seed. */
  readonly searchIndex?: SearchIndex
  readonly membership?: Membership
}

/** A restoration that is prepared, and has changed nothing yet. */
export interface Restoration {
  /**
   * Puts the data of the snapshot in place, while nothing is open. Resolves to what is not in
   * files.
   */
  replace(): Promise<CopiedData>
  /** Puts the former data back, while nothing is open. */
  undo(): Promise<CopiedData | undefined>
  /** The snapshot is in use: releases what is needed no more. */
  finish(): Promise<void>
  /** Nothing was replaced. */
  cancel(): Promise<void>
}

/** Where snapshots are kept. */
export interface Shelf {
  list(): Promise<Manifest[]>
  find(name: string): Promise<Manifest | undefined>
  /**
   * Saves the data while no request is in progress; `copied` is called as soon as the data may
   * change again. Replaces a snapshot of that name. Leaves nothing behind if it fails.
   */
  save(manifest: Manifest, live: LiveData, copied: () => void): Promise<Manifest>
  /** @throws SnapshotError The snapshot cannot be used with this version or master key. */
  prepare(manifest: Manifest, keyCheck: string): Promise<Restoration>
  remove(name: string): Promise<void>
  /** Whether a snapshot has its search index, or the index must be built after it is restored. */
  hasSearchIndex(name: string): Promise<boolean>
  /** Writes the files of a snapshot, but not its manifest and index, into an empty folder. */
  writeFiles(manifest: Manifest, folder: string): Promise<void>
  /** Adds a snapshot from files, which were checked. */
  adopt(manifest: Manifest, folder: string): Promise<Manifest>
  /** A new folder for files of exports and imports. */
  workFolder(): Promise<string>
  /** How many bytes another snapshot may have. */
  roomBytes(): Promise<number>
}
