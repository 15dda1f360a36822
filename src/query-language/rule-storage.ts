import type { Term, TermKind } from './terms.ts'
import { TERM_KINDS } from './terms.ts'

// What the index of rules is made of: numbers that stand together in memory.

/** What every post has: beside a term that needs nothing beside it. */
export const NO_TERM = 0

/** How many numbers a posting has of a branch that needs more than a term. */
export const POSTING = 3
/** A program of one leaf stands in the posting itself, as a number below this. */
export const NO_PROGRAM = -1
/** Set beside the slot of a rule, in the last bit, when the rule has one posting. */
export const SINGLE = 1

/** The number of the post for which something was last marked, by index. */
export class Marks {
  at = new Int32Array(16)

  grow(size: number): void {
    if (size <= this.at.length) return
    const grown = new Int32Array(size * 2)
    grown.set(this.at)
    this.at = grown
  }
}

/** Shared by the many lists that have none. */
const NOTHING = new Int32Array(0)

/** The branches that are found by a term, one after another in memory. */
export class Postings {
  /** Rules that every post with the term matches. What is behind the length means nothing, here and below. */
  sure = NOTHING
  sureLength = 0
  /** For others: the term that a post must have as well, the rule, and its program. */
  unsure = NOTHING
  unsureLength = 0

  get isEmpty(): boolean {
    return this.sureLength + this.unsureLength === 0
  }

  add(rule: number, beside: number, program: number): void {
    if (beside === NO_TERM && program === NO_PROGRAM) {
      this.sure = withRoom(this.sure, this.sureLength + 1)
      this.sure[this.sureLength++] = rule
      return
    }
    this.unsure = withRoom(this.unsure, this.unsureLength + POSTING)
    this.unsure[this.unsureLength++] = beside
    this.unsure[this.unsureLength++] = rule
    this.unsure[this.unsureLength++] = program
  }

  /** Takes out what stands here of a rule. The last ones take the places: their order means nothing. */
  remove(slot: number): void {
    for (let at = this.sureLength - 1; at >= 0; at--) {
      if ((this.sure[at] as number) >> 1 === slot) this.sure[at] = this.sure[--this.sureLength] as number
    }
    for (let at = this.unsureLength - POSTING; at >= 0; at -= POSTING) {
      if ((this.unsure[at + 1] as number) >> 1 !== slot) continue
      this.unsureLength -= POSTING
      this.unsure.copyWithin(at, this.unsureLength, this.unsureLength + POSTING)
    }
  }
}

function withRoom(numbers: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= numbers.length) return numbers
  const grown = new Int32Array(length > 3 ? Math.ceil(length * 1.5) : length)
  grown.set(numbers)
  return grown
}

/** Programs, one after another in memory: first how long one is. Room is used again for those of about the same length. */
export class Arena {
  code = new Int32Array(1024)
  #end = 0
  /** By the power of two that is the room. */
  readonly #free: number[][] = []

  take(program: readonly number[]): number {
    const power = powerFor(program.length + 1)
    const start = this.#free[power]?.pop() ?? this.#append(2 ** power)
    this.code[start] = program.length
    this.code.set(program, start + 1)
    return start
  }

  #append(room: number): number {
    const start = this.#end
    this.#end += room
    if (this.#end > this.code.length) {
      const grown = new Int32Array(this.#end * 2)
      grown.set(this.code)
      this.code = grown
    }
    return start
  }

  free(start: number): void {
    const power = powerFor((this.code[start] as number) + 1)
    const same = this.#free[power] ?? []
    same.push(start)
    this.#free[power] = same
  }
}

/** The least power of two that is a length or more. */
const powerFor = (length: number) => 32 - Math.clz32(length - 1)

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
  readonly #slots = new Slots<{ key: string; value: Value }>()
  readonly #uses: number[] = []

  get capacity(): number {
    return this.#slots.capacity
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0
  }

  at(slot: number): Value | undefined {
    return this.#slots.at(slot)?.value
  }

  hold(key: string, value: Value): number {
    const known = this.#byKey.get(key)
    const slot = known ?? this.#slots.take({ key, value })
    if (known === undefined) this.#byKey.set(key, slot)
    this.#uses[slot] = (known === undefined ? 0 : (this.#uses[slot] as number)) + 1
    return slot
  }

  release(slot: number): void {
    const left = (this.#uses[slot] as number) - 1
    this.#uses[slot] = left
    const held = this.#slots.at(slot)
    if (left > 0 || !held) return
    this.#byKey.delete(held.key)
    this.#slots.free(slot)
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
