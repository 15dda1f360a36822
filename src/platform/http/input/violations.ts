import { type Fault, shortened, type Violation } from '../errors.ts'

/**
 * Maximum number of violations that a reader collects, so that a reply stays small for any request.
 */
const MAX_VIOLATIONS = 20

/** Records a violation, unless there are enough. */
export function addViolation(violations: Violation[], violation: Violation): void {
  if (violations.length < MAX_VIOLATIONS) violations.push(shortened(violation))
}

/** Records what is wrong with a value of a body. */
export function fail(violations: Violation[], path: string, value: unknown, fault: Fault): undefined {
  addViolation(violations, { place: 'body', name: path, value: scalarText(value), fault })
  return undefined
}

/**
 * An invalid value, for display. A list or an object may be nested so deeply that serializing it
 * fails.
 */
export function scalarText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? '{}' : '{…}'
  return String(value)
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
