import assert from 'node:assert/strict'
import { resolve, resolveValue, type Variables } from './variables.ts'

/** Stands in a literal for a value that differs from run to run. */
export class Matcher {
  readonly describe: string
  readonly accepts: (value: unknown, variables: Variables) => boolean
  constructor(describe: string, accepts: (value: unknown, variables: Variables) => boolean) {
    this.describe = describe
    this.accepts = accepts
  }
}

const text = (describe: string, pattern: RegExp) =>
  new Matcher(describe, (value) => typeof value === 'string' && pattern.test(value))

/** The id of a post, a user, a webhook: up to 19 digits, as a string. */
export const id64 = text('an id of digits', /^[0-9]{1,19}$/)
/** The id of an advertising entity. */
export const base36 = text('an id of 0-9 and a-z', /^[0-9a-z]{2,12}$/)
/** A time of an object of the core API. */
export const objectTime = text(
  'a time in whole seconds, with the fraction .000',
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/,
)
/** A time of the core API, in milliseconds. */
export const timeMs = text('a time with milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** A time of the advertising API, in seconds. */
export const time = text('a time in seconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
/** A time of a classic post, as `Wed Jan 20 22:00:00 +0000 2026`. */
export const classicTime = text(
  'a classic time',
  /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/,
)
export const string = text('a string', /./)
/** A list of strings, which may be empty. */
export const strings = new Matcher(
  'a list of strings',
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
)
export const integer = new Matcher('an integer', Number.isSafeInteger)
/** A JSON number that may be too long to be exact in JavaScript. */
export const number = new Matcher('a number', (value) => typeof value === 'number')
export const boolean = new Matcher('true or false', (value) => typeof value === 'boolean')

export const like = (pattern: RegExp) => text(String(pattern), pattern)

export const oneOf = (...values: readonly unknown[]) =>
  new Matcher(`one of ${JSON.stringify(values)}`, (value) => values.includes(value))

/** A list of at least one item, each of which matches. */
export const each = (item: unknown) =>
  new Matcher('a list whose items all match', (value, variables) => {
    if (!Array.isArray(value) || value.length === 0) return false
    for (const one of value) assertMatches(one, item, variables)
    return true
  })

/** A list with at least one item that matches. */
export const including = (item: unknown) =>
  new Matcher('a list with a matching item', (value, variables) => {
    if (!Array.isArray(value)) return false
    if (value.some((one) => matches(one, item, variables))) return true
    // Explains the difference if there is only one candidate.
    if (value.length === 1) assertMatches(value[0], item, variables)
    return false
  })

/** Stores a value under a name, which later literals write as `{name}`. */
export const keep = (name: string, expected: unknown) =>
  new Matcher(`${name}`, (value, variables) => {
    assertMatches(value, expected, variables)
    variables[name] = value
    return true
  })

/** A text of this format. Its named groups become variables. */
export const capture = (pattern: RegExp) =>
  new Matcher(String(pattern), (value, variables) => {
    const found = pattern.exec(String(value))
    Object.assign(variables, found?.groups)
    return found !== null
  })

function matches(actual: unknown, expected: unknown, variables: Variables): boolean {
  try {
    assertMatches(actual, expected, variables)
    return true
  } catch {
    return false
  }
}

/** The value must equal the literal: members must be neither missing nor additional. */
export function assertMatches(actual: unknown, expected: unknown, variables: Variables): void {
  assert.deepEqual(actual, filled(actual, expected, variables))
}

/** The literal with the actual values where its matchers accept them. */
function filled(actual: unknown, expected: unknown, variables: Variables): unknown {
  if (expected instanceof Matcher)
    return expected.accepts(actual, variables) ? actual : `<${expected.describe}>`
  if (typeof expected === 'string') return resolveValue(expected, variables)
  if (Array.isArray(expected)) {
    const items = Array.isArray(actual) ? actual : []
    return expected.map((one, at) => filled(items[at], one, variables))
  }
  if (typeof expected !== 'object' || expected === null) return expected
  const members = (typeof actual === 'object' && actual !== null ? actual : {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(expected).map(([name, one]) => [
      resolve(name, variables),
      filled(members[name], one, variables),
    ]),
  )
}
