import { read } from './api.ts'

/** A schema of a document, as far as forms need it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Content {
  readonly schema: Schema
  readonly example?: unknown
}

interface DocumentOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> }
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export const DOCUMENTS = ['core', 'ads'] as const
export type DocumentName = (typeof DOCUMENTS)[number]

/** An endpoint, as its document declares it. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly parameters: readonly Parameter[]
  /** By content type. */
  readonly body: Readonly<Record<string, Content>>
  /** The names of its security schemes. */
  readonly security: readonly string[]
}

export interface ApiDocument {
  readonly operations: readonly Operation[]
  /** What a reference leads to; other schemas as they are. */
  resolve(schema: Schema): Schema
}

const loaded = new Map<DocumentName, Promise<ApiDocument>>()

/** The document of an API, with the names and paths of this Plaza. It is read once. */
export function loadDocument(name: DocumentName): Promise<ApiDocument> {
  const known = loaded.get(name)
  if (known) return known
  const reading = read<OpenApi>(`/reference/${name}.json`).then(documentOf)
  reading.catch(() => loaded.delete(name))
  loaded.set(name, reading)
  return reading
}

function documentOf({ paths, components }: OpenApi): ApiDocument {
  const resolve = <T extends object>(value: T): T => {
    const { $ref } = value as { $ref?: string }
    if ($ref === undefined) return value
    const [, , area = '', name = ''] = $ref.split('/')
    const target = components[area]?.[name] as T | undefined
    return target ? resolve(target) : value
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): Operation => {
      const parameters = (one.parameters ?? []).map((parameter) => resolve(parameter) as Parameter)
      return {
        id: one.operationId,
        method: method.toUpperCase(),
        path,
        summary: one.summary,
        // What follows is a list of facts for the reference.
        description: one.description.split('\n\n- **')[0] ?? '',
        tag: one.tags[0] ?? '',
        parameters,
        body: one.requestBody?.content ?? {},
        security: [...new Set((one.security ?? []).flatMap((scheme) => Object.keys(scheme)))],
      }
    }),
  )
  return { operations, resolve }
}

/** The words of a search, in any order. */
export function isFound({ id, method, path, summary }: Operation, search: string): boolean {
  const text = `${id} ${method} ${path} ${summary}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** A value that shows the shape of a body: required members only. */
export function skeletonOf(schema: Schema, { resolve }: ApiDocument, depth = 0): unknown {
  const whole = resolve(schema)
  if (whole.default !== undefined) return whole.default
  if (whole.enum) return whole.enum[0]
  const [choice] = whole.anyOf ?? whole.oneOf ?? []
  if (choice) return skeletonOf(choice, { resolve, operations: [] }, depth)
  if (whole.properties && depth < 4) {
    const needed = new Set(whole.required ?? [])
    return Object.fromEntries(
      Object.entries(whole.properties)
        .filter(([name]) => needed.has(name))
        .map(([name, member]) => [name, skeletonOf(member, { resolve, operations: [] }, depth + 1)]),
    )
  }
  if (whole.type === 'array') return []
  if (whole.type === 'integer' || whole.type === 'number') return whole.minimum ?? 0
  if (whole.type === 'boolean') return false
  return whole.type === 'object' ? {} : ''
}
