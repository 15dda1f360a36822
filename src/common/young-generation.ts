import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

// V8 doubles the young generation of the heap, up to 128 MB, whenever enough of what is in it survives, and gives none of
// it back while there is work. A start makes a lot that stays.

/** Keeps the young generation of this process, and of threads that it starts, at its size. */
export const holdYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/** Lets it grow again, as V8 does by itself. */
export const releaseYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=2')

/** The bytes that it may have now, both halves together. */
export const youngGenerationBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Number.NaN
