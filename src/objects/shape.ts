import type { Static, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { component, plain } from '../http/schema.ts'
import type { Store } from '../storage/store.ts'

/** The kinds of objects, as `resource_type` names them. */
export type ObjectName = 'dm_event' | 'media' | 'news' | 'note' | 'place' | 'poll' | 'post' | 'space' | 'user'

/** Who looks at objects, and when. */
export interface View {
  /** The user who calls; undefined: an app that calls for itself. */
  readonly userId: string | undefined
  /** Epoch milliseconds. */
  readonly now: number
  readonly store: Pick<Store, 'all'>
  /** Where files of media are fetched. */
  readonly mediaOrigin: string
}

/** The value of a field of one object; undefined where it has none. */
type Show<Source> = (source: Source) => unknown

/** One field of an object: its schema, and how its value is found. */
export interface Field<Source> {
  readonly schema: TSchema
  /** Called once for all objects of a page: what has to be read is read here, with one query. */
  prepare(page: readonly Source[], view: View): Show<Source> | Promise<Show<Source>>
  /** Set where only some callers may read it. Everyone else gets an error for each of its members. */
  readonly allows?: (source: Source, view: View) => boolean
}

/** Makes the fields of objects that are shown from a `Source`. */
export const fieldsOf = <Source>() => ({
  /** A field that the source of an object holds. */
  field: <Schema extends TSchema>(
    schema: Schema,
    show: (source: Source, view: View) => Static<Schema> | undefined,
  ): Field<Source> => ({ schema, prepare: (_page, view) => (source) => show(source, view) }),

  /** A field whose values are read for a whole page at once. */
  batched: <Schema extends TSchema>(
    schema: Schema,
    prepare: (page: readonly Source[], view: View) => Promise<(source: Source) => Static<Schema> | undefined>,
  ): Field<Source> => ({ schema, prepare }),

  /** A field that only some callers may read. */
  restricted: <Schema extends TSchema>(
    schema: Schema,
    allows: (source: Source, view: View) => boolean,
    show: (source: Source) => Static<Schema> | undefined,
  ): Field<Source> => ({ schema, allows, prepare: () => show }),
})

/** An expansion to objects that a field refers to. */
interface Link<Source> {
  readonly to: ObjectName
  /** The field that holds the reference. It is shown whenever the expansion is requested. */
  readonly field: string
  /** The ids that an object refers to: what the field shows, a member of that, or what the source tells without reading. */
  readonly ids: 'value' | { readonly member: string } | ((source: Source) => readonly string[])
}

/** An expansion of what another expansion of the same object included. */
interface Through {
  readonly through: string
  readonly expansion: string
}

/** How objects are found by what a caller sends. */
interface Lookup<Source> {
  /** The objects that exist, in any order: one query for all keys. */
  load(keys: readonly string[], view: View): Promise<readonly Source[]>
  keyOf(source: Source): string
  /** The form in which keys are compared; the key itself unless said otherwise. */
  normalised?(key: string): string
}

/** Why an object that exists is not shown. */
export type Withheld = 'not authorized' | 'suspended'

/** One kind of object, declared once. */
interface Declared<Source> {
  readonly name: ObjectName
  /** The member of `includes` that holds such objects. */
  readonly plural: string
  /** Of its schema in the documents. */
  readonly component: string
  readonly description: string
  readonly fields: Readonly<Record<string, Field<Source>>>
  /** Fields that a caller may request and that no object of this service has. */
  readonly absent?: readonly string[]
  /** Fields that are always shown. The members that clients rely on are `required` in the schema. */
  readonly defaults: readonly string[]
  readonly required: readonly string[]
  readonly expansions?: Readonly<Record<string, Link<Source> | Through>>
  /** Expansions that a caller may request and that lead to nothing. */
  readonly absentExpansions?: readonly string[]
  /** The objects that those would lead to, with the fields that a caller may request of them. */
  readonly absentObjects?: Readonly<Record<string, readonly string[]>>
  readonly lookups: { readonly id: Lookup<Source> } & Readonly<Record<string, Lookup<Source>>>
  withheld?(source: Source, view: View): Withheld | undefined
}

/** The members of an object that a caller gets. */
export type Shown = Readonly<Record<string, unknown>>

/** A member that the caller may not read: `non_public_metrics.impression_count`. */
export interface HiddenMember {
  readonly key: string
  readonly member: string
}

/** Objects that were read at once, under the keys by which they were asked for. */
export interface Loaded {
  has(key: string): boolean
  /** Why the object of a key is not shown; undefined when it is. */
  withheld(key: string): Withheld | undefined
  /** The ids that the objects refer to, each once. */
  linked(keys: Iterable<string>, expansion: string): Promise<string[]>
  /** The objects with these fields, by their keys. */
  show(
    keys: readonly string[],
    fields: readonly string[],
  ): Promise<{ objects: Map<string, Shown>; hidden: HiddenMember[] }>
}

/** An expansion as others see it. */
export type Expansion = Omit<Link<never>, 'ids'> | Through

/** A kind of object. What its objects are made of is known to the shape alone. */
export interface ObjectShape extends Pick<Declared<never>, 'name' | 'plural' | 'component' | 'defaults'> {
  readonly absentObjects: Readonly<Record<string, readonly string[]>>
  readonly schema: TSchema
  /** Everything that may be requested, in the order of the documents. */
  readonly fieldNames: readonly string[]
  readonly expansionNames: readonly string[]
  readonly expansions: Readonly<Record<string, Expansion>>
  load(keys: readonly string[], view: View, by?: string): Promise<Loaded>
}

/** Declares a kind of object. Its schema, its parameters and its hydration follow. */
export function objectShape<Source>(declared: Declared<Source>): ObjectShape {
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

function schemaOf<Source>({ component: named, description, fields, required }: Declared<Source>): TSchema {
  const members: TProperties = Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [
      name,
      required.includes(name) ? schema : Type.Optional(schema),
    ]),
  )
  return component(named, Type.Object(members, { additionalProperties: false }), description)
}

async function loadPage<Source>(
  shape: Declared<Source>,
  { keys, by }: { keys: readonly string[]; by: string },
  view: View,
): Promise<Loaded> {
  const lookup = shape.lookups[by]
  if (!lookup) throw new Error(`objects of the kind ${shape.name} are not found by ${by}`)
  const { load, keyOf, normalised = (key) => key } = lookup
  const distinct = [...new Set(keys.map(normalised))]
  const sources = distinct.length === 0 ? [] : await load(distinct, view)
  const byKey = new Map(sources.map((one) => [keyOf(one), one]))
  const find = (key: string) => byKey.get(normalised(key))
  const page = new Page(shape, sources, view)
  return {
    has: (key) => find(key) !== undefined,
    withheld(key) {
      const source = find(key)
      return source === undefined ? undefined : shape.withheld?.(source, view)
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

/** Objects that were read at once. What a field needs is read once for all of them, when the field is first used. */
class Page<Source> {
  readonly #shape: Declared<Source>
  readonly #sources: readonly Source[]
  readonly #view: View
  readonly #prepared = new Map<string, Show<Source> | Promise<Show<Source>>>()

  constructor(shape: Declared<Source>, sources: readonly Source[], view: View) {
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
    const wanted = new Set(fields)
    const chosen = Object.entries(this.#shape.fields).filter(([name]) => wanted.has(name))
    const shows = await Promise.all(chosen.map(([name, field]) => this.#prepare(name, field)))
    const hidden: HiddenMember[] = []
    const objects = new Map<string, Shown>()
    for (const [key, source] of entries) {
      const object: Record<string, unknown> = {}
      for (const [index, [name, field]] of chosen.entries()) {
        if (field.allows && !field.allows(source, this.#view)) hidden.push(...membersOf(name, field, key))
        else object[name] = shows[index]?.(source)
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
