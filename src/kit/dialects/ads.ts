import type { Violation } from '../errors.ts'
import { words } from '../errors.ts'
import type { Dialect } from './dialect.ts'

/** The advertising dialect: `{errors: [{code, message, parameter}], request: {params}}`. */
export const ads: Dialect = (refusal) => {
  const { status, code, message } = words[refusal.reason].ads
  const errors = refusal.violations.length > 0 ? refusal.violations.map(parameterError) : [{ code, message }]
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ errors, request: { params: {} } }),
  }
}

function parameterError({ name, value, fault }: Violation) {
  switch (fault.kind) {
    case 'missing':
      return { code: 'MISSING_PARAMETER', message: `"${name}" is a required parameter`, parameter: name }
    case 'choice':
      return {
        code: 'INVALID_PARAMETER',
        message: `Expected a value in ${fault.values.join(', ')}, got "${value}" for ${name}`,
        parameter: name,
      }
    case 'range':
      return {
        code: 'INVALID_PARAMETER',
        message: `Expected a value between ${fault.min} and ${fault.max}, got "${value}" for ${name}`,
        parameter: name,
      }
    default:
      return {
        code: 'INVALID_PARAMETER',
        message: `"${value ?? ''}" is not valid for ${name}`,
        parameter: name,
      }
  }
}
