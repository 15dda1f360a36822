import { afterError, type RetryPauses } from '../common/after-error.ts'
import { maxAttempts, mayBeOfEvent } from './fault.ts'

/** An item that could not be handled, and is left out. `cause` is the last error. */
export class SkippedItem extends Error {
  override readonly name = 'SkippedItem'

  constructor(item: string, attempts: number, cause: unknown) {
    super(`${item} was left out after ${attempts} attempts`, { cause })
  }
}

interface Handling<Item> {
  /** Describes an item for the log. */
  nameOf(item: Item): string
  /** Handles some items. May be called repeatedly with the same ones. */
  handle(items: readonly Item[]): Promise<void>
  skipped(error: SkippedItem): void
  signal?: AbortSignal | undefined
  pauses?: RetryPauses | undefined
}

/**
 * Handles items together or, when that fails, one by one. An item that keeps failing alone is left
 * out and reported, so that a bug that affects one item in millions does not prevent an index from
 * being built. With an error of data, that happens at once, because everything else waits for it.
 * Errors of the store, the disk or the network are thrown, and leave nothing out.
 */
export async function handleAll<Item>(items: readonly Item[], handling: Handling<Item>): Promise<void> {
  if (items.length === 0) return
  try {
    await handling.handle(items)
    return
  } catch (error) {
    if (handling.signal?.aborted || !mayBeOfEvent(error)) throw error
  }
  for (const item of items) await handleOne(item, handling, 1)
}

/** `failures`: how often the item has failed before, together with others. */
async function handleOne<Item>(item: Item, handling: Handling<Item>, failures: number): Promise<void> {
  const { nameOf, handle, skipped, signal, pauses } = handling
  for (let attempts = failures + 1; ; attempts++) {
    try {
      await handle([item])
      return
    } catch (error) {
      if (signal?.aborted || !mayBeOfEvent(error)) throw error
      if (attempts >= maxAttempts(error)) return skipped(new SkippedItem(nameOf(item), attempts, error))
      await afterError(attempts - failures - 1, signal, pauses)
      signal?.throwIfAborted()
    }
  }
}
