import { OPERATORS } from './operators.ts'
import { type Clause, type Condition, clausesOf, conjunctsOf, type Node } from './query.ts'

/** Words so common that a rule with only such words matches nearly every post. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be but by for from has have i if in is it its me my no not of on or so that the this to too via was we with you'.split(
    ' ',
  ),
)

/** An error of a query as a whole, and the node that causes it. */
export interface QueryFault {
  readonly node: Node
  readonly message: string
  readonly hint: string
}

/**
 * The errors of a query whose clauses are valid (reference: query language, kinds of operators).
 */
export function faultsOf(root: Node): QueryFault[] {
  return [...unanchored(root), ...wronglyNegated(root), ...outOfPlace(root)]
}

/** Whether posts can be found by a clause alone. */
function isAnchor({ condition, negated }: Clause): boolean {
  if (negated || !isStandalone(condition)) return false
  const isWord = condition.operator === 'keyword' || condition.operator === 'phrase'
  return !isWord || condition.words.length > 1 || !STOP_WORDS.has(condition.words[0] ?? '')
}

const isStandalone = ({ operator }: Condition) =>
  operator !== 'is' && operator !== 'has' && OPERATORS.get(operator)?.standalone !== false

const isAnchored = (node: Node): boolean => {
  if (node.kind === 'clause') return isAnchor(node)
  return node.kind === 'and' ? node.nodes.some(isAnchored) : node.nodes.every(isAnchored)
}

function* unanchored(root: Node): Generator<QueryFault> {
  if (isAnchored(root)) return
  const node = firstUnanchored(root)
  const joined = [...clausesOf(node)].some(({ negated, condition }) => !negated && !isStandalone(condition))
  yield {
    node,
    message: joined
      ? 'is/has/lang cannot be used as a standalone operator'
      : 'Rules must contain at least one positive, non-stopword clause',
    hint:
      node === root
        ? 'Add a clause that posts must match: a keyword, #hashtag, @mention, from: or another standalone operator.'
        : 'Each side of OR needs a keyword, #hashtag, @mention, from: or another standalone operator.',
  }
}

/** The branch of an OR that cannot find posts alone; the node itself if it is not an OR. */
const firstUnanchored = (node: Node): Node =>
  node.kind === 'or' ? firstUnanchored(node.nodes.find((branch) => !isAnchored(branch)) ?? node) : node

function* wronglyNegated(root: Node): Generator<QueryFault> {
  for (const clause of clausesOf(root)) {
    const { condition, negated } = clause
    if (condition.operator === 'is' && condition.text === 'nullcast' && !negated)
      yield { node: clause, message: 'is:nullcast must be negated', hint: 'Write -is:nullcast.' }
    if (negated && OPERATORS.get(condition.operator)?.negation === 'never')
      yield { node: clause, message: `${condition.operator}: cannot be negated`, hint: 'Leave out the -.' }
  }
}

/** Operators that apply to the whole query. */
function* outOfPlace(root: Node): Generator<QueryFault> {
  const top = new Set(conjunctsOf(root))
  const seen = new Set<string>()
  const clauses = [...clausesOf(root)]
  for (const node of clauses) {
    const { operator } = node.condition
    if (operator === 'sample' && !top.has(node))
      yield {
        node,
        message: 'sample: applies to the whole rule',
        hint: 'Put alternatives in parentheses: (cat OR dog) sample:10.',
      }
    if (
      operator === 'embedding_threshold' &&
      !clauses.some(({ condition }) => condition.operator === 'embedding')
    )
      yield {
        node,
        message: 'embedding_threshold: must be used with embedding:',
        hint: 'Add embedding:"text".',
      }
    const isOnce =
      operator === 'sample' || operator === 'embedding_threshold' || OPERATORS.get(operator)?.most === 1
    if (isOnce && seen.has(operator))
      yield { node, message: `${operator}: can be used once`, hint: 'Remove the others.' }
    seen.add(operator)
  }
}
