// The lists of the index of rules: numbers that stand together in memory, in few large pieces of it. An array of its own
// for each list would be several places to read before the first number, each of which waits for memory.

/** How many numbers of a posting stand before its program: the term beside, the rule, and the length of the program. */
export const POSTING = 3

const CHUNK_BITS = 16
const CHUNK = 2 ** CHUNK_BITS
/** Larger rooms are a chunk of their own. */
const MAX_SHARED = CHUNK / 4
const IN_CHUNK = CHUNK - 1

/** Rooms for numbers. A room has one of few sizes, and is used again for another list of its size. */
class Rooms {
  /** The room at an address begins at `placeIn` in the chunk `chunkOf`. */
  readonly chunks: Int32Array[] = []
  #shared = -1
  #used = CHUNK
  /** By size. */
  readonly #free: number[][] = []

  take(size: number): number {
    return this.#free[size]?.pop() ?? this.#append(numbersIn(size))
  }

  free(address: number, size: number): void {
    const same = this.#free[size] ?? []
    same.push(address)
    this.#free[size] = same
  }

  #append(numbers: number): number {
    if (numbers > MAX_SHARED) return (this.chunks.push(new Int32Array(numbers)) - 1) << CHUNK_BITS
    if (this.#used + numbers > CHUNK) {
      this.#shared = this.chunks.push(new Int32Array(CHUNK)) - 1
      this.#used = 0
    }
    const place = this.#used
    this.#used += numbers
    return (this.#shared << CHUNK_BITS) | place
  }
}

export const chunkOf = (address: number) => address >>> CHUNK_BITS
export const placeIn = (address: number) => address & IN_CHUNK

/** Sizes are the powers of two, and the middle between each and the next: 2, 3, 4, 6, 8, 12. */
const numbersIn = (size: number) => (2 + (size & 1)) << (size >> 1)

/** The least size for some numbers. */
function sizeFor(numbers: number): number {
  const power = 31 - Math.clz32(Math.max(numbers, 2))
  if (numbers <= 2 ** power) return 2 * power - 2
  return numbers <= 3 * 2 ** (power - 1) ? 2 * power - 1 : 2 * power
}

// What is known of a list, at its head: where its room is, how many numbers stand in the two ends of it, and its size.
export const ADDRESS = 0
export const SURE = 1
export const UNSURE = 2
const SIZE = 3
/** The head of a list. */
export const headOf = (list: number) => list << 2

/**
 * For each term the branches of rules that are found by it. In its room stand from the left the rules that every post
 * with the term matches; and at the right, up to the end, the others: the term that a post must have as well, the rule,
 * how long the program is, and the program. Below zero, a length says where the program is.
 */
export class PostingLists {
  readonly rooms = new Rooms()
  heads = new Int32Array(1024)

  grow(lists: number): void {
    if (headOf(lists) <= this.heads.length) return
    const grown = new Int32Array(headOf(lists) * 2)
    grown.set(this.heads)
    this.heads = grown
  }

  addSure(list: number, rule: number): void {
    const room = this.#widen(list, 1)
    const head = headOf(list)
    const sure = this.heads[head + SURE] as number
    room[placeIn(this.heads[head + ADDRESS] as number) + sure] = rule
    this.heads[head + SURE] = sure + 1
  }

  /** `program` is where it is (`takeProgram`), or its numbers. */
  addUnsure(list: number, beside: number, rule: number, program: number | readonly number[]): void {
    const code = typeof program === 'number' ? [] : program
    const room = this.#widen(list, POSTING + code.length)
    const head = headOf(list)
    const unsure = (this.heads[head + UNSURE] as number) + POSTING + code.length
    this.heads[head + UNSURE] = unsure
    const start = this.endOf(head) - unsure
    room[start] = beside
    room[start + 1] = rule
    room[start + 2] = typeof program === 'number' ? elsewhere(program) : code.length
    room.set(code, start + POSTING)
  }

  /** Takes out what stands in a list of a rule, which may be nothing. */
  remove(list: number, rule: number): void {
    const head = headOf(list)
    if (this.#lengthOf(head) === 0) return
    this.#removeSure(head, rule)
    this.#removeUnsure(head, rule)
    const left = this.#lengthOf(head)
    const size = this.heads[head + SIZE] as number
    if (left === 0) this.#release(head)
    else if (left * 4 <= numbersIn(size)) this.#move(head, sizeFor(left))
  }

  #removeSure(head: number, rule: number): void {
    const room = this.#roomOf(head)
    const start = placeIn(this.heads[head + ADDRESS] as number)
    for (let at = start + (this.heads[head + SURE] as number) - 1; at >= start; at--) {
      if (room[at] !== rule) continue
      // The last one takes the place: the order means nothing.
      const last = (this.heads[head + SURE] as number) - 1
      room[at] = room[start + last] as number
      this.heads[head + SURE] = last
    }
  }

  #removeUnsure(head: number, rule: number): void {
    const room = this.#roomOf(head)
    const end = this.endOf(head)
    for (let at = end - (this.heads[head + UNSURE] as number); at < end; ) {
      const next = at + POSTING + Math.max(room[at + 2] as number, 0)
      if (room[at + 1] === rule) {
        const unsure = this.heads[head + UNSURE] as number
        room.copyWithin(end - unsure + next - at, end - unsure, at)
        this.heads[head + UNSURE] = unsure - (next - at)
      }
      at = next
    }
  }

  /** A program that stands apart: first how long it is. */
  takeProgram(code: readonly number[]): number {
    const address = this.rooms.take(sizeFor(code.length + 1))
    const chunk = this.#chunkAt(address)
    chunk[placeIn(address)] = code.length
    chunk.set(code, placeIn(address) + 1)
    return address
  }

  freeProgram(address: number): void {
    const length = this.#chunkAt(address)[placeIn(address)] as number
    this.rooms.free(address, sizeFor(length + 1))
  }

  #chunkAt(address: number): Int32Array {
    return this.rooms.chunks[chunkOf(address)] as Int32Array
  }

  #roomOf(head: number): Int32Array {
    return this.#chunkAt(this.heads[head + ADDRESS] as number)
  }

  #lengthOf(head: number): number {
    return (this.heads[head + SURE] as number) + (this.heads[head + UNSURE] as number)
  }

  /** Behind the last number of the room. */
  endOf(head: number): number {
    return placeIn(this.heads[head + ADDRESS] as number) + numbersIn(this.heads[head + SIZE] as number)
  }

  /** The chunk of a list, in which there is room for more numbers. */
  #widen(list: number, more: number): Int32Array {
    this.grow(list + 1)
    const head = headOf(list)
    const length = this.#lengthOf(head)
    if (length === 0) {
      const size = sizeFor(more)
      this.heads[head + ADDRESS] = this.rooms.take(size)
      this.heads[head + SIZE] = size
    } else if (length + more > numbersIn(this.heads[head + SIZE] as number))
      this.#move(head, sizeFor(length + more))
    return this.#roomOf(head)
  }

  #move(head: number, size: number): void {
    const [before, address, end] = [
      this.#roomOf(head),
      this.heads[head + ADDRESS] as number,
      this.endOf(head),
    ]
    const [sure, unsure] = [this.heads[head + SURE] as number, this.heads[head + UNSURE] as number]
    const moved = this.rooms.take(size)
    const room = this.#chunkAt(moved)
    const start = placeIn(address)
    room.set(before.subarray(start, start + sure), placeIn(moved))
    room.set(before.subarray(end - unsure, end), placeIn(moved) + numbersIn(size) - unsure)
    this.rooms.free(address, this.heads[head + SIZE] as number)
    this.heads[head + ADDRESS] = moved
    this.heads[head + SIZE] = size
  }

  #release(head: number): void {
    this.rooms.free(this.heads[head + ADDRESS] as number, this.heads[head + SIZE] as number)
    this.heads.fill(0, head, head + 4)
  }
}

/** The address of a program as a length, and back. */
export const elsewhere = (address: number) => -1 - address
