import { DatabaseSync } from 'node:sqlite'
import { migrations } from './migrations/migrate.ts'
import { allQueries } from './query.ts'

/** A query as both dialects run it, and how SQLite finds its rows. */
export interface QueryPlan {
  name: string
  sqlite: string
  postgres: string
  /** The lines of EXPLAIN QUERY PLAN. */
  plan: string[]
}

/** Every query that is declared in the modules loaded so far, by name. */
export function queryPlans(): QueryPlan[] {
  const db = new DatabaseSync(':memory:')
  try {
    for (const { statements } of migrations) for (const statement of statements('sqlite')) db.exec(statement)
    return allQueries.map((query) => planOf(query, db)).sort((a, b) => (a.name < b.name ? -1 : 1))
  } finally {
    db.close()
  }
}

function planOf(query: (typeof allQueries)[number], db: DatabaseSync): QueryPlan {
  const { sql } = query.compile('sqlite')
  const lines = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  return {
    name: query.name,
    sqlite: sql,
    postgres: query.compile('postgres').sql,
    plan: lines.map(({ detail }) => String(detail)),
  }
}

/**
 * Whether a plan reads a whole table, or a whole index. A list that is an argument, and what a part of the query itself
 * found, are read whole by design.
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
  recordEventGap: 'there are few consumers',
}
