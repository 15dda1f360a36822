import { type TSchema, Type } from 'typebox'
import type { Violation } from '../../platform/http/errors.ts'
import { compileBody } from '../../platform/http/input/body.ts'
import { compileReply } from '../../platform/http/reply.ts'
import { plain, type Schema } from '../../platform/http/schema.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { accountFormOf } from './account/forms.ts'
import type { ActivityKind } from './kind.ts'

/** Members of an emitted activity that replace those of its objects, by their neutral names. */
export interface Over {
  /** Of the payload. */
  readonly payload: object
  /** Of account activity, if it reports the kind. */
  readonly account: object
}

/** The members do not match the schema of the kind. */
export class WrongPayload extends Error {
  readonly violations: readonly Violation[]
  constructor(violations: readonly Violation[]) {
    super('the payload does not have the shape of the event type')
    this.violations = violations
  }

  /** One line per violation. */
  get faults(): readonly string[] {
    return this.violations.map(({ name, value, fault }) => `${name} ${value ?? ''}: ${fault.kind}`)
  }
}

/** A schema whose members may be absent at any depth, and whose lists may have any length. */
function partial({ required: _required, minItems: _minItems, ...schema }: Schema): Schema {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    ...(properties && { properties: mapped(properties) }),
    ...(items && { items: partial(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: partial(additionalProperties) }),
  }
}

const mapped = (properties: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, partial(one)]))

const propertiesOf = (schema: Schema) => schema.properties ?? {}

/**
 * Reads members as a client sees them, renamed by the vocabulary: of the payload, or of the list of
 * account activity, such as `post_create_events`.
 * @throws WrongPayload
 */
export function readOver(kind: ActivityKind, given: unknown, vocabulary: Vocabulary): Over {
  const form = accountFormOf(kind)
  const payload = mapped(propertiesOf(plain(kind.payload)))
  const listed = form && propertiesOf(plain(form.schema))[form.member]
  const account = form && listed ? { [form.member]: partial(listed) } : {}
  const properties = { ...account, ...payload }
  const schema = Type.Unsafe<object>({ type: 'object', additionalProperties: false, properties })
  const violations: Violation[] = []
  const read = compileBody(schema, vocabulary)(given, violations) as Readonly<Record<string, unknown>>
  if (violations.length > 0) throw new WrongPayload(violations)
  const of = (names: object) =>
    Object.fromEntries(Object.entries(read).filter(([name, value]) => name in names && value !== undefined))
  return { payload: of(payload), account: of(account) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members add an object or an entry of a list that lacks members. */
export class Incomplete extends Error {
  override readonly name = 'Incomplete'
}

/**
 * A value with members replaced, which can be written.
 * @throws Incomplete
 */
export function overlaid<Value>(
  schema: TSchema,
  base: Value,
  { over, vocabulary }: { over: object; vocabulary: Vocabulary },
): Value {
  const value = merged(base, over)
  try {
    compileReply(schema, vocabulary)(value)
  } catch (error) {
    throw new Incomplete(
      `An object that the event does not have needs all its members: ${(error as Error).message}.`,
      { cause: error },
    )
  }
  return value
}

/**
 * The same, or undefined: what the members were part of is gone. For activities that were accepted.
 */
export function overlaidIfWhole<Value>(...all: Parameters<typeof overlaid<Value>>): Value | undefined {
  try {
    return overlaid(...all)
  } catch (error) {
    if (error instanceof Incomplete) return undefined
    throw error
  }
}

/** A value with members replaced: objects member by member, lists entry by entry. */
function merged<Value>(base: Value, over: unknown): Value
function merged(base: unknown, over: unknown): unknown {
  if (Array.isArray(over))
    return over.map((one, at) => merged(Array.isArray(base) ? (base[at] as unknown) : undefined, one))
  if (!isObject(over)) return over
  const former = isObject(base) ? base : {}
  const replaced = Object.entries(over).map(([name, one]) => [name, merged(former[name], one)])
  return { ...former, ...Object.fromEntries(replaced) }
}
