import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encode } from '../../common/percent.ts'
import { acceptedStreamEncoding } from '../compress.ts'
import type { Endpoint, Services, Step } from '../contract.ts'
import { deliver, NO_CACHE } from '../deliver.ts'
import { compileLongLists, compileReply, PLACE_OF_STREAM, type StreamedJson } from '../reply.ts'
import type { Reply, StreamReply } from '../reply-kinds.ts'
import { plain } from '../schema.ts'
import { bytesOf } from '../text-bytes.ts'
import { renamed } from '../vocabulary.ts'

/** Writes and sends the reply of the handler. Only declared members are written. */
export const send: Step = {
  name: 'send',
  compile(endpoint, services) {
    const writeValue = compileValue(endpoint, services)
    const withLongLists =
      endpoint.replyKind === 'json' && compileLongLists(endpoint.reply, services.naming.vocabulary)
    return ({ request, reply, result }) => {
      if (result.kind === 'stream') return openStream(request, reply, { result, writeValue }, services)
      const complete = result.kind === 'json' && withLongLists ? withLongLists(result) : result
      return deliver(request, reply, writeBody(reply, complete, { writeValue, endpoint, services }), services)
    }
  },
}

/** The head and the body of a reply that is not a stream. */
function writeBody(
  reply: FastifyReply,
  result: Exclude<Reply<unknown>, StreamReply<unknown>>,
  { writeValue, endpoint, services }: { writeValue: WriteValue; endpoint: Endpoint; services: Services },
): string | Buffer | Readable {
  reply.code(result.kind === 'json' ? (result.status ?? endpoint.status) : result.status)
  reply.header('cache-control', NO_CACHE)
  switch (result.kind) {
    case 'json':
      if (result.headers) setHeaders(reply, result.headers, services)
      return withStreams(writeValue(reply, result.value), result.streamed)
    case 'empty':
      return ''
    case 'bytes':
      reply.headers(result.headers as Record<string, string>)
      return result.body
  }
}

function setHeaders(
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  { naming: { vocabulary } }: Services,
): void {
  for (const [name, value] of Object.entries(headers)) reply.header(vocabulary.header(name), value)
}

/** A body whose marked places are filled while it is sent. */
function withStreams(body: string | Buffer, streamed: readonly StreamedJson[]): string | Buffer | Readable {
  if (streamed.length === 0) return body
  const pieces = String(body).split(PLACE_OF_STREAM)
  if (pieces.length !== streamed.length + 1) throw new Error('a reply has other streams than its value')
  async function* read() {
    for (const [index, piece] of pieces.entries()) {
      yield piece
      const next = streamed[index]
      if (next) yield* next.read()
    }
  }
  return Readable.from(read(), { objectMode: false })
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Sends the head of a stream and runs it. For the engine the request has ended: its resources are
 * released. HEAD gets the head only.
 */
function openStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { result, writeValue }: { result: StreamReply<unknown>; writeValue: WriteValue },
  services: Services,
): void {
  const { streams, replied, failure } = services
  const encoding = acceptedStreamEncoding(request.raw.headers['accept-encoding'])
  reply.code(200).header('cache-control', NO_CACHE).header('content-type', JSON_TYPE)
  reply.header('vary', 'accept-encoding')
  if (encoding) reply.header('content-encoding', encoding)
  setHeaders(reply, result.headers, services)
  const onWrite = replied(request, reply, undefined)
  reply.hijack()
  const { raw } = reply
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  if (request.method === 'HEAD') {
    raw.end()
    result.unopened?.()
    return
  }
  raw.flushHeaders()
  // The reply can no longer report a failure, so it is logged.
  streams
    .run(raw, { encoding, writeValue: (value) => String(writeValue(reply, value)), onWrite }, result.run)
    .catch((error) => failure(error, request))
}

type WriteValue = (reply: FastifyReply, value: unknown) => string | Buffer

/** Compiles the writer of a reply. */
function compileValue(endpoint: Endpoint, { naming: { vocabulary } }: Services): WriteValue {
  switch (endpoint.replyKind) {
    case 'json': {
      const write = compileReply(endpoint.reply, vocabulary)
      return (reply, value) => {
        const parts: string[] = []
        const end = write(value, parts)
        reply.header('content-type', JSON_TYPE)
        return parts.length === 0 ? end : bytesOf([...parts, end])
      }
    }
    case 'stream': {
      const write = compileReply(endpoint.reply, vocabulary)
      return (_reply, value) => write(value)
    }
    case 'form': {
      const members = Object.keys(plain(endpoint.reply).properties ?? {})
      const names = renamed(vocabulary, members, endpoint.id)
      return (reply, value) => {
        const values = value as Record<string, unknown>
        reply.header('content-type', 'application/x-www-form-urlencoded; charset=utf-8')
        return names
          .map(([name, publicName]) => `${encode(publicName)}=${encode(String(values[name]))}`)
          .join('&')
      }
    }
    case 'empty':
    case 'page':
    case 'file':
      return () => {
        throw new Error(`${endpoint.id} has no schema that a value could have`)
      }
  }
}
