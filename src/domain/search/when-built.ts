import { monotonicTime, systemClock } from '../../platform/common/clock.ts'
import { StoreUnavailable } from '../../platform/storage/store.ts'
import type { SearchState } from './index/search-index.ts'

/** For so long data is taken to be as complete as it was. */
export const STATE_MS = 1_000
/** Small data is built in this time; calls that need larger data get a 503 with `retry-after`. */
const WAIT_MS = 2_000
const LOOK_MS = 20

/** Waits until derived data is built. */
export interface WhenBuilt {
  /** @throws StoreUnavailable It was not built in time. */
  (): Promise<void>
  /** It may no longer be complete. */
  forget(): void
}

export function whenBuilt(state: () => Promise<SearchState>, sentence: string): WhenBuilt {
  let builtAt = Number.NEGATIVE_INFINITY
  const isBuilt = async () => {
    // As of before the answer: it may come late.
    const askedAt = monotonicTime.now()
    if (askedAt - builtAt < STATE_MS) return true
    if ((await state()) === 'new') return false
    builtAt = askedAt
    return true
  }
  const wait = async () => {
    for (let waited = 0; !(await isBuilt()); waited += LOOK_MS) {
      if (waited >= WAIT_MS) throw new StoreUnavailable(sentence)
      await systemClock.at(systemClock.now() + LOOK_MS)
    }
  }
  const forget = () => {
    builtAt = Number.NEGATIVE_INFINITY
  }
  return Object.assign(wait, { forget })
}
