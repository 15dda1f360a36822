import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '../errors.ts'
import type { Schema } from '../schema.ts'

/** A value that a call sent for a member that it cannot set: accepted when the resource has it already. */
export interface SentBack {
  /** The member, as declared. */
  readonly name: string
  readonly schema: Schema
  /** As its schema reads it: a text for a choice, epoch milliseconds for a time. */
  readonly value: unknown
  /** What is wrong when the resource has another value. */
  readonly violation: Violation
}

/** What is wrong with values that were sent back: those that differ from the stored ones, by declared name. */
export const changedReadOnly = (
  sentBack: readonly SentBack[],
  stored: Readonly<Record<string, unknown>>,
): Violation[] =>
  sentBack
    .filter(({ name, schema, value }) => !sameValue(schema, value, stored[name]))
    .map(({ violation }) => violation)

/** What was sent that is another value than the stored one. What a client sends back as it read it is no change. */
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
 * Whether two values of a schema are shown alike. Nothing, `null`, an empty text and an empty list are the same; times
 * are compared to the second, in which they are shown; the order of a list matters only where it is declared `ordered`.
 */
function sameValue(schema: Schema, one: unknown, other: unknown): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other)
  if (schema.format === 'instant') return second(one) === second(other)
  if (schema.type === 'array' && Array.isArray(one) && Array.isArray(other))
    return isDeepStrictEqual(inOrder(schema, one), inOrder(schema, other))
  return typeof one === 'object' ? isDeepStrictEqual(one, other) : String(one) === String(other)
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const second = (time: unknown) => Math.floor(Number(time) / 1000)

function inOrder({ ordered, items }: Schema, values: readonly unknown[]): readonly unknown[] {
  if (ordered || items?.type === 'object' || items?.type === 'array') return values
  return [...new Set(values.map(String))].sort()
}
