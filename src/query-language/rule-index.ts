import type { Filing, Formula } from './formula.ts'
import { branchesOf, filingOf, formulaOf } from './formula.ts'
import { circumstancesOf, holds } from './match.ts'
import type { MatchablePost } from './matchable-post.ts'
import type { Query } from './query.ts'
import { isSearch } from './query.ts'
import {
  Arena,
  Counted,
  Marks,
  NO_PROGRAM,
  NO_TERM,
  POSTING,
  Postings,
  SINGLE,
  Slots,
  TermTable,
} from './rule-storage.ts'
import type { Term, TermSink } from './terms.ts'
import { addTerms } from './terms.ts'

/** What a rule holds on to, to let go of it later. */
interface Filed {
  readonly rule: number
  /** The terms in whose lists it is. */
  readonly anchors: number[]
  /** Other terms, and tests: as often as they are used. */
  readonly terms: number[]
  readonly runs: number[]
  readonly tests: number[]
  readonly programs: number[]
}

type Test = Formula & { kind: 'test' }

// A program is a list of numbers. A leaf is a term, a run of words or a test, with whether it is negated; a group is AND or OR, its
// length, and its parts.
const AND = -1
const OR = -2
const TERM = 0
const RUN = 2
const TEST = 4
const leafOf = (index: number, kind: number, negated: boolean) => (index << 3) | kind | (negated ? 1 : 0)

const LAST_POST = 2 ** 31 - 1

/**
 * Many rules of streams, and for each post those that match it. A branch of a rule (what stands between its ORs) is filed
 * under its rarest part, in the lists of the terms of which a post must have one; a second term stands beside it in the
 * list, so most branches that do not match cost one look. What is left is a program over the terms of the post.
 */
export class RuleIndex {
  readonly #rules = new Map<string, Filed>()
  /** By slot: the id of the rule. */
  readonly #ids = new Slots<string>()
  readonly #programs = new Arena()
  readonly #terms = new TermTable()
  readonly #runs = new Counted<Int32Array>()
  readonly #tests = new Counted<Test>()
  /** By term. */
  readonly #postings: (Postings | undefined)[] = []

  // What is marked with the number of the post that is looked at is so for it; nothing has to be cleared.
  #post = 0
  readonly #hasTerm = new Marks()
  readonly #isFound = new Marks()
  readonly #isTested = new Marks()
  readonly #holds = new Marks()
  readonly #present: number[] = []
  /** The words of the text in their order; `NO_TERM` for one that no rule looks for, and between two texts. */
  readonly #sequence: number[] = []
  readonly #found: number[] = []
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
    const filed: Filed = {
      rule: this.#ids.take(id),
      anchors: [],
      terms: [],
      runs: [],
      tests: [],
      programs: [],
    }
    const branches = branchesOf(formulaOf(query.root, circumstancesOf(query)))
    const filings = branches.map((branch) => filingOf(branch, (term) => this.#terms.costOf(term)))
    const isSingle = filings.length === 1 && filings[0]?.anchors.length === 1
    for (const filing of filings) this.#file(filing, isSingle, filed)
    this.#rules.set(id, filed)
  }

  #file({ anchors, beside, rest }: Filing, isSingle: boolean, filed: Filed): void {
    const program = this.#programOf(rest, filed)
    const besideTerm = beside ? this.#hold(beside, filed) : NO_TERM
    const distinct = new Map(anchors.map((term) => [`${term.kind} ${term.key}`, term]))
    for (const anchor of distinct.values()) {
      const term = this.#terms.hold(anchor)
      filed.anchors.push(term)
      this.#postingsOf(term).add((filed.rule << 1) | (isSingle ? SINGLE : 0), besideTerm, program)
    }
  }

  #programOf(parts: readonly Formula[], filed: Filed): number {
    const code: number[] = []
    for (const part of parts) this.#compile(part, code, filed)
    const [first] = code
    if (first === undefined) return NO_PROGRAM
    if (code.length === 1) return NO_PROGRAM - 1 - first
    const program = this.#programs.take(code)
    filed.programs.push(program)
    return program
  }

  #postingsOf(term: number): Postings {
    const postings = this.#postings[term] ?? new Postings()
    this.#postings[term] = postings
    return postings
  }

  #hold(term: Term, filed: Filed): number {
    const index = this.#terms.hold(term)
    filed.terms.push(index)
    return index
  }

  #compile(formula: Formula, code: number[], filed: Filed): void {
    if (formula.kind === 'term') code.push(leafOf(this.#hold(formula.term, filed), TERM, formula.negated))
    else if (formula.kind === 'run') {
      const terms = formula.terms.map((term) => this.#hold(term, filed))
      const index = this.#runs.hold(terms.join(), Int32Array.from(terms))
      filed.runs.push(index)
      code.push(leafOf(index, RUN, formula.negated))
    } else if (formula.kind === 'test') {
      const index = this.#tests.hold(formula.key, formula)
      filed.tests.push(index)
      code.push(leafOf(index, TEST, formula.negated))
    } else {
      const start = code.length
      code.push(formula.kind === 'and' ? AND : OR, 0)
      for (const part of formula.parts) this.#compile(part, code, filed)
      code[start + 1] = code.length - start
    }
  }

  /** Takes a rule out; false when it is not there. */
  delete(id: string): boolean {
    const filed = this.#rules.get(id)
    if (!filed) return false
    for (const term of filed.anchors) {
      this.#postings[term]?.remove(filed.rule)
      if (this.#postings[term]?.isEmpty) this.#postings[term] = undefined
      this.#terms.release(term)
    }
    for (const term of filed.terms) this.#terms.release(term)
    for (const run of filed.runs) this.#runs.release(run)
    for (const test of filed.tests) this.#tests.release(test)
    for (const program of filed.programs) this.#programs.free(program)
    this.#ids.free(filed.rule)
    this.#rules.delete(id)
    return true
  }

  /** The ids of the rules that match a post, in no order. */
  match(post: MatchablePost): string[] {
    this.#look(post)
    for (const term of this.#present) {
      const postings = this.#postings[term]
      if (postings) this.#search(postings)
    }
    this.#looked = undefined
    const ids = this.#ids.values
    return this.#found.map((slot) => ids[slot] as string)
  }

  /** Marks the terms of a post. */
  #look(post: MatchablePost): void {
    this.#looked = post
    this.#present.length = 0
    this.#sequence.length = 0
    this.#found.length = 0
    this.#post = this.#post === LAST_POST ? this.#forget() : this.#post + 1
    this.#hasTerm.grow(this.#terms.capacity)
    this.#isTested.grow(this.#tests.capacity)
    this.#holds.grow(this.#tests.capacity)
    this.#isFound.grow(this.#ids.capacity)
    this.#hasTerm.at[NO_TERM] = this.#post
    addTerms(post, this.#sink)
  }

  /** Begins to count posts anew. */
  #forget(): number {
    for (const marks of [this.#hasTerm, this.#isFound, this.#isTested, this.#holds]) marks.at.fill(0)
    return 1
  }

  readonly #sink: TermSink = {
    wants: (kind) => this.#terms.has(kind),
    add: (kind, key) => {
      const term = this.#terms.find(kind, key)
      if (term !== undefined) this.#mark(term)
    },
    addText: (words) => {
      for (const word of words) {
        const term = this.#terms.find('word', word) ?? NO_TERM
        this.#sequence.push(term)
        if (term !== NO_TERM) this.#mark(term)
      }
      this.#sequence.push(NO_TERM)
    },
  }

  #mark(term: number): void {
    if (this.#hasTerm.at[term] === this.#post) return
    this.#hasTerm.at[term] = this.#post
    this.#present.push(term)
  }

  #search({ sure, sureLength, unsure, unsureLength }: Postings): void {
    const hasTerm = this.#hasTerm.at
    const post = this.#post
    for (let at = 0; at < sureLength; at++) this.#find(sure[at] as number)
    for (let at = 0; at < unsureLength; at += POSTING) {
      if (hasTerm[unsure[at] as number] !== post) continue
      const rule = unsure[at + 1] as number
      const program = unsure[at + 2] as number
      if (program !== NO_PROGRAM && (this.#isKnown(rule) || !this.#run(program))) continue
      this.#find(rule)
    }
  }

  /** Whether a rule was found already. Of one with a single posting there is no need to ask. */
  #isKnown(rule: number): boolean {
    return (rule & SINGLE) === 0 && this.#isFound.at[rule >> 1] === this.#post
  }

  #find(rule: number): void {
    const slot = rule >> 1
    if ((rule & SINGLE) === 0) {
      if (this.#isFound.at[slot] === this.#post) return
      this.#isFound.at[slot] = this.#post
    }
    this.#found.push(slot)
  }

  /** Whether every part of a program holds. */
  #run(start: number): boolean {
    if (start < 0) return this.#leafHolds(NO_PROGRAM - 1 - start)
    const { code } = this.#programs
    const end = start + 1 + (code[start] as number)
    for (let at = start + 1; at < end; at = behind(code, at)) if (!this.#holdsAt(code, at)) return false
    return true
  }

  #holdsAt(code: Int32Array, at: number): boolean {
    const instruction = code[at] as number
    if (instruction >= 0) return this.#leafHolds(instruction)
    const end = behind(code, at)
    const wanted = instruction === OR
    for (let part = at + 2; part < end; part = behind(code, part))
      if (this.#holdsAt(code, part) === wanted) return wanted
    return !wanted
  }

  #leafHolds(leaf: number): boolean {
    const index = leaf >> 3
    const kind = leaf & 6
    const isNegated = (leaf & 1) === 1
    if (kind === TERM) return (this.#hasTerm.at[index] === this.#post) !== isNegated
    return (kind === RUN ? this.#hasRun(this.#runs.at(index) as Int32Array) : this.#test(index)) !== isNegated
  }

  /** Whether the words of a run stand one after another in the text. */
  #hasRun(run: Int32Array): boolean {
    const sequence = this.#sequence
    const first = run[0]
    for (
      let start = sequence.indexOf(first as number);
      start >= 0;
      start = sequence.indexOf(first as number, start + 1)
    ) {
      let length = 1
      while (length < run.length && sequence[start + length] === run[length]) length++
      if (length === run.length) return true
    }
    return false
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
const behind = (code: Int32Array, at: number) =>
  (code[at] as number) >= 0 ? at + 1 : at + (code[at + 1] as number)
