import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A reply as it came over the wire. */
export interface RawReply {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: string
}

/** Opens a connection to the origin of a listener. */
export async function dial(origin: string, caPem: string | undefined): Promise<Socket> {
  const { protocol, hostname, port } = new URL(origin)
  const at = { host: hostname, port: Number(port) }
  const socket = protocol === 'https:' ? connectTls({ ...at, ca: caPem as string }) : connect(at)
  socket.on('error', () => undefined)
  await once(socket, protocol === 'https:' ? 'secureConnect' : 'connect')
  return socket
}

/** Everything that arrives until the other side ends the connection. */
export async function heard(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await Promise.race([once(socket, 'end'), once(socket, 'close')])
  return Buffer.concat(chunks).toString()
}

/** Sends bytes as they are, and resolves to the reply, which must be the last of the connection. */
export async function rawReply(origin: string, caPem: string | undefined, bytes: string): Promise<RawReply> {
  const socket = await dial(origin, caPem)
  socket.write(bytes, 'latin1')
  const reply = parsedReply(await heard(socket))
  socket.destroy()
  return reply
}

export function parsedReply(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  }
}
