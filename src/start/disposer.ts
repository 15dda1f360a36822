/** How long one step may take after a start that failed. */
const STEP_MS = 5_000

/** Releases in reverse order what was opened, when the server ends or does not start. */
export class Disposer {
  readonly #steps: (() => Promise<unknown> | unknown)[] = []

  add<T>(thing: T, dispose: (thing: T) => Promise<unknown> | unknown): T {
    this.#steps.push(() => dispose(thing))
    return thing
  }

  /** Every step is taken, whatever becomes of the others. Rejects with the first error. */
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

  /** The same after a failure, which is what is reported: a step that fails too, or does not end, is passed over. */
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
