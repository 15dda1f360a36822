import type { Endpoint } from './contract.ts'
import { methodsOf } from './endpoint.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What routes are made of. */
type RouteSource = Pick<Endpoint, 'method' | 'takesGet' | 'path' | 'aliases'>

/** The templates of every path of an endpoint with a vocabulary. */
export const templatesOf = (
  { path, aliases }: Pick<RouteSource, 'path' | 'aliases'>,
  vocabulary: Vocabulary,
) => [...new Set([path, ...aliases].flatMap(vocabulary.paths))]

/** Segments are fixed text or a parameter: the router reads `:`, `-` and `.` in its own way. */
const TEMPLATE = /^(\/(\{[A-Za-z0-9_]+\}|[A-Za-z0-9_.-]*))+$/

/**
 * Throws unless the endpoints of one listener have different routes with a vocabulary. The names of
 * parameters do not matter: `/a/{x}` and `/a/{y}` are one route.
 */
export function rejectSharedRoutes(endpoints: readonly RouteSource[], vocabulary: Vocabulary): void {
  const taken = new Map<string, string>()
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`
    for (const template of templatesOf(endpoint, vocabulary)) {
      if (!TEMPLATE.test(template))
        throw new Error(
          `the vocabulary gives ${name} the path ${template}; a segment is a parameter, such as {id}, or has only letters, digits, "_", "." and "-"`,
        )
      for (const method of methodsOf(endpoint)) {
        const route = `${method} ${template.replace(/\{[^}]*\}/g, '{}')}`
        const other = taken.get(route)
        if (other === name) throw new Error(`the vocabulary gives ${name} the path ${template} twice`)
        if (other !== undefined)
          throw new Error(`the vocabulary gives both ${other} and ${name} the path ${method} ${template}`)
        taken.set(route, name)
      }
    }
  }
}
