import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * The only deadline of tests. It is so long that it only passes if the awaited event will never
 * happen.
 */
export const NEVER_MS = 300_000

/** How long a service may take to respond that the tests use if it is available. */
export const REACH_MS = 30_000

/** How often a condition without an event is polled. */
const LOOK_MS = 5

/**
 * Waits until `look` returns something other than undefined or false, and resolves to it.
 * @throws Error names `what`, if that never happens
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

/**
 * After this many turns of the event loop, everything that was going to happen by itself has
 * happened.
 */
const MANY_TURNS = 50

/** Lets everything happen that waits for neither a timer nor another process. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < MANY_TURNS; turn++) await nextTurn()
}
