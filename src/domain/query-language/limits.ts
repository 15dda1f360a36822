import type { QueryAccess, QueryUse } from './query.ts'

/** Maximum length of a query in code points (reference: query language, grammar; stream rules). */
const MAX_LENGTH: Readonly<Record<QueryUse, Readonly<Record<QueryAccess, number>>>> = {
  'search/recent': { 'self-serve': 512, enterprise: 4096 },
  'search/all': { 'self-serve': 1024, enterprise: 4096 },
  'counts/recent': { 'self-serve': 1024, enterprise: 4096 },
  'counts/all': { 'self-serve': 1024, enterprise: 4096 },
  stream: { 'self-serve': 1024, enterprise: 2048 },
  powerstream: { 'self-serve': 2048, enterprise: 2048 },
}

export const maxQueryLength = (use: QueryUse, access: QueryAccess): number => MAX_LENGTH[use][access]

/** The maximum number of clauses of a query. */
export const MAX_CLAUSES = 200
