import type { Slices } from '../../platform/common/slices.ts'
import { type BranchIndexing, branchesOf, branchIndexing, type Formula, formulaOf } from './formula.ts'
import { holds, matchContextOf } from './match.ts'
import type { MatchablePost } from './matchable-post.ts'
import { hasRun } from './pieces.ts'
import {
  ADDRESS,
  CONDITIONAL,
  chunkOf,
  encodeAddress,
  headOf,
  offsetIn,
  POSTING_HEADER,
  PostingLists,
  UNCONDITIONAL,
} from './posting-lists.ts'
import { isSearch, type Query } from './query.ts'
import { COUNTS, noteCounts } from './ranges.ts'
import { BitSet, CountedValues, SlotList } from './rule-storage.ts'
import { hashOfWord, NO_TERM, TermTable } from './term-table.ts'
import { addTerms, type Term, type TermSink } from './terms.ts'

/** What a rule uses, to release it when the rule is deleted. */
interface IndexedRule {
  readonly slot: number
  /** The terms whose lists have postings of it. */
  readonly anchors: number[]
  /** Other terms and tests, once for each use. */
  readonly terms: number[]
  readonly tests: number[]
  readonly programs: number[]
}

type FormulaTest = Formula & { kind: 'test' }

// A program is a list of integers. A leaf is one integer: a term or a test, and whether it is
// negated. Everything else begins with a negative opcode and its length. Then come the parts of a
// group, the terms of adjacent words (a run), or the count and the bounds of a range.
const AND = -1
const OR = -2
const RUN = -3
const NO_RUN = -4
const RANGE = -5
const NO_RANGE = -6
const TERM = 0
const TEST = 2
const leafOf = (index: number, kind: number, negated: boolean) => (index << 2) | kind | (negated ? 1 : 0)

/**
 * How much is read before the time is looked at, and what a test reads at least: words, links and
 * pieces of the text.
 */
const READ_PER_LOOK = 20_000
const READ_PER_TEST = 100
/** Characters that take as long as a word. */
const PIECE_LENGTH = 8

/**
 * Longer programs of several postings are stored separately, once. Shorter ones are copied, because
 * sequential reads are faster.
 */
const MAX_REPEATED = 48

/**
 * Finds the stream rules that match a post, among many. A branch of a rule (a part between its ORs)
 * is indexed under its rarest part: it has a posting in the list of each term of which a post must
 * have at least one. The posting contains a second required term, so most branches that do not
 * match cost one check. The rest of the branch is a program over the terms of the post.
 */
export class RuleIndex<Rule extends { readonly id: string }> {
  readonly #filed = new Map<string, IndexedRule>()
  readonly #rules = new SlotList<Rule>()
  readonly #terms = new TermTable()
  readonly #tests = new CountedValues<FormulaTest>()
  /** By term. */
  readonly #lists = new PostingLists()

  // About the current post. Each set is cleared through a list of its members.
  readonly #hasTerm = new BitSet()
  readonly #present: number[] = []
  readonly #isFound = new BitSet()
  /** The slots of the rules found; only the first `#count` are valid. */
  #found = new Int32Array(16)
  #count = 0
  readonly #isTested = new BitSet()
  readonly #tested: number[] = []
  readonly #holds = new BitSet()
  readonly #held: number[] = []
  /**
   * The words of the text in order; `NO_TERM` for words that no rule uses, and between two texts.
   */
  readonly #sequence: number[] = []
  readonly #counts = new Int32Array(COUNTS)
  #looked: MatchablePost | undefined
  /** The present term whose list is searched next, and how much of that list was searched. */
  #next = 0
  #searched = 0
  /** How much was read for tests and runs since the time was looked at. */
  #work = 0
  /** What a test of the current post reads at most. */
  #read = 0
  #slices: Slices | undefined
  /** Settles when the match in progress ends. */
  #matching: Promise<unknown> = Promise.resolve()
  /** What changes the index when the match in progress ends. */
  readonly #changes: (() => void)[] = []

  get size(): number {
    return this.#filed.size
  }

  /** Adds a rule. Throws if it was already added, or is a query for search. */
  add(rule: Rule, query: Query): void {
    const { id } = rule
    if (this.#looked) {
      this.#changes.push(() => this.add(rule, query))
      return
    }
    if (this.#filed.has(id)) throw new Error(`There is a rule ${id} already.`)
    if (isSearch(query.use)) throw new Error('A query for search is no rule.')
    const filed: IndexedRule = {
      slot: this.#rules.take(rule),
      anchors: [],
      terms: [],
      tests: [],
      programs: [],
    }
    const branches = branchesOf(formulaOf(query.root, matchContextOf(query)))
    const filings = branches.map((branch) => branchIndexing(branch, (term) => this.#terms.costOf(term)))
    for (const filing of filings) this.#file(filing, filed)
    this.#filed.set(id, filed)
    if (this.#found.length < this.#rules.capacity) this.#found = new Int32Array(this.#rules.capacity * 2)
  }

  #file({ anchors, second, rest }: BranchIndexing, filed: IndexedRule): void {
    const distinct = new Map(anchors.map((term) => [`${term.kind} ${term.key}`, term]))
    const program = this.#programOf(rest, distinct.size, filed)
    const secondTerm = second ? this.#hold(second, filed) : NO_TERM
    const isUnconditional = secondTerm === NO_TERM && typeof program === 'object' && program.length === 0
    for (const anchor of distinct.values()) {
      const term = this.#terms.hold(anchor)
      filed.anchors.push(term)
      if (isUnconditional) this.#lists.addUnconditional(term, filed.slot)
      else this.#lists.addConditional(term, secondTerm, filed.slot, program)
    }
  }

  /** The integers of a program, or its address. */
  #programOf(parts: readonly Formula[], postings: number, filed: IndexedRule): number | readonly number[] {
    const code: number[] = []
    for (const part of parts) this.#compile(part, code, filed)
    if (code.length * (postings - 1) <= MAX_REPEATED) return code
    const program = this.#lists.takeProgram(code)
    filed.programs.push(program)
    return program
  }

  #hold(term: Term, filed: IndexedRule): number {
    const index = this.#terms.hold(term)
    filed.terms.push(index)
    return index
  }

  #compile(formula: Formula, code: number[], filed: IndexedRule): void {
    if (formula.kind === 'term') code.push(leafOf(this.#hold(formula.term, filed), TERM, formula.negated))
    else if (formula.kind === 'run') {
      const terms = formula.terms.map((term) => this.#hold(term, filed))
      code.push(formula.negated ? NO_RUN : RUN, terms.length + 2, ...terms)
    } else if (formula.kind === 'range') {
      const { count, min, max } = formula.range
      code.push(formula.negated ? NO_RANGE : RANGE, 5, count, min, max)
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

  /** Deletes a rule. Returns false if there is none with this id. */
  delete(id: string): boolean {
    if (this.#looked) {
      this.#changes.push(() => this.delete(id))
      return true
    }
    const filed = this.#filed.get(id)
    if (!filed) return false
    for (const term of filed.anchors) {
      this.#lists.remove(term, filed.slot)
      this.#terms.release(term)
    }
    for (const term of filed.terms) this.#terms.release(term)
    for (const test of filed.tests) this.#tests.release(test)
    for (const program of filed.programs) this.#lists.freeProgram(program)
    this.#rules.free(filed.slot)
    this.#filed.delete(id)
    return true
  }

  /** The rules that match a post, in no order. */
  match(post: MatchablePost): Rule[] {
    this.#begin(post)
    this.#proceed()
    return this.#end()
  }

  /**
   * Like `match`, but leaves the event loop to others when a slice is over. Matches run one after
   * another. Rules that are added or deleted meanwhile count from the next match on.
   */
  matchInSlices(post: MatchablePost, slices: Slices): Rule[] | Promise<Rule[]> {
    if (this.#looked) return this.#matching.then(() => this.matchInSlices(post, slices))
    this.#begin(post)
    if (this.#proceed(slices)) return this.#end()
    const matching = this.#goOn(slices)
    this.#matching = matching.catch(() => undefined)
    return matching
  }

  async #goOn(slices: Slices): Promise<Rule[]> {
    do await slices.next()
    while (!this.#proceed(slices))
    return this.#end()
  }

  #begin(post: MatchablePost): void {
    if (this.#looked) throw new Error('A match is in progress.')
    this.#look(post)
    this.#next = 0
    this.#searched = 0
  }

  /** Searches the lists of the terms of the post. Returns false if the slice ended before. */
  #proceed(slices?: Slices): boolean {
    this.#slices = slices
    try {
      for (; this.#next < this.#present.length; this.#next++, this.#searched = 0)
        if (!this.#search(this.#present[this.#next] as number)) return false
      return true
    } catch (error) {
      this.#end()
      throw error
    }
  }

  #end(): Rule[] {
    this.#looked = undefined
    const found = this.#taken()
    for (const change of this.#changes.splice(0)) change()
    return found
  }

  /** Returns the rules found, and clears the set. */
  #taken(): Rule[] {
    const [slots, count, isFound, rules] = [this.#found, this.#count, this.#isFound.at, this.#rules.values]
    const found = new Array<Rule>(count)
    for (let at = 0; at < count; at++) {
      const slot = slots[at] as number
      isFound[slot >> 5] = 0
      found[at] = rules[slot] as Rule
    }
    this.#count = 0
    return found
  }

  /** Notes the terms of a post. */
  #look(post: MatchablePost): void {
    this.#looked = post
    this.#hasTerm.clear(this.#present)
    this.#isTested.clear(this.#tested)
    this.#holds.clear(this.#held)
    this.#sequence.length = 0
    this.#hasTerm.grow(this.#terms.capacity)
    this.#isTested.grow(this.#tests.capacity)
    this.#holds.grow(this.#tests.capacity)
    this.#isFound.grow(this.#rules.capacity)
    this.#lists.grow(this.#terms.capacity)
    this.#hasTerm.add(NO_TERM)
    noteCounts(post, this.#counts)
    addTerms(post, this.#sink)
    const { text, links, quotes } = post
    const length = text.length + (quotes?.text.length ?? 0)
    this.#read =
      READ_PER_TEST +
      this.#sequence.length +
      links.length +
      (quotes?.links.length ?? 0) +
      Math.ceil(length / PIECE_LENGTH)
  }

  readonly #sink: TermSink = {
    wants: (kind) => this.#terms.has(kind),
    add: (kind, key) => {
      const term = this.#terms.find(kind, key)
      if (term !== NO_TERM) this.#note(term)
    },
    addText: (words) => this.#addText(words),
  }

  #addText(words: readonly string[]): void {
    const [terms, sequence] = [this.#terms, this.#sequence]
    const wantsPairs = terms.has('pair')
    let before = 0
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as string
      const hash = hashOfWord(word)
      const term = terms.findHashed(hash, word)
      sequence.push(term)
      if (term !== NO_TERM) this.#note(term)
      if (wantsPairs && at > 0) {
        const pair = terms.findPair(words[at - 1] as string, before, word, hash)
        if (pair !== NO_TERM) this.#note(pair)
      }
      before = hash
    }
    sequence.push(NO_TERM)
  }

  #note(term: number): void {
    if (this.#hasTerm.has(term)) return
    this.#hasTerm.add(term)
    this.#present.push(term)
  }

  /** Returns false if the slice ended before the end of the list. */
  #search(term: number): boolean {
    const head = headOf(term)
    const { heads, arena } = this.#lists
    const address = heads[head + ADDRESS] as number
    const code = arena.chunks[chunkOf(address)] as Int32Array
    const start = offsetIn(address)
    if (this.#searched === 0)
      this.#findUnconditional(code, start, start + (heads[head + UNCONDITIONAL] as number))
    const end = this.#lists.endOf(head)
    const conditional = end - (heads[head + CONDITIONAL] as number)
    const stopped = this.#findConditional(code, conditional + this.#searched, end)
    this.#searched = stopped - conditional
    return stopped === end
  }

  // Both copy the members that they need to local variables, so that none is read again for each
  // rule.

  #findUnconditional(code: Int32Array, start: number, end: number): void {
    const [isFound, found] = [this.#isFound.at, this.#found]
    let count = this.#count
    for (let at = start; at < end; at++) {
      const slot = code[at] as number
      const word = isFound[slot >> 5] as number
      // Always written after the others, and counted only if it is new. So there is no branch to
      // predict.
      found[count] = slot
      count += ((word >> (slot & 31)) & 1) ^ 1
      isFound[slot >> 5] = word | (1 << (slot & 31))
    }
    this.#count = count
  }

  /** Returns where it stopped, because the slice is over. */
  #findConditional(code: Int32Array, start: number, end: number): number {
    const [isFound, hasTerm, found] = [this.#isFound.at, this.#hasTerm.at, this.#found]
    let count = this.#count
    let at = start
    while (at < end && (this.#work < READ_PER_LOOK || !this.#isOver())) {
      const second = code[at] as number
      const slot = code[at + 1] as number
      const length = code[at + 2] as number
      const program = at + POSTING_HEADER
      at = length > 0 ? program + length : program
      if (!isIn(hasTerm, second) || isIn(isFound, slot)) continue
      if (!(length < 0 ? this.#runSeparate(encodeAddress(length)) : this.#run(code, program, at))) continue
      isFound[slot >> 5] = (isFound[slot >> 5] as number) | (1 << (slot & 31))
      found[count++] = slot
    }
    this.#count = count
    return at
  }

  /** Whether the slice is over. */
  #isOver(): boolean {
    this.#work = 0
    return this.#slices?.isOver ?? false
  }

  #runSeparate(address: number): boolean {
    const code = this.#lists.arena.chunks[chunkOf(address)] as Int32Array
    const start = offsetIn(address)
    return this.#run(code, start + 1, start + 1 + (code[start] as number))
  }

  /** Whether every part of a program holds. */
  #run(code: Int32Array, start: number, end: number): boolean {
    const hasTerm = this.#hasTerm.at
    for (let at = start; at < end; ) {
      const instruction = code[at] as number
      if (instruction >= 0 && (instruction & TEST) === TERM) {
        if (isIn(hasTerm, instruction >> 2) === ((instruction & 1) === 1)) return false
        at++
      } else {
        if (!this.#holdsAt(code, at)) return false
        at = endOfInstruction(code, at)
      }
    }
    return true
  }

  #holdsAt(code: Int32Array, at: number): boolean {
    const instruction = code[at] as number
    if (instruction >= 0) return this.#leafHolds(instruction)
    if (instruction <= RANGE) return this.#isInRange(code, at + 2) === (instruction === RANGE)
    const end = endOfInstruction(code, at)
    if (instruction <= RUN) return this.#hasRun(code, at + 2, end) === (instruction === RUN)
    const expected = instruction === OR
    for (let part = at + 2; part < end; part = endOfInstruction(code, part))
      if (this.#holdsAt(code, part) === expected) return expected
    return !expected
  }

  #leafHolds(leaf: number): boolean {
    const index = leaf >> 2
    const isSo = (leaf & TEST) === TERM ? this.#hasTerm.has(index) : this.#test(index)
    return isSo === ((leaf & 1) === 0)
  }

  #isInRange(code: Int32Array, at: number): boolean {
    const count = this.#counts[code[at] as number] as number
    return count >= (code[at + 1] as number) && count <= (code[at + 2] as number)
  }

  /** Whether the text has the words of a run next to each other. */
  #hasRun(code: Int32Array, from: number, end: number): boolean {
    this.#work += this.#sequence.length
    return hasRun(this.#sequence, code.subarray(from, end))
  }

  /** The result of a test. Each test runs once per post. */
  #test(index: number): boolean {
    if (this.#isTested.has(index)) return this.#holds.has(index)
    this.#isTested.add(index)
    this.#tested.push(index)
    this.#work += this.#read
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

const isIn = (bits: Int32Array, index: number) => (((bits[index >> 5] as number) >> (index & 31)) & 1) === 1

/** The end of the part of a program that begins at `at`. */
const endOfInstruction = (code: Int32Array, at: number) =>
  (code[at] as number) >= 0 ? at + 1 : at + (code[at + 1] as number)
