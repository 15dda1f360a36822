import { type Document, type DocumentedOperation, type SchemaObject, schemaOf } from './document.ts'

/**
 * Where the client puts the parameters of an operation. `none`: what is not in the path is the
 * query. `members`: what is neither in the path nor named in `query` is a member of the JSON body.
 * `whole`: the parameter `body` is the JSON body. `form` and `multipart`: what is not in the path
 * is a field.
 */
export type BodyKind = 'none' | 'members' | 'whole' | 'form' | 'multipart'

export interface Shape {
  body: BodyKind
  /** The schema of the body. */
  schema: SchemaObject | undefined
  isBodyRequired: boolean
  /** Parameters of the query beside a JSON body. */
  query: string[]
  /** The parameter that continues a list: `pagination_token`, `next_token` or `cursor`. */
  pageParameter: string | undefined
  /** The parameter of a stream that asks for what the last minutes sent. */
  backfillParameter: string | undefined
}

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
/** Where an operation has two, they are the same: the first of these. */
const PAGE_PARAMETERS = ['pagination_token', 'next_token', 'cursor']
const BACKFILL_PARAMETERS = ['backfill_minutes', 'backfillMinutes']

export function shapeOf(document: Document, operation: DocumentedOperation): Shape {
  const content = operation.requestBody?.content ?? {}
  const names = operation.given.filter((one) => one.in === 'query').map(({ name }) => name)
  const rest = {
    isBodyRequired: operation.requestBody?.required === true,
    query: [] as string[],
    pageParameter: PAGE_PARAMETERS.find((name) => names.includes(name)),
    backfillParameter: BACKFILL_PARAMETERS.find((name) => names.includes(name)),
  }
  if (content[MULTIPART]) return { ...rest, body: 'multipart', schema: both(document, content) }
  if (content[FORM]) return { ...rest, body: 'form', schema: content[FORM].schema }
  const json = content['application/json']?.schema
  if (!json) return { ...rest, body: 'none', schema: undefined }
  const { properties } = schemaOf(document, json)
  const members = Object.keys(properties ?? {})
  // The query says the same.
  if (members.length > 0 && members.every((name) => names.includes(name)))
    return { ...rest, body: 'none', schema: undefined }
  const isFlat =
    members.length > 0 && !operation.given.some(({ name }) => members.includes(name) || name === 'body')
  return { ...rest, body: isFlat ? 'members' : 'whole', schema: json, query: names }
}

/** The members of a form and of a multipart body together: each is one or the other. */
function both(document: Document, content: Record<string, { schema?: SchemaObject }>): SchemaObject {
  const [form, parts] = [FORM, MULTIPART].map((type) => schemaOf(document, content[type]?.schema ?? {}))
  const required = (parts?.required ?? []).filter((name) => form?.required?.includes(name))
  const properties = { ...form?.properties, ...parts?.properties }
  for (const [name, schema] of Object.entries(properties))
    if (schema.format === 'binary' && form?.properties?.[name])
      properties[name] = { anyOf: [schema, form.properties[name]], description: schema.description ?? '' }
  return { type: 'object', properties, required }
}
