import { NEUTRAL_NAMES, type QueryNames } from './names.ts'
import type { Clause, Condition, Node, Query } from './query.ts'
import { isBareWord } from './values.ts'

/** A query in its shortest form. Parsing it gives the same query. */
export const printQuery = ({ root }: Pick<Query, 'root'>, names: QueryNames = NEUTRAL_NAMES): string =>
  printNode(root, names)

function printNode(node: Node, names: QueryNames = NEUTRAL_NAMES): string {
  if (node.kind === 'clause') return printClause(node, names)
  if (node.kind === 'or') return node.nodes.map((child) => printNode(child, names)).join(' OR ')
  return node.nodes
    .map((child) => (child.kind === 'or' ? `(${printNode(child, names)})` : printNode(child, names)))
    .join(' ')
}

export const printClause = ({ negated, condition }: Clause, names: QueryNames = NEUTRAL_NAMES): string =>
  `${negated ? '-' : ''}${printCondition(condition, names)}`

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
const value = (text: string) => (isBareWord(text) ? text : quoted(text))

export function printCondition(condition: Condition, names: QueryNames = NEUTRAL_NAMES): string {
  const { operator } = condition
  const named = (text: string) => `${names.shown(operator)}:${text}`
  switch (condition.operator) {
    case 'keyword':
      return condition.text
    case 'phrase':
      return quoted(condition.text)
    case 'proximity':
      return `${quoted(condition.text)}~${condition.within}`
    case 'hashtag':
      return `#${condition.text}`
    case 'cashtag':
      return `$${condition.text}`
    case 'mention':
      return `@${condition.text}`
    case 'is':
    case 'has':
      return named(names.shown(condition.text))
    case 'context':
      return named(`${condition.domain}.${condition.entity}`)
    case 'point_radius':
      return named(
        `[${[...condition.point.map(decimal), decimal(condition.radius) + condition.unit].join(' ')}]`,
      )
    case 'bounding_box':
      return named(`[${[...condition.southWest, ...condition.northEast].map(decimal).join(' ')}]`)
    case 'followers_count':
    case 'following_count':
    case 'posts_count':
    case 'listed_count':
      return named(condition.max === undefined ? `${condition.min}` : `${condition.min}..${condition.max}`)
    default:
      return named('number' in condition ? decimal(condition.number) : value(condition.text))
  }
}

/** A number without an exponent. */
const decimal = (number: number) =>
  /e/.test(String(number)) ? number.toFixed(20).replace(/\.?0+$/, '') : String(number)
