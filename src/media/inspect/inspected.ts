export type Kind = 'IMAGE' | 'GIF' | 'VIDEO'
/** Subtitles are uploaded like media, but nothing shows them by themselves. */
export type FileKind = Kind | 'SUBTITLES'

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

/** The same, or subtitles, which have no size on a screen. */
export type InspectedFile = Inspected | Subtitles

export interface Subtitles {
  kind: 'SUBTITLES'
  contentType: string
  width: null
  height: null
  durationMs: null
}

/** A file that can be read from any place. */
export interface Source {
  bytes: number
  /** From `start` to before `end`; fewer where the file ends. */
  read(start: number, end: number): Promise<Buffer>
}
