import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** The only deadline of tests: so long that it only passes when what is waited for will never come. */
export const NEVER_MS = 300_000

/** How long a service may take that joins the tests when it is there. */
export const REACH_MS = 30_000

/** How often a condition is looked at that tells of no event. */
const LOOK_MS = 5

/**
 * Waits until `look` gives something else than undefined or false, and resolves to that.
 * @throws Error naming `what` when it never does
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, false | undefined>> {
  const endsAt = performance.now() + NEVER_MS
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen as Exclude<T, false | undefined>
    if (performance.now() > endsAt) throw new Error(`${what}: not within ${NEVER_MS / 1000} s`)
    await sleep(LOOK_MS)
  }
}

/** Turns of the event loop after which what was going to happen by itself has happened. */
const MANY_TURNS = 50

/** Lets everything happen that waits for no timer and no other process. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < MANY_TURNS; turn++) await nextTurn()
}
