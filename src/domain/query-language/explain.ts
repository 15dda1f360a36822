import { branchesOf, branchIndexing, formulaOf } from './formula.ts'
import { findsNoReposts, matchContextOf } from './match.ts'
import { NEUTRAL_NAMES, type QueryNames } from './names.ts'
import { HAS_MATCHES, IS_MATCHES, OPERATORS } from './operators.ts'
import { printClause } from './print.ts'
import {
  type Clause,
  type Condition,
  isSearch,
  MAX_CLAUSES,
  maxQueryLength,
  type Node,
  type Query,
  type QueryAccess,
} from './query.ts'
import { type Term, wordsInPair } from './terms.ts'

/** A node of a query in words. */
export interface ExplainedNode {
  /** `all of`, `any of`, or a clause as it is written. */
  readonly label: string
  /** What a clause matches. */
  readonly matches?: string
  readonly nodes: readonly ExplainedNode[]
}

/** How a query is interpreted. */
export interface QueryExplanation {
  readonly tree: ExplainedNode
  readonly length: { readonly used: number; readonly most: number }
  readonly clauses: { readonly used: number; readonly most: number }
  /** Whether a search omits reposts, because it looks for words. */
  readonly findsNoReposts: boolean
  /** For each branch of a rule: the terms of which a post must have one, and the second term. */
  readonly terms: readonly { readonly oneOf: readonly string[]; readonly and?: string }[]
}

/**
 * Shows how a query is interpreted, how much of the limits it uses, and the terms under which a
 * rule is indexed.
 */
export function explainQuery(
  query: Query,
  access: QueryAccess,
  names: QueryNames = NEUTRAL_NAMES,
): QueryExplanation {
  return {
    tree: explainNode(query.root, names),
    length: { used: query.length, most: maxQueryLength(query.use, access) },
    clauses: { used: query.clauses, most: MAX_CLAUSES },
    findsNoReposts: findsNoReposts(query),
    terms: isSearch(query.use) ? [] : termsOf(query),
  }
}

function explainNode(node: Node, names: QueryNames): ExplainedNode {
  if (node.kind === 'clause') return { label: printClause(node, names), matches: inWords(node), nodes: [] }
  return {
    label: node.kind === 'and' ? 'all of' : 'any of',
    nodes: node.nodes.map((child) => explainNode(child, names)),
  }
}

function inWords({ negated, condition }: Clause): string {
  const words = `${negated ? 'not posts' : 'posts'} ${matchesOf(condition)}`
  const missing = OPERATORS.get(condition.operator)?.missing
  return missing === undefined ? words : `${words}; there are none, because ${missing}`
}

function matchesOf(condition: Condition): string {
  switch (condition.operator) {
    case 'keyword':
    case 'phrase':
      return condition.words.length === 1
        ? `with the word ${condition.words[0]}`
        : `with the words ${condition.words.join(', ')} in sequence`
    case 'proximity':
      return `with the words ${condition.words.join(', ')} at most ${condition.within} apart`
    case 'hashtag':
      return `with the hashtag ${condition.name}`
    case 'cashtag':
      return `with the cashtag ${condition.name}`
    case 'mention':
      return `that mention ${condition.name}`
    case 'is':
      return IS_MATCHES[condition.text]
    case 'has':
      return HAS_MATCHES[condition.text]
    default:
      return OPERATORS.get(condition.operator)?.matches ?? ''
  }
}

/** Without an index, all terms of a kind cost the same. */
function termsOf(query: Query): QueryExplanation['terms'] {
  const formula = formulaOf(query.root, matchContextOf(query))
  return branchesOf(formula).map((branch) => {
    const { anchors, second } = branchIndexing(branch, ({ kind }) => (isCommon(kind) ? 1_000 : 1))
    return { oneOf: anchors.map(shown), ...(second && { and: shown(second) }) }
  })
}

const isCommon = (kind: Term['kind']) => kind === 'property' || kind === 'language'

const shown = ({ kind, key }: Term) =>
  kind === 'pair' ? `words ${wordsInPair(key).join(' ')}` : `${kind} ${key}`
