import type { Readable } from 'node:stream'
import type { MarkedResource } from '../../common/marked.ts'
import { StoreUnavailable } from '../store.ts'

/** A stored file, named by the hash of its content. */
export interface StoredFile {
  /** SHA-256 of the content, in hex: the name of the file. */
  hash: string
  bytes: number
}

/** The file or object that holds the mark of a store, beside the folders of its files. */
export const MARK_FILE = 'plaza-database'

/** Called before a file is stored under its name, so that it is not deleted meanwhile. */
export type Claim = (file: StoredFile) => Promise<void>

/**
 * Content-addressed files, outside the relational store: in a folder, in an object store, or
 * in memory. Nodes of one
 * deployment share the files. A file is either complete or absent.
 */
export interface FileStore extends MarkedResource {
  put(content: Buffer, claim: Claim): Promise<StoredFile>
  /** Concatenates files into one. */
  join(hashes: readonly string[], claim: Claim): Promise<StoredFile>
  /** The path of a file in a local store. */
  pathOf?(hash: string): string
  /** Undefined when there is no such file. */
  size(hash: string): Promise<number | undefined>
  /** Bytes from `start` up to, but not including, `end`; fewer at the end of the file. */
  read(hash: string, start: number, end: number): Promise<Buffer>
  /** The same as a stream. */
  stream(hash: string, start: number, end: number): Readable
  /** Deleting an absent file is not an error. */
  remove(hash: string): Promise<void>
  /** Deletes temporary files of ended processes that were last modified before a time. */
  removePassing(before: number): Promise<void>
  /** Closes connections. */
  close(): void
}

/** Files in memory. */
export interface MemoryFiles extends FileStore {
  /** All files by their hashes. Their content never changes, so it is shared. */
  copyAll(): Map<string, Buffer>
}

/** No space is left for another file. */
export class FilesFull extends StoreUnavailable {
  override name = 'FilesFull'
}
