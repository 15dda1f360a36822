import type { Readable } from 'node:stream'
import { StoreUnavailable } from '../store.ts'

/** A file as its content names it. */
export interface StoredFile {
  /** SHA-256 of the content, in hex: the name of the file. */
  hash: string
  bytes: number
}

/** Called before a file is stored under its name, so that it is not deleted meanwhile. */
export type Claim = (file: StoredFile) => Promise<void>

/**
 * Files that are named by their content, beside the relational store: in a folder, in an object store, or
 * in memory. Nodes of one
 * deployment see the same files. A file is there whole or not at all.
 */
export interface FileStore {
  put(content: Buffer, claim: Claim): Promise<StoredFile>
  /** One file made of others, in their order. */
  join(hashes: readonly string[], claim: Claim): Promise<StoredFile>
  /** Where a file is, in a store of files of this machine. */
  pathOf?(hash: string): string
  /** Undefined when there is no such file. */
  size(hash: string): Promise<number | undefined>
  /** The bytes from `start` to before `end`; fewer where the file ends. */
  read(hash: string, start: number, end: number): Promise<Buffer>
  /** The same as a stream. */
  stream(hash: string, start: number, end: number): Readable
  /** One that is not there is gone already. */
  remove(hash: string): Promise<void>
  /** Takes away what was being written when its process ended, and was last touched before a time. */
  removePassing(before: number): Promise<void>
  /** Lets connections go. */
  close(): void
}

/** No space is left for another file. */
export class FilesFull extends StoreUnavailable {
  override name = 'FilesFull'
}
