import type { Socket } from 'node:net'

/** How long a client may take to read why its connection ends. */
const LINGER_MS = 1_000

/**
 * Reads nothing more from a connection. After the reply, the runtime resumes reading to discard the
 * rest of the request: in one turn of the event loop that may be 2 MB.
 */
function stopReading(socket: Socket): void {
  socket.pause()
  socket.on('resume', () => socket.pause())
}

function endAndLinger(socket: Socket, lingerMs: number): void {
  socket.end()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/**
 * Ends a connection after what was written to it, and reads nothing more. If the peer does not
 * close its side in time, the connection is destroyed. Destroying it at once would reset it, and
 * the peer might lose the reply.
 */
export function endConnection(socket: Socket, lingerMs = LINGER_MS): void {
  stopReading(socket)
  endAndLinger(socket, lingerMs)
}

/**
 * The same, as soon as the reply to the current request is complete, which says `Connection:
 * close`. Nothing more is read from now on.
 */
export function endConnectionAfterReply(socket: Socket): void {
  stopReading(socket)
  // The runtime calls this after such a reply, and would destroy the connection.
  socket.destroySoon = () => endAndLinger(socket, LINGER_MS)
}
