import { inspect, sourceOf } from '../../../domain/media/inspect/inspect.ts'

const MIN_PIXELS = 500
const TYPES = ['image/jpeg', 'image/gif', 'image/webp', 'image/png']

/** The problem of a product image, as the rest of a sentence (interface, `image_link`). */
export async function imageFault(content: Buffer): Promise<string | undefined> {
  const found = await inspect(sourceOf(content), 'product images')
  if (!found || found.kind === 'SUBTITLES' || !TYPES.includes(found.contentType))
    return 'is no JPG, GIF, WEBP or PNG'
  return found.width < MIN_PIXELS || found.height < MIN_PIXELS
    ? `has ${found.width} x ${found.height} pixels and needs at least ${MIN_PIXELS} x ${MIN_PIXELS}`
    : undefined
}
