export type MediaKind = 'IMAGE' | 'GIF' | 'VIDEO'
/** Subtitles are uploaded like media, but are shown only with a video. */
export type FileKind = MediaKind | 'SUBTITLES'

/** The properties of a file. */
export interface InspectedMedium {
  kind: MediaKind
  /** The media type, detected from the content. */
  contentType: string
  width: number
  height: number
  /** For videos. */
  durationMs: number | null
}

/** A medium, or subtitles, which have no width and height. */
export type InspectedFile = InspectedMedium | InspectedSubtitles

export interface InspectedSubtitles {
  kind: 'SUBTITLES'
  contentType: string
  width: null
  height: null
  durationMs: null
}

/** Steps of an inspection after which the clock is read again. */
export const STEPS_AT_ONCE = 1_000

/** A file that can be read at any position. */
export interface FileSource {
  bytes: number
  /** Bytes from `start` up to, but not including, `end`; fewer at the end of the file. */
  read(start: number, end: number): Promise<Buffer>
}
