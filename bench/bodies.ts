import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { watchMemory } from './audiences.ts'
import type { Figure } from './figure.ts'
import { type RunningPlaza, startPlaza, type Tls } from './processes.ts'

// The memory that callers without credentials take, who send almost all of a form and hold the rest
// back. npm run bench -- bodies

const CALLERS = [50, 200, 800]
const WARM_UP_CALLERS = 2
const DECLARED_BYTES = 8 * 2 ** 20
const HELD_BYTES = 7.9 * 2 ** 20
const CHUNK = Buffer.alloc(64 * 1024, 'a')
/** Until every caller has been answered, or sends into buffers that nobody reads. */
const HOLD_MS = 15_000
const BACK_MS = 30_000
const TARGET_MB = 60

/** Sends as much as the server reads, until the connection ends. */
async function hold(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  socket.on('error', () => undefined)
  await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')])
  socket.resume()
  socket.write(
    'POST /1.1/media/upload.json HTTP/1.1\r\nhost: api.plaza.test\r\ncontent-type: application/x-www-form-urlencoded\r\n' +
      `content-length: ${DECLARED_BYTES}\r\n\r\n`,
  )
  let sent = 0
  const send = () => {
    while (sent < HELD_BYTES && socket.writable) {
      sent += CHUNK.length
      if (!socket.write(CHUNK)) return
    }
  }
  socket.on('drain', send)
  send()
  return socket
}

async function measureCallers(plaza: RunningPlaza, count: number): Promise<{ more: number; left: number }> {
  const before = residentMegabytes(plaza)
  const memory = watchMemory(plaza)
  const sockets = await Promise.all(Array.from({ length: count }, () => hold(plaza.process.port)))
  await sleep(HOLD_MS)
  memory.stop()
  const more = memory.most / 2 ** 20 - before
  for (const socket of sockets) socket.destroy()
  await sleep(BACK_MS)
  return { more, left: residentMegabytes(plaza) - before }
}

const residentMegabytes = ({ process }: RunningPlaza) => (process.residentBytes() ?? Number.NaN) / 2 ** 20

export async function measureBodies(
  folder: string,
  { add, certificate }: { add(figure: Figure): void; certificate(folder: string): Promise<Tls> },
): Promise<void> {
  console.log('\nbodies: callers without credentials that hold 7.9 of 8 MB')
  const tls = await certificate(folder)
  const plaza = await startPlaza({ folder, tls, more: ['--connections-per-address', '2000'] })
  try {
    // The first callers pay for what a server needs anyway.
    await measureCallers(plaza, WARM_UP_CALLERS)
    for (const count of CALLERS) {
      const { more, left } = await measureCallers(plaza, count)
      const target = { target: `≤ ${TARGET_MB} MB` }
      add({
        name: `bodies: more memory with ${count} callers`,
        unit: 'MB',
        plaza: more,
        ...target,
        pass: more <= TARGET_MB,
      })
      add({
        name: '  30 s after they have gone',
        unit: 'MB',
        plaza: left,
        ...target,
        pass: left <= TARGET_MB,
      })
    }
  } finally {
    await plaza.process.stop()
  }
}
