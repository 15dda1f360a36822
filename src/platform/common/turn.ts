let turn: Promise<void> | undefined

/**
 * Resolves at the end of this turn of the event loop, for all callers of the turn at once. Requests
 * that arrived together are handled together: they share snapshots and journal writes, and their
 * replies are sent together, which costs fewer switches between processes than one reply at a time.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}
