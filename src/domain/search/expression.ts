import { usersByScreenNames } from '../../identity/users/queries.ts'
import { boundOf } from '../../platform/common/ids.ts'
import type { Store } from '../../platform/storage/store.ts'
import { membersOfSeenList } from '../lists/queries.ts'
import { languageOfPosts } from '../query-language/languages.ts'
import { type Condition, clausesOf, isTextual, type Node, type Query } from '../query-language/query.ts'
import { wordsTerm } from './document.ts'
import type { DocumentNumber, SearchExpression } from './index/search-index.ts'

const KM_PER_MILE = 1.609344

const term = (kind: string, value: string): SearchExpression => ({ kind: 'term', term: `${kind}:${value}` })
const any = (of: readonly SearchExpression[]): SearchExpression => ({ kind: 'any', of })
const not = (expression: SearchExpression): SearchExpression => ({ kind: 'not', not: expression })

/** What a query names, as it is stored. */
interface NamedUsers {
  /** The ids of a user who is named by id or by name. */
  idsOf(name: string): readonly string[]
  /** The members of a list; empty if the searching user does not see it. */
  membersOf(list: string): readonly string[]
}

interface ExpressionOptions {
  store: Pick<Store, 'all'>
  /** The user who searches; undefined for an app. */
  viewer: string | undefined
}

/**
 * A query in the terms of the index (`document.ts`). Reads the ids of users with one query, and the
 * members of each list with one.
 */
export async function expressionOf(
  query: Query,
  { store, viewer }: ExpressionOptions,
): Promise<SearchExpression> {
  const named = { idsOf: await usersIn(query, store), membersOf: await membersIn(query, { store, viewer }) }
  const root = expressionOfNode(query.root, named)
  // Reposts have no words of their own, so a query for words finds none, whatever else it contains.
  const isForWords = [...clausesOf(query.root)].some(({ condition }) => isTextual(condition))
  return isForWords ? { kind: 'all', of: [root, not(term('is', 'repost'))] } : root
}

async function usersIn({ root }: Query, store: Pick<Store, 'all'>): Promise<NamedUsers['idsOf']> {
  const names = new Set(
    [...clausesOf(root)].flatMap(({ condition }) =>
      condition.operator === 'from' || condition.operator === 'to' || condition.operator === 'reposts_of'
        ? [condition.name]
        : [],
    ),
  )
  const rows =
    names.size === 0 ? [] : await store.all(usersByScreenNames, { keys: JSON.stringify([...names]) })
  const ids = new Map(rows.map(({ screen_name_key, id }) => [screen_name_key, id]))
  return (name) => {
    const id = ids.get(name)
    return [...(/^[0-9]+$/.test(name) ? [name] : []), ...(id === undefined ? [] : [id])]
  }
}

async function membersIn(
  { root }: Query,
  { store, viewer = '' }: ExpressionOptions,
): Promise<NamedUsers['membersOf']> {
  const members = new Map<string, string[]>()
  for (const { condition } of clausesOf(root)) {
    if (condition.operator !== 'list') continue
    const rows = await store.all(membersOfSeenList, { list: boundOf(condition.text), viewer })
    members.set(
      condition.text,
      rows.map(({ user_id }) => user_id),
    )
  }
  return (list) => members.get(list) ?? []
}

function expressionOfNode(node: Node, named: NamedUsers): SearchExpression {
  if (node.kind === 'clause') {
    const expression = expressionOfCondition(node.condition, named)
    return node.negated ? not(expression) : expression
  }
  const of = node.nodes.map((child) => expressionOfNode(child, named))
  return { kind: node.kind === 'and' ? 'all' : 'any', of }
}

function expressionOfCondition(condition: Condition, { idsOf, membersOf }: NamedUsers): SearchExpression {
  const byUser = (kind: string, name: string) => any(idsOf(name).map((id) => term(kind, id)))
  switch (condition.operator) {
    case 'keyword':
    case 'phrase':
      return { kind: 'words', of: 'text', words: condition.words }
    case 'url':
      return { kind: 'words', of: 'links', words: condition.words }
    case 'hashtag':
    case 'cashtag':
    case 'mention':
      return term(condition.operator, condition.name)
    case 'from':
    case 'to':
      return byUser(condition.operator, condition.name)
    case 'reposts_of':
      return byUser('reposts_of_user', condition.name)
    case 'in_reply_to_post_id':
      return term('reply_to', condition.text)
    case 'reposts_of_post_id':
      return term('repost_of', condition.text)
    case 'quotes_of_post_id':
      return term('quote_of', condition.text)
    case 'conversation_id':
      return term('conversation', condition.text)
    case 'is':
    case 'has':
      return term(condition.operator, condition.text)
    case 'lang':
      return term('lang', languageOfPosts(condition.text))
    case 'min_likes':
      return atLeast('likes', condition.number)
    case 'min_replies':
      return atLeast('replies', condition.number)
    case 'min_reposts':
      return atLeast('reposts', condition.number)
    case 'place':
      return any([
        term('place', condition.text.toLowerCase()),
        term('place_name', wordsTerm(condition.words)),
      ])
    case 'place_country':
      return term('country', condition.text.toLowerCase())
    case 'point_radius':
      return near(condition)
    case 'bounding_box':
      return inside(condition)
    case 'list':
      return any(membersOf(condition.text).map((id) => term('from', id)))
    case 'context':
      return term('context', `${condition.domain}.${condition.entity}`)
    case 'entity':
      return term('entity', wordsTerm(condition.words))
    default:
      throw new Error(`${condition.operator}: is no operator of searches`)
  }
}

const atLeast = (number: DocumentNumber, value: number): SearchExpression => ({
  kind: 'at least',
  number,
  value,
})

type NearCondition = Extract<Condition, { operator: 'point_radius' }>
type BoxCondition = Extract<Condition, { operator: 'bounding_box' }>

const near = ({ point: [longitude, latitude], radius, unit }: NearCondition): SearchExpression => ({
  kind: 'near',
  longitude,
  latitude,
  km: unit === 'mi' ? radius * KM_PER_MILE : radius,
})

const inside = ({ southWest, northEast }: BoxCondition): SearchExpression => ({
  kind: 'inside',
  area: { west: southWest[0], south: southWest[1], east: northEast[0], north: northEast[1] },
})
