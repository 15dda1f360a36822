/**
 * One signal may arrive twice: from the terminal or a supervisor that signals the whole process group, and from a
 * parent process that forwards it. Within this time, both count as one.
 */
const SAME_SIGNAL_MS = 150

/** Resolves at the first signal to stop. A second signal ends the process immediately. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = () => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        resolve()
      } else if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    // The terminal was closed.
    process.on('SIGHUP', onSignal)
  })
}
