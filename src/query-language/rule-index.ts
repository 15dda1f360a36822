import type { Filing, Formula } from './formula.ts'
import { branchesOf, filingOf, formulaOf } from './formula.ts'
import { circumstancesOf, holds } from './match.ts'
import type { MatchablePost } from './matchable-post.ts'
import type { Query } from './query.ts'
import { isSearch } from './query.ts'
import {
  Arena,
  Bits,
  Counted,
  inArena,
  isRepeated,
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
  readonly tests: number[]
  readonly programs: number[]
}

type Test = Formula & { kind: 'test' }

// A program is a list of numbers. A leaf is a term or a test, with whether it is negated. Else there is a number below zero
// that says what it is, its length, and for a group its parts, for words that are consecutive their terms.
const AND = -1
const OR = -2
const RUN = -3
const NO_RUN = -4
const TERM = 0
const TEST = 2
const leafOf = (index: number, kind: number, negated: boolean) => (index << 2) | kind | (negated ? 1 : 0)

/**
 * Many rules of streams, and for each post those that match it. A branch of a rule (what is between its ORs) is filed
 * under its rarest part, in the lists of the terms of which a post must have one; a second term stands beside it in the
 * list, so most branches that do not match cost one look. What is left is a program over the terms of the post.
 */
export class RuleIndex {
  readonly #rules = new Map<string, Filed>()
  /** By slot: the id of the rule. */
  readonly #ids = new Slots<string>()
  readonly #programs = new Arena()
  readonly #terms = new TermTable()
  readonly #tests = new Counted<Test>()
  /** By term. */
  readonly #postings: (Postings | undefined)[] = []

  // Of the post that is looked at. Each set is emptied by the list of what is in it.
  readonly #hasTerm = new Bits()
  readonly #present: number[] = []
  /** The rules that were found and have other postings. */
  readonly #isFound = new Bits()
  readonly #foundSlots: number[] = []
  readonly #isTested = new Bits()
  readonly #tested: number[] = []
  readonly #holds = new Bits()
  readonly #held: number[] = []
  /** The words of the text in their order; `NO_TERM` for one that no rule looks for, and between two texts. */
  readonly #sequence: number[] = []
  #found: string[] = []
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
    if (isSearch(query.use)) throw new Error('A search query is not a rule.')
    const filed: Filed = {
      rule: this.#ids.take(id),
      anchors: [],
      terms: [],
      tests: [],
      programs: [],
    }
    const branches = branchesOf(formulaOf(query.root, circumstancesOf(query)))
    const filings = branches.map((branch) => filingOf(branch, (term) => this.#terms.costOf(term)))
    const isSingle = filings.length === 1 && filings[0]?.anchors.length === 1
    for (const filing of filings) this.#file(id, filing, isSingle, filed)
    this.#rules.set(id, filed)
  }

  #file(id: string, { anchors, beside, rest }: Filing, isSingle: boolean, filed: Filed): void {
    const distinct = new Map(anchors.map((term) => [`${term.kind} ${term.key}`, term]))
    const program = this.#programOf(rest, distinct.size, filed)
    const besideTerm = beside ? this.#hold(beside, filed) : NO_TERM
    const isSure = besideTerm === NO_TERM && typeof program === 'object' && program.length === 0
    const rule = (filed.rule << 1) | (isSingle ? SINGLE : 0)
    for (const anchor of distinct.values()) {
      const term = this.#terms.hold(anchor)
      filed.anchors.push(term)
      const postings = this.#postingsOf(term)
      if (!isSure) postings.addUnsure(besideTerm, rule, program)
      else if (isSingle) postings.addAlone(id)
      else postings.addSure(rule)
    }
  }

  /** The numbers of a program, or where it is in the arena. */
  #programOf(parts: readonly Formula[], postings: number, filed: Filed): number | readonly number[] {
    const code: number[] = []
    for (const part of parts) this.#compile(part, code, filed)
    if (isRepeated(code.length, postings)) return code
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
      code.push(formula.negated ? NO_RUN : RUN, terms.length + 2, ...terms)
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
      this.#postings[term]?.remove(filed.rule, id)
      if (this.#postings[term]?.isEmpty) this.#postings[term] = undefined
      this.#terms.release(term)
    }
    for (const term of filed.terms) this.#terms.release(term)
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
    const found = this.#found
    this.#found = []
    return found
  }

  /** Notes the terms of a post. */
  #look(post: MatchablePost): void {
    this.#looked = post
    this.#hasTerm.clear(this.#present)
    this.#isFound.clear(this.#foundSlots)
    this.#isTested.clear(this.#tested)
    this.#holds.clear(this.#held)
    this.#sequence.length = 0
    this.#found = []
    this.#hasTerm.grow(this.#terms.capacity)
    this.#isTested.grow(this.#tests.capacity)
    this.#holds.grow(this.#tests.capacity)
    this.#isFound.grow(this.#ids.capacity)
    this.#hasTerm.add(NO_TERM)
    addTerms(post, this.#sink)
  }

  readonly #sink: TermSink = {
    wants: (kind) => this.#terms.has(kind),
    add: (kind, key) => {
      const term = this.#terms.find(kind, key)
      if (term !== undefined) this.#note(term)
    },
    addText: (words) => {
      for (const word of words) {
        const term = this.#terms.find('word', word) ?? NO_TERM
        this.#sequence.push(term)
        if (term !== NO_TERM) this.#note(term)
      }
      this.#sequence.push(NO_TERM)
    },
  }

  #note(term: number): void {
    if (this.#hasTerm.has(term)) return
    this.#hasTerm.add(term)
    this.#present.push(term)
  }

  #search({ alone, sure, sureLength, unsure, unsureLength }: Postings): void {
    const found = this.#found
    for (let at = 0; at < alone.length; at++) found.push(alone[at] as string)
    for (let at = 0; at < sureLength; at++) this.#find(sure[at] as number)
    const hasTerm = this.#hasTerm
    for (let at = 0; at < unsureLength; ) {
      const beside = unsure[at] as number
      const rule = unsure[at + 1] as number
      const length = unsure[at + 2] as number
      const start = at + POSTING
      at = length > 0 ? start + length : start
      if (!hasTerm.has(beside) || this.#isKnown(rule)) continue
      const isSo = length < 0 ? this.#runInArena(inArena(length)) : this.#run(unsure, start, at)
      if (isSo) this.#find(rule)
    }
  }

  /** Whether a rule was found already. Of one with a single posting there is no need to ask. */
  #isKnown(rule: number): boolean {
    return (rule & SINGLE) === 0 && this.#isFound.has(rule >> 1)
  }

  #find(rule: number): void {
    const slot = rule >> 1
    if ((rule & SINGLE) === 0) {
      if (this.#isFound.has(slot)) return
      this.#isFound.add(slot)
      this.#foundSlots.push(slot)
    }
    this.#found.push(this.#ids.values[slot] as string)
  }

  #runInArena(start: number): boolean {
    const { code } = this.#programs
    return this.#run(code, start + 1, start + 1 + (code[start] as number))
  }

  /** Whether every part of a program holds. */
  #run(code: Int32Array, start: number, end: number): boolean {
    for (let at = start; at < end; at = behind(code, at)) if (!this.#holdsAt(code, at)) return false
    return true
  }

  #holdsAt(code: Int32Array, at: number): boolean {
    const instruction = code[at] as number
    if (instruction >= 0) return this.#leafHolds(instruction)
    const end = behind(code, at)
    if (instruction <= RUN) return this.#hasRun(code, at + 2, end) === (instruction === RUN)
    const wanted = instruction === OR
    for (let part = at + 2; part < end; part = behind(code, part))
      if (this.#holdsAt(code, part) === wanted) return wanted
    return !wanted
  }

  #leafHolds(leaf: number): boolean {
    const index = leaf >> 2
    const isSo = (leaf & TEST) === TERM ? this.#hasTerm.has(index) : this.#test(index)
    return isSo === ((leaf & 1) === 0)
  }

  /** Whether the words of a run are consecutive in the text. */
  #hasRun(code: Int32Array, from: number, end: number): boolean {
    const sequence = this.#sequence
    const first = code[from] as number
    for (let start = sequence.indexOf(first); start >= 0; start = sequence.indexOf(first, start + 1)) {
      let length = 1
      while (from + length < end && sequence[start + length] === code[from + length]) length++
      if (from + length === end) return true
    }
    return false
  }

  /** The outcome of a test: each is made once for a post, whoever asks. */
  #test(index: number): boolean {
    if (this.#isTested.has(index)) return this.#holds.has(index)
    this.#isTested.add(index)
    this.#tested.push(index)
    const test = this.#tests.at(index)
    const isSo =
      test !== undefined &&
      this.#looked !== undefined &&
      holds(test.condition, this.#looked, test.circumstances)
    if (isSo) {
      this.#holds.add(index)
      this.#held.push(index)
    }
    return isSo
  }
}

/** Where the part of a program ends that begins at a place. */
const behind = (code: Int32Array, at: number) =>
  (code[at] as number) >= 0 ? at + 1 : at + (code[at + 1] as number)
