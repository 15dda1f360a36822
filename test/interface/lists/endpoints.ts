import { readFileSync } from 'node:fs'

interface Endpoint {
  method: string
  path: string
}

interface Document {
  paths: Record<string, Record<string, unknown>>
}

/** Endpoints of the interface that do not exist yet. */
export const TO_DO: readonly string[] = [
  'DELETE /2/activity/subscriptions/{subscription_id}',
  'DELETE /2/connections',
  'DELETE /2/connections/all',
  'DELETE /2/connections/{endpoint_id}',
  'GET /12/insights/keywords/search',
  'GET /2/activity/stream',
  'GET /2/activity/subscriptions',
  'GET /2/connections',
  'GET /2/news/search',
  'GET /2/news/{id}',
  'GET /2/notes/search/notes_written',
  'GET /2/notes/search/posts_eligible_for_notes',
  'GET /2/posts/search/stream',
  'POST /2/activity/subscriptions',
  'POST /2/evaluate_note',
  'POST /2/notes',
  'POST /2/webhooks/replay',
]

/** Every endpoint that the OpenAPI documents declare. */
export function declaredEndpoints(): Endpoint[] {
  return ['core', 'ads'].flatMap((name) => {
    const url = new URL(`../../../openapi/${name}.json`, import.meta.url)
    const { paths } = JSON.parse(readFileSync(url, 'utf8')) as Document
    return Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => /^(get|post|put|delete)$/.test(method))
        .map((method) => ({ method: method.toUpperCase(), path })),
    )
  })
}

/** Those that no call has reached: a call reaches the endpoint whose path has the most words in common with it. */
export function unreached(declared: readonly Endpoint[], calls: readonly Endpoint[]): string[] {
  const reached = new Set(calls.map((call) => endpointOf(declared, call)))
  return declared.filter((one) => !reached.has(one)).map(({ method, path }) => `${method} ${path}`)
}

function endpointOf(declared: readonly Endpoint[], { method, path }: Endpoint): Endpoint | undefined {
  const words = path.split('/')
  let best: Endpoint | undefined
  let most = 0
  for (const one of declared) {
    const parts = one.path.split('/')
    const isMatch =
      one.method === method &&
      parts.length === words.length &&
      parts.every((part, at) => part.startsWith('{') || part === words[at])
    const common = parts.filter((part) => !part.startsWith('{')).length
    if (isMatch && common > most) [best, most] = [one, common]
  }
  return best
}
