export type Kind = 'IMAGE' | 'GIF' | 'VIDEO'
/** Subtitles are uploaded like media, but are shown only with a video. */
export type FileKind = Kind | 'SUBTITLES'

/** The properties of a file. */
export interface Inspected {
  kind: Kind
  /** The media type, detected from the content. */
  contentType: string
  width: number
  height: number
  /** For videos. */
  durationMs: number | null
}

/** The same, or subtitles, which have no width and height. */
export type InspectedFile = Inspected | Subtitles

export interface Subtitles {
  kind: 'SUBTITLES'
  contentType: string
  width: null
  height: null
  durationMs: null
}

/** Steps of an inspection between two looks at the clock. */
export const STEPS_AT_ONCE = 1_000

/** A file that can be read at any position. */
export interface Source {
  bytes: number
  /** Bytes from `start` up to, but not including, `end`; fewer at the end of the file. */
  read(start: number, end: number): Promise<Buffer>
}
