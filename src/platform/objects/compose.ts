import type { Naming } from '../http/contract.ts'
import {
  fieldProblem,
  notAuthorizedProblem,
  notFoundProblem,
  type ResourceProblem,
  type ResourceReference,
  suspendedProblem,
} from '../protocols/problem/resource.ts'
import type { ObjectGraph, Route, Selection } from './graph.ts'
import type { LoadedObjects, ObjectMembers, ObjectName, ObjectShape, View } from './shape.ts'

/** The main objects of a reply. */
export interface MainObjects {
  loaded: LoadedObjects
  /** In the order of the reply. */
  keys: readonly string[]
  /**
   * The parameter that named them: a missing object is an error. Undefined for a list, which omits
   * missing objects.
   */
  parameter?: string | undefined
}

/** What a reply shows. Empty parts are omitted. */
export interface ComposedReply {
  data: ObjectMembers[]
  includes?: Record<string, ObjectMembers[]>
  errors?: ResourceProblem[]
}

/** Reads objects of a kind by their ids. */
export type LoadObjects = (shape: ObjectShape, ids: readonly string[]) => Promise<LoadedObjects>

interface ComposeContext {
  graph: ObjectGraph
  selection: Selection
  view: View
  naming: Naming
  /** How included objects are read; by default, with one query per kind. */
  load?: LoadObjects
}

type Section = NonNullable<ResourceProblem['section']>

/**
 * Composes a reply from loaded objects: the selected fields, the objects that expansions include,
 * and an error for everything that was requested but is not shown. Each kind of included object is
 * read with one query.
 */
export async function compose(
  { loaded, keys, parameter }: MainObjects,
  parts: ComposeContext,
): Promise<ComposedReply> {
  const { selection } = parts
  const { of: shape } = selection
  const errors = new ReplyErrors(parts.naming)
  const visible = keys.filter((key) => errors.isVisible(key, { loaded, shape, parameter, section: 'data' }))
  const data = await shownOf(visible, { loaded, shape, section: 'data' }, parts, errors)
  const includes = await include(visible, loaded, parts, errors)
  return {
    data,
    ...(Object.keys(includes).length > 0 && { includes }),
    ...(errors.all.length > 0 && { errors: errors.all }),
  }
}

/** Reads each object once, for several replies. */
export function readOnce(view: View): LoadObjects {
  const known = new Map<ObjectShape, { ids: ReadonlySet<string>; loaded: LoadedObjects }>()
  return async (shape, ids) => {
    const found = known.get(shape)
    if (found && ids.every((id) => found.ids.has(id))) return found.loaded
    const all = new Set([...(found?.ids ?? []), ...ids])
    const loaded = await shape.load([...all], view)
    known.set(shape, { ids: all, loaded })
    return loaded
  }
}

/**
 * The same, with a separate reply for each main object. Every kind is read once for all of them. An
 * object that is not shown has no reply.
 */
export async function* composeEach(
  { loaded, keys }: Pick<MainObjects, 'loaded' | 'keys'>,
  parts: ComposeContext,
): AsyncGenerator<readonly [string, ComposedReply]> {
  const together = { ...parts, load: parts.load ?? readOnce(parts.view) }
  const visible = keys.filter((key) => loaded.has(key) && loaded.withheld(key) === undefined)
  // The included objects of all of them are read before the first reply is composed.
  await included(visible, loaded, together, new ReplyErrors(parts.naming))
  for (const key of visible) yield [key, await compose({ loaded, keys: [key] }, together)]
}

interface ObjectGroup {
  loaded: LoadedObjects
  shape: ObjectShape
  section: Section
}

async function shownOf(
  keys: readonly string[],
  { loaded, shape, section }: ObjectGroup,
  { selection }: ComposeContext,
  errors: ReplyErrors,
): Promise<ObjectMembers[]> {
  const { objects, hidden } = await loaded.show(keys, selection.fieldsOf(shape.name))
  for (const { key, member } of hidden) errors.addField(shape, { id: key, member }, section)
  return keys.map((key) => objects.get(key) ?? {})
}

/** The included objects that a reply shows, by kind. */
async function include(
  keys: readonly string[],
  loaded: LoadedObjects,
  parts: ComposeContext,
  errors: ReplyErrors,
): Promise<Record<string, ObjectMembers[]>> {
  const includes: [string, ObjectMembers[]][] = []
  for (const { visible, ...group } of await included(keys, loaded, parts, errors))
    if (visible.length > 0) includes.push([group.shape.plural, await shownOf(visible, group, parts, errors)])
  return Object.fromEntries(includes)
}

/**
 * The objects of each kind that expansions include. Those that are expanded further come first,
 * because they add more.
 */
async function included(
  keys: readonly string[],
  loaded: LoadedObjects,
  { graph, selection, view, load = (shape, ids) => shape.load(ids, view) }: ComposeContext,
  errors: ReplyErrors,
): Promise<(ObjectGroup & { visible: readonly string[] })[]> {
  const direct = selection.routes.filter(({ through }) => through === undefined)
  const reached = new Map<string, readonly string[]>()
  for (const route of direct) reached.set(route.name, await loaded.linked(keys, route.link))
  const middles = new Set(selection.routes.filter(isNested).map(({ from }) => from))
  const groups: (ObjectGroup & { visible: readonly string[] })[] = []
  for (const name of [...middles, ...kindsOf(selection).filter((kind) => !middles.has(kind))]) {
    const shape = graph.shape(name)
    const routes = selection.routes.filter(({ to }) => to === name)
    const requested = firstOf(routes, reached)
    const found = await load(shape, [...requested.keys()])
    const group = { loaded: found, shape, section: 'includes' as const }
    const visible = [...requested].flatMap(([id, parameter]) =>
      errors.isVisible(id, { ...group, parameter }) ? [id] : [],
    )
    await follow(selection.routes, { from: name, found, visible }, reached)
    groups.push({ ...group, visible })
  }
  return groups
}

const isNested = ({ through }: Route) => through !== undefined
const kindsOf = ({ routes }: Selection): ObjectName[] => [...new Set(routes.map(({ to }) => to))]

/** Each id once, with the first expansion that included it. */
function firstOf(
  routes: readonly Route[],
  reached: ReadonlyMap<string, readonly string[]>,
): Map<string, string> {
  const first = new Map<string, string>()
  for (const { name } of routes)
    for (const id of reached.get(name) ?? []) if (!first.has(id)) first.set(id, name)
  return first
}

/** Adds the objects that included objects refer to, where an expansion continues from them. */
async function follow(
  routes: readonly Route[],
  { from, found, visible }: { from: ObjectName; found: LoadedObjects; visible: readonly string[] },
  reached: Map<string, readonly string[]>,
): Promise<void> {
  for (const route of routes) {
    if (route.through === undefined || route.from !== from) continue
    const on = new Set(reached.get(route.through))
    const holders = visible.filter((id) => on.has(id))
    reached.set(route.name, await found.linked(holders, route.link))
  }
}

/** The errors of a reply. */
class ReplyErrors {
  readonly all: ResourceProblem[] = []
  readonly #naming: Naming

  constructor(naming: Naming) {
    this.#naming = naming
  }

  /** Whether an object is shown. If not, adds the reason. */
  isVisible(
    value: string,
    { loaded, shape, parameter, section }: ObjectGroup & { parameter: string | undefined },
  ): boolean {
    const why = loaded.has(value) ? loaded.withheld(value) : 'missing'
    if (why === undefined) return true
    if (parameter === undefined) return false
    const reference: ResourceReference = { type: shape.name, noun: shape.component, value, parameter }
    switch (why) {
      case 'missing':
        this.all.push(notFoundProblem(reference, this.#naming))
        return false
      case 'not authorized':
        this.all.push(notAuthorizedProblem(reference, section, this.#naming))
        return false
      case 'suspended':
        this.all.push(suspendedProblem(reference, this.#naming))
        return false
    }
  }

  addField({ name, component }: ObjectShape, hidden: { id: string; member: string }, section: Section): void {
    this.all.push(fieldProblem({ type: name, noun: component, ...hidden }, section, this.#naming))
  }
}
