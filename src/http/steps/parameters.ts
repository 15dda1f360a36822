import type { TObject } from 'typebox'
import { readJson } from '../../common/exact-json.ts'
import type { EchoRule, Endpoint, Services, Step } from '../contract.ts'
import type { Fault, Violation } from '../errors.ts'
import { ApiError, apiError, invalid, notJson } from '../errors.ts'
import type { Exchange, Input } from '../exchange.ts'
import type { Pair } from '../input/form.ts'
import type { Incoming } from '../input/incoming.ts'
import type { BodyReader } from '../input/reader.ts'
import { compileBody, compileParameters } from '../input/reader.ts'
import { plain } from '../schema.ts'

/** Reads the values in the path. Their errors are reported with all others, after authentication. */
export const readPath: Step = {
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
export const readParameters: Step = {
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
  { naming: { vocabulary } }: Services,
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

function compileQuery(endpoint: Endpoint, services: Services): (exchange: Exchange) => void {
  const read = parametersOf(endpoint, services, endpoint.query, 'query')
  const { echo: echoes } = endpoint.protocol.input
  return ({ incoming, caller, input }) => {
    const { isOfSignature } = caller
    // The parameters of a signature are allowed in any query.
    const pairs =
      isOfSignature && incoming.query.length > 0
        ? incoming.query.filter(([one]) => !isOfSignature(one) || read.isKnown(one))
        : incoming.query
    input.query = read(pairs, input.violations, echoes ? input.echo : undefined)
  }
}

function compileForm(endpoint: Endpoint, services: Services): ((exchange: Exchange) => void) | undefined {
  if (Object.keys(endpoint.form.properties).length === 0) return undefined
  const { pairs, echo: echoes } = endpoint.protocol.input
  const read = parametersOf(endpoint, services, endpoint.form, 'form')
  return ({ incoming, caller, input }) => {
    const given: readonly Pair[] = pairs(incoming, caller, input.violations, read.isKnown)
    input.form = read(given, input.violations, echoes ? input.echo : undefined, input.sentBack)
  }
}

/** The body of an endpoint that declares one: it is required and must be JSON, unless the handler reads it. */
function compileJson(
  endpoint: Endpoint,
  { naming: { vocabulary } }: Services,
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
  { body }: Incoming,
  read: BodyReader | undefined,
  { violations, sentBack }: Pick<Input, 'violations' | 'sentBack'>,
): unknown {
  const wrong = (fault: Fault) => void violations.push({ place: 'body', name: '$', value: undefined, fault })
  if (body === undefined || body.length === 0) return wrong({ kind: 'missing' })
  if (!read) return body
  const before = violations.length
  const json = bodyJson(body, violations)
  return violations.length > before ? undefined : read(json, violations, sentBack)
}

/** A body parsed as JSON; undefined with a violation when it is not valid JSON. */
export function bodyJson(body: Buffer, violations: Violation[]): unknown {
  const read = readJson(body)
  if (read.kind === 'json') return read.json
  violations.push(notJson(read.quoted))
  return undefined
}
