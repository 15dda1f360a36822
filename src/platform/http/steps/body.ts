import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Endpoint, Step } from '../contract.ts'
import { unsupported } from '../errors.ts'
import type { MutableIncoming, ReadForm } from '../exchange.ts'
import type { ReservedBody } from '../input/body-memory.ts'
import {
  bodyTypes,
  declareJson,
  formOf,
  hasBody,
  isForm,
  JSON_TYPE,
  MULTIPART_TYPE,
  mediaType,
  readBody as readBytes,
  rejectEncoded,
} from '../input/incoming.ts'
import { readJsonBody } from '../input/json.ts'
import { readMultipart } from '../input/multipart.ts'
import { plain } from '../schema.ts'

/** Reserves memory for the body. A form body can be read during authentication. */
export const openBody: Step = {
  name: 'open body',
  compile:
    (endpoint, { bodyMemory }) =>
    (exchange) => {
      const { headers } = exchange.request.raw
      if (!hasBody(headers)) return
      rejectEncoded(headers)
      // The handler reads it piece by piece.
      if (endpoint.contentTypes.length > 0) return rejectOtherTypes(headers, endpoint.contentTypes)
      const held = bodyMemory.open(exchange.incoming.address)
      exchange.held = held
      if (isForm(headers)) exchange.readForm = formReader(exchange.incoming, exchange.request, endpoint, held)
    },
}

/** Reads a form body after authentication, unless authentication has read it. */
export const readForm: Step = {
  name: 'read form',
  compile: () => (exchange) => {
    const { held } = exchange
    if (!held) return undefined
    if (!exchange.readForm) {
      held.isKnown = true
      return undefined
    }
    return exchange.readForm(true).then(() => {
      held.isKnown = true
    })
  },
}

/** Reads every other body: multipart, or another type that the endpoint accepts. */
export const readBody: Step = {
  name: 'read body',
  compile(endpoint) {
    const types = bodyTypes(endpoint)
    const readsJson = types?.includes(JSON_TYPE) && !(endpoint.body && plain(endpoint.body).unread)
    return ({ request, incoming, held, readForm: early }) => {
      const { headers } = request.raw
      if (!held) return undefined
      if (types) rejectOtherTypes(headers, types)
      const checkType = () => {
        if (types && incoming.body?.length && mediaType(headers) === undefined)
          throw unsupported('content type', undefined, types)
      }
      if (early) return isJson(headers) && readsJson ? takeJson(incoming, endpoint) : checkType()
      const taken = takeRest(incoming, request, endpoint, held).then(checkType)
      return readsJson ? taken.then(() => takeJson(incoming, endpoint)) : taken
    }
  },
}

/** Reads a form body once, on first use. */
function formReader(
  incoming: MutableIncoming,
  request: FastifyRequest,
  endpoint: Endpoint,
  held: ReservedBody,
): ReadForm {
  let reading: Promise<void> | undefined
  return (isKnown) => {
    if (reading === undefined) {
      held.isKnown = isKnown
      reading = takeBody(incoming, request, endpoint, held)
    }
    return reading
  }
}

async function takeBody(
  incoming: MutableIncoming,
  request: FastifyRequest,
  endpoint: Endpoint,
  held: ReservedBody,
) {
  incoming.body = await readBytes(request.raw, endpoint.maxBodyBytes, held)
  request.bodyBytes = incoming.body
  const { headers } = request.raw
  if (endpoint.protocol.input.untypedJson && bodyTypes(endpoint)?.includes(JSON_TYPE))
    declareJson(headers, incoming.body)
  if (!isForm(headers)) return
  const { pairs, long } = await formOf(incoming.body)
  incoming.form = pairs
  incoming.long = long
}

const isJson = (headers: IncomingHttpHeaders) => mediaType(headers) === JSON_TYPE

async function takeJson(incoming: MutableIncoming, { multipart }: Endpoint): Promise<void> {
  const { body, headers } = incoming
  if (!body?.length || !isJson(headers)) return
  incoming.json = await readJsonBody(body, multipart !== undefined)
  if (incoming.json.kind === 'json') incoming.long = incoming.json.long
}

/** An empty body may have no content type; that is known only after reading it. */
function rejectOtherTypes(headers: IncomingHttpHeaders, types: readonly string[]): void {
  const type = mediaType(headers)
  if (type !== undefined && !types.includes(type)) throw unsupported('content type', type, types)
}

async function takeRest(
  incoming: MutableIncoming,
  request: FastifyRequest,
  endpoint: Endpoint,
  held: ReservedBody,
): Promise<void> {
  const { multipart } = endpoint
  const type = mediaType(incoming.headers)
  if (multipart === undefined || type !== MULTIPART_TYPE) return takeBody(incoming, request, endpoint, held)
  const body = await readBytes(request.raw, multipart.maxBytes, held)
  request.bodyBytes = body
  const { fields, long, files } = await readMultipart(body, incoming.headers, multipart.file)
  incoming.fields = fields
  incoming.long = long
  incoming.files = files
}
