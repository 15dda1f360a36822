import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '../errors.ts'
import type { Schema } from '../schema.ts'

/**
 * A value that a call sent for a member that it cannot set. It is accepted if the resource has the
 * same value.
 */
export interface SentBack {
  /** The member, as declared. */
  readonly name: string
  readonly schema: Schema
  /** As its schema parses it: a string for a choice, epoch milliseconds for a time. */
  readonly value: unknown
  /** The error if the resource has another value. */
  readonly violation: Violation
}

/**
 * The errors of values that were sent back: those that differ from the stored values, by declared
 * name.
 */
export const changedReadOnly = (
  sentBack: readonly SentBack[],
  stored: Readonly<Record<string, unknown>>,
): Violation[] =>
  sentBack
    .filter(({ name, schema, value }) => !sameValue(schema, value, stored[name]))
    .map(({ violation }) => violation)

/**
 * The values that differ from the stored ones. A value that a client sends back as it received it
 * is not a change.
 */
export const changesOf = <Supplied extends object>(
  properties: Readonly<Record<string, Schema>>,
  supplied: Supplied,
  stored: Readonly<Record<string, unknown>>,
): Supplied =>
  Object.fromEntries(
    Object.entries(supplied).filter(
      ([name, value]) => !sameValue(properties[name] ?? {}, value, stored[name]),
    ),
  ) as Supplied

/**
 * Whether replies show two values of a schema in the same way. A missing value, `null`, an empty
 * string and an empty list are equal. Times are compared to the second, as they are shown. The
 * order of a list matters only if it is declared `ordered`.
 */
function sameValue(schema: Schema, value: unknown, other: unknown): boolean {
  if (isNothing(value) || isNothing(other)) return isNothing(value) && isNothing(other)
  if (schema.format === 'instant') return second(value) === second(other)
  if (schema.type === 'array' && Array.isArray(value) && Array.isArray(other))
    return isDeepStrictEqual(inOrder(schema, value), inOrder(schema, other))
  return typeof value === 'object' ? isDeepStrictEqual(value, other) : String(value) === String(other)
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const second = (time: unknown) => Math.floor(Number(time) / 1000)

function inOrder({ ordered, items }: Schema, values: readonly unknown[]): readonly unknown[] {
  if (ordered || items?.type === 'object' || items?.type === 'array') return values
  return [...new Set(values.map(String))].sort()
}
