import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { instantText } from '../../common/instant.ts'
import type { Int64 } from '../../common/int64.ts'
import type { ReplyWriter } from '../../http/reply.ts'
import { compileReply } from '../../http/reply.ts'
import { base36, instant, nullable, plain } from '../../http/schema.ts'
import type { Vocabulary } from '../../http/vocabulary.ts'
import { neutralVocabulary } from '../../http/vocabulary.ts'
import type { ColumnType } from '../../storage/table.ts'
import type { TextForm, TextMember } from './queries.ts'

/** One member of an entity: its form, and who may set it when. */
export interface Field {
  /** Its form in a reply and, where callers may set it, in a request. */
  readonly schema: TSchema
  /** May be `null`. A caller who may change it takes its value away by sending it empty. */
  readonly null?: true
  readonly create?: 'required' | 'optional'
  /** Whether it can be changed; a schema where a change takes less than a new entity does. */
  readonly update?: true | TSchema
  /** Its form in a request, where callers may send less than is shown. */
  readonly input?: TSchema
  /** Worked out when it is shown; not a column. */
  readonly derived?: true
  /** A reply leaves it out where there is none, in place of showing `null`. */
  readonly sparse?: true
  /** What its column has been from the beginning, where that does not follow from the rest. */
  readonly column?: { readonly type?: ColumnType; readonly null?: true }
  /** Callers may set it, but no reply shows it. */
  readonly unshown?: true
}

export type Fields = Readonly<Record<string, Field>>

type Shown<F extends Field> = F extends { null: true } ? Static<F['schema']> | null : Static<F['schema']>

/** What every entity of an account has, declared or not. */
export interface Common {
  id: string
  created_at: number
  updated_at: number
  deleted: boolean
}

/** An entity as rules and handlers see it: the members that it is declared to have. */
export type Item<F extends Fields> = { -readonly [Name in keyof F]: Shown<F[Name]> } & Common

/** What a caller sent: absent members were not sent, `null` takes a value away. */
export type Supplied<F extends Fields> = { readonly [Name in keyof F]?: Shown<F[Name]> }

/** What a caller sent of a new entity. */
export type SuppliedNew<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends { create: 'required' } ? Name : never]: Shown<F[Name]>
} & {
  readonly [Name in keyof F as F[Name] extends { create: 'optional' } ? Name : never]?: Shown<F[Name]>
}

/** A new entity without what the kit fills in itself. */
export type Fresh<F extends Fields> = {
  -readonly [Name in keyof F as F[Name] extends { derived: true } ? never : Name]: Shown<F[Name]>
}

/** What a column of the table of an entity holds. */
export type Cell = string | Int64 | null

/** A row of the table of an entity. */
export type Row = Readonly<Record<string, Cell>>

/** A row as a list reads it: its cells, in the order of the columns that were asked for. */
export type Cells = readonly Cell[]

/** A row of cells by its columns. */
export const rowOf = (columns: readonly string[], cells: Cells): Row =>
  Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null]))

export const COMMON: Fields = {
  id: { schema: base36('Identifies it in its account.') },
  created_at: { schema: instant('When it was made.') },
  updated_at: { schema: instant('When it was last changed.') },
  deleted: { schema: Type.Boolean({ description: 'Whether it was deleted.' }) },
}

/** How a member is kept in its column: text, numbers and times as they are. */
type Kept = 'same' | 'boolean' | 'list'

const keptAs = ({ schema }: Field): Kept => {
  const { type, format } = plain(schema)
  if (format === 'instant') return 'same'
  return type === 'boolean' ? 'boolean' : type === 'array' ? 'list' : 'same'
}

/** Turns rows of a table into items and back. */
export function codecOf<F extends Fields>(fields: F) {
  const columns = Object.entries({ ...COMMON, ...fields }).filter(([, field]) => !field.derived)
  const kinds = columns.map(([name, field]) => [name, keptAs(field)] as const)
  return {
    columns: columns.map(([name]) => name),
    decode(row: Row): Item<F> {
      const item: Record<string, unknown> = {}
      for (const [name, kept] of kinds) item[name] = decodeValue(row[name] ?? null, kept)
      return item as Item<F>
    },
    encode(item: Item<F>): Record<string, Cell> & { id: string } {
      const row: Record<string, Cell> & { id: string } = { id: item.id }
      for (const [name, kept] of kinds)
        row[name] = encodeValue((item as Record<string, unknown>)[name] ?? null, kept)
      return row
    },
  }
}

function decodeValue(value: Cell, kept: Kept): unknown {
  if (value === null || kept === 'same') return value
  return kept === 'boolean' ? value === 1 : JSON.parse(String(value))
}

function encodeValue(value: unknown, kept: Kept): Cell {
  if (value === null || kept === 'same') return value as Cell
  return kept === 'boolean' ? Number(value) : JSON.stringify(value)
}

const shown = (fields: Fields) => Object.entries({ ...COMMON, ...fields }).filter(([, one]) => !one.unshown)

const shownSchema = ({ schema, null: mayBeNull, sparse }: Field) =>
  sparse ? Type.Optional(schema) : mayBeNull ? nullable(schema) : schema

/** The schema of an entity in a reply. Every member is always there, except sparse ones. */
export const schemaOf = (fields: Fields) =>
  Type.Object(Object.fromEntries(shown(fields).map(([name, field]) => [name, shownSchema(field)])), {
    additionalProperties: false,
  })

/** Compiles how an item is written under a vocabulary. */
export const itemWriter = (fields: Fields, vocabulary: Vocabulary): ReplyWriter =>
  compileReply(schemaOf(fields), vocabulary)

/** Compiles how a row is written, without making an item of it first. */
export function rowWriter(fields: Fields, vocabulary: Vocabulary): (row: Row) => string {
  return writerOf(fields, vocabulary, (name) => name)
}

/** Compiles how a row of cells is written: most of the time of a list goes there. */
export function cellWriter(
  fields: Fields,
  vocabulary: Vocabulary,
  columns: readonly string[],
): (cells: Cells) => string {
  return writerOf(fields, vocabulary, (name) => columns.indexOf(name))
}

/** Members of an entity that a database can write as JSON, and those that are written here, times among them. */
export function textMembers(fields: Fields): { texts: TextMember[]; cells: string[] } | undefined {
  const all = shown(fields)
  // What is left out when it is absent cannot be written beforehand.
  if (all.some(([, { sparse }]) => sparse)) return undefined
  const isTime = ([, { schema }]: [string, Field]) => plain(schema).format === 'instant'
  return {
    cells: all.filter(isTime).map(([name]) => name),
    texts: all
      .filter((one) => !isTime(one) && !one[1].derived)
      .map(([name, field]) => ({ prefix: `,${JSON.stringify(name)}:`, column: name, form: formOf(field) })),
  }
}

function formOf(field: Field): TextForm {
  const { type, format, enum: words, pattern } = plain(field.schema)
  const kept = keptAs(field)
  if (kept !== 'same') return kept === 'boolean' ? 'boolean' : 'json'
  if (type === 'integer' || type === 'number') return 'number'
  const isWord = words !== undefined || format === 'base36' || pattern === '^[0-9]{1,19}$'
  return isWord && !field.null ? 'word' : 'text'
}

/**
 * Writes a row whose members but for the times and the derived ones came as text: the neutral words are those of the
 * table.
 */
export function textWriter(
  fields: Fields,
  columns: readonly string[],
): (cells: Cells, item?: Readonly<Record<string, unknown>>) => string {
  const times = (textMembers(fields)?.cells ?? []).map((name, index) => ({
    prefix: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    place: columns.indexOf(name),
  }))
  const derived = shown(fields)
    .filter(([, one]) => one.derived)
    .map(([name, { schema }]) => ({
      name,
      prefix: `,${JSON.stringify(name)}:`,
      write: compileReply(schema, neutralVocabulary),
    }))
  return (cells, item) => {
    let text = ''
    for (const { prefix, place } of times) {
      const time = cells[place] as number | null
      text += time === null ? `${prefix}null` : `${prefix}"${instantText(time)}"`
    }
    text += cells[columns.length]
    for (const { name, prefix, write } of derived) {
      const value = item?.[name] ?? null
      text += value === null ? `${prefix}null` : prefix + write(value)
    }
    return `${text}}`
  }
}

function writerOf<From extends Row | Cells>(
  fields: Fields,
  vocabulary: Vocabulary,
  placeOf: (name: string) => keyof From,
): (from: From) => string {
  const members = shown(fields).map(([name, field], index) => {
    const write = compileReply(field.schema, vocabulary)
    const kept = keptAs(field)
    return {
      name,
      place: placeOf(name),
      sparse: field.sparse,
      mayBeNull: field.null || field.derived,
      // The id comes first, and is always there.
      prefix: `${index === 0 ? '{' : ','}${JSON.stringify(vocabulary.name(name))}:`,
      // A list is kept as the text that it is shown as, as long as its words are the neutral ones.
      write:
        kept === 'same'
          ? write
          : kept === 'list' && vocabulary.neutral
            ? String
            : (value: unknown) => write(decodeValue(value as string | number, kept)),
    }
  })
  return (from) => {
    let text = ''
    for (const { name, place, sparse, mayBeNull, prefix, write } of members) {
      const value = from[place] as Cell | undefined
      if (value === null || value === undefined) {
        if (sparse) continue
        if (!mayBeNull) throw new Error(`${name} is missing in a row`)
        text += `${prefix}null`
      } else text += prefix + write(value)
    }
    return `${text}}`
  }
}
