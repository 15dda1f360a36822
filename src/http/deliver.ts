import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, compressed, MIN_COMPRESSED_LENGTH } from './compress.ts'
import type { Services } from './contract.ts'

export const NO_CACHE = 'no-cache, no-store, max-age=0'

/** Sends a reply whose head is set, compressed if it is large and the client accepts it. */
export function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer | Readable,
  { replied }: Pick<Services, 'replied'>,
): void | Promise<void> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    if (body.length >= MIN_COMPRESSED_LENGTH && isCompressible(reply))
      return deliverLarge(request, reply, body, replied)
    replied(request, reply)
    // Node omits the body of a reply to HEAD, and keeps its headers.
    reply.send(body)
    return
  }
  replied(request, reply)
  reply.send(request.method === 'HEAD' ? unsent(body) : body)
}

const isCompressible = (reply: FastifyReply) => /json/.test(String(reply.getHeader('content-type')))

async function deliverLarge(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  replied: Services['replied'],
): Promise<void> {
  reply.header('vary', 'accept-encoding')
  const encoding = acceptedEncoding(request.raw.headers['accept-encoding'])
  const packed = encoding && (await compressed(body, encoding))
  if (packed) reply.header('content-encoding', encoding)
  replied(request, reply)
  reply.send(packed ?? body)
}

/** Replaces the body of a reply to HEAD. The headers are those of the body. */
function unsent(body: Readable): string {
  // The head has been sent, so an error can no longer be reported.
  body.on('error', () => undefined).destroy()
  return ''
}
