import { DatabaseSync } from 'node:sqlite'
import { allQueries } from './query.ts'
import { schemaText } from './schema/schema.ts'

/** The SQL of a query in both dialects, and its plan on SQLite. */
export interface QueryPlan {
  name: string
  /** Undefined for a table that exists only on PostgreSQL. */
  sqlite: string | undefined
  postgres: string
  /** The lines of EXPLAIN QUERY PLAN. */
  plan: string[]
}

/** Every query of the loaded modules, by name. */
export function queryPlans(): QueryPlan[] {
  const db = new DatabaseSync(':memory:')
  try {
    db.exec(schemaText('sqlite'))
    return allQueries.map((query) => planOf(query, db)).sort((a, b) => (a.name < b.name ? -1 : 1))
  } finally {
    db.close()
  }
}

function planOf(query: (typeof allQueries)[number], db: DatabaseSync): QueryPlan {
  const { name, only } = query
  const ofPostgres = query.compile('postgres').sql
  if (only === 'postgres') return { name, sqlite: undefined, postgres: ofPostgres, plan: [] }
  const { sql } = query.compile('sqlite')
  const lines = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  return {
    name,
    sqlite: sql,
    postgres: ofPostgres,
    plan: lines.map(({ detail }) => String(detail)),
  }
}

/**
 * Whether a plan scans a whole table, or a whole index. Scanning an argument list, or the result of
 * a subquery, is intended.
 */
export function scansTable({ plan }: QueryPlan): boolean {
  const own = new Set(plan.map((line) => /^(?:CO-ROUTINE|MATERIALIZE) (.+)$/.exec(line)?.[1]))
  return plan.some((line) => {
    const scanned = /^SCAN (\S+)/.exec(line)?.[1]
    if (scanned === undefined || line === 'SCAN CONSTANT ROW') return false
    return !own.has(scanned) && !line.includes(' VIRTUAL TABLE ')
  })
}

/** Queries that may read a whole table, each with the reason. */
export const deliberateScans: Readonly<Record<string, string>> = {
  countTasks: 'counts every task, for the operator who asks for it',
  freeTasks: 'reads an index that contains only the tasks that are running',
  removeApp: 'an app is rarely deleted: what its users gave it is found by reading an index',
  recordEventGap: 'there are few consumers',
}
