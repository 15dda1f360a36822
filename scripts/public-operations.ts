/**
 * Compares the declared operations of the core API with the public description of the platform:
 * parameters, bodies, replies and authentication.
 */

type Json = Readonly<Record<string, unknown>>

interface PublicOperation {
  readonly method: string
  readonly path: string
  readonly in: readonly string[]
  readonly [version: string]: unknown
}

/** One version of an operation. */
interface Described {
  readonly security?: Readonly<Record<string, readonly string[]>>
  readonly parameters?: readonly (string | Json)[]
  readonly body?: Json & { readonly required?: boolean }
  readonly reply?: Readonly<Record<string, Json>>
}

export interface PublicDescription {
  readonly operations: readonly PublicOperation[]
  readonly parameters: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly schemas: Readonly<Record<string, Json>>
}

/** A schema in one form: what its alternatives allow together. */
interface Shape {
  readonly types: ReadonlySet<string>
  /** Undefined: any value of the types. */
  readonly values: ReadonlySet<unknown> | undefined
  readonly members: ReadonlyMap<string, readonly Json[]>
  readonly items: readonly Json[]
  /** Members that every alternative requires. */
  readonly required: ReadonlySet<string>
  readonly bounds: Readonly<Record<string, number>>
}

type Resolve = (reference: string) => Json

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems']
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems']
const MAX_DEPTH = 12
/** The description rarely says that something must not be empty. */
const LEAST = 1

export interface Comparison {
  readonly description: PublicDescription
  /** An OpenAPI document. */
  readonly declared: Json
  readonly version: string
}

/** One line for each difference of each operation that both know. */
export function differences({ description, declared, version }: Comparison): string[] {
  const own = declaredOperations(declared)
  const resolveOwn: Resolve = (reference) => at(declared, reference.slice(2).split('/'))
  const tables = [version, ...Object.keys(description.schemas)]
  const resolvePublic: Resolve = (reference) => {
    const name = reference.slice(2)
    const table = tables.find((one) => description.schemas[one]?.[name] !== undefined)
    return (table === undefined ? {} : description.schemas[table]?.[name]) as Json
  }
  const lines = description.operations.flatMap((operation) => {
    const known = own.get(`${operation.method} ${shapeOfPath(operation.path)}`)
    if (!operation.in.includes(version) || !known) return []
    const described = (
      operation[version] === '=' ? operation[operation.in[0] as string] : operation[version]
    ) as Described
    const tools = { description, version, resolveOwn, resolvePublic }
    const name = `${operation.method} ${operation.path}`
    return [
      ...compareSecurity(described, known).map((line) => `${name}: ${line}`),
      ...compareParameters(name, described, { own: known, ...tools }),
      ...compareBody(name, described, { own: known, ...tools }),
      ...compareReplies(name, described, { own: known, ...tools }),
    ]
  })
  return [...new Set(lines)].sort()
}

const shapeOfPath = (path: string) => path.replace(/\{[^}]+\}/g, '{}')

const at = (value: unknown, keys: readonly string[]): Json =>
  keys.reduce<unknown>(
    (found, key) => (found as Json | undefined)?.[key.replaceAll('~1', '/')],
    value,
  ) as Json

function declaredOperations({ paths }: Json): Map<string, Json> {
  return new Map(
    Object.entries(paths as Readonly<Record<string, Json>>).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, one]) => [`${method.toUpperCase()} ${shapeOfPath(path)}`, one as Json] as const,
      ),
    ),
  )
}

const SCHEMES = { B: 'AppOnlyBearer', U1: 'UserToken', U2: 'OAuth2UserToken' } as const

function compareSecurity({ security = {} }: Described, own: Json): string[] {
  const schemes = new Map(
    ((own.security ?? []) as Json[]).flatMap((one) => Object.entries(one) as [string, readonly string[]][]),
  )
  return Object.entries(security).flatMap(([kind, scopes]) => {
    const name = SCHEMES[kind as keyof typeof SCHEMES]
    const declaredScopes = schemes.get(name)
    if (!declaredScopes) return [`authentication ${name} is not accepted`]
    const more = declaredScopes.filter((scope) => !scopes.includes(scope))
    const fewer = scopes.filter((scope) => !declaredScopes.includes(scope))
    return [
      ...more.map((scope) => `scope ${scope} is needed besides`),
      ...fewer.map((scope) => `scope ${scope} is not needed`),
    ]
  })
}

interface Resolvers {
  readonly resolveOwn: Resolve
  readonly resolvePublic: Resolve
}

type Declared = Resolvers & { readonly own: Json }

function compareParameters(
  operation: string,
  { parameters = [] }: Described,
  tools: Declared & Pick<Comparison, 'description' | 'version'>,
): string[] {
  const { own, description, version, resolveOwn } = tools
  const named = (one: string | Json): Json =>
    typeof one === 'string'
      ? ([version, ...Object.keys(description.parameters)]
          .map((table) => description.parameters[table]?.[one])
          .find((found) => found !== undefined) as Json)
      : one
  const declared = ((own.parameters ?? []) as Json[]).map((one) =>
    typeof one.$ref === 'string' ? resolveOwn(one.$ref) : one,
  )
  return parameters.map(named).flatMap((wanted) => {
    if (wanted.in === 'path') return []
    const found = declared.find(({ name, in: place }) => name === wanted.name && place === wanted.in)
    const label = `${operation}: parameter ${String(wanted.name)}`
    if (!found) return [`${label} is not accepted`]
    return [
      ...(found.required === true && wanted.required !== true ? [`${label} is required`] : []),
      ...compareInput(label, wanted.schema as Json, found.schema as Json, tools),
    ]
  })
}

function compareBody(operation: string, { body }: Described, { own, ...tools }: Declared): string[] {
  if (!body) return []
  const content = at(own, ['requestBody', 'content'])
  return Object.entries(body).flatMap(([type, schema]) => {
    if (!type.includes('/')) return []
    const found = content?.[type] as Json | undefined
    if (!found) return [`${operation}: body ${type} is not accepted`]
    return compareInput(`${operation}: body`, schemaOf(schema), found.schema as Json, tools)
  })
}

function compareReplies(operation: string, { reply = {} }: Described, { own, ...tools }: Declared): string[] {
  return Object.entries(reply).flatMap(([status, types]) => {
    const one = at(own, ['responses', status])
    if (!one) return [`${operation}: status ${status} is not declared`]
    const response = typeof one.$ref === 'string' ? tools.resolveOwn(one.$ref) : one
    return Object.entries(types).flatMap(([type, schema]) => {
      const found = at(response, ['content', type])
      if (!found) return [`${operation}: a reply of the type ${type} is not declared`]
      return compareOutput(`${operation}: reply`, [schemaOf(schema)], [found.schema as Json], tools)
    })
  })
}

const schemaOf = (one: unknown): Json => (typeof one === 'string' ? { $ref: one } : (one as Json))

/** What a client may send must be accepted. */
function compareInput(label: string, wanted: Json, found: Json, tools: Resolvers): string[] {
  return compareInputs(label, [wanted], [found], tools, 0)
}

function compareInputs(
  above: string,
  wanted: readonly Json[],
  found: readonly Json[],
  tools: Resolvers,
  depth: number,
): string[] {
  if (depth > MAX_DEPTH) return []
  const label = labelOf(above, wanted, depth)
  const [w, f] = [shapeOf(wanted, tools.resolvePublic), shapeOf(found, tools.resolveOwn)]
  if (w.types.size === 0 || f.types.size === 0) return []
  const lines = [
    ...[...w.types]
      .filter((type) => !f.types.has(type) && !(type === 'integer' && f.types.has('number')))
      .map((type) => `${label} may not be ${type}`),
    ...(f.values && w.values
      ? [...w.values]
          .filter((value) => !f.values?.has(value))
          .map((value) => `${label} may not be ${JSON.stringify(value)}`)
      : []),
    ...(f.values && !w.values && !w.types.has('object') ? [`${label} takes some values only`] : []),
    ...LOWER_BOUNDS.flatMap((bound) =>
      (f.bounds[bound] ?? 0) > Math.max(w.bounds[bound] ?? 0, LEAST)
        ? [`${label} has ${bound} ${f.bounds[bound]}, not ${w.bounds[bound] ?? 0}`]
        : [],
    ),
    ...UPPER_BOUNDS.flatMap((bound) => {
      const limit = w.bounds[bound]
      return limit !== undefined && (f.bounds[bound] ?? Number.POSITIVE_INFINITY) < limit
        ? [`${label} has ${bound} ${f.bounds[bound]}, not ${limit}`]
        : []
    }),
    ...[...f.required]
      .filter((name) => !w.required.has(name) && w.members.size > 0)
      .map((name) => `${label}.${name} is required`),
  ]
  for (const [name, schemas] of w.members) {
    const own = f.members.get(name)
    if (own) lines.push(...compareInputs(`${label}.${name}`, schemas, own, tools, depth + 1))
    else lines.push(`${label}.${name} is not accepted`)
  }
  if (w.items.length > 0 && f.items.length > 0)
    lines.push(...compareInputs(`${label}[]`, w.items, f.items, tools, depth + 1))
  return lines
}

/** What is sent must be what a client expects, and every member that it may read can occur. */
function compareOutput(
  above: string,
  wanted: readonly Json[],
  found: readonly Json[],
  tools: Resolvers,
  depth = 0,
): string[] {
  if (depth > MAX_DEPTH) return []
  const label = labelOf(above, wanted, depth)
  const [w, f] = [shapeOf(wanted, tools.resolvePublic), shapeOf(found, tools.resolveOwn)]
  if (w.types.size === 0 || f.types.size === 0) return []
  const lines = [
    ...[...f.types]
      .filter((type) => !w.types.has(type) && !(type === 'integer' && w.types.has('number')))
      .map((type) => `${label} may be ${type}`),
    ...(w.values && f.values
      ? [...f.values]
          .filter((value) => !w.values?.has(value))
          .map((value) => `${label} may be ${JSON.stringify(value)}`)
      : []),
    ...[...w.required]
      .filter((name) => f.members.size > 0 && !f.required.has(name))
      .map((name) => `${label}.${name} may be absent`),
  ]
  for (const [name, schemas] of w.members) {
    const own = f.members.get(name)
    if (own) lines.push(...compareOutput(`${label}.${name}`, schemas, own, tools, depth + 1))
    else if (f.members.size > 0 || !f.types.has('object')) lines.push(`${label}.${name} is never sent`)
  }
  if (w.items.length > 0 && f.items.length > 0)
    lines.push(...compareOutput(`${label}[]`, w.items, f.items, tools, depth + 1))
  return lines
}

/** A schema that many operations share has its own name, so that a difference in it is one line. */
function labelOf(above: string, [schema]: readonly Json[], depth: number): string {
  const { $ref } = schema ?? {}
  return depth > 0 && typeof $ref === 'string' ? $ref.slice(2) : above
}

/** Merges alternatives. A reference to a schema that contains itself ends at `MAX_DEPTH`. */
function shapeOf(schemas: readonly Json[], resolve: Resolve): Shape {
  const parts = schemas.flatMap((schema) => alternatives(schema, resolve, 0))
  const types = new Set(parts.flatMap(typesOf))
  const valued = parts.map(({ enum: values, const: value }) =>
    values !== undefined ? (values as unknown[]) : value !== undefined ? [value] : undefined,
  )
  const members = new Map<string, Json[]>()
  for (const { properties = {} } of parts)
    for (const [name, schema] of Object.entries(properties as Json))
      members.set(name, [...(members.get(name) ?? []), schema as Json])
  const [first = [], ...others] = parts.map(({ required = [] }) => required as string[])
  const bounds: Record<string, number> = {}
  for (const bound of LOWER_BOUNDS) widest(bounds, bound, parts, Math.min, 0)
  for (const bound of UPPER_BOUNDS) widest(bounds, bound, parts, Math.max, undefined)
  return {
    types,
    values: valued.every((one) => one !== undefined) ? new Set(valued.flat()) : undefined,
    members,
    items: parts.flatMap(({ items }) => (items === undefined ? [] : [items as Json])),
    required: new Set(first.filter((name) => others.every((names) => names.includes(name)))),
    bounds,
  }
}

/** The bound that the most lenient alternative has; none if one of them has none. */
function widest(
  bounds: Record<string, number>,
  name: string,
  parts: readonly Json[],
  choose: (...values: number[]) => number,
  otherwise: number | undefined,
): void {
  const values = parts.map((part) => (part[name] as number | undefined) ?? otherwise)
  if (values.length === 0 || values.some((value) => value === undefined)) return
  bounds[name] = choose(...(values as number[]))
}

function alternatives(schema: Json, resolve: Resolve, depth: number): Json[] {
  if (depth > MAX_DEPTH) return []
  const { $ref, oneOf, anyOf, allOf, ...rest } = schema
  if (typeof $ref === 'string') return alternatives(resolve($ref), resolve, depth + 1)
  const choices = (oneOf ?? anyOf) as Json[] | undefined
  if (choices) return choices.flatMap((one) => alternatives({ ...rest, ...one }, resolve, depth + 1))
  if (!Array.isArray(allOf)) return [rest]
  const merged = (allOf as Json[]).flatMap((one) => alternatives(one, resolve, depth + 1))
  const required = [rest, ...merged].flatMap((one) => (one.required ?? []) as string[])
  const properties = Object.assign({}, ...[rest, ...merged].map((one) => one.properties ?? {}))
  return [Object.assign({}, ...merged, rest, { required, properties })]
}

function typesOf({ type, properties, enum: values, const: value, items }: Json): string[] {
  if (Array.isArray(type)) return type as string[]
  if (typeof type === 'string') return [type]
  if (properties !== undefined) return ['object']
  if (items !== undefined) return ['array']
  const [example] = values !== undefined ? (values as unknown[]) : [value]
  return example === undefined ? [] : [typeof example]
}
