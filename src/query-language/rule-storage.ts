import type { Term, TermKind } from './terms.ts'
import { TERM_KINDS } from './terms.ts'

// What the index of rules is made of: numbers that stand together in memory.

/** What every post has: beside a term that needs nothing beside it. */
export const NO_TERM = 0

/** A set of small numbers. It is small itself, so that it stays in the fastest memory. */
export class Bits {
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

  /** Takes out the numbers of a list, which becomes empty, and maybe others. */
  clear(list: number[]): void {
    for (const index of list) this.at[index >> 5] = 0
    list.length = 0
  }
}

/** Values at small numbers, which are used again when they are free. */
export class Slots<Value> {
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

/** Values with a key, each there as long as someone holds on to it. */
export class Counted<Value> {
  readonly #byKey = new Map<string, number>()
  readonly #keys = new Slots<string>()
  /** By slot, for those that read many. */
  readonly #values: (Value | undefined)[] = []
  readonly #uses: number[] = []

  get capacity(): number {
    return this.#keys.capacity
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0
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

/** How common a term is that has not been counted: how much of all posts have one of its kind. */
const COMMON: ReadonlySet<TermKind> = new Set(['language', 'property', 'country', 'source'])
const COST_OF_COMMON = 1e6

/** The terms that rules use, by small numbers; one number stands for no term. */
export class TermTable {
  readonly #byKind = new Map<TermKind, Map<string, number>>(TERM_KINDS.map((kind) => [kind, new Map()]))
  readonly #slots = new Slots<Term | undefined>()
  readonly #uses: number[] = []

  constructor() {
    this.#slots.take(undefined)
  }

  get capacity(): number {
    return this.#slots.capacity
  }

  has(kind: TermKind): boolean {
    return this.#of(kind).size > 0
  }

  find(kind: TermKind, key: string): number | undefined {
    return this.#of(kind).get(key)
  }

  #of(kind: TermKind): Map<string, number> {
    return this.#byKind.get(kind) as Map<string, number>
  }

  /** What rules use often is common in posts, too. */
  costOf({ kind, key }: Term): number {
    const slot = this.find(kind, key)
    const uses = slot === undefined ? 0 : (this.#uses[slot] as number)
    return 1 + uses + (COMMON.has(kind) ? COST_OF_COMMON : 0)
  }

  hold(term: Term): number {
    const { kind, key } = term
    const known = this.find(kind, key)
    const slot = known ?? this.#slots.take(term)
    if (known === undefined) this.#of(kind).set(key, slot)
    this.#uses[slot] = (known === undefined ? 0 : (this.#uses[slot] as number)) + 1
    return slot
  }

  release(slot: number): void {
    const left = (this.#uses[slot] as number) - 1
    this.#uses[slot] = left
    const term = this.#slots.at(slot)
    if (left > 0 || !term) return
    this.#of(term.kind).delete(term.key)
    this.#slots.free(slot)
  }
}
