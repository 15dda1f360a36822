import type { Clock } from '../kit/clock.ts'

/** Work that comes back. `run` takes leases on what it works on: every node runs every job. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  run(): Promise<unknown>
}

export interface Jobs {
  /** Runs one job now and waits for it; joins a run that is under way. */
  run(name: string): Promise<void>
  /** Ends the waiting, lets a run that is under way finish. */
  stop(): Promise<void>
}

/** How often the clock is looked at. The clock may be moved, so no timer can wait for a time. */
const LOOK_MS = 1_000

/** Runs each job whenever its interval has passed on the clock. A job never runs twice at once on a node. */
export function startJobs(
  jobs: readonly Job[],
  clock: Clock,
  onError: (job: string, error: unknown) => void,
): Jobs {
  const lines = jobs.map((job) => ({
    job,
    dueAt: clock.now() + job.everySeconds * 1000,
    running: undefined as Promise<void> | undefined,
  }))
  type Line = (typeof lines)[number]

  function run(line: Line): Promise<void> {
    line.running ??= line.job
      .run()
      .then(() => undefined)
      .catch((error) => onError(line.job.name, error))
      .finally(() => {
        line.running = undefined
        line.dueAt = clock.now() + line.job.everySeconds * 1000
      })
    return line.running
  }

  const timer = setInterval(() => {
    const now = clock.now()
    for (const line of lines) if (now >= line.dueAt && !line.running) void run(line)
  }, LOOK_MS)
  timer.unref()

  return {
    run(name) {
      const line = lines.find(({ job }) => job.name === name)
      if (!line) throw new Error(`there is no job ${name}`)
      return run(line)
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(lines.map(({ running }) => running))
    },
  }
}
