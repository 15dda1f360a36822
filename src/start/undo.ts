/** What must be undone when the server ends, or does not come up. Undone in reverse. */
export class Undo {
  readonly #steps: (() => Promise<unknown> | unknown)[] = []
  add<T>(thing: T, undo: (thing: T) => Promise<unknown> | unknown): T {
    this.#steps.push(() => undo(thing))
    return thing
  }
  async all(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}
