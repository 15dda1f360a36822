import type { TObject } from 'typebox'
import type { EchoRule, Endpoint, RunStep, Services, Step } from '../contract.ts'
import { ApiError, apiError, type Fault, invalid, notJson, type Violation } from '../errors.ts'
import type { Exchange, Input, MutableIncoming } from '../exchange.ts'
import { MAX_TEXT_BYTES, type Pair } from '../input/form.ts'
import type { Incoming } from '../input/incoming.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../input/json.ts'
import { type BodyReader, compileBody } from '../input/body.ts'
import { compileParameters } from '../input/reader.ts'
import { msg } from '../message.ts'
import { plain } from '../schema.ts'
import { spelled } from '../vocabulary.ts'

type NamingServices = Pick<Services, 'naming'>

/** A step that needs only the names of its endpoint, so that they can be checked before a start. */
interface NamedStep extends Step {
  compile(endpoint: Endpoint, services: NamingServices): RunStep | undefined
}

/**
 * Reads the values in the path. Their errors are reported with all others, after authentication.
 */
export const readPath: NamedStep = {
  name: 'read path',
  compile(endpoint, services) {
    const read = parametersOf(endpoint, services, endpoint.pathParams, 'path')
    const { echo: echoes } = endpoint.protocol.input
    return ({ request, input }) => {
      const values = Object.entries(request.params as Record<string, string>)
      input.params = read(values, input.violations, echoes ? input.echo : undefined)
      // A different literal segment means a different path.
      if (input.violations.some(({ fault }) => fault.kind === 'choice')) throw apiError('not found')
    }
  },
}

/** Reads the query, and the form or the body. All errors are reported at once. */
export const readParameters: NamedStep = {
  name: 'read parameters',
  compile(endpoint, services) {
    const { onInvalid } = endpoint
    const readQuery = compileQuery(endpoint, services)
    const readForm = compileForm(endpoint, services)
    const readBody = compileJson(endpoint, services)
    return (exchange) => {
      const { violations } = exchange.input
      readQuery(exchange)
      readForm?.(exchange)
      readBody?.(exchange)
      if (violations.length === 0) return
      const wrong = `wrong: ${violations.map(({ name }) => name).join(', ')}`
      throw onInvalid ? new ApiError(onInvalid, { detail: wrong }) : invalid(...violations)
    }
  },
}

/** The members that the path repeats already: a resource that is sent back has its id too. */
const echoedByPath = ({ pathParams, echo }: Endpoint): Record<string, EchoRule> =>
  Object.fromEntries(
    Object.keys(pathParams.properties).map((name) => {
      const rule = echo[name]
      return [typeof rule === 'object' && 'as' in rule ? rule.as : name, 'omitted']
    }),
  )

function parametersOf(
  endpoint: Endpoint,
  { naming: { vocabulary } }: NamingServices,
  object: TObject,
  place: 'path' | 'query' | 'form',
) {
  const { notSettable, readOnly } = endpoint
  const { input } = endpoint.protocol
  const echo = place === 'form' ? { ...endpoint.echo, ...echoedByPath(endpoint) } : endpoint.echo
  return compileParameters(object, place, vocabulary, {
    ignoreUnknown: place === 'form' || (place === 'query' && !input.closedQuery),
    repeatedLists: input.repeatedLists,
    echo,
    ...(place === 'form' && { notSettable, readOnly }),
  })
}

function compileQuery(endpoint: Endpoint, services: NamingServices): (exchange: Exchange) => void {
  const read = parametersOf(endpoint, services, endpoint.query, 'query')
  const { echo: echoes } = endpoint.protocol.input
  return ({ incoming, caller, input }) => {
    const { isOfSignature } = caller
    // The parameters of a signature are allowed in any query.
    const pairs =
      isOfSignature && incoming.query.length > 0
        ? incoming.query.filter(([name]) => !isOfSignature(name) || read.kindOf(name) !== undefined)
        : incoming.query
    input.query = read(pairs, input.violations, echoes ? input.echo : undefined)
  }
}

function compileForm(
  endpoint: Endpoint,
  services: NamingServices,
): ((exchange: Exchange) => void) | undefined {
  if (Object.keys(endpoint.form.properties).length === 0) return undefined
  const { pairs, echo: echoes } = endpoint.protocol.input
  const read = parametersOf(endpoint, services, endpoint.form, 'form')
  const takeLong = compileLongValues(endpoint, services)
  return ({ incoming, caller, input }) => {
    const sentPairs: readonly Pair[] = pairs(incoming, caller, input.violations, read.kindOf)
    input.form = read(sentPairs, input.violations, echoes ? input.echo : undefined, input.sentBack)
    if (incoming.long.length > 0) takeLong(incoming, input.violations)
  }
}

/** The beginning of a long value, for its error: longer than what the error shows. */
const HEAD_BYTES = 8_192
/** It may end in the middle of a character, which the error does not show. */
const headOf = (bytes: Buffer) => bytes.toString('utf8', 0, HEAD_BYTES)

/** Long values of parameters in Base64 become files. No other parameter may be so long. */
function compileLongValues({ form }: Endpoint, { naming: { vocabulary } }: NamingServices) {
  const properties = plain(form).properties ?? {}
  const neutralOf = spelled(vocabulary, Object.keys(properties), 'a form')
  return (incoming: MutableIncoming, violations: Violation[]): void => {
    const files = [...incoming.files]
    for (const { name, bytes } of incoming.long) {
      const neutral = neutralOf.get(name)
      const { contentEncoding, maxLength = 0 } = properties[neutral ?? ''] ?? {}
      const max = contentEncoding === 'base64' ? maxLength : MAX_TEXT_BYTES
      if (neutral === undefined) continue
      if (contentEncoding === 'base64' && bytes.length <= maxLength)
        files.push({ name: neutral, type: '', content: bytes, contentEncoding })
      else
        violations.push({ place: 'form', name, value: headOf(bytes), fault: { kind: 'length', min: 0, max } })
    }
    incoming.files = files
  }
}

/**
 * The body of an endpoint that declares one: it is required and must be JSON, unless the handler
 * reads it.
 */
function compileJson(
  endpoint: Endpoint,
  { naming: { vocabulary } }: NamingServices,
): ((exchange: Exchange) => void) | undefined {
  if (endpoint.body === undefined) return undefined
  const { readOnly } = endpoint
  const { absentNulls } = endpoint.protocol.input
  const isUnread = plain(endpoint.body).unread === true
  const read = isUnread ? undefined : compileBody(endpoint.body, vocabulary, { readOnly, absentNulls })
  return ({ incoming, input }) => {
    if (endpoint.optionalBody && !incoming.body?.length) return
    input.body = bodyOf(incoming, read, input)
  }
}

/** The value of a body; its bytes without `read`. */
function bodyOf(
  incoming: Incoming,
  read: BodyReader | undefined,
  { violations, sentBack }: Pick<Input, 'violations' | 'sentBack'>,
): unknown {
  const wrong = (fault: Fault) => void violations.push({ place: 'body', name: '$', value: undefined, fault })
  const { body } = incoming
  if (body === undefined || body.length === 0) return wrong({ kind: 'missing' })
  if (!read) return body
  const before = violations.length
  const json = bodyJson(incoming, violations)
  return violations.length > before ? undefined : read(json, violations, sentBack)
}

const TOO_COMPLEX = {
  depth: msg`The body is nested more than ${MAX_JSON_DEPTH} levels deep`,
  values: msg`The body has more than ${MAX_JSON_VALUES} values`,
}

/** The JSON of a body; undefined with a violation when it has none. */
export function bodyJson({ json }: Incoming, violations: Violation[]): unknown {
  switch (json?.kind) {
    case 'json':
      return json.json
    case 'no JSON':
      violations.push(notJson(json.quoted))
      return undefined
    case 'too complex': {
      const fault = { kind: 'rule', explanation: TOO_COMPLEX[json.exceeded] } as const
      violations.push({ place: 'body', name: '$', value: undefined, fault })
      return undefined
    }
    case undefined:
      throw new Error('the JSON of the body has not been read')
  }
}
