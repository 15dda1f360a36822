/**
 * One signal may arrive twice: from the terminal or a supervisor that signals the whole process
 * group, and from a parent process that forwards it. Within this time, both count as one.
 */
const SAME_SIGNAL_MS = 150

export interface Stop {
  /** Resolves at the first signal to stop. */
  readonly asked: Promise<void>
  /** Aborted when the process is to stop without a delay. */
  readonly atOnce: AbortController
}

/**
 * Waits for signals to stop. SIGTERM, which a supervisor sends, allows a delay. SIGINT and SIGHUP,
 * which a terminal sends, and a second signal do not. Another one ends the process immediately.
 */
export function stopSignals(): Stop {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const atOnce = new AbortController()
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    const isRepeated = firstAt !== undefined && now - firstAt > SAME_SIGNAL_MS
    if (isRepeated && atOnce.signal.aborted) process.exit(1)
    firstAt ??= now
    resolve()
    if (isRepeated || signal !== 'SIGTERM') atOnce.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  return { asked, atOnce }
}

/** Resolves at the first signal to stop. A second signal ends the process immediately. */
export function stopSignal(): Promise<void> {
  const { asked, atOnce } = stopSignals()
  return asked.then(() => atOnce.abort())
}
