import type { FastifyInstance } from 'fastify'
import type { OwnListener } from '../../workbench/own-server.ts'
import { openOwn } from '../../workbench/own-server.ts'

export interface MediaParts {
  /** The listener that serves files. */
  readonly core: () => { readonly listener: OwnListener; readonly origin: string } | undefined
  /** `/media/`, in the vocabulary of this Plaza. */
  readonly mediaPath: string
}

const PASSED = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag']

/**
 * Mounts files of media at `/media/{file}`, as the core API serves them: a browser that does not
 * trust the local authority shows them here. Anyone who knows the name of a file may get it there,
 * too.
 */
export function mountMedia(server: FastifyInstance, { core, mediaPath }: MediaParts): void {
  server.get('/media/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    const served = core()
    if (!served || !/^[0-9a-f]{64}\.[a-z0-9]{3,4}$/.test(file))
      return reply.code(404).send({ status: 'not found' })
    const { range } = request.headers
    const opened = await openOwn(served.listener, {
      method: 'GET',
      target: mediaPath + file,
      headers: ['host', new URL(served.origin).host, ...(range === undefined ? [] : ['range', range])],
      body: undefined,
    })
    reply.raw.once('close', opened.close)
    for (const name of PASSED) {
      const value = opened.headers[name]
      if (value !== undefined) reply.header(name, value)
    }
    return reply
      .code(opened.status)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(opened.body)
  })
}
