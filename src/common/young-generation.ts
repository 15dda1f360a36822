import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

// V8 doubles the young generation of the heap, up to 128 MB, whenever enough of what is in it survives, and shrinks it
// only while there is little work. Beyond 32 MB it costs memory and gains nothing.

/** Both halves together. */
const MAX_BYTES = 32 * 2 ** 20
const CHECK_EVERY_MS = 500

/**
 * Collects the young generation in the thread that allocates. V8 otherwise shares each collection with threads of its
 * own, and while the processors are busy the event loop waits for them: the pauses were twice as long, and the longest
 * three times, although the threads took half of the work.
 */
export const collectInOneThread = (): void => setFlagsFromString('--no-parallel-scavenge')

/** Keeps the young generation of this process, and of threads that it starts, at its size. */
export const holdYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=1')

const releaseYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=2')

/** Lets the young generation grow up to 32 MB. */
export function limitYoungGeneration(maxBytes = MAX_BYTES): Disposable {
  let isHeld = false
  const check = () => {
    const isFull = youngGenerationBytes() >= maxBytes
    if (isFull === isHeld) return
    isHeld = isFull
    if (isFull) holdYoungGeneration()
    else releaseYoungGeneration()
  }
  releaseYoungGeneration()
  const timer = setInterval(check, CHECK_EVERY_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** The bytes that it may have now, both halves together. */
export const youngGenerationBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Number.NaN
