/** What the generator of the client reads of an OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, SchemaObject>
    responses: Record<string, ResponseObject>
    parameters: Record<string, ParameterObject>
  }
}

export interface OperationObject {
  operationId: string
  summary: string
  parameters?: (ParameterObject | Reference)[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, ResponseObject | Reference>
  deprecated?: boolean
  'x-alias-of'?: string
  'x-stream'?: boolean
}

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: SchemaObject
}

interface ResponseObject {
  content?: Content
}

type Content = Record<string, { schema?: SchemaObject }>

interface Reference {
  $ref: string
}

export interface SchemaObject {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, SchemaObject>
  required?: string[]
  additionalProperties?: boolean | SchemaObject
  items?: SchemaObject
  anyOf?: SchemaObject[]
  oneOf?: SchemaObject[]
  allOf?: SchemaObject[]
}

const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** The name of the component that a schema refers to. */
export const componentOf = ({ $ref }: SchemaObject): string | undefined =>
  $ref === undefined ? undefined : nameIn($ref)

export function schemaOf(document: Document, schema: SchemaObject): SchemaObject {
  const name = componentOf(schema)
  return name === undefined ? schema : schemaOf(document, document.components.schemas[name] ?? {})
}

export function responseOf(document: Document, response: ResponseObject | Reference): ResponseObject {
  return '$ref' in response ? (document.components.responses[nameIn(response.$ref)] ?? {}) : response
}

function parameterOf(document: Document, parameter: ParameterObject | Reference): ParameterObject {
  if (!('$ref' in parameter)) return parameter
  const found = document.components.parameters[nameIn(parameter.$ref)]
  if (!found) throw new Error(`there is no ${parameter.$ref}`)
  return found
}

/** One operation, with what it refers to. */
export interface DocumentedOperation extends OperationObject {
  method: string
  path: string
  given: ParameterObject[]
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch'])

/** Every operation of a document, in its order. */
export function operationsOf(document: Document): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        given: (operation.parameters ?? []).map((one) => parameterOf(document, one)),
      })),
  )
}
