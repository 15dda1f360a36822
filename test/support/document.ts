import assert from 'node:assert/strict'

/** A generated OpenAPI document, as far as tests read it. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; responses: Record<string, Response> }
}

interface Operation {
  operationId: string
  responses: Record<string, Response | { $ref: string }>
}

interface Response {
  content?: Record<string, { schema: object; example?: unknown }>
}

/** The response of an operation with a status, whether it is there or among the components. */
export function responseOf(
  { paths, components }: OpenApiDocument,
  { method, path, status }: { method: string; path: string; status: number },
): Response | undefined {
  const found = paths[path]?.[method.toLowerCase()]?.responses[status]
  if (!found || !('$ref' in found)) return found
  const [, name = ''] = /^#\/components\/responses\/(.+)$/.exec(found.$ref) ?? []
  const shared = components.responses[name]
  assert.ok(shared, `the document has no ${found.$ref}`)
  return shared
}

/** A schema whose references lead into the document that was added to a validator as `document`. */
export const inDocument = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
