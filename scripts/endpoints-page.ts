import { factsOf } from '../src/app/openapi/facts.ts'
import { areaOf } from '../src/app/openapi/openapi.ts'
import type { PlazaEndpoint as Endpoint } from '../src/identity/auth/endpoint.ts'
import { neutralVocabulary } from '../src/platform/http/vocabulary.ts'
import { code, page, table } from './markdown.ts'

const keyOf = ({ host, path, method }: Endpoint) => `${host} ${path} ${method}`
export const byPath = (a: Endpoint, b: Endpoint) => (keyOf(a) < keyOf(b) ? -1 : 1)

export const routeOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

/** The name of the generated tests of an endpoint. */
export const conformanceName = (endpoint: Endpoint) => `${endpoint.id}: ${routeOf(endpoint)}`

/** A line for each endpoint, by area. */
export function endpointsPage(endpoints: readonly Endpoint[]): string {
  const shown = endpoints.filter(({ hidden }) => !hidden).sort(byPath)
  const areas = Map.groupBy(shown, areaOf)
  return page(
    'Endpoints',
    INTRODUCTION,
    LIMITS,
    ...[...areas]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([area, rows]) => [
        `## ${area}`,
        table(['Endpoint', 'Id', 'What it does', 'Callers', 'Rate limits', 'Section'], rows.map(row)),
      ]),
  )
}

const INTRODUCTION =
  'A line for each endpoint. Parameters, replies and errors are in the reference that a running Plaza shows at `/reference` of its console, and in the [OpenAPI documents](../../openapi/). Other pages: [errors](errors.md), [query language](query-language.md), [coverage](coverage.md).'

const LIMITS =
  'Rate limits apply to a fixed window, which opens with the first call. Each endpoint has its own limit. The pool `app` counts the bearer calls of an app, `user` the calls of a user through an app, `client` the calls that an app signs for itself, and `address` the calls from one address. In addition, `user-24hour` counts the calls of a user with all apps in 24 hours, and `app-24hour` those of an app. A rejected call changes nothing. `--rate-limits` reads other limits from a file: `{"<id>": {"<pool>": "10/1m"}}`, or `off`.'

function row(endpoint: Endpoint): string[] {
  const { method, path, aliases, takesGet, id, summary } = endpoint
  const routes = [
    routeOf(endpoint),
    ...aliases.map((alias) => routeOf({ method, path: alias })),
    ...(takesGet ? [`GET ${path}`] : []),
  ]
  const { callers, limits, section } = factsOf(endpoint, neutralVocabulary)
  return [routes.map(code).join(', '), code(id), summary, callers, limits, section]
}
