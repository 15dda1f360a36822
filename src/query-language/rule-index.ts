import type { Formula } from './formula.ts'
import { branchesOf, filingOf, formulaOf } from './formula.ts'
import { circumstancesOf, holds } from './match.ts'
import type { MatchablePost } from './matchable-post.ts'
import type { Query } from './query.ts'
import { isSearch } from './query.ts'
import type { Term, TermKind, TermSink } from './terms.ts'
import { addTerms, TERM_KINDS } from './terms.ts'

/** Rules that are found by a term. The second list says, for each, the term that a post must have as well. */
interface Postings {
  readonly branches: number[]
  readonly beside: number[]
}

/** A branch of a rule and the terms in whose lists it is. */
interface FiledBranch {
  readonly branch: number
  readonly anchors: readonly number[]
}

/** What a rule holds on to, to let go of it later. */
interface Filed {
  readonly slot: number
  readonly branches: FiledBranch[]
  /** Terms and tests, as often as they are used; those of lists aside. */
  readonly terms: number[]
  readonly tests: number[]
}

type Test = Formula & { kind: 'test' }

// A program is a list of numbers. A leaf is a term or a test, with whether it is negated; a group is AND or OR, the place
// behind it, and its parts.
const AND = -1
const OR = -2
const leafOf = (index: number, isTest: boolean, negated: boolean) =>
  (index << 2) | (isTest ? 2 : 0) | (negated ? 1 : 0)

/** What every post has: beside a term that needs nothing beside it. */
const NO_TERM = 0

/**
 * Many rules of streams, and for each post those that match it. A branch of a rule (what stands between its ORs) is filed
 * under its rarest part, in the lists of the terms of which a post must have one; a second term stands beside it in the
 * list, so most branches that do not match cost one look. What is left is a program over the terms of the post.
 */
export class RuleIndex {
  readonly #rules = new Map<string, Filed>()
  /** By slot: the id of the rule. */
  readonly #ids = new Slots<string>()
  /** By branch: its rule, and what is left to compare. */
  readonly #ruleOf: number[] = []
  readonly #programs = new Slots<readonly number[] | undefined>()
  readonly #terms = new TermTable()
  readonly #tests = new Counted<Test>()
  readonly #postings: (Postings | undefined)[] = []

  // Marks of the post that is looked at: the number of the post, so that nothing has to be cleared.
  #post = 0
  #hasTerm = new Marks()
  #isFound = new Marks()
  #isTested = new Marks()
  #holds = new Marks()
  #present: number[] = []
  #looked: MatchablePost | undefined

  get size(): number {
    return this.#rules.size
  }

  has(id: string): boolean {
    return this.#rules.has(id)
  }

  /** Adds a rule. Throws when it is there already, or is a query for search. */
  add(id: string, query: Query): void {
    if (this.#rules.has(id)) throw new Error(`There is a rule ${id} already.`)
    if (isSearch(query.use)) throw new Error('A query for search is no rule.')
    const filed: Filed = { slot: this.#ids.take(id), branches: [], terms: [], tests: [] }
    for (const branch of branchesOf(formulaOf(query.root, circumstancesOf(query)))) this.#file(branch, filed)
    this.#rules.set(id, filed)
  }

  #file(branch: Formula, filed: Filed): void {
    const { anchors, beside, rest } = filingOf(branch, (term) => this.#terms.costOf(term))
    const program: number[] = []
    for (const part of rest) this.#compile(part, program, filed)
    const slot = this.#programs.take(program.length === 0 ? undefined : program)
    this.#ruleOf[slot] = filed.slot
    const besideTerm = beside ? this.#hold(beside, filed) : NO_TERM
    const keys = new Map(anchors.map((term) => [`${term.kind} ${term.key}`, term]))
    const anchorTerms = [...keys.values()].map((term) => this.#terms.hold(term))
    for (const term of anchorTerms) this.#postTo(term, slot, besideTerm)
    filed.branches.push({ branch: slot, anchors: anchorTerms })
  }

  #postTo(term: number, branch: number, beside: number): void {
    const postings = this.#postings[term]
    if (postings) {
      postings.branches.push(branch)
      postings.beside.push(beside)
    } else this.#postings[term] = { branches: [branch], beside: [beside] }
  }

  #hold(term: Term, filed: Filed): number {
    const index = this.#terms.hold(term)
    filed.terms.push(index)
    return index
  }

  #compile(formula: Formula, program: number[], filed: Filed): void {
    if (formula.kind === 'term') program.push(leafOf(this.#hold(formula.term, filed), false, formula.negated))
    else if (formula.kind === 'test') {
      const index = this.#tests.hold(formula.key, formula)
      filed.tests.push(index)
      program.push(leafOf(index, true, formula.negated))
    } else {
      const start = program.push(formula.kind === 'and' ? AND : OR, 0)
      for (const part of formula.parts) this.#compile(part, program, filed)
      program[start - 1] = program.length
    }
  }

  /** Takes a rule out; false when it is not there. */
  delete(id: string): boolean {
    const filed = this.#rules.get(id)
    if (!filed) return false
    for (const { branch, anchors } of filed.branches) {
      for (const term of anchors) {
        this.#unpost(term, branch)
        this.#terms.release(term)
      }
      this.#programs.free(branch)
    }
    for (const term of filed.terms) this.#terms.release(term)
    for (const test of filed.tests) this.#tests.release(test)
    this.#ids.free(filed.slot)
    this.#rules.delete(id)
    return true
  }

  #unpost(term: number, branch: number): void {
    const { branches, beside } = this.#postings[term] as Postings
    // The last one takes its place: their order means nothing.
    const at = branches.lastIndexOf(branch)
    const lastBranch = branches.pop() as number
    const lastBeside = beside.pop() as number
    if (at < branches.length) {
      branches[at] = lastBranch
      beside[at] = lastBeside
    }
    if (branches.length === 0) this.#postings[term] = undefined
  }

  /** The ids of the rules that match a post, in no order. */
  match(post: MatchablePost): string[] {
    const found: string[] = []
    this.#look(post)
    for (const term of this.#present) {
      const postings = this.#postings[term]
      if (postings) this.#search(postings, found)
    }
    this.#looked = undefined
    return found
  }

  /** Marks the terms of a post. */
  #look(post: MatchablePost): void {
    this.#post++
    this.#looked = post
    this.#present.length = 0
    this.#hasTerm.grow(this.#terms.capacity)
    this.#isTested.grow(this.#tests.capacity)
    this.#holds.grow(this.#tests.capacity)
    this.#isFound.grow(this.#ids.capacity)
    this.#hasTerm.at[NO_TERM] = this.#post
    addTerms(post, this.#sink)
  }

  readonly #sink: TermSink = {
    wants: (kind) => this.#terms.has(kind),
    add: (kind, key) => {
      const term = this.#terms.find(kind, key)
      if (term === undefined || this.#hasTerm.at[term] === this.#post) return
      this.#hasTerm.at[term] = this.#post
      this.#present.push(term)
    },
  }

  #search({ branches, beside }: Postings, found: string[]): void {
    const hasTerm = this.#hasTerm.at
    const isFound = this.#isFound.at
    const post = this.#post
    for (let at = 0; at < branches.length; at++) {
      if (hasTerm[beside[at] as number] !== post) continue
      const branch = branches[at] as number
      const rule = this.#ruleOf[branch] as number
      if (isFound[rule] === post) continue
      const program = this.#programs.at(branch)
      if (program !== undefined && !this.#run(program)) continue
      isFound[rule] = post
      found.push(this.#ids.at(rule) as string)
    }
  }

  /** Whether every part of a program holds. */
  #run(program: readonly number[]): boolean {
    for (let at = 0; at < program.length; at = behind(program, at))
      if (!this.#holdsAt(program, at)) return false
    return true
  }

  #holdsAt(program: readonly number[], at: number): boolean {
    const code = program[at] as number
    if (code >= 0) {
      const index = code >> 2
      const isSo = (code & 2) === 0 ? this.#hasTerm.at[index] === this.#post : this.#test(index)
      return isSo !== ((code & 1) === 1)
    }
    const end = program[at + 1] as number
    const wanted = code === OR
    for (let part = at + 2; part < end; part = behind(program, part))
      if (this.#holdsAt(program, part) === wanted) return wanted
    return !wanted
  }

  /** The outcome of a test: each is made once for a post, whoever asks. */
  #test(index: number): boolean {
    if (this.#isTested.at[index] !== this.#post) {
      this.#isTested.at[index] = this.#post
      const test = this.#tests.at(index)
      const isSo =
        test !== undefined &&
        this.#looked !== undefined &&
        holds(test.condition, this.#looked, test.circumstances)
      this.#holds.at[index] = isSo ? this.#post : 0
    }
    return this.#holds.at[index] === this.#post
  }
}

/** Where the part of a program ends that begins at a place. */
const behind = (program: readonly number[], at: number) =>
  (program[at] as number) >= 0 ? at + 1 : (program[at + 1] as number)

/** The number of the post for which something was last marked, by index. */
class Marks {
  at = new Float64Array(16)

  grow(size: number): void {
    if (size <= this.at.length) return
    const grown = new Float64Array(size * 2)
    grown.set(this.at)
    this.at = grown
  }
}

/** Values at small numbers, which are used again when they are free. */
class Slots<Value> {
  readonly #values: (Value | undefined)[] = []
  readonly #free: number[] = []

  get capacity(): number {
    return this.#values.length
  }

  at(slot: number): Value | undefined {
    return this.#values[slot]
  }

  take(value: Value): number {
    const slot = this.#free.pop() ?? this.#values.length
    this.#values[slot] = value
    return slot
  }

  free(slot: number): void {
    this.#values[slot] = undefined
    this.#free.push(slot)
  }
}

/** Values with a key, each there as long as someone holds on to it. */
class Counted<Value> {
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
class TermTable {
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
