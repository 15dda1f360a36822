import type { Naming, Renderer } from '../../http/contract.ts'
import type { Violation } from '../../http/errors.ts'
import { type Message, messageText, msg, word } from '../../http/message.ts'
import { wordsOf } from '../catalogue.ts'
import { AdsApiError } from './api-error.ts'
import { type AdsError, adsCodes } from './codes.ts'

/**
 * The advertising error format: `{errors: [{code, message, parameter}], request}`. A batch with
 * invalid operations has `operation_errors` instead of `errors`, with one list per operation
 * (interface, Errors).
 */
export const ads: Renderer = (error, naming, understood = '{"params":{}}') => {
  const { errors, operations, request = understood } = error instanceof AdsApiError ? error : NO_ERRORS
  const reported = errors.length > 0 ? errors : error.violations.map(violationError)
  const { status, code, message: usual } = wordsOf(error, naming.vocabulary).ads
  const message = error.explanation ?? usual
  const [first] = reported
  const member = operations
    ? `"operation_errors":${JSON.stringify(operations.map((list) => renameErrors(list, naming)))}`
    : `"errors":${JSON.stringify(first ? renameErrors(reported, naming) : [{ code, message }])}`
  return {
    status: first ? adsCodes[first.code] : status,
    contentType: 'application/json; charset=utf-8',
    body: `{${member},"request":${request}}`,
  }
}

const NO_ERRORS: Pick<AdsApiError, 'errors' | 'operations' | 'request'> = {
  errors: [],
  operations: undefined,
  request: undefined,
}

/** Handlers use neutral names; clients get public names. */
const renameErrors = (errors: readonly AdsError[], { vocabulary }: Naming) =>
  errors.map(({ parameter, attribute, message, code, renamed: already }) => {
    const name = (text: string) => (already ? text : vocabulary.name(text))
    return {
      code: vocabulary.code(code),
      message: messageText(message, vocabulary),
      ...(parameter !== undefined && { parameter: name(parameter) }),
      ...(attribute !== undefined && { attribute: name(attribute) }),
    }
  })

/** The names of parameter types in the advertising API. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int64: 'Long',
  integer: 'Int',
  boolean: 'Boolean',
  percentage: 'a number from 1.00 to 99.00 with up to two decimals',
}

/** The error of one invalid value of a request. */
export function violationError({ place, name, value, fault }: Violation): AdsError {
  const parameter = name.replace(/^\$\.?/, '') || 'body'
  const wrong = (message: Message): AdsError => ({
    code: 'INVALID_PARAMETER',
    message,
    parameter,
    renamed: true,
  })
  const got = msg`got "${value ?? ''}" for ${parameter}`
  const illegal = (of: string): AdsError => ({
    ...wrong(msg`Expected an id of ${of}, ${got}`),
    code: 'INVALID_ID_ILLEGAL_CHARACTERS',
  })
  switch (fault.kind) {
    case 'missing':
      return { ...wrong(msg`"${parameter}" is a required parameter`), code: 'MISSING_PARAMETER' }
    case 'choice':
      return wrong(msg`Expected a value in ${fault.values.join(', ')}, ${got}`)
    case 'range':
      return wrong(msg`Expected a value between ${fault.min} and ${fault.max}, ${got}`)
    case 'length':
      return wrong(msg`Expected between ${fault.min} and ${fault.max} characters or items for ${parameter}`)
    case 'type':
      if (fault.expected === 'base36') return illegal('the characters 0-9 and a-z')
      if (fault.expected === 'media_key')
        return { ...wrong(msg`Expected a media key, ${got}`), code: 'INVALID_MEDIA_ID' }
      if (place === 'path') return illegal('up to 19 digits')
      return wrong(msg`Expected ${TYPE_NAMES[fault.expected] ?? fault.expected}, ${got}`)
    case 'empty':
      return wrong(msg`A value must be provided for ${parameter}`)
    case 'unknown':
      return wrong(msg`Unknown parameter ${parameter}`)
    case 'repeated':
      return wrong(msg`${parameter} may be given only once`)
    case 'not settable':
      return wrong(msg`setting ${parameter} is not allowed`)
    case 'invalid':
      return wrong(msg`Got "${value ?? ''}" for ${parameter}, which is not valid`)
    case 'rule':
      return wrong(fault.explanation)
    case 'reason':
      return wrong(msg`${word(fault.reason)}: ${fault.explanation}`)
  }
}
