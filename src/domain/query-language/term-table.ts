import { systemRandom } from '../../platform/common/random.ts'
import { SlotList } from './rule-storage.ts'
import { pairOf, TERM_KINDS, type Term, type TermKind, wordsInPair } from './terms.ts'

/** Kinds whose terms are in a large part of all posts. */
const COMMON: ReadonlySet<TermKind> = new Set(['language', 'property', 'country', 'source'])
const COST_OF_COMMON = 1e6

/** Integers of a slot of the table: the hash of a term, and the term. */
const PLACE = 2
const FIRST_PLACES = 1024
/** Random in each process, so that nobody can choose words that collide. Large and odd factor. */
const SEED = systemRandom.bytes(4).readUInt32LE()
const FACTOR = systemRandom.bytes(4).readInt32LE() | 0x40000001
const SEEDS = new Map(TERM_KINDS.map((kind, index) => [kind, Math.imul(SEED + index, 0x9e3779b1)]))
const SEED_OF_WORDS = SEEDS.get('word') as number

/**
 * The terms that rules use, as small integers; one of them means no term. An open-addressing hash
 * table that stores the hashes: it almost never reads a key that is not the one looked for. A `Map`
 * does, and takes twice the time for a post.
 */
export class TermTable {
  readonly #slots = new SlotList<Term | undefined>()
  /** By term: faster to read than the terms. */
  readonly #keys: string[] = ['']
  readonly #uses: number[] = [0]
  readonly #kinds = new Map<TermKind, number>(TERM_KINDS.map((kind) => [kind, 0]))
  /** A term is at the position of its hash, or at the next one that was free. */
  #places = new Int32Array(FIRST_PLACES * PLACE)
  #count = 0

  constructor() {
    this.#slots.take(undefined)
  }

  get capacity(): number {
    return this.#slots.capacity
  }

  has(kind: TermKind): boolean {
    return (this.#kinds.get(kind) as number) > 0
  }

  /** Finds a term; `NO_TERM` if no rule uses it. */
  find(kind: TermKind, key: string): number {
    return this.findHashed(hashOfTerm(kind, key), key)
  }

  /** The same, with the hash of the key in its kind. */
  findHashed(hash: number, key: string): number {
    const places = this.#places
    const last = places.length - 1
    for (let at = (hash << 1) & last; ; at = (at + PLACE) & last) {
      const term = places[at + 1] as number
      if (term === NO_TERM || (places[at] === hash && this.#keys[term] === key)) return term
    }
  }

  /** Finds a pair of adjacent words by their hashes. The key is built only if the hashes match. */
  findPair(first: string, hashOfFirst: number, second: string, hashOfSecond: number): number {
    const hash = hashOfPair(hashOfFirst, hashOfSecond)
    const places = this.#places
    const last = places.length - 1
    for (let at = (hash << 1) & last; ; at = (at + PLACE) & last) {
      const term = places[at + 1] as number
      if (term === NO_TERM || (places[at] === hash && this.#keys[term] === pairOf(first, second))) return term
    }
  }

  /** Terms that rules use often are assumed to be common in posts too. */
  costOf({ kind, key }: Term): number {
    const uses = this.#uses[this.find(kind, key)] as number
    return 1 + uses + (COMMON.has(kind) ? COST_OF_COMMON : 0)
  }

  hold(term: Term): number {
    const known = this.find(term.kind, term.key)
    const slot = known === NO_TERM ? this.#add(term) : known
    this.#uses[slot] = (this.#uses[slot] as number) + 1
    return slot
  }

  #add(term: Term): number {
    const { kind, key } = term
    const slot = this.#slots.take(term)
    this.#keys[slot] = key
    this.#uses[slot] = 0
    this.#kinds.set(kind, (this.#kinds.get(kind) as number) + 1)
    if (++this.#count * PLACE * 2 > this.#places.length) this.#grow()
    put(this.#places, hashOfTerm(kind, key), slot)
    return slot
  }

  #grow(): void {
    const before = this.#places
    const places = new Int32Array(before.length * 2)
    for (let at = 0; at < before.length; at += PLACE)
      if (before[at + 1] !== NO_TERM) put(places, before[at] as number, before[at + 1] as number)
    this.#places = places
  }

  release(slot: number): void {
    const left = (this.#uses[slot] as number) - 1
    this.#uses[slot] = left
    const term = this.#slots.at(slot)
    if (left > 0 || !term) return
    removeEntry(this.#places, hashOfTerm(term.kind, term.key), slot)
    this.#count--
    this.#kinds.set(term.kind, (this.#kinds.get(term.kind) as number) - 1)
    this.#keys[slot] = ''
    this.#slots.free(slot)
  }
}

/** Every post has it: the second term of a posting that needs none. */
export const NO_TERM = 0

/** Differs for the same key in terms of different kinds, because each step is invertible. */
function hashOf(seed: number, key: string): number {
  let hash = seed
  for (let at = 0; at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), FACTOR)
    hash ^= hash >>> 15
  }
  return hash
}

/** The hash of a pair, from the hashes of its two words. */
function hashOfPair(first: number, second: number): number {
  const hash = Math.imul(first ^ ((second << 16) | (second >>> 16)), 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

export const hashOfWord = (word: string) => hashOf(SEED_OF_WORDS, word)

function hashOfTerm(kind: TermKind, key: string): number {
  if (kind !== 'pair') return hashOf(SEEDS.get(kind) as number, key)
  const [first, second] = wordsInPair(key)
  return hashOfPair(hashOfWord(first), hashOfWord(second))
}

function put(places: Int32Array, hash: number, term: number): void {
  const last = places.length - 1
  let at = (hash << 1) & last
  while (places[at + 1] !== NO_TERM) at = (at + PLACE) & last
  places[at] = hash
  places[at + 1] = term
}

/**
 * Removes an entry. Later entries that were displaced move up, so that probing still finds them.
 */
function removeEntry(places: Int32Array, hash: number, term: number): void {
  const last = places.length - 1
  let free = (hash << 1) & last
  while (places[free + 1] !== term) free = (free + PLACE) & last
  for (let at = (free + PLACE) & last; places[at + 1] !== NO_TERM; at = (at + PLACE) & last) {
    const home = ((places[at] as number) << 1) & last
    if (((at - home) & last) < ((at - free) & last)) continue
    places[free] = places[at] as number
    places[free + 1] = places[at + 1] as number
    free = at
  }
  places[free + 1] = NO_TERM
}
