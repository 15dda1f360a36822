import { systemClock } from '../../platform/common/clock.ts'
import { Gate } from '../../platform/common/gate.ts'
import type { NumberedLine, RecentLines } from '../../platform/log/recent-lines.ts'

/** Calls that wait for a line. */
const MAX_WAITS = 20

interface WantedLines {
  readonly limit: number
  /** Only lines after this one. */
  readonly after: number | undefined
  /** How long to wait, if there are none yet. */
  readonly waitMs: number
}

/** The last lines of the log of this process. */
export class LogReader {
  readonly #lines: RecentLines
  readonly #waits = new Gate(MAX_WAITS, 0)

  constructor(lines: RecentLines) {
    this.#lines = lines
  }

  /** @throws CapacityError Too many calls wait. */
  async read({ limit, after, waitMs }: WantedLines): Promise<readonly NumberedLine[]> {
    const lines = this.#lines.last(limit, after)
    if (lines.length > 0 || waitMs === 0) return lines
    await this.#waits.through(() => this.#next(waitMs))
    return this.#lines.last(limit, after)
  }

  /** Resolves at the next line, or when the time is over. */
  async #next(waitMs: number): Promise<void> {
    const over = new AbortController()
    using _ = this.#lines.follow(() => over.abort())
    await systemClock.at(systemClock.now() + waitMs, over.signal)
  }
}
