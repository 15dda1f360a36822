import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { encode } from '../../common/percent.ts'
import { deliver, NO_CACHE } from '../deliver.ts'
import type { Endpoint } from '../endpoint.ts'
import { compileReply } from '../reply.ts'
import type { Reply } from '../reply-kinds.ts'
import { plain } from '../schema.ts'
import type { Services, Step } from '../step.ts'
import { renamed } from '../vocabulary.ts'

/** Writes what the handler returned, and sends it. Only declared members leave. */
export const send: Step = {
  name: 'send',
  compile(endpoint, services) {
    const writeBody = compileWriter(endpoint, services)
    return ({ request, reply, result }) => deliver(request, reply, writeBody(reply, result), services)
  },
}

/** Compiles the head and the body of a reply from what a handler returns. */
function compileWriter(endpoint: Endpoint, services: Services) {
  const writeValue = compileValue(endpoint, services)
  return (reply: FastifyReply, result: Reply<unknown>): string | Readable => {
    reply.code(result.kind === 'json' ? (result.status ?? endpoint.status) : result.status)
    reply.header('cache-control', NO_CACHE)
    switch (result.kind) {
      case 'json':
        return writeValue(reply, result.value)
      case 'empty':
        return ''
      case 'bytes':
        reply.headers(result.headers as Record<string, string>)
        return result.body
    }
  }
}

type WriteValue = (reply: FastifyReply, value: unknown) => string

/** Compiles how the value of a reply is written. */
function compileValue(endpoint: Endpoint, { speech: { vocabulary } }: Services): WriteValue {
  switch (endpoint.replyKind) {
    case 'json': {
      const write = compileReply(endpoint.reply, vocabulary)
      return (reply, value) => {
        const body = write(value)
        reply.header('content-type', 'application/json; charset=utf-8')
        return body
      }
    }
    case 'form': {
      const members = Object.keys(plain(endpoint.reply).properties ?? {})
      const names = renamed(vocabulary, members, endpoint.id)
      return (reply, value) => {
        const values = value as Record<string, unknown>
        reply.header('content-type', 'application/x-www-form-urlencoded; charset=utf-8')
        return names.map(([name, sent]) => `${encode(sent)}=${encode(String(values[name]))}`).join('&')
      }
    }
    case 'page':
      return () => {
        throw new Error(`${endpoint.id} has no schema that a value could have`)
      }
  }
}
