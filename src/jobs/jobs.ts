import type { Clock } from '../common/clock.ts'

/** Work that comes back. `run` takes leases on what it works on: every node runs every job. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  /** Long work looks at `stopping`, and leaves the rest for the next start. */
  run(stopping: AbortSignal): Promise<unknown>
}

/** Starts a job before its interval has passed, because there is something to do. */
export type Wake = (job: string) => void

export interface Jobs {
  /** Runs one job now and waits for it; joins a run that is under way. */
  run(name: string): Promise<void>
  /** Runs one job soon, once more when a run is under way. Nothing after `stop`. */
  wake: Wake
  /** Ends the waiting, lets a run that is under way finish. */
  stop(): Promise<void>
}

/**
 * Runs each job whenever its interval has passed on the clock; without `periodic`, only when it is asked for. A job
 * never runs twice at once on a node.
 */
export function startJobs(
  jobs: readonly Job[],
  clock: Clock,
  onError: (job: string, error: unknown) => void,
  { periodic = true } = {},
): Jobs {
  const lines = jobs.map((job) => ({
    job,
    dueAt: clock.now() + job.everySeconds * 1000,
    running: undefined as Promise<void> | undefined,
    again: false,
  }))
  type Line = (typeof lines)[number]
  const stopping = new AbortController()

  function run(line: Line): Promise<void> {
    line.running ??= line.job
      .run(stopping.signal)
      .then(() => undefined)
      .catch((error) => onError(line.job.name, error))
      .finally(() => {
        line.running = undefined
        line.dueAt = clock.now() + line.job.everySeconds * 1000
        if (line.again) wake(line)
      })
    return line.running
  }

  function wake(line: Line): void {
    line.again = line.running !== undefined
    if (!line.running && !stopping.signal.aborted) void run(line)
  }

  async function repeat(line: Line): Promise<void> {
    for (let due = line.dueAt; await clock.at(due, stopping.signal); due = line.dueAt) {
      // It may have been woken meanwhile.
      if (line.dueAt === due) await run(line)
    }
  }
  if (periodic) for (const line of lines) void repeat(line)

  return {
    run(name) {
      const line = lines.find(({ job }) => job.name === name)
      if (!line) throw new Error(`there is no job ${name}`)
      return run(line)
    },
    wake(name) {
      const line = lines.find(({ job }) => job.name === name)
      if (line) wake(line)
    },
    async stop() {
      stopping.abort()
      await Promise.all(lines.map(({ running }) => running))
    },
  }
}
