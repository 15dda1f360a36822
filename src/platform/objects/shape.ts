import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { component, plain } from '../http/schema.ts'
import type { Store } from '../storage/store.ts'

/** The kinds of objects, as `resource_type` names them. */
export type ObjectName =
  | 'broadcast'
  | 'broadcast_chat_message'
  | 'chat_conversation'
  | 'chat_message_event'
  | 'community'
  | 'dm_event'
  | 'like_with_post_author'
  | 'list'
  | 'media'
  | 'news'
  | 'note'
  | 'place'
  | 'poll'
  | 'post'
  | 'public_key'
  | 'space'
  | 'topic'
  | 'user'

/** The viewer of objects, and the time. */
export interface View {
  /** The calling user; undefined for an app that calls for itself. */
  readonly userId: string | undefined
  /** Epoch milliseconds. */
  readonly now: number
  readonly store: Pick<Store, 'all'>
  /** The origin from which media files are fetched. */
  readonly mediaOrigin: string
  /** Counts posts that are served; undefined where nothing is counted. */
  readonly views?: { add(postId: string): void } | undefined
}

/** The value of a field that the caller may not read. */
export const REFUSED = Symbol('refused')

/** The value of a field of one object; undefined if it has none. */
type FieldReader<Source> = (source: Source) => unknown

/** One field of an object: its schema, and how its value is computed. */
export interface Field<Source> {
  readonly schema: TSchema
  /** Called once for all objects of a page. Reads what the field needs with one query. */
  prepare(page: readonly Source[], view: View): FieldReader<Source> | Promise<FieldReader<Source>>
  /** Set if only some callers may read it. Everyone else gets an error for each of its members. */
  readonly allows?: (source: Source, view: View) => boolean
}

/** Creates the fields of objects that are shown from a `Source`. */
export const fieldsOf = <Source>() => ({
  /** A field that the source of an object contains. */
  field: <Schema extends TSchema>(
    schema: Schema,
    show: (source: Source, view: View) => Static<Schema> | undefined,
  ): Field<Source> => ({ schema, prepare: (_page, view) => (source) => show(source, view) }),

  /** A field whose values are read for a whole page at once. */
  batched: <Schema extends TSchema>(
    schema: Schema,
    prepare: (page: readonly Source[], view: View) => Promise<(source: Source) => Static<Schema> | undefined>,
  ): Field<Source> => ({ schema, prepare }),

  /** A field that only some callers may read. Its values are read for a whole page at once. */
  restricted: <Schema extends TSchema>(
    schema: Schema,
    allows: (source: Source, view: View) => boolean,
    prepare: (
      page: readonly Source[],
      view: View,
    ) => Promise<(source: Source) => Static<Schema> | typeof REFUSED | undefined>,
  ): Field<Source> => ({ schema, allows, prepare }),
})

/** An expansion that includes the objects that a field refers to. */
interface ExpansionLink<Source> {
  readonly to: ObjectName
  /** The field that holds the reference. It is shown whenever the expansion is requested. */
  readonly field: string
  /**
   * The ids that an object refers to: the value of the field, one of its members, or an id that the
   * source contains.
   */
  readonly ids: 'value' | { readonly member: string } | ((source: Source) => readonly string[])
}

/** An expansion that continues from objects that another expansion of the same object included. */
interface ExpansionChain {
  readonly through: string
  readonly expansion: string
}

/** How objects are found by the values that a caller sends. */
interface Lookup<Source> {
  /** The objects that exist, in any order: one query for all keys. */
  load(keys: readonly string[], view: View): Promise<readonly Source[]>
  keyOf(source: Source): string
  /** The form in which keys are compared; defaults to the key itself. */
  normalised?(key: string): string
}

/** Why an object that exists is not shown. */
export type WithheldReason = 'not authorized' | 'suspended'

/** One kind of object, declared once. */
interface ShapeDeclaration<Source> {
  readonly name: ObjectName
  /** The member of `includes` that contains such objects. */
  readonly plural: string
  /** The name of its schema in the documents. */
  readonly component: string
  readonly description: string
  readonly fields: Readonly<Record<string, Field<Source>>>
  /** Fields that callers may request, but that no object of this service has. */
  readonly absent?: readonly string[]
  /** Fields that are always shown. Those that clients rely on are `required` in the schema. */
  readonly defaults: readonly string[]
  readonly required: readonly string[]
  readonly expansions?: Readonly<Record<string, ExpansionLink<Source> | ExpansionChain>>
  /** Expansions that callers may request, but that include nothing. */
  readonly absentExpansions?: readonly string[]
  /** The objects that these would include, with the fields that callers may request of them. */
  readonly absentObjects?: Readonly<Record<string, readonly string[]>>
  readonly lookups: { readonly id: Lookup<Source> } & Readonly<Record<string, Lookup<Source>>>
  withheld?(source: Source, view: View): WithheldReason | undefined
  /** Called with each object that is served as the main one of a reply. */
  served?(source: Source, view: View): void
}

/** The members of an object that a caller receives. */
export type ObjectMembers = Readonly<Record<string, unknown>>

/** A member that the caller may not read: `non_public_metrics.impression_count`. */
export interface HiddenMember {
  readonly key: string
  readonly member: string
}

/** Objects that were read together, by the keys that requested them. */
export interface LoadedObjects {
  has(key: string): boolean
  /** Why the object of a key is not shown; undefined when it is. */
  withheld(key: string): WithheldReason | undefined
  /** The objects of these keys are served. */
  served(keys: readonly string[]): void
  /** The distinct ids that the objects refer to. */
  linked(keys: Iterable<string>, expansion: string): Promise<string[]>
  /** The objects with these fields, by their keys. */
  show(
    keys: readonly string[],
    fields: readonly string[],
  ): Promise<{ objects: Map<string, ObjectMembers>; hidden: HiddenMember[] }>
}

/** An expansion, as other modules see it. */
export type Expansion = Omit<ExpansionLink<never>, 'ids'> | ExpansionChain

/** A kind of object. Only its shape knows the type of its source. */
export interface ObjectShape
  extends Pick<ShapeDeclaration<never>, 'name' | 'plural' | 'component' | 'defaults'> {
  readonly absentObjects: Readonly<Record<string, readonly string[]>>
  readonly schema: TSchema
  /** Everything that may be requested, in the order of the documents. */
  readonly fieldNames: readonly string[]
  readonly expansionNames: readonly string[]
  readonly expansions: Readonly<Record<string, Expansion>>
  load(keys: readonly string[], view: View, by?: string): Promise<LoadedObjects>
}

/**
 * Declares a kind of object. Its schema, parameters and hydration are derived from the declaration.
 */
export function objectShape<Source>(declared: ShapeDeclaration<Source>): ObjectShape {
  const { name, plural, defaults, expansions = {}, absent = [], absentExpansions = [] } = declared
  return {
    name,
    plural,
    component: declared.component,
    absentObjects: declared.absentObjects ?? {},
    defaults,
    schema: schemaOf(declared),
    fieldNames: [...Object.keys(declared.fields), ...absent].sort(),
    expansionNames: [...Object.keys(expansions), ...absentExpansions].sort(),
    expansions,
    load: (keys, view, by = 'id') => loadPage(declared, { keys, by }, view),
  }
}

function schemaOf<Source>({
  component: componentName,
  description,
  fields,
  required,
}: ShapeDeclaration<Source>): TSchema {
  const members: TProperties = Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [
      name,
      required.includes(name) ? schema : Type.Optional(schema),
    ]),
  )
  return component(componentName, Type.Object(members, { additionalProperties: false }), description)
}

async function loadPage<Source>(
  shape: ShapeDeclaration<Source>,
  { keys, by }: { keys: readonly string[]; by: string },
  view: View,
): Promise<LoadedObjects> {
  const lookup = shape.lookups[by]
  if (!lookup) throw new Error(`objects of the kind ${shape.name} are not found by ${by}`)
  const { load, keyOf, normalised = (key) => key } = lookup
  const distinct = [...new Set(keys.map(normalised))]
  const sources = distinct.length === 0 ? [] : await load(distinct, view)
  const byKey = new Map(sources.map((source) => [keyOf(source), source]))
  const find = (key: string) => byKey.get(normalised(key))
  const page = new ObjectPage(shape, sources, view)
  return {
    has: (key) => find(key) !== undefined,
    withheld(key) {
      const source = find(key)
      return source === undefined ? undefined : shape.withheld?.(source, view)
    },
    served(keys) {
      for (const key of keys) shape.served?.(found(find(key)), view)
    },
    linked: (keys, expansion) =>
      page.linked(
        [...keys].map((key) => found(find(key))),
        expansion,
      ),
    show: (keys, fields) =>
      page.show(
        keys.map((key) => [key, found(find(key))]),
        fields,
      ),
  }
}

function found<Source>(source: Source | undefined): Source {
  if (source === undefined) throw new Error('an object is shown that was not loaded')
  return source
}

/**
 * Objects that were read together. What a field needs is read once for all of them, at its first
 * use.
 */
class ObjectPage<Source> {
  readonly #shape: ShapeDeclaration<Source>
  readonly #sources: readonly Source[]
  readonly #view: View
  readonly #prepared = new Map<string, FieldReader<Source> | Promise<FieldReader<Source>>>()

  constructor(shape: ShapeDeclaration<Source>, sources: readonly Source[], view: View) {
    this.#shape = shape
    this.#sources = sources
    this.#view = view
  }

  async linked(sources: readonly Source[], expansion: string): Promise<string[]> {
    const link = this.#shape.expansions?.[expansion]
    if (!link || 'through' in link) throw new Error(`${this.#shape.name} has no link ${expansion}`)
    const idsOf = typeof link.ids === 'function' ? link.ids : await this.#shownIds(link.field, link.ids)
    return [...new Set(sources.flatMap(idsOf))]
  }

  async show(entries: readonly [string, Source][], fields: readonly string[]) {
    const selected = new Set(fields)
    const chosen = Object.entries(this.#shape.fields).filter(([name]) => selected.has(name))
    const shows = await Promise.all(chosen.map(([name, field]) => this.#prepare(name, field)))
    const hidden: HiddenMember[] = []
    const objects = new Map<string, ObjectMembers>()
    for (const [key, source] of entries) {
      const object: Record<string, unknown> = {}
      for (const [index, [name, field]] of chosen.entries()) {
        const isAllowed = field.allows?.(source, this.#view) ?? true
        const value = isAllowed ? shows[index]?.(source) : REFUSED
        if (value === REFUSED) hidden.push(...membersOf(name, field, key))
        else object[name] = value
      }
      objects.set(key, object)
    }
    return { objects, hidden }
  }

  async #shownIds(name: string, where: 'value' | { member: string }): Promise<(source: Source) => string[]> {
    const field = this.#shape.fields[name]
    if (!field) throw new Error(`${this.#shape.name} has no field ${name}`)
    const show = await this.#prepare(name, field)
    return (source) => {
      const value = show(source)
      const ids = where === 'value' ? value : isObject(value) ? value[where.member] : undefined
      return [ids ?? []].flat() as string[]
    }
  }

  #prepare(name: string, field: Field<Source>) {
    const prepared = this.#prepared.get(name) ?? field.prepare(this.#sources, this.#view)
    this.#prepared.set(name, prepared)
    return prepared
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const membersOf = (name: string, { schema }: Field<never>, key: string): HiddenMember[] =>
  Object.keys(plain(schema).properties ?? {}).map((member) => ({ key, member: `${name}.${member}` }))
