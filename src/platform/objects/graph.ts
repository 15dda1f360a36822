import { type TProperties, type TSchema, Type } from 'typebox'
import { choices, component, componentName } from '../http/schema.ts'
import { ResourceProblem } from '../protocols/problem/resource.ts'
import type { ObjectName, ObjectShape } from './shape.ts'

/** An expansion of objects of some kind, with all steps to follow it. */
export interface Route {
  readonly name: string
  readonly to: ObjectName
  /** The kind whose objects hold the reference, the link to follow, and the field that shows it. */
  readonly from: ObjectName
  readonly link: string
  readonly field: string
  /**
   * The expansion that included the objects that hold the reference; undefined for the main
   * objects.
   */
  readonly through: string | undefined
}

/** The fields and expansions that a caller requested. */
export interface Selection {
  readonly of: ObjectShape
  /** Equal for two selections that show the same, whatever their order in the request. */
  readonly key: string
  readonly routes: readonly Route[]
  /** What is shown of the objects of a kind. */
  fieldsOf(name: ObjectName): readonly string[]
}

/**
 * Kinds of objects that refer to each other. The parameters and replies of endpoints are derived
 * from them.
 */
export interface ObjectGraph {
  shape(name: ObjectName): ObjectShape
  /**
   * The parameters that select what a reply with such objects shows: `post.fields`, `user.fields`,
   * `expansions`.
   */
  parameters(of: ObjectName): TProperties
  /** A reply with one such object, or a list of them: `{data, includes, errors}` and `members`. */
  reply(of: ObjectName, count: 'one' | 'many', members?: TProperties): TSchema
  /** What the parameters of a call request. */
  select(of: ObjectName, query: Readonly<Record<string, unknown>>): Selection
}

const closed = { additionalProperties: false }
const EXPANSIONS = 'expansions'
const fieldsParameter = (name: ObjectName) => `${name}.fields`

export function objectGraph(shapes: readonly ObjectShape[]): ObjectGraph {
  const shapeOf = (name: ObjectName): ObjectShape => {
    const found = shapes.find((shape) => shape.name === name)
    if (!found) throw new Error(`the graph has no objects of the kind ${name}`)
    return found
  }
  const graphs = new Map(
    shapes.map((shape) => {
      const routes = routesOf(shape, shapeOf)
      const included = [...new Set(routes.map(({ to }) => to))].sort().map(shapeOf)
      return [shape.name, { shape, routes, included, includes: includesOf(shape, included) }]
    }),
  )
  const at = (name: ObjectName) => {
    const found = graphs.get(name)
    if (!found) throw new Error(`the graph has no objects of the kind ${name}`)
    return found
  }
  return {
    shape: shapeOf,
    parameters: (of) => parametersOf(at(of)),
    reply: (of, count, members = {}) => replyOf(at(of), count, members),
    select: (of, query) => selectionOf(at(of), query),
  }
}

interface GraphNode {
  shape: ObjectShape
  routes: readonly Route[]
  /** The kinds that expansions include. */
  included: readonly ObjectShape[]
  includes: TSchema | undefined
}

/** The expansions of a kind. Throws if one follows a link that does not exist. */
function routesOf(shape: ObjectShape, shapeOf: (name: ObjectName) => ObjectShape): Route[] {
  const linkOf = (from: ObjectShape, name: string) => {
    const found = from.expansions[name]
    if (!found || 'through' in found) throw new Error(`${from.name} has no link ${name}`)
    return found
  }
  return Object.entries(shape.expansions).map(([name, expansion]) => {
    if (!('through' in expansion))
      return { ...expansion, name, from: shape.name, link: name, through: undefined }
    const { through, expansion: link } = expansion
    const middle = shapeOf(linkOf(shape, through).to)
    return { ...linkOf(middle, link), name, from: middle.name, link, through }
  })
}

function includesOf(
  { component: componentName }: ObjectShape,
  included: readonly ObjectShape[],
): TSchema | undefined {
  if (included.length === 0) return undefined
  const members = included.map(({ plural, schema }) => [plural, Type.Optional(Type.Array(schema))])
  return component(
    `${componentName}Includes`,
    Type.Object(Object.fromEntries(members), closed),
    'Objects that expansions requested, each once.',
  )
}

function parametersOf({ shape, included }: GraphNode): TProperties {
  const kinds = [shape, ...included.filter((kind) => kind !== shape)]
  const fields = kinds.map(({ name, component: componentName, fieldNames, defaults }) => [
    fieldsParameter(name),
    Type.Optional(
      choices(
        [...fieldNames],
        `Fields of objects of the type ${componentName} to return, in addition to ${defaults.join(', ')}.`,
        `${componentName}Field`,
      ),
    ),
  ])
  const { component: componentName, expansionNames } = shape
  const expansions = choices(
    [...expansionNames],
    'References to return as objects in `includes`.',
    `${componentName}Expansion`,
  )
  return {
    ...Object.fromEntries(fields),
    ...absentParameters(shape),
    ...(expansionNames.length > 0 && { [EXPANSIONS]: Type.Optional(expansions) }),
  }
}

/**
 * Clients send the fields of objects that no reply contains, together with the expansions that
 * would include them.
 */
const absentParameters = ({ absentObjects }: ObjectShape): TProperties =>
  Object.fromEntries(
    Object.entries(absentObjects).map(([name, fieldNames]) => [
      `${name}.fields`,
      Type.Optional(
        choices([...fieldNames], 'Without effect: no reply has such objects.', componentName(name, 'field')),
      ),
    ]),
  )

const replyOf = ({ shape, includes }: GraphNode, count: 'one' | 'many', members: TProperties): TSchema =>
  Type.Object(
    {
      data: Type.Optional(count === 'one' ? shape.schema : Type.Array(shape.schema)),
      ...(includes && { includes: Type.Optional(includes) }),
      errors: Type.Optional(
        Type.Array(ResourceProblem, {
          minItems: 1,
          description: 'Requested resources that cannot be shown.',
        }),
      ),
      ...members,
    },
    closed,
  )

function selectionOf(
  { shape, routes, included }: GraphNode,
  query: Readonly<Record<string, unknown>>,
): Selection {
  const listed = (name: string) => (query[name] ?? []) as readonly string[]
  const requested = new Set(listed(EXPANSIONS))
  // A field that refers to further objects is an expansion itself, so the path to them is shown
  // too.
  for (const { name, through } of routes)
    if (through !== undefined && requested.has(name)) requested.add(through)
  const chosen = routes.filter(({ name }) => requested.has(name))
  const fields = new Map(
    [shape, ...included].map(({ name, fieldNames, defaults }) => {
      const links = chosen.filter(({ from }) => from === name).map(({ field }) => field)
      const selected = new Set([...defaults, ...links, ...listed(fieldsParameter(name))])
      return [name, fieldNames.filter((field) => selected.has(field))]
    }),
  )
  return {
    of: shape,
    key: JSON.stringify([shape.name, chosen.map(({ name }) => name), ...fields]),
    routes: chosen,
    fieldsOf: (name) => fields.get(name) ?? [],
  }
}
