import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Tls } from './processes.ts'

// A webhook consumer that takes as little processor time as possible, so that the sender is
// measured. It answers checks, counts deliveries (`GET /count`), and records when each arrived
// (`GET /arrivals` returns these times and clears them). After `GET /hang?N`, it does not answer
// deliveries to `/N`; after `GET /hang?none`, it answers all.

const HEAD_END = Buffer.from('\r\n\r\n')
const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
/** Every 64th signature is verified. */
const VERIFIED = 64
/** The number of an event, in its body. */
const NUMBER = / n([0-9]+)[ "]/

/** By the position in each list: a delivery. `times` are epoch milliseconds, with fractions. */
export interface Arrivals {
  hooks: number[]
  numbers: number[]
  times: number[]
}

const [port, ready = '', secret = '', tlsFile] = process.argv.slice(2)
let count = 0
let forged = 0
let arrivals: Arrivals = { hooks: [], numbers: [], times: [] }
let hanging = -1

function reply(socket: Socket, body: unknown): void {
  const text = JSON.stringify(body)
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

function answerGet(socket: Socket, target: string): void {
  const { pathname, search, searchParams } = new URL(target, 'http://hook')
  const token = searchParams.get('crc_token')
  if (token !== null) {
    const digest = createHmac('sha256', secret).update(token).digest('base64')
    reply(socket, { response_token: `sha256=${digest}` })
  } else if (pathname === '/arrivals') {
    reply(socket, arrivals)
    arrivals = { hooks: [], numbers: [], times: [] }
  } else if (pathname === '/hang') {
    hanging = search === '?none' ? -1 : Number(search.slice(1))
    reply(socket, {})
  } else reply(socket, { count, forged })
}

function isForged(head: string, body: string): boolean {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`
  return !head.includes(`x-svc-webhooks-signature: ${signature}\r\n`)
}

function take(socket: Socket, target: string, { head, body }: { head: string; body: string }): void {
  const hook = Number(target.slice(1))
  if (count++ % VERIFIED === 0 && isForged(`${head}\r\n`, body)) forged++
  arrivals.hooks.push(hook)
  arrivals.numbers.push(Number(NUMBER.exec(body)?.[1] ?? -1))
  arrivals.times.push(performance.timeOrigin + performance.now())
  if (hook !== hanging) socket.write(OK)
}

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf(HEAD_END)
      if (end === -1) return
      const head = rest.toString('latin1', 0, end)
      const length = Number(/\ncontent-length: ([0-9]+)/i.exec(head)?.[1] ?? 0)
      const after = end + HEAD_END.length + length
      if (rest.length < after) return
      const [method, target = ''] = head.split(' ', 2)
      if (method === 'GET') answerGet(socket, target)
      else take(socket, target, { head, body: rest.toString('utf8', after - length, after) })
      rest = rest.subarray(after)
    }
  })
}

function listening() {
  if (!tlsFile) return createServer({ noDelay: true }, serve)
  const { certificate, key } = JSON.parse(readFileSync(tlsFile, 'utf8')) as Tls
  return createTlsServer({ cert: readFileSync(certificate), key: readFileSync(key), noDelay: true }, serve)
}

listening().listen(Number(port), '127.0.0.1', () => writeFileSync(ready, ''))
