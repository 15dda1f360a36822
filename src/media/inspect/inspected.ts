export type Kind = 'IMAGE' | 'GIF' | 'VIDEO'

/** What a file was found to be. */
export interface Inspected {
  kind: Kind
  /** The media type, from the file itself. */
  contentType: string
  width: number
  height: number
  /** Of a video. */
  durationMs: number | null
}

/** A file that can be read from any place. */
export interface Source {
  bytes: number
  /** From `start` to before `end`; fewer where the file ends. */
  read(start: number, end: number): Promise<Buffer>
}
