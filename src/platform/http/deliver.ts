import { pipeline, type Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, compressed, compressor, type Encoding, MIN_COMPRESSED_LENGTH } from './compress.ts'
import type { Services } from './contract.ts'

export const NO_CACHE = 'no-cache, no-store, max-age=0'

/** Sends a reply whose head is set, compressed if it is large and the client accepts it. */
export function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer | Readable,
  { replied }: Pick<Services, 'replied'>,
): void | Promise<void> {
  const finish = (sent: string | Buffer | Readable) => {
    replied(request, reply, body)
    // Node omits the body of a reply to HEAD, and keeps its headers.
    reply.send(request.method === 'HEAD' && isPieces(sent) ? unsent(sent) : sent)
  }
  if ((!isPieces(body) && body.length < MIN_COMPRESSED_LENGTH) || !isCompressible(reply)) return finish(body)
  reply.header('vary', 'accept-encoding')
  const encoding = acceptedEncoding(request.raw.headers['accept-encoding'])
  const packed = encoding && (isPieces(body) ? piped(body, encoding) : compressed(body, encoding))
  if (!packed) return finish(body)
  reply.header('content-encoding', encoding)
  return packed instanceof Promise ? packed.then(finish) : finish(packed)
}

const isPieces = (body: string | Buffer | Readable): body is Readable =>
  typeof body !== 'string' && !Buffer.isBuffer(body)

/** Other replies are media, and pages, whose secrets compression would reveal. */
const isCompressible = (reply: FastifyReply) => /json/.test(String(reply.getHeader('content-type')))

/** An error of the body destroys what is sent. */
const piped = (body: Readable, encoding: Encoding): Readable =>
  pipeline(body, compressor(encoding), () => undefined)

/** Replaces the body of a reply to HEAD. The headers are those of the body. */
function unsent(body: Readable): string {
  // The head has been sent, so an error can no longer be reported.
  body.on('error', () => undefined).destroy()
  return ''
}
