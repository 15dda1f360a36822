import { nearest } from '../../platform/common/nearest.ts'
import { faultsOf } from './check.ts'
import { NEUTRAL_NAMES, type QueryNames } from './names.ts'
import { ALIASES, FOREIGN_NAMES, HAS_ALIASES, HAS_USES, OPERATORS } from './operators.ts'
import {
  type Clause,
  type Condition,
  clausesOf,
  HAS_VALUES,
  IS_VALUES,
  isSearch,
  MAX_CLAUSES,
  maxQueryLength,
  type Node,
  type Query,
  type QueryAccess,
  type QueryError,
  type QueryUse,
} from './query.ts'
import { type ClausePart, type ClauseToken, QueryScanner, UnreadableQuery } from './scan.ts'
import { entityName, InvalidValue, noWord, wordsFor } from './values.ts'

export interface QueryOptions {
  /** What the query is for. */
  readonly for: QueryUse
  /** The plan of the caller; `self-serve` by default. */
  readonly access?: QueryAccess
  /** The names that clients use; the neutral ones by default. */
  readonly names?: QueryNames
}

export type ParseResult =
  | { readonly ok: true; readonly query: Query }
  /** At least one, from left to right. */
  | { readonly ok: false; readonly errors: readonly [QueryError, ...QueryError[]] }

/** Maximum errors in a reply. */
const MAX_ERRORS = 20

/**
 * Parses a query of search or counts, or a stream rule (reference: query language). Runs in linear
 * time, with an explicit stack for brackets, so texts of any length and depth are safe.
 */
export function parseQuery(text: string, options: QueryOptions): ParseResult {
  return new QueryParser(text, options).parse()
}

/**
 * A group whose closing bracket has not been read: the branches before the last OR, and the nodes
 * after it.
 */
interface OpenGroup {
  readonly branches: Node[]
  nodes: Node[]
  readonly start: number
}

class QueryParser {
  readonly #text: string
  readonly #use: QueryUse
  readonly #access: QueryAccess
  readonly #names: QueryNames
  readonly #errors: QueryError[] = []
  readonly #positions: (unit: number) => number
  #clauses = 0

  constructor(text: string, { for: use, access = 'self-serve', names = NEUTRAL_NAMES }: QueryOptions) {
    this.#text = text
    this.#use = use
    this.#access = access
    this.#names = names
    this.#positions = positionsIn(text)
  }

  parse(): ParseResult {
    const length = this.#positions(this.#text.length) - 1
    const most = maxQueryLength(this.#use, this.#access)
    if (length > most) {
      const what = isSearch(this.#use) ? 'Query' : 'Rule'
      const message = `${what} is too long. Must be no more than ${most} characters`
      return { ok: false, errors: [{ message, position: most + 1, end: length + 1 }] }
    }
    const root = this.#read()
    if (root && this.#errors.length === 0) this.#check(root)
    const [first, ...more] = this.#errors.slice(0, MAX_ERRORS)
    if (first) return { ok: false, errors: [first, ...more] }
    if (!root) throw new Error('A query was neither read nor rejected.')
    return { ok: true, query: { use: this.#use, root, length, clauses: this.#clauses } }
  }

  #read(): Node | undefined {
    try {
      return this.#groups()
    } catch (error) {
      if (!(error instanceof UnreadableQuery)) throw error
      const { message, start, end, hint } = error
      // The reference has this message without a position.
      this.#report(message, start, end, hint, !message.startsWith('mismatched character'))
      return undefined
    }
  }

  #groups(): Node | undefined {
    const scanner = new QueryScanner(this.#text)
    const stack: [OpenGroup, ...OpenGroup[]] = [{ branches: [], nodes: [], start: 0 }]
    for (let token = scanner.next(); token; token = scanner.next()) {
      const group = stack.at(-1) as OpenGroup
      if (token.kind === 'clause') group.nodes.push(this.#clause(token))
      else if (token.kind === 'open') stack.push({ branches: [], nodes: [], start: token.start })
      else if (token.kind === 'or') this.#endBranch(group, 'OR', token.start, token.end)
      else {
        if (stack.length === 1)
          throw new UnreadableQuery(
            `missing EOF at ')'`,
            token.start,
            token.end,
            'This closing bracket has no opening bracket.',
          )
        stack.pop()
        stack.at(-1)?.nodes.push(this.#endGroup(group, ')', token.start, token.end))
      }
    }
    const end = this.#text.length
    const open = stack.at(-1) as OpenGroup
    if (stack.length > 1)
      throw new UnreadableQuery(
        `missing ')' at '<EOF>'`,
        open.start,
        open.start + 1,
        'This bracket is not closed.',
      )
    return this.#endGroup(open, '<EOF>', end, end)
  }

  #endBranch(group: OpenGroup, found: string, start: number, end: number): void {
    const [first] = group.nodes
    if (!first) {
      const hint =
        found === 'OR'
          ? 'OR must be between two clauses. Write "or" to search for the word.'
          : group.branches.length > 0
            ? 'A clause is missing after OR.'
            : found === ')'
              ? 'There is nothing between the brackets.'
              : 'Write a clause that posts must match: a keyword, #hashtag, @mention or from:.'
      throw new UnreadableQuery(`no viable alternative at input '${found}'`, start, end, hint)
    }
    group.branches.push(grouped('and', first, group.nodes))
    group.nodes = []
  }

  #endGroup(group: OpenGroup, found: string, start: number, end: number): Node {
    this.#endBranch(group, found, start, end)
    return grouped('or', group.branches[0] as Node, group.branches)
  }

  #clause({ start, end, negated, part }: ClauseToken): Clause {
    this.#clauses++
    const condition = this.#condition(part, start, end, negated)
    const placeholder: Condition = { operator: 'keyword', text: '', words: [] }
    return { kind: 'clause', negated, condition: condition ?? placeholder, ...this.#span(start, end) }
  }

  /** The condition of a clause; undefined if an error was reported. */
  #condition(part: ClausePart, start: number, end: number, negated: boolean): Condition | undefined {
    const from = negated ? start + 1 : start
    switch (part.kind) {
      case 'word':
        return this.#keyword(part.text, from, end)
      case 'phrase':
        return this.#phrase(part, from, end)
      case 'operator':
        return this.#operator(part, from, end)
      default:
        return entityName(part.kind, part.text, this.#use)
    }
  }

  #keyword(text: string, start: number, end: number): Condition | undefined {
    if (text.toLowerCase() === 'and') {
      const message =
        'Ambiguous use of and as a keyword. Use a space to logically join two clauses, or "and" to find occurrences of and in text'
      return this.#report(message, start, end)
    }
    const words = wordsFor(text, this.#use)
    if (words.length === 0) return this.#wrong(noWord(text), start, end)
    return { operator: 'keyword', text, words }
  }

  #phrase(part: ClausePart & { kind: 'phrase' }, start: number, end: number): Condition | undefined {
    const { text, within } = part
    const words = wordsFor(text, this.#use)
    if (words.length === 0) return this.#wrong(noWord(`"${text}"`), start, end)
    if (within === undefined) return { operator: 'phrase', text, words }
    if (isSearch(this.#use))
      return this.#unavailable('~', start, end, 'Proximity is available only in stream rules.')
    const distinct = [...new Set(words)]
    if (distinct.length < 2)
      return this.#wrong(new InvalidValue('~ needs two words', 'Write "big storm"~3.'), start, end)
    if (!/^[1-6]$/.test(within))
      return this.#wrong(
        new InvalidValue(`~${within} is out of range`, 'Words can be 1 to 6 apart: "big storm"~6.'),
        start,
        end,
      )
    return { operator: 'proximity', text, words: distinct, within: Number(within) }
  }

  #operator(part: ClausePart & { kind: 'operator' }, start: number, end: number): Condition | undefined {
    const { value, valueStart } = part
    const written = this.#names.own(part.name.toLowerCase())
    if (written === 'is' || written === 'has') return this.#isOrHas(written, value.text, start, end)
    const name = ALIASES.get(written) ?? written
    const operator = OPERATORS.get(name)
    if (!operator) return this.#unknown(part.name, start, end)
    if (!operator.uses.includes(this.#use))
      return this.#unavailable(part.name, start, end, `It works in ${placesOf(operator.uses)}.`)
    if (operator.enterprise && this.#access !== 'enterprise')
      return this.#unavailable(part.name, start, end, 'It needs the enterprise plan.')
    const read = operator.read(value, this.#use)
    if (!(read instanceof InvalidValue)) return read
    if (read.at === undefined) return this.#wrong(read, valueStart, valueStart + value.text.length)
    const wrongStart = valueStart + Array.from(value.text).slice(0, read.at).join('').length
    return this.#wrong(read, wrongStart, wrongStart + 1)
  }

  #isOrHas(operator: 'is' | 'has', value: string, start: number, end: number): Condition | undefined {
    const known: readonly string[] =
      operator === 'is'
        ? IS_VALUES
        : HAS_VALUES.filter((value) => HAS_USES[value]?.includes(this.#use) ?? true)
    const own = this.#names.own(value.toLowerCase())
    const text = operator === 'has' ? (HAS_ALIASES[own] ?? own) : own
    // The lists above ensure the types.
    if (known.includes(text)) return { operator, text } as Condition
    const shown = known.map((value) => this.#names.shown(value))
    const guess = nearest(value.toLowerCase(), shown)
    const hint =
      guess === undefined
        ? `${operator}: takes ${listed(shown, 'or')}.`
        : `Did you mean ${operator}:${guess}?`
    return this.#unavailable(`${operator}:${value}`, start, end, hint)
  }

  #unknown(name: string, start: number, end: number): undefined {
    const lower = name.toLowerCase()
    const names = [...OPERATORS, ...[...ALIASES].map(([alias, own]) => [alias, OPERATORS.get(own)] as const)]
      .filter(([, operator]) => operator?.uses.includes(this.#use))
      .map(([operatorName]) => this.#names.shown(operatorName))
    const foreign = FOREIGN_NAMES[lower]
    const guess = foreign === undefined ? nearest(lower, [...names, 'is', 'has']) : this.#names.shown(foreign)
    const hint =
      guess === undefined
        ? `No operator has this name. Quote text with a colon: "${this.#text.slice(start, end).replace(/["\\]/g, '\\$&')}".`
        : `Did you mean ${guess}${/^\w/.test(guess) ? ':' : ''}?`
    // Clients know both messages.
    this.#unavailable(name, start, start + name.length)
    return this.#report(`Reference to invalid field '${name}'`, start, start + name.length, hint)
  }

  #unavailable(name: string, start: number, end: number, hint?: string): undefined {
    const message = `Reference to invalid operator '${name}'. Operator is not available in current product or product packaging. Please refer to complete available operator list at ${OPERATOR_LIST}`
    return this.#report(message, start, end, hint)
  }

  #wrong({ message, hint }: InvalidValue, start: number, end: number): undefined {
    return this.#report(message, start, end, hint)
  }

  #check(root: Node): void {
    if (this.#clauses > MAX_CLAUSES) {
      const first = [...clausesOf(root)][MAX_CLAUSES] as Clause
      const message = `Query has ${this.#clauses} clauses. Must be no more than ${MAX_CLAUSES} (at position ${first.position})`
      this.#errors.push({ message, position: first.position, end: first.end })
      return
    }
    for (const { node, message, hint } of faultsOf(root)) {
      const { position, end } = node
      this.#errors.push({ message: `${message} (at position ${position})`, position, end, hint })
    }
    this.#errors.sort((a, b) => a.position - b.position)
  }

  /** Reports an error, with its position in the message, as clients expect. */
  #report(message: string, start: number, end: number, hint?: string, withPosition = true): undefined {
    const span = this.#span(start, end)
    this.#errors.push({
      message: withPosition ? `${message} (at position ${span.position})` : message,
      ...span,
      ...(hint !== undefined && { hint }),
    })
  }

  #span(start: number, end: number) {
    return { position: this.#positions(start), end: this.#positions(end) }
  }
}

const OPERATOR_LIST = 'docs/reference/query-language.md'

const listed = (words: readonly string[], conjunction: string) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`

function placesOf(uses: readonly QueryUse[]): string {
  if (uses.every((use) => use === 'powerstream')) return 'rules of the powerstream'
  if (!uses.some(isSearch)) return 'rules of streams'
  const places = [uses.includes('search/all') ? 'search and counts' : 'recent search and counts']
  return listed([...places, ...(uses.includes('stream') ? ['rules of streams'] : [])], 'and')
}

/** Joins nodes into one. Nested groups of the same kind are flattened. */
function grouped(kind: 'and' | 'or', first: Node, nodes: readonly Node[]): Node {
  if (nodes.length === 1) return first
  const flat = nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node]))
  return { kind, nodes: flat, position: first.position, end: nodes.at(-1)?.end ?? first.end }
}

/** Converts indexes of code units to positions: code points, from 1. */
function positionsIn(text: string): (unit: number) => number {
  if (!/[\ud800-\udfff]/.test(text)) return (unit) => unit + 1
  const positions = new Int32Array(text.length + 1)
  let position = 1
  for (let unit = 0; unit < text.length; position++) {
    const size = (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
    positions.fill(position, unit, unit + size)
    unit += size
  }
  positions[text.length] = position
  return (unit) => positions[unit] ?? position
}
