import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'

/** A webhook's server that answers every CRC check of one app correctly, whatever the path. */
export function createConsumer(consumerSecret: string): Server {
  return createServer((request, response) => {
    const token = new URL(request.url ?? '/', 'http://consumer').searchParams.get('crc_token') ?? ''
    const digest = createHmac('sha256', consumerSecret).update(token).digest('base64')
    const body = JSON.stringify({ response_token: `sha256=${digest}` })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
}

if (import.meta.main) {
  const [port, ready = '', secret = ''] = process.argv.slice(2)
  createConsumer(secret).listen(Number(port), '127.0.0.1', () => writeFileSync(ready, ''))
}
