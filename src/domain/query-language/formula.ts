import type { MatchContext } from './match.ts'
import { printCondition } from './print.ts'
import type { Clause, Condition, Node } from './query.ts'
import { type CountRange, rangeOf } from './ranges.ts'
import { EVERY_POST, neededTerms, type Term } from './terms.ts'

/** A rule as a formula over the terms of posts, with tests where terms are not enough. */
export type Formula =
  | { readonly kind: 'term'; readonly term: Term; readonly negated: boolean }
  | {
      readonly kind: 'test'
      /** Equal for tests with the same result. */
      readonly key: string
      readonly condition: Condition
      readonly circumstances: MatchContext
      readonly negated: boolean
    }
  /** Adjacent words of the text. */
  | { readonly kind: 'run'; readonly terms: readonly Term[]; readonly negated: boolean }
  /** A count of the post is in a range. */
  | { readonly kind: 'range'; readonly range: CountRange; readonly negated: boolean }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }

/** The formula of a node of a rule. The cheaper part of a condition comes first. */
export function formulaOf(node: Node, circumstances: MatchContext): Formula {
  if (node.kind === 'clause') return formulaOfClause(node, circumstances)
  return flat(
    node.kind,
    node.nodes.map((child) => formulaOf(child, circumstances)),
  )
}

function formulaOfClause({ condition, negated }: Clause, circumstances: MatchContext): Formula {
  const range = rangeOf(condition)
  if (range) return { kind: 'range', range, negated }
  const { terms, exact, inOrder } = neededTerms(condition)
  const needed = terms
    .filter((term) => term !== EVERY_POST)
    .map((term): Formula => ({ kind: 'term', term, negated: false }))
  if (exact) return { kind: 'term', term: terms[0], negated }
  if (inOrder) {
    const run: Formula = { kind: 'run', terms: inOrder, negated }
    return negated ? run : flat('and', [...needed, run])
  }
  const printed = printCondition(condition)
  const key = condition.operator === 'embedding' ? `${printed} ${circumstances.similarity}` : printed
  const test: Formula = { kind: 'test', key, condition, circumstances, negated }
  return negated ? test : flat('and', [...needed, test])
}

function flat(kind: 'and' | 'or', parts: readonly Formula[]): Formula {
  const [only] = parts
  if (only && parts.length === 1) return only
  return { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) }
}

/** Terms of which a post has at least one if it matches a formula. */
export interface AnchorTerms {
  readonly terms: readonly Term[]
  /** Whether every post with one of them matches the formula. */
  readonly exact: boolean
  /** An estimate of how many posts have them, in a unit of the caller. */
  readonly cost: number
}

/** The cheapest anchors of a formula; undefined if posts without any term may match it. */
function anchorsOf(formula: Formula, costOf: (term: Term) => number): AnchorTerms | undefined {
  if (formula.kind === 'term') {
    const { term, negated } = formula
    return negated ? undefined : { terms: [term], exact: true, cost: costOf(term) }
  }
  if (!('parts' in formula)) return undefined
  const each = formula.parts.map((part) => anchorsOf(part, costOf))
  const found = each.filter((anchors) => anchors !== undefined)
  if (formula.kind === 'or') {
    if (found.length < each.length) return undefined
    return {
      terms: found.flatMap(({ terms }) => terms),
      exact: found.every(({ exact }) => exact),
      cost: found.reduce((sum, { cost }) => sum + cost, 0),
    }
  }
  const [first, ...rest] = found
  if (!first) return undefined
  const cheapest = rest.reduce((best, anchors) => (anchors.cost < best.cost ? anchors : best), first)
  return { ...cheapest, exact: false }
}

/**
 * The branches of a formula: a post matches it if it matches one of them. All single terms are one
 * branch.
 */
export function branchesOf(formula: Formula): readonly Formula[] {
  if (formula.kind !== 'or') return [formula]
  const isTerm = (part: Formula) => part.kind === 'term' && !part.negated
  const terms = formula.parts.filter(isTerm)
  const others = formula.parts.filter((part) => !isTerm(part))
  return terms.length === 0 ? others : [flat('or', terms), ...others]
}

/**
 * How a branch is indexed: under which terms, with which second term, and what is left to check.
 */
export interface BranchIndexing {
  /** A post that matches the branch has at least one of them. */
  readonly anchors: readonly Term[]
  /** Another term that the post must have. */
  readonly second: Term | undefined
  readonly rest: readonly Formula[]
}

/** Indexes a branch under its cheapest part, with the next cheapest term as the second term. */
export function branchIndexing(branch: Formula, costOf: (term: Term) => number): BranchIndexing {
  const parts = branch.kind === 'and' ? branch.parts : [branch]
  const costed = parts.map((part) => ({ part, anchors: anchorsOf(part, costOf) }))
  // The rarest part fails first. Parts without anchors are negations and tests, and come last.
  const byCost = costed.sort((a, b) => costIn(a.anchors) - costIn(b.anchors))
  const [cheapest] = byCost
  if (!cheapest?.anchors) return { anchors: [EVERY_POST], second: undefined, rest: parts }
  const second = byCost.find(
    ({ part, anchors }) => part !== cheapest.part && anchors && part.kind === 'term',
  )?.part
  return {
    anchors: cheapest.anchors.terms,
    second: second?.kind === 'term' ? second.term : undefined,
    rest: byCost
      .map(({ part }) => part)
      .filter((part) => part !== second && !(part === cheapest.part && cheapest.anchors?.exact)),
  }
}

const costIn = (anchors: AnchorTerms | undefined) => anchors?.cost ?? Number.MAX_VALUE
