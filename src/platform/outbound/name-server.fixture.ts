import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

/** The addresses of a name, or why there are none. A server that is silent never answers. */
export type NameAnswer = readonly string[] | 'unknown' | 'silent'

const A = 1
const AAAA = 28
const HEADER_BYTES = 12
const NO_SUCH_NAME = 3

/** A name server on loopback that answers what the test says, until the test ends. */
export async function startNameServer(t: TestContext, answerTo: (name: string) => NameAnswer) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = questionIn(query)
    asked.push(`${name} ${type === AAAA ? 'AAAA' : 'A'}`)
    const answer = answerTo(name)
    if (answer === 'silent') return
    const addresses =
      answer === 'unknown' ? [] : answer.filter((one) => one.includes(':') === (type === AAAA))
    const header = Buffer.from(query.subarray(0, HEADER_BYTES))
    header.writeUInt16BE(0x8180 | (answer === 'unknown' ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    const records = addresses.map((address) => recordOf(address, type))
    socket.send(
      Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]),
      from.port,
      from.address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { asked, server: `127.0.0.1:${socket.address().port}` }
}

function questionIn(query: Buffer) {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** The name is a pointer to the question. */
function recordOf(address: string, type: number): Buffer {
  const data = type === A ? Buffer.from(address.split('.').map(Number)) : bytesOfIpv6(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function bytesOfIpv6(address: string): Buffer {
  const [front = '', back = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const missing = 8 - groups(front).length - groups(back).length
  const all = [...groups(front), ...Array.from({ length: missing }, () => '0'), ...groups(back)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
