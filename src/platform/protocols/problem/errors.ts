import { jsonText } from '../../common/exact-json.ts'
import type { Naming, Renderer } from '../../http/contract.ts'
import type { ApiError, Violation } from '../../http/errors.ts'
import { messageText } from '../../http/message.ts'
import { neutralVocabulary, type Vocabulary } from '../../http/vocabulary.ts'
import { wordsOf } from '../catalogue.ts'

/** The core API's error format under `/2/`: Problem Details (interface, Problem object). */
export const problem: Renderer = (error, naming) => {
  const { status } = wordsOf(error, naming.vocabulary).problem
  return {
    status,
    contentType: 'application/problem+json; charset=utf-8',
    body: jsonText(problemOf(error, naming)),
  }
}

/** One Problem: a whole error reply, or an element of the `errors` of a reply. */
export interface Problem {
  title: string
  type: string
  status?: number
  detail: string
  errors?: { parameters?: Record<string, string[]>; message: string; code?: number }[]
}

/** The Problem object of an error. */
export function problemOf(error: ApiError, naming: Naming): Problem {
  const { problem: own, legacy } = wordsOf(error, naming.vocabulary)
  const type = own.slug === undefined ? 'about:blank' : `${naming.problemBase}/2/problems/${own.slug}`
  if (wordsOf(error, neutralVocabulary).problem.slug === 'invalid-request') {
    // The observed body has no `status` member.
    return {
      errors:
        error.violations.length > 0
          ? error.violations.map((violation) => parameterError(violation, naming))
          : [{ parameters: {}, message: naming.vocabulary.text('The request is malformed') }],
      title: own.title,
      detail: own.detail,
      type,
    }
  }
  const detail = error.auth ? authDetail(error.auth) : (error.explanation ?? own.detail)
  if (own.members)
    return {
      title: own.title,
      detail,
      type,
      ...renamedMembers(own.members, naming),
      ...namedMembers(error.members, naming),
    }
  const rendered: Problem = { title: own.title, type, status: own.status, detail }
  if (own.legacyCode) rendered.errors = [{ code: legacy.code, message: legacy.message }]
  return rendered
}

const renamedMembers = (members: Readonly<Record<string, string>>, { vocabulary: { name } }: Naming) =>
  Object.fromEntries(Object.entries(members).map(([member, value]) => [name(member), name(value)]))

const namedMembers = (members: ApiError['members'], { vocabulary: { name } }: Naming) =>
  Object.fromEntries(Object.entries(members).map(([member, value]) => [name(member), value]))

// Two spaces after the first full stop, because clients compare this text.
const authDetail = ({ used, supported }: { used: string; supported: readonly string[] }) =>
  `Authenticating with ${used} is forbidden for this endpoint.  Supported authentication types are [${supported.join(', ')}].`

function parameterError(violation: Violation, { vocabulary }: Naming) {
  // Readers report the names that the client sent; a handler's own rule reports the declared name.
  const name = isRule(violation) ? vocabulary.name(violation.name) : violation.name
  const values = violation.value === undefined ? [] : [violation.value]
  // The sentence shows the path into the body; the map has the name that programs look for.
  return {
    parameters: { [name.replace(/^\$\./, '')]: values },
    message: problemSentence(violation, vocabulary),
  }
}

const PLACE_WORDS = {
  path: 'path parameter',
  query: 'query parameter',
  form: 'parameter',
  header: 'header',
  body: '',
}

/**
 * One violation in the words of the core API. Violations that readers find already have the names
 * of the vocabulary.
 */
export function problemSentence({ place, name, value, fault }: Violation, vocabulary: Vocabulary): string {
  if (fault.kind === 'reason') return reasonSentence(fault, vocabulary)
  if (fault.kind === 'rule') return messageText(fault.explanation, vocabulary)
  if (place === 'body') return bodySentence(name, fault)
  const what = PLACE_WORDS[place]
  switch (fault.kind) {
    case 'missing':
    case 'empty':
      return `The \`${name}\` ${what} can not be empty`
    case 'unknown':
      return `The ${what} [${name}] is not one of [${fault.known.join(',')}]`
    case 'repeated':
      return `The \`${name}\` ${what} may be given only once`
    case 'range':
      return `The \`${name}\` ${what} value [${value}] is not between ${fault.min} and ${fault.max}`
    case 'length':
      return `The \`${name}\` ${what} value [${value}] is not between ${fault.min} and ${fault.max} long`
    case 'choice':
      return `The \`${name}\` ${what} value [${value}] is not one of [${fault.values.join(',')}]`
    case 'invalid':
    case 'type':
      return `The \`${name}\` ${what} value [${value}] is not valid`
    case 'not settable':
      return `The \`${name}\` ${what} can not be set`
  }
}

type ReasonFault = Extract<Violation['fault'], { kind: 'reason' }>
type RuleFault = Extract<Violation['fault'], { kind: 'rule' }>

const isRule = ({ fault }: Violation) => fault.kind === 'reason' || fault.kind === 'rule'

/** `UrlValidationFailed: the host is internal`. */
export const reasonSentence = ({ reason, explanation }: ReasonFault, vocabulary: Vocabulary) =>
  `${vocabulary.name(reason)}: ${messageText(explanation, vocabulary)}`

function bodySentence(path: string, fault: Exclude<Violation['fault'], ReasonFault | RuleFault>): string {
  switch (fault.kind) {
    case 'missing':
      return `${path}: is missing but it is required`
    case 'empty':
      return `${path}: can not be empty`
    case 'unknown':
      return `${path}: is not one of [${fault.known.join(',')}]`
    case 'repeated':
      return `${path}: may be given only once`
    case 'type':
      return `${path}: must be of type ${fault.expected}`
    case 'range':
      return `${path}: must be between ${fault.min} and ${fault.max}`
    case 'length':
      return `${path}: must be between ${fault.min} and ${fault.max} long`
    case 'choice':
      return `${path}: must be one of [${fault.values.join(',')}]`
    case 'invalid':
      return `${path}: is not valid`
    case 'not settable':
      return `${path}: can not be set`
  }
}
