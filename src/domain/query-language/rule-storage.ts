// Compact collections for the rule index.

/** A set of small integers, as a bit set that fits in the processor cache. */
export class BitSet {
  at = new Int32Array(16)

  grow(size: number): void {
    if (size <= this.at.length * 32) return
    const grown = new Int32Array(Math.ceil(size / 16))
    grown.set(this.at)
    this.at = grown
  }

  has(index: number): boolean {
    return (((this.at[index >> 5] as number) >> (index & 31)) & 1) === 1
  }

  add(index: number): void {
    const word = index >> 5
    this.at[word] = (this.at[word] as number) | (1 << (index & 31))
  }

  /**
   * Clears the words that contain the integers of a list, and empties the list. Other integers in
   * these words are removed too.
   */
  clear(list: number[]): void {
    for (const index of list) this.at[index >> 5] = 0
    list.length = 0
  }
}

/** Values by slot. Free slots are reused. */
export class SlotList<Value> {
  readonly values: (Value | undefined)[] = []
  readonly #free: number[] = []

  get capacity(): number {
    return this.values.length
  }

  at(slot: number): Value | undefined {
    return this.values[slot]
  }

  take(value: Value): number {
    const slot = this.#free.pop() ?? this.values.length
    this.values[slot] = value
    return slot
  }

  free(slot: number): void {
    this.values[slot] = undefined
    this.#free.push(slot)
  }
}

/** Values by key, with reference counts: a value is removed with its last reference. */
export class CountedValues<Value> {
  readonly #byKey = new Map<string, number>()
  readonly #keys = new SlotList<string>()
  /** By slot. */
  readonly #values: (Value | undefined)[] = []
  readonly #uses: number[] = []

  get capacity(): number {
    return this.#keys.capacity
  }

  at(slot: number): Value | undefined {
    return this.#values[slot]
  }

  hold(key: string, value: Value): number {
    const known = this.#byKey.get(key)
    const slot = known ?? this.#keys.take(key)
    if (known === undefined) {
      this.#byKey.set(key, slot)
      this.#values[slot] = value
    }
    this.#uses[slot] = (known === undefined ? 0 : (this.#uses[slot] as number)) + 1
    return slot
  }

  release(slot: number): void {
    const left = (this.#uses[slot] as number) - 1
    this.#uses[slot] = left
    const key = this.#keys.at(slot)
    if (left > 0 || key === undefined) return
    this.#byKey.delete(key)
    this.#values[slot] = undefined
    this.#keys.free(slot)
  }
}
