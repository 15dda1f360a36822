import {
  componentOf,
  type Document,
  type DocumentedOperation,
  operationsOf,
  type ParameterObject,
  responseOf,
  type SchemaObject,
} from './document.ts'
import { shapeOf } from './shape.ts'

/** Columns of a comment. */
const MAX_COLUMNS = 100

/** The types of a document: its operations as an interface, and the schemas that these use. */
export function typesOf(name: string, document: Document): string {
  const types = new Types(document)
  const methods = operationsOf(document).map((operation) => types.method(operation))
  const body = `export interface ${name} {\n${methods.join('')}}\n\n${types.components()}`
  const used = ['Int64', 'Operation', 'PagedOperation', 'StreamOperation', 'Upload'].filter((type) =>
    new RegExp(`\\b${type}\\b`).test(body),
  )
  return `import type { ${used.join(', ')} } from '../types.ts'\n\n${body}`
}

/** Schemas that refer to each other by name, as interfaces. */
export function interfacesOf(schemas: Record<string, SchemaObject>): string {
  const components = { schemas, responses: {}, parameters: {} }
  const types = new Types({ paths: {}, components })
  for (const $ref of Object.keys(schemas)) types.type({ $ref })
  return types.components()
}

/**
 * The calls of a document by their method and path, and the schemas that these use: types alone.
 * `base`: what all paths begin with.
 */
export function callsOf(name: string, document: Document, base: string): string {
  const types = new Types(document)
  const calls = operationsOf(document).map((operation) => types.call(operation, base))
  return `export interface ${name} {\n${calls.join('')}}\n\n${types.components()}`
}

class Types {
  readonly #document: Document
  readonly #used = new Set<string>()

  constructor(document: Document) {
    this.#document = document
  }

  /** A member of the interface: the documentation and type of a method. */
  method(operation: DocumentedOperation): string {
    const { operationId, summary, method, path } = operation
    const alias = operation['x-alias-of']
    const where = path.length < MAX_COLUMNS - 20 ? `: \`${method} ${path}\`` : ''
    const note = operation.deprecated ? ' @deprecated' : ''
    const about = comment(`${summary}${where}.${note}`, '  ')
    if (alias !== undefined) return `${about}  ${operationId}: this['${alias}']\n`
    const { pageParameter } = shapeOf(this.#document, operation)
    const kind = operation['x-stream'] ? 'Stream' : pageParameter === undefined ? '' : 'Paged'
    const types = `<${this.#parameters(operation)}, ${this.#reply(operation)}>`
    return `${about}  ${operationId}: ${kind}Operation${types}\n`
  }

  /** A member of the interface of calls: where the values go, and the reply. */
  call(operation: DocumentedOperation, base: string): string {
    const { summary, method, path, given } = operation
    const { schema, isBodyRequired } = shapeOf(this.#document, operation)
    const group = (place: 'path' | 'query') => {
      const members = given.filter((one) => one.in === place).map((one) => this.#parameter(one))
      const isNeeded = given.some((one) => one.in === place && one.required)
      return members.length === 0 ? [] : [`${place}${isNeeded ? '' : '?'}: { ${members.join('; ')} }`]
    }
    const body = schema ? [`body${isBodyRequired ? '' : '?'}: ${this.type(schema)}`] : []
    const parts = [...group('path'), ...group('query'), ...body]
    const type = `{ given: { ${parts.join('; ')} }; reply: ${this.#reply(operation)} }`
    return `${comment(`${summary}.`, '  ')}  '${method} ${path.slice(base.length)}': ${type}\n`
  }

  #parameters(operation: DocumentedOperation): string {
    const { body, schema, query, isBodyRequired } = shapeOf(this.#document, operation)
    const isField = body === 'form' || body === 'multipart'
    const own = operation.given
      .filter((one) => one.in === 'path' || (one.in === 'query' && !isField))
      .filter((one) => one.in === 'path' || body === 'none' || query.includes(one.name))
      .map((one) => this.#parameter(one))
    if (body === 'whole') own.push(`body${isBodyRequired ? '' : '?'}: ${this.type(schema ?? {})}`)
    const literal = `{ ${own.join('; ')} }`
    if (schema === undefined || body === 'whole') return own.length > 0 ? literal : '{}'
    const members = this.type(schema)
    const given = body === 'members' && !isBodyRequired ? `Partial<${members}>` : members
    return own.length > 0 ? `${literal} & ${given}` : given
  }

  #parameter({ name, required, schema }: ParameterObject): string {
    return `${key(name)}${required ? '' : '?'}: ${this.type(schema)}`
  }

  #reply({ responses }: DocumentedOperation): string {
    const types = Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, response]) => {
        const [found] = Object.entries(responseOf(this.#document, response).content ?? {})
        if (!found) return 'undefined'
        const [type, { schema = {} }] = found
        return type === 'text/html' ? 'string' : this.type(schema)
      })
    return [...new Set(types)].join(' | ')
  }

  /** The type of a schema. Components are named, and written by `components`. */
  type(schema: SchemaObject): string {
    const component = componentOf(schema)
    if (component !== undefined) {
      this.#used.add(component)
      return component
    }
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum) return schema.enum.map(literal).join(' | ')
    const options = schema.anyOf ?? schema.oneOf
    if (options) return [...new Set(options.map((one) => this.type(one)))].join(' | ')
    if (schema.allOf) return schema.allOf.map((one) => grouped(this.type(one))).join(' & ')
    const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat()
    return types.map((type) => this.#ofType(type, schema)).join(' | ')
  }

  #ofType(type: string, schema: SchemaObject): string {
    switch (type) {
      case 'string':
        return schema.format === 'binary' ? 'Upload' : 'string'
      case 'integer':
        return schema.format === 'int64' ? 'Int64' : 'number'
      case 'array':
        return `${grouped(this.type(schema.items ?? {}))}[]`
      case 'object':
        return this.#object(schema)
      case 'any':
        return 'unknown'
      default:
        return type
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: SchemaObject): string {
    const members = Object.entries(properties).map(
      ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${this.type(schema)}`,
    )
    if (members.length > 0) return `{ ${members.join('; ')} }`
    if (typeof additionalProperties === 'object') return `Record<string, ${this.type(additionalProperties)}>`
    return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
  }

  /** The components that the operations use, and those that these use. */
  components(): string {
    const written = new Map<string, string>()
    for (;;) {
      const [name] = [...this.#used].filter((one) => !written.has(one))
      if (name === undefined) break
      written.set(name, this.#component(name, this.#document.components.schemas[name] ?? {}))
    }
    return [...written]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join('\n')
  }

  #component(name: string, schema: SchemaObject): string {
    const { properties, required = [], description } = schema
    const about = description === undefined ? '' : comment(description, '')
    const isObject = properties !== undefined && Object.keys(properties).length > 0 && !schema.anyOf
    if (!isObject) return `${about}export type ${name} = ${this.type(schema)}\n`
    const members = Object.entries(properties).map(([member, one]) => {
      const text = one.description === undefined ? '' : comment(one.description, '  ')
      return `${text}  ${key(member)}${required.includes(member) ? '' : '?'}: ${this.type(one)}\n`
    })
    return `${about}export interface ${name} {\n${members.join('')}}\n`
  }
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value)

const grouped = (type: string) => (/ [|&] /.test(type) && !/^\{.*\}$/.test(type) ? `(${type})` : type)

/** A comment of one line, or of several where it is long. */
function comment(text: string, indent: string): string {
  const safe = text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim()
  const line = `${indent}/** ${safe} */`
  if (line.length <= MAX_COLUMNS) return `${line}\n`
  const lines = ['']
  for (const word of safe.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (indent.length + 3 + last.length + 1 + word.length <= MAX_COLUMNS)
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
    else lines.push(word)
  }
  return `${indent}/**\n${lines.map((one) => `${indent} * ${one}\n`).join('')}${indent} */\n`
}
