/**
 * The shelf that a post stands on: lists walk along a shelf, so they never read what they do not show.
 * Posts that only advertisements show are `nullcast`; replies and posts that begin with a mention are for somebody.
 */
export const ORGANIC = 0
export const ORGANIC_TO_SOMEBODY = 1
export const NULLCAST = 2
export const NULLCAST_TO_SOMEBODY = 3
/** Deleted, or replaced by an edit. */
export const GONE = 4

/** The shelf of a new post. */
export function shelfOf({ nullcast, toSomebody }: { nullcast: boolean; toSomebody: boolean }): number {
  if (nullcast) return toSomebody ? NULLCAST_TO_SOMEBODY : NULLCAST
  return toSomebody ? ORGANIC_TO_SOMEBODY : ORGANIC
}

/** Whether everyone sees a post that is there. */
export const isPublic = (visibility: number) => visibility <= ORGANIC_TO_SOMEBODY
