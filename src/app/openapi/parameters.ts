import type { TObject } from 'typebox'
import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { jsonText } from '../../platform/common/exact-json.ts'
import { compileReply } from '../../platform/http/reply.ts'
import { componentName, plain, type Schema } from '../../platform/http/schema.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { type ComponentSchemas, type Json, schemaRef } from './schemas.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The parameters of the path and the query, in this order. */
export function parametersOf(endpoint: Endpoint, vocabulary: Vocabulary, schemas: ComponentSchemas): Json[] {
  const { bodyOnly } = endpoint.protocol.input
  const form = bodyOnly ? [] : placeOf(endpoint.form, 'query', vocabulary, schemas)
  return [
    ...placeOf(endpoint.pathParams, 'path', vocabulary, schemas),
    ...placeOf(endpoint.query, 'query', vocabulary, schemas),
    ...(requiredInForm(endpoint) ? form.map(({ required, ...one }) => one) : form),
  ]
}

/**
 * Some form parameters may also be sent in the query, but a document can require them in one place
 * only: in the form for OAuth, in the query for the advertising API.
 */
const requiredInForm = ({ protocol: { input }, method }: Endpoint) =>
  input.bodyOnly || (!input.jsonParameters && method !== 'GET')

function placeOf(
  object: TObject,
  place: 'path' | 'query',
  vocabulary: Vocabulary,
  schemas: ComponentSchemas,
): Json[] {
  const { properties = {}, required = [] } = plain(object)
  return Object.entries(properties).map(([neutral, schema]) => {
    const { description, ...rest } = schemas.of(schema)
    return {
      name: vocabulary.name(neutral),
      in: place,
      ...((place === 'path' || required.includes(neutral)) && { required: true }),
      ...(description !== undefined && { description }),
      ...(schema.type === 'array' && { explode: false }),
      schema: rest,
    }
  })
}

export function requestBodyOf(
  endpoint: Endpoint,
  vocabulary: Vocabulary,
  schemas: ComponentSchemas,
): Json | undefined {
  const content: Json = {}
  const { example, id } = endpoint
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`
  if (endpoint.body) {
    content['application/json'] = {
      schema: schemas.named(`${name}Body`, endpoint.body),
      ...(example?.body !== undefined && {
        example: JSON.parse(compileReply(endpoint.body, vocabulary)(example.body)),
      }),
    }
  }
  for (const type of endpoint.contentTypes) content[type] = { schema: { type: 'string', format: 'binary' } }
  const form = formOf(endpoint)
  if (form) {
    const { bodyOnly, jsonParameters } = endpoint.protocol.input
    const schema = schemas.named(`${name}Form`, form)
    if (bodyOnly && jsonParameters) content['application/json'] = { schema }
    content[FORM_TYPE] = { schema }
    if (endpoint.multipart) {
      schemas.add(`${name}Parts`, withFile(schemas.of(form), endpoint.multipart))
      content['multipart/form-data'] = { schema: schemaRef(`${name}Parts`) }
    }
  }
  if (Object.keys(content).length === 0) return undefined
  return {
    required:
      (endpoint.body !== undefined && !endpoint.optionalBody) ||
      (form?.required ?? []).length > 0 ||
      endpoint.contentTypes.length > 0,
    content,
  }
}

const withFile = (schema: Json, { file }: { file: string }): Json => ({
  ...schema,
  properties: { ...(schema.properties as Json), [file]: { type: 'string', format: 'binary' } },
})

/** The content of a form body; undefined if the endpoint accepts none. */
function formOf(endpoint: Endpoint): Schema | undefined {
  const { properties = {}, required = [] } = plain(endpoint.form)
  if (endpoint.method === 'GET' || Object.keys(properties).length === 0) return undefined
  // OAuth 1.0a parameters may be in the header of the signature.
  const needed = required.filter((name) => !name.startsWith('oauth_'))
  return { type: 'object', properties, ...(requiredInForm(endpoint) && { required: needed }) }
}

/**
 * Moves every parameter that several operations declare in the same way into the components. The
 * component has the name of the parameter. If a name has several forms, the most frequent form gets
 * it, and the others are named by their tag and name.
 */
export function shareParameters(operations: readonly Operation[]): Json {
  const forms = new Map<string, Form>()
  for (const { parameters = [], tags } of operations) {
    for (const parameter of parameters) {
      const key = jsonText(parameter)
      const form = forms.get(key) ?? { parameter, tags: new Set(), uses: 0 }
      forms.set(key, form)
      for (const tag of tags) form.tags.add(tag)
      form.uses++
    }
  }
  const names = namesOf([...forms.values()])
  for (const operation of operations) {
    if (!operation.parameters) continue
    operation.parameters = operation.parameters.map((parameter) => {
      const name = names.get(forms.get(jsonText(parameter)) as Form)
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
    })
  }
  const entries = [...names].map(([{ parameter }, name]) => [name, parameter] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The members of an operation that can be shared. */
export interface Operation extends Json {
  parameters?: Json[]
  tags: string[]
}

/** One form of a parameter, and where it is declared. */
interface Form {
  parameter: Json
  tags: Set<string>
  uses: number
}

/** The names of the forms that are used more than once. */
function namesOf(forms: readonly Form[]): Map<Form, string> {
  const named = forms.flatMap((form) => {
    if (form.uses === 1) return []
    const name = String(form.parameter.name)
    const others = forms.filter((other) => other !== form && other.parameter.name === name)
    if (others.every(({ uses }) => uses < form.uses)) return [{ form, name: componentName(name) }]
    const [tag = '', ...tags] = form.tags
    return tags.length === 0 ? [{ form, name: componentName(tag, name) }] : []
  })
  const isUnique = (name: string) => named.filter((one) => one.name === name).length === 1
  return new Map(named.filter(({ name }) => isUnique(name)).map(({ form, name }) => [form, name]))
}
