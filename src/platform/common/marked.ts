/** A place outside the database that nodes share. Its mark says to which database it belongs. */
export interface MarkedResource {
  /** Undefined if it has none. */
  mark(): Promise<string | undefined>
  /** Marks the place, unless it is marked. Resolves to the mark that it then has. */
  putMark(mark: string): Promise<string>
}

/** A text at the place of a mark that is longer is no mark of Plaza. Only its beginning is read. */
export const MAX_MARK_BYTES = 256
