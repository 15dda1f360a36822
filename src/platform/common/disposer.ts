/** Timeout of one step after a failed start. */
const STEP_MS = 5_000

/** Releases resources in reverse order, when the server ends or fails to start. */
export class Disposer {
  readonly #steps: (() => Promise<unknown> | unknown)[] = []

  add<T>(thing: T, dispose: (thing: T) => Promise<unknown> | unknown): T {
    this.#steps.push(() => dispose(thing))
    return thing
  }

  /** Runs every step, even if others fail. Rejects with the first error. */
  async all(): Promise<void> {
    const errors: unknown[] = []
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }

  /**
   * The same after a failure, which is the error that is reported: a step that also fails, or does
   * not end, is ignored.
   */
  async afterFailure(stepMs = STEP_MS): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, stepMs)
      })
      await Promise.race([Promise.resolve().then(step), late]).catch(() => undefined)
      clearTimeout(timer)
    }
  }
}
