import type { Gate } from '../../platform/common/gate.ts'

/** Enters a gate for as long as a stream is open. Resolves to what leaves it. */
export function entered(gate: Gate): Promise<() => void> {
  const { promise: over, resolve: leave } = Promise.withResolvers<void>()
  return new Promise((resolve, reject) => {
    gate
      .through(() => {
        resolve(leave)
        return over
      })
      .catch(reject)
  })
}
