import type { StoringDependencies } from '../../../domain/media/dependencies.ts'
import { png } from '../../../domain/media/poster/png.ts'
import { storeWhole, type WholeFile } from '../../../domain/media/uploads.ts'

/** An image of generated posts, whose file is stored. */
export interface GeneratedImage {
  readonly file: WholeFile
  readonly altText: string
}

type Colour = readonly [red: number, green: number, blue: number]

const COLOURS: Readonly<Record<string, Colour>> = {
  amber: [245, 158, 11],
  coral: [251, 113, 133],
  violet: [139, 92, 246],
  navy: [30, 58, 138],
  sky: [56, 189, 248],
  teal: [20, 184, 166],
  lime: [163, 230, 53],
  ivory: [250, 245, 230],
}
const SIZE = { width: 640, height: 400 }

/** A gradient from the top to the bottom. */
function gradient(from: Colour, to: Colour): Buffer {
  return png(SIZE, 'rgb', (y) => {
    const pixel = from.map((value, n) => value + (((to[n] as number) - value) * y) / (SIZE.height - 1))
    return Buffer.alloc(SIZE.width * pixel.length, Buffer.from(pixel))
  })
}

/**
 * Stores the images that generated posts show: a gradient of each pair of colours. The same file is
 * stored once.
 */
export async function storeImages(dependencies: StoringDependencies): Promise<GeneratedImage[]> {
  const images: GeneratedImage[] = []
  for (const [from, first] of Object.entries(COLOURS))
    for (const [to, last] of Object.entries(COLOURS))
      if (from !== to)
        images.push({
          file: await storeWhole(gradient(first, last), { userId: 'generated', context: dependencies }),
          altText: `A gradient from ${from} to ${to}`,
        })
  return images
}
