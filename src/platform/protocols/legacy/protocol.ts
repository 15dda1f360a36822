import type { Protocol, Renderer } from '../../http/contract.ts'
import type { Violation } from '../../http/errors.ts'
import type { Vocabulary } from '../../http/vocabulary.ts'
import { wordsOf } from '../catalogue.ts'
import { signedOrSent } from '../parameters.ts'
import { reasonSentence } from '../problem/errors.ts'

const MISSING_CODE = 38
const INVALID_CODE = 44

/**
 * The error format of the OAuth paths: `{errors: [{code, message}]}` (interface, Legacy error
 * object).
 */
const render: Renderer = (error, { vocabulary }) => {
  const { status, code, message: usual, label, plain } = wordsOf(error, vocabulary).legacy
  const message = error.explanation ?? usual
  if (plain) return { status, contentType: 'text/plain; charset=utf-8', body: message }
  // An error with its own code is rendered with that code, whichever parameter it concerns.
  const errors =
    error.violations.length > 0 && code === INVALID_CODE
      ? error.violations.map((violation) => parameterError(violation, vocabulary))
      : [label === undefined ? { code, message } : { code, label, message }]
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify({ errors }) }
}

function parameterError({ name, value, fault }: Violation, vocabulary: Vocabulary) {
  switch (fault.kind) {
    case 'missing':
    case 'empty':
      return { code: MISSING_CODE, message: `${name} parameter is missing.` }
    case 'choice':
      return {
        code: INVALID_CODE,
        message: `${name} parameter [${value}] is not one of [${fault.values.join(', ')}].`,
      }
    case 'repeated':
      return { code: INVALID_CODE, message: `${name} parameter may be given only once.` }
    case 'reason':
      return { code: INVALID_CODE, message: reasonSentence(fault, vocabulary) }
    default:
      return { code: INVALID_CODE, message: `${name} parameter is invalid.` }
  }
}

/**
 * The paths under `/1.1/`: undeclared parameters are ignored, errors are `{errors: [{code,
 * message}]}`.
 */
export const legacy: Protocol = {
  name: 'legacy',
  input: {
    closedQuery: false,
    repeatedLists: false,
    bodyOnly: false,
    jsonParameters: false,
    untypedJson: false,
    absentNulls: false,
    echo: false,
    pairs: signedOrSent,
  },
  challenges: true,
  render,
}

/**
 * The paths of the OAuth provider: parameters and errors as under `/1.1/`. Replies may be
 * form-encoded.
 */
export const oauth: Protocol = { ...legacy, name: 'oauth' }
