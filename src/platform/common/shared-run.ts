/**
 * Runs `work` once for all calls that arrive while it runs. Such a call resolves with the next run,
 * which begins after the call and therefore sees everything that happened before it.
 */
export class SharedRun<Result> {
  readonly #work: () => Promise<Result>
  #running: Promise<Result> | undefined
  #next: Promise<Result> | undefined

  constructor(work: () => Promise<Result>) {
    this.#work = work
  }

  run(): Promise<Result> {
    if (!this.#running) return this.#start()
    this.#next ??= this.#running.then(
      () => this.#startNext(),
      () => this.#startNext(),
    )
    return this.#next
  }

  /** Resolves when the runs that were asked for so far have ended. It does not reject. */
  async settled(): Promise<void> {
    await (this.#next ?? this.#running)?.catch(() => undefined)
  }

  #startNext(): Promise<Result> {
    this.#next = undefined
    return this.#start()
  }

  #start(): Promise<Result> {
    const running = this.#work().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
