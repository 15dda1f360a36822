import type { Socket } from 'node:net'

/** How long a client may take to read why its connection ends. */
const LINGER_MS = 1_000

/**
 * Ends a connection after what was written to it, and reads nothing more. If the peer does not close its side in time, the
 * connection is destroyed. Destroying it at once would reset it, and the peer might lose the reply.
 */
export function endConnection(socket: Socket, lingerMs = LINGER_MS): void {
  socket.pause()
  // After the reply, the runtime resumes reading once more, to discard the rest of the request.
  setImmediate(() => socket.pause())
  socket.end()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/**
 * The same, as soon as the reply to the current request is complete, which says `Connection: close`. Nothing more is read
 * from now on.
 */
export function endConnectionAfterReply(socket: Socket): void {
  socket.pause()
  // The runtime calls this after such a reply, and would destroy the connection.
  socket.destroySoon = () => endConnection(socket)
}
