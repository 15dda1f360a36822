// The posting lists of the rule index, in a few large arrays of integers. With an array for each
// list, a reader would follow several pointers before the first posting, and wait for memory at
// each of them.

/**
 * Integers of a conditional posting before its program: the second term, the rule, and the length
 * of the program.
 */
export const POSTING_HEADER = 3

const CHUNK_BITS = 16
const CHUNK = 2 ** CHUNK_BITS
/** Larger slots have a chunk of their own. */
const MAX_SHARED = CHUNK / 4
const OFFSET_MASK = CHUNK - 1

/** An arena of slots in a few size classes, with a list of free slots for each class. */
class PostingArena {
  /** The slot at an address begins at `offsetIn` in the chunk `chunkOf`. */
  readonly chunks: Int32Array[] = []
  #shared = -1
  #used = CHUNK
  /** Addresses of free slots, by size class. */
  readonly #free: number[][] = []

  take(sizeClass: number): number {
    return this.#free[sizeClass]?.pop() ?? this.#append(capacityOf(sizeClass))
  }

  free(address: number, sizeClass: number): void {
    const same = this.#free[sizeClass] ?? []
    same.push(address)
    this.#free[sizeClass] = same
  }

  #append(capacity: number): number {
    if (capacity > MAX_SHARED) return (this.chunks.push(new Int32Array(capacity)) - 1) << CHUNK_BITS
    if (this.#used + capacity > CHUNK) {
      this.#shared = this.chunks.push(new Int32Array(CHUNK)) - 1
      this.#used = 0
    }
    const offset = this.#used
    this.#used += capacity
    return (this.#shared << CHUNK_BITS) | offset
  }
}

export const chunkOf = (address: number) => address >>> CHUNK_BITS
export const offsetIn = (address: number) => address & OFFSET_MASK

/**
 * Integers in a slot of a size class: the powers of two, and the middle between each and the next
 * (2, 3, 4, 6, 8, 12).
 */
const capacityOf = (sizeClass: number) => (2 + (sizeClass & 1)) << (sizeClass >> 1)

/** The smallest size class that holds as many integers. */
function sizeClassFor(length: number): number {
  const power = 31 - Math.clz32(Math.max(length, 2))
  if (length <= 2 ** power) return 2 * power - 2
  return length <= 3 * 2 ** (power - 1) ? 2 * power - 1 : 2 * power
}

// The head of a list: the address of its slot, the integers used at each end of the slot, and the
// size class.
export const ADDRESS = 0
export const UNCONDITIONAL = 1
export const CONDITIONAL = 2
const SIZE_CLASS = 3
/** Where the head of a list begins in `heads`. */
export const headOf = (list: number) => list << 2

/**
 * For each term, the postings of the branches of rules that are indexed under it. The slot of a
 * list has, from its start, the unconditional postings: rules that match every post with the term.
 * At its end are the conditional ones: a second required term, the rule, the length of the program,
 * and the program. A negative length is the encoded address of a program that is stored separately.
 */
export class PostingLists {
  readonly arena = new PostingArena()
  heads = new Int32Array(1024)

  grow(lists: number): void {
    if (headOf(lists) <= this.heads.length) return
    const grown = new Int32Array(headOf(lists) * 2)
    grown.set(this.heads)
    this.heads = grown
  }

  addUnconditional(list: number, rule: number): void {
    const chunk = this.#widen(list, 1)
    const head = headOf(list)
    const used = this.heads[head + UNCONDITIONAL] as number
    chunk[offsetIn(this.heads[head + ADDRESS] as number) + used] = rule
    this.heads[head + UNCONDITIONAL] = used + 1
  }

  /** `program`: its address (`takeProgram`), or its integers. */
  addConditional(list: number, second: number, rule: number, program: number | readonly number[]): void {
    const code = typeof program === 'number' ? [] : program
    const chunk = this.#widen(list, POSTING_HEADER + code.length)
    const head = headOf(list)
    const used = (this.heads[head + CONDITIONAL] as number) + POSTING_HEADER + code.length
    this.heads[head + CONDITIONAL] = used
    const start = this.endOf(head) - used
    chunk[start] = second
    chunk[start + 1] = rule
    chunk[start + 2] = typeof program === 'number' ? encodeAddress(program) : code.length
    chunk.set(code, start + POSTING_HEADER)
  }

  /** Removes the postings of a rule from a list, if there are any. */
  remove(list: number, rule: number): void {
    const head = headOf(list)
    if (this.#lengthOf(head) === 0) return
    this.#removeUnconditional(head, rule)
    this.#removeConditional(head, rule)
    const left = this.#lengthOf(head)
    const sizeClass = this.heads[head + SIZE_CLASS] as number
    if (left === 0) this.#release(head)
    else if (left * 4 <= capacityOf(sizeClass)) this.#move(head, sizeClassFor(left))
  }

  #removeUnconditional(head: number, rule: number): void {
    const chunk = this.#chunkOfList(head)
    const start = offsetIn(this.heads[head + ADDRESS] as number)
    for (let at = start + (this.heads[head + UNCONDITIONAL] as number) - 1; at >= start; at--) {
      if (chunk[at] !== rule) continue
      // The last posting replaces it: the order has no meaning.
      const last = (this.heads[head + UNCONDITIONAL] as number) - 1
      chunk[at] = chunk[start + last] as number
      this.heads[head + UNCONDITIONAL] = last
    }
  }

  #removeConditional(head: number, rule: number): void {
    const chunk = this.#chunkOfList(head)
    const end = this.endOf(head)
    for (let at = end - (this.heads[head + CONDITIONAL] as number); at < end; ) {
      const next = at + POSTING_HEADER + Math.max(chunk[at + 2] as number, 0)
      if (chunk[at + 1] === rule) {
        const used = this.heads[head + CONDITIONAL] as number
        chunk.copyWithin(end - used + next - at, end - used, at)
        this.heads[head + CONDITIONAL] = used - (next - at)
      }
      at = next
    }
  }

  /** Stores a program separately, after its length. Returns its address. */
  takeProgram(code: readonly number[]): number {
    const address = this.arena.take(sizeClassFor(code.length + 1))
    const chunk = this.#chunkAt(address)
    chunk[offsetIn(address)] = code.length
    chunk.set(code, offsetIn(address) + 1)
    return address
  }

  freeProgram(address: number): void {
    const length = this.#chunkAt(address)[offsetIn(address)] as number
    this.arena.free(address, sizeClassFor(length + 1))
  }

  #chunkAt(address: number): Int32Array {
    return this.arena.chunks[chunkOf(address)] as Int32Array
  }

  #chunkOfList(head: number): Int32Array {
    return this.#chunkAt(this.heads[head + ADDRESS] as number)
  }

  #lengthOf(head: number): number {
    return (this.heads[head + UNCONDITIONAL] as number) + (this.heads[head + CONDITIONAL] as number)
  }

  /** The offset after the last integer of the slot. */
  endOf(head: number): number {
    return (
      offsetIn(this.heads[head + ADDRESS] as number) + capacityOf(this.heads[head + SIZE_CLASS] as number)
    )
  }

  /** The chunk of a list whose slot has space for more integers. */
  #widen(list: number, more: number): Int32Array {
    this.grow(list + 1)
    const head = headOf(list)
    const length = this.#lengthOf(head)
    if (length === 0) {
      const sizeClass = sizeClassFor(more)
      this.heads[head + ADDRESS] = this.arena.take(sizeClass)
      this.heads[head + SIZE_CLASS] = sizeClass
    } else if (length + more > capacityOf(this.heads[head + SIZE_CLASS] as number))
      this.#move(head, sizeClassFor(length + more))
    return this.#chunkOfList(head)
  }

  #move(head: number, sizeClass: number): void {
    const [before, address, end] = [
      this.#chunkOfList(head),
      this.heads[head + ADDRESS] as number,
      this.endOf(head),
    ]
    const unconditional = this.heads[head + UNCONDITIONAL] as number
    const conditional = this.heads[head + CONDITIONAL] as number
    const moved = this.arena.take(sizeClass)
    const chunk = this.#chunkAt(moved)
    const start = offsetIn(address)
    chunk.set(before.subarray(start, start + unconditional), offsetIn(moved))
    chunk.set(before.subarray(end - conditional, end), offsetIn(moved) + capacityOf(sizeClass) - conditional)
    this.arena.free(address, this.heads[head + SIZE_CLASS] as number)
    this.heads[head + ADDRESS] = moved
    this.heads[head + SIZE_CLASS] = sizeClass
  }

  #release(head: number): void {
    this.arena.free(this.heads[head + ADDRESS] as number, this.heads[head + SIZE_CLASS] as number)
    this.heads.fill(0, head, head + 4)
  }
}

/** The address of a program as a negative length; its own inverse. */
export const encodeAddress = (address: number) => -1 - address
