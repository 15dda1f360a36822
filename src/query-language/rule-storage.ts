import type { Term, TermKind } from './terms.ts'
import { TERM_KINDS } from './terms.ts'

// What the index of rules is made of: numbers that are together in memory.

/** What every post has: beside a term that needs nothing beside it. */
export const NO_TERM = 0

/** How many numbers of a posting are before its program: the term beside, the rule, and the length of the program. */
export const POSTING = 3
/** Set beside the slot of a rule, in the last bit, when the rule has one posting. */
export const SINGLE = 1
/** Longer programs of several postings are in the arena, once. */
const MAX_REPEATED = 48

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

/** Whether a program is in each of its postings: reading on in one place is faster than going elsewhere. */
export const isRepeated = (length: number, postings: number) => length * (postings - 1) <= MAX_REPEATED

/** Shared by the many lists that have none. */
const NOTHING = new Int32Array(0)
const NO_IDS: string[] = []

/** The branches that are found by a term, one after another in memory. */
export class Postings {
  /** The ids of rules that every post with the term matches, and that have no other posting. */
  alone = NO_IDS
  /** Other rules that every post with the term matches. What is behind the length means nothing, here and below. */
  sure = NOTHING
  sureLength = 0
  /**
   * For others: the term that a post must have as well, the rule, how long the program is, and the program. Below zero, a
   * length says where in the arena the program is.
   */
  unsure = NOTHING
  unsureLength = 0

  get isEmpty(): boolean {
    return this.alone.length + this.sureLength + this.unsureLength === 0
  }

  addAlone(id: string): void {
    if (this.alone === NO_IDS) this.alone = [id]
    else this.alone.push(id)
  }

  addSure(rule: number): void {
    this.sure = withRoom(this.sure, this.sureLength + 1)
    this.sure[this.sureLength++] = rule
  }

  /** `program` is where it is in the arena, or its numbers. */
  addUnsure(beside: number, rule: number, program: number | readonly number[]): void {
    const code = typeof program === 'number' ? [] : program
    const length = this.unsureLength
    this.unsure = withRoom(this.unsure, length + POSTING + code.length)
    this.unsure[length] = beside
    this.unsure[length + 1] = rule
    this.unsure[length + 2] = typeof program === 'number' ? inArena(program) : code.length
    this.unsure.set(code, length + POSTING)
    this.unsureLength = length + POSTING + code.length
  }

  /** Takes out what is here of a rule. The last ones may take the places: their order means nothing. */
  remove(slot: number, id: string): void {
    const at = this.alone.indexOf(id)
    if (at >= 0) {
      const last = this.alone.pop() as string
      if (at < this.alone.length) this.alone[at] = last
      return
    }
    for (let at = this.sureLength - 1; at >= 0; at--) {
      if ((this.sure[at] as number) >> 1 === slot) this.sure[at] = this.sure[--this.sureLength] as number
    }
    let kept = 0
    for (let at = 0; at < this.unsureLength; ) {
      const end = at + POSTING + Math.max(this.unsure[at + 2] as number, 0)
      if ((this.unsure[at + 1] as number) >> 1 !== slot) {
        if (kept < at) this.unsure.copyWithin(kept, at, end)
        kept += end - at
      }
      at = end
    }
    this.unsureLength = kept
  }
}

/** The place of a program in the arena as a length, and back. */
export const inArena = (place: number) => -1 - place

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
