import { Type } from 'typebox'
import { namesOf } from '../../../../delivery/streams/rules.ts'
import { parseQuery } from '../../../../domain/query-language/parse.ts'
import {
  maxQueryLength,
  type Query,
  type QueryAccess,
  type QueryUse,
} from '../../../../domain/query-language/query.ts'
import { SearchTooComplex } from '../../../../domain/search/index/search-index.ts'
import type { Searcher } from '../../../../domain/search/search.ts'
import { type AppCaller, ownerOf, type UserCaller } from '../../../../identity/auth/principal.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import { type Message, msg } from '../../../../platform/http/message.ts'
import type { Naming } from '../../../../platform/protocols/protocols.ts'

export const queryParameter = (use: QueryUse) =>
  Type.String({
    minLength: 1,
    maxLength: maxQueryLength(use, 'enterprise'),
    description: `Query that posts must match, in the query language: up to ${maxQueryLength(use, 'self-serve')} characters unless the service allows longer ones.`,
  })

export const searcherOf = (principal: AppCaller | UserCaller): Searcher => ({
  owner: ownerOf(principal),
  viewer: principal.kind === 'user' ? principal.userId : undefined,
})

interface QueryDependencies {
  naming: Naming
  config: { readonly ruleAccess: QueryAccess }
}

/**
 * Parses the query of a search or count. Throws one error with all of its problems (core reference,
 * 03 section 5.4).
 */
export function queryOf(text: string, use: QueryUse, { naming, config }: QueryDependencies): Query {
  const access = config.ruleAccess
  const parsed = parseQuery(text, { for: use, access, names: namesOf(naming.vocabulary) })
  if (parsed.ok) return parsed.query
  throw invalid(wrongQuery(text, msg`${parsed.errors.map(({ message }) => message).join(', ')}`))
}

/**
 * Resolves to the result of a search. A query that the index cannot answer is an error of the
 * query.
 */
export async function withQueryErrors<Result>(text: string, search: Promise<Result>): Promise<Result> {
  try {
    return await search
  } catch (error) {
    if (error instanceof SearchTooComplex) throw invalid(wrongQuery(text, msg`${error.message}`))
    throw error
  }
}

const wrongQuery = (value: string, what: Message) =>
  ({
    place: 'query',
    name: 'query',
    value,
    fault: {
      kind: 'rule',
      explanation: msg`There were errors processing your request: ${what}`,
    },
  }) as const
