import type { ParameterKindOf } from '../contract.ts'
import type { Violation } from '../errors.ts'
import { fail, isObject } from './violations.ts'

const MAX_JSON_PARAMETERS = 100

/**
 * The members of a JSON object as parameters: numbers and booleans as text, `null` as an empty
 * string, and where a parameter is a list, lists as comma-separated items. So a parameter is read
 * in the same way, wherever it is sent. Members that are not parameters may contain anything, and
 * are omitted.
 */
export function jsonPairs(
  json: unknown,
  violations: Violation[],
  kindOf: ParameterKindOf,
): [string, string][] {
  if (!isObject(json)) {
    if (json !== undefined) fail(violations, '$', json, { kind: 'type', expected: 'object' })
    return []
  }
  const members = Object.entries(json)
  if (members.length > MAX_JSON_PARAMETERS) {
    fail(violations, '$', undefined, { kind: 'length', min: 0, max: MAX_JSON_PARAMETERS })
    return []
  }
  return members.flatMap(([name, value]): [string, string][] => {
    const kind = kindOf(name)
    if (kind === undefined) return []
    const text = textOf(value, kind === 'list')
    if (text !== undefined) return [[name, text]]
    fail(violations, name, value, { kind: 'type', expected: EXPECTED[kind] })
    return []
  })
}

const EXPECTED = {
  value: 'text, a number or a boolean',
  list: 'text, a number, a boolean or a list of these',
} as const

/** A value as the text of a parameter; undefined if it cannot be one. */
export const textOf = (value: unknown, isList: boolean) =>
  isList && Array.isArray(value) ? listText(value) : memberText(value)

function memberText(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : undefined
}

function listText(items: readonly unknown[]): string | undefined {
  const texts = items.map((item) => (item === null ? undefined : memberText(item)))
  return texts.some((text) => text === undefined || text.includes(',')) ? undefined : texts.join(',')
}
