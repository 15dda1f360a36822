import { readFileSync, writeFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import type { BareReply, Tls } from './processes.ts'

// What Plaza is measured against: the same framework on the same Node, replying the same bytes
// without any work.

const [port, ready = '', file = ''] = process.argv.slice(2)
const { replies, tls } = JSON.parse(readFileSync(file, 'utf8')) as { replies: BareReply[]; tls?: Tls }
const https = tls && { cert: readFileSync(tls.certificate), key: readFileSync(tls.key) }
const server = Fastify({ ...(https && { https }) } as object) as unknown as FastifyInstance
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
for (const { method, path, status, type, body, serialize } of replies) {
  // Text goes out as it is; an object is serialized for every request, as a handler that read it
  // would have to.
  const sent = serialize ? (JSON.parse(body) as object) : body
  server.route({
    method,
    url: path,
    handler: (_request, reply) => reply.code(status).header('content-type', type).send(sent),
  })
}
await server.listen({ host: '127.0.0.1', port: Number(port) })
writeFileSync(ready, '')
