import { readFileSync } from 'node:fs'

interface Endpoint {
  method: string
  path: string
}

interface Document {
  paths: Record<string, Record<string, unknown>>
}

/** Endpoints of the interface that do not exist yet. */
export const TO_DO: readonly string[] = []

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

/**
 * Endpoints that no call has reached. A call reaches the endpoint whose path has the most words in
 * common with it.
 */
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
