import type { ApiDocument, Operation, Parameter, Schema } from '../../openapi.ts'
import { type CallerKind, type Host, isUser, type ReadyCall } from './call.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
export const JSON_TYPE = 'application/json'
const MULTIPART_TYPE = 'multipart/form-data'

/** What a reader entered for an endpoint. */
export interface Entries {
  readonly host: Host
  readonly caller: {
    readonly kind: CallerKind
    readonly user: string
    readonly app: string
    /** Separated by spaces; all of them if it is empty. */
    readonly scopes: string
  }
  /** By the names of parameters of the path and the query. */
  readonly parameters: Readonly<Record<string, string>>
  readonly contentType: string
  /** The text of a JSON body. */
  readonly json: string
  /** The fields of a form body. */
  readonly fields: Readonly<Record<string, string>>
  /** The files of a form, by the names of its fields. */
  readonly files: Readonly<Record<string, File>>
}

/** The kinds of callers by security scheme, the preferred ones first. */
const KIND_OF: readonly (readonly [scheme: string, kind: CallerKind])[] = [
  ['UserToken', 'user'],
  ['OAuth2UserToken', 'oauth2'],
  ['AppOnlyBearer', 'app'],
  ['AppKey', 'client'],
  ['AppKeyAndSecret', 'basic'],
]

export function firstCaller({ security }: Operation): CallerKind {
  if (security.length === 0) return 'none'
  return KIND_OF.find(([scheme]) => security.includes(scheme))?.[1] ?? 'user'
}

/** The content types that a form can send, that with files first. */
export const sendableTypes = ({ body }: Operation): string[] =>
  [MULTIPART_TYPE, JSON_TYPE, FORM_TYPE].filter((type) => body[type] !== undefined)

/** Whether a field takes a file. */
export const isFile = (schema: Schema, { resolve }: ApiDocument): boolean =>
  resolve(schema).format === 'binary'

export const isList = (schema: Schema, { resolve }: ApiDocument): boolean => resolve(schema).type === 'array'

/** The values that a parameter may have; undefined if there are others. */
export function choicesOf(schema: Schema, document: ApiDocument): readonly string[] | undefined {
  const whole = document.resolve(schema)
  if (whole.type === 'array') return whole.items && choicesOf(whole.items, document)
  if (whole.type === 'boolean') return ['true', 'false']
  return whole.enum?.map(String)
}

/** The members of a form body of a content type. */
export function fieldsOf(operation: Operation, type: string, { resolve }: ApiDocument): Parameter[] {
  const content = operation.body[type]
  if (!content) return []
  const { properties = {}, required = [] } = resolve(content.schema)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(schema.description !== undefined && { description: schema.description }),
    schema,
  }))
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

const pairsOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')

/**
 * The call that the entries describe.
 * @throws Error with a sentence that names what is missing
 */
export function readyCallOf(operation: Operation, entries: Entries): ReadyCall {
  const { caller, parameters, host } = entries
  const inPath = new Set(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name))
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? ''
    if (value === '') throw new Error(`Enter ${name}: it is part of the path.`)
    return encode(value)
  })
  const query = pairsOf(Object.fromEntries(Object.entries(parameters).filter(([name]) => !inPath.has(name))))
  if (isUser(caller.kind) && caller.user.trim() === '') throw new Error('Enter the user who calls.')
  return {
    host,
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    caller: {
      kind: caller.kind,
      ...(isUser(caller.kind) && { user: caller.user.trim() }),
      ...(caller.kind === 'oauth2' &&
        caller.scopes.trim() !== '' && { scopes: caller.scopes.trim().split(/\s+/) }),
      ...(caller.app !== '' && caller.kind !== 'none' && { app_id: caller.app }),
    },
    ...bodyOf(operation, entries),
  }
}

function bodyOf(
  operation: Operation,
  { contentType, json, fields, files }: Entries,
): Pick<ReadyCall, 'headers' | 'body' | 'parts'> {
  if (!sendableTypes(operation).includes(contentType)) return {}
  if (contentType === MULTIPART_TYPE)
    return {
      parts: [...Object.entries(fields).filter(([, value]) => value !== ''), ...Object.entries(files)],
    }
  const body = contentType === FORM_TYPE ? pairsOf(fields) : json.trim()
  return body === '' ? {} : { headers: [['content-type', contentType]], body }
}
