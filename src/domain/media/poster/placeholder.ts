import { type ImageSize, png } from './png.ts'

const GREY = 0x30
const MAX_POSTER_SIDE = 1280

/** The size of the poster of a video. */
export const posterSize = (video: ImageSize): ImageSize => fittedSize(video, MAX_POSTER_SIDE)

/**
 * The size of a picture whose sides are no longer than `maxSide`: its own, or a smaller one with
 * the same aspect ratio.
 */
export function fittedSize({ width, height }: ImageSize, maxSide: number): ImageSize {
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const shown = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: shown(width), height: shown(height) }
}

/** A PNG of one colour. */
export function plainPicture(size: ImageSize): Buffer {
  const line = new Uint8Array(size.width).fill(GREY)
  return png(size, 'grey', () => line)
}
