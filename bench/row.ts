import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

// What publishing a post is measured against: the same framework, with a route that commits one row
// for each request.

const [port, ready = ''] = process.argv.slice(2)
const database = new DatabaseSync(join(dirname(ready), 'row.db'))
database.exec(
  'pragma journal_mode = wal; pragma synchronous = full; create table rows (id integer primary key, body text)',
)
const add = database.prepare('insert into rows (body) values (?)')
const server = Fastify()
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
server.post('/row', (request, reply) => {
  const { lastInsertRowid } = add.run(String(request.body))
  return reply
    .code(201)
    .header('content-type', 'application/json')
    .send(JSON.stringify({ data: { id: String(lastInsertRowid) } }))
})
await server.listen({ host: '127.0.0.1', port: Number(port) })
writeFileSync(ready, '')
