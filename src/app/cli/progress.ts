import type { TimeSource } from '../../platform/common/clock.ts'

const BAR = 30
const EVERY_MS = 100
const CLEAR = '\r\u001b[K'

/** How far the work has progressed. */
export interface ProgressState {
  /** The current activity, as one word. */
  pass: string
  /** From 0 to 1. */
  share: number
  count: number
}

/** What the line is written to: standard error. */
export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

interface Options {
  clock: TimeSource
  /** The unit that is counted: `posts`. */
  of: string
  output?: ProgressOutput
}

/** A line that shows the progress. It is written only on a terminal. */
export class Progress {
  readonly #clock: TimeSource
  readonly #of: string
  readonly #output: ProgressOutput
  #shownAt = Number.NEGATIVE_INFINITY
  #isShown = false

  constructor({ clock, of, output = process.stderr }: Options) {
    this.#clock = clock
    this.#of = of
    this.#output = output
  }

  /** Writes the line again, but no more often than anyone can read it. */
  show(shown: ProgressState): void {
    const now = this.#clock.now()
    if (this.#output.isTTY !== true || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    this.#isShown = true
    this.#output.write(`${CLEAR}${lineOf(shown, this.#of)}`)
  }

  /** Clears the line, so that something else can be written. */
  clear(): void {
    if (this.#isShown) this.#output.write(CLEAR)
    this.#isShown = false
  }
}

function lineOf({ pass, share, count }: ProgressState, of: string): string {
  const done = Math.min(1, Math.max(0, share))
  const bar = '#'.repeat(Math.round(done * BAR)).padEnd(BAR, '.')
  return `${pass.padEnd(9)} [${bar}] ${Math.floor(done * 100)} %  ${count.toLocaleString('en')} ${of}`
}
