import type { AdsError } from '../ads-codes.ts'
import { adsCodes } from '../ads-codes.ts'
import type { Violation } from '../errors.ts'
import { words } from '../errors.ts'
import type { Dialect, Speech } from './dialect.ts'

/**
 * The advertising dialect: `{errors: [{code, message, parameter}], request}`; a batch with wrong operations has
 * `operation_errors` in place of `errors`, a list for each operation (interface, Errors).
 */
export const ads: Dialect = (refusal, speech, request = '{"params":{}}') => {
  const { reason, violations, errors, operations } = refusal
  const listed = spoken(errors.length > 0 ? errors : violations.map(violationError), speech)
  const own = words[reason].ads
  const told = listed.length > 0 ? listed : [{ code: own.code, message: own.message }]
  const [first] = listed
  const status = first ? adsCodes[first.code] : own.status
  const member = operations
    ? `"operation_errors":${JSON.stringify(operations.map((one) => spoken(one, speech)))}`
    : `"errors":${JSON.stringify(told)}`
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: `{${member},"request":${request}}`,
  }
}

/** Handlers name what was declared; clients know it by its spoken name. */
const spoken = (errors: readonly AdsError[], { vocabulary }: Speech): AdsError[] =>
  errors.map(({ parameter, attribute, message, code, spoken: already }) => {
    const name = (text: string) => (already ? text : vocabulary.name(text))
    return {
      code,
      // A message names parameters and choices in their neutral words.
      message: message.replace(/[A-Za-z_]+/g, (word) => (word.includes('_') ? name(word) : word)),
      ...(parameter !== undefined && { parameter: name(parameter) }),
      ...(attribute !== undefined && { attribute: name(attribute) }),
    }
  })

/** What the advertising API calls the types of parameters. */
const TYPE_NAMES: Readonly<Record<string, string>> = { int64: 'Long', integer: 'Int', boolean: 'Boolean' }

/** One wrong value of a request as an error. */
export function violationError({ name, value, fault }: Violation): AdsError {
  const parameter = name.replace(/^\$\.?/, '') || 'body'
  const wrong = (message: string): AdsError => ({
    code: 'INVALID_PARAMETER',
    message,
    parameter,
    spoken: true,
  })
  const got = `got "${value ?? ''}" for ${parameter}`
  switch (fault.kind) {
    case 'missing':
      return { ...wrong(`"${parameter}" is a required parameter`), code: 'MISSING_PARAMETER' }
    case 'choice':
      return wrong(`Expected a value in ${fault.values.join(', ')}, ${got}`)
    case 'range':
      return wrong(`Expected a value between ${fault.min} and ${fault.max}, ${got}`)
    case 'length':
      return wrong(`Expected between ${fault.min} and ${fault.max} characters or items for ${parameter}`)
    case 'type':
      if (fault.expected === 'base36')
        return {
          ...wrong(`Expected an id of the characters 0-9 and a-z, ${got}`),
          code: 'INVALID_ID_ILLEGAL_CHARACTERS',
        }
      return wrong(`Expected ${TYPE_NAMES[fault.expected] ?? fault.expected}, ${got}`)
    case 'empty':
      return wrong(`A value must be provided for ${parameter}`)
    case 'unknown':
      return wrong(`Unknown parameter ${parameter}`)
    case 'repeated':
      return wrong(`${parameter} may be given only once`)
    case 'not settable':
      return wrong(`setting ${parameter} is not allowed`)
    case 'invalid':
      return wrong(`${got.charAt(0).toUpperCase()}${got.slice(1)}, which is not valid`)
    case 'reason':
      return wrong(`${fault.reason}: ${fault.explanation}`)
  }
}
