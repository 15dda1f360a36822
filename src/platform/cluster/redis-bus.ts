import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, ErrorReply } from '@redis/client'
import { type Bus, checkMessage, type MessageHandler, type OnDropped, Subscribers } from './bus.ts'

/** How long one attempt to connect may take. */
const CONNECT_TIMEOUT_MS = 1_000
const CLOSE_TIMEOUT_MS = 1_000
/** The interval of pings, and the silence after which a connection is replaced. */
const PING_MS = 10_000
const SILENT_MS = 30_000
/** Maximum number of messages waiting to be sent. Further messages are dropped. */
const MAX_OUTGOING = 1_000
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 1_000

export interface RedisBusOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string
  /** Prefix of every channel. */
  readonly prefix: string
  /** The name of its connections in `CLIENT LIST`. */
  readonly name?: string
  /** Called for every lost connection and failed attempt to connect. */
  readonly onError: (error: Error) => void
  readonly onDropped: OnDropped
}

type RedisClient = ReturnType<typeof newClient>

/** The bus of several nodes: Redis publish and subscribe, on two connections of its own. */
export class RedisBus implements Bus {
  readonly #prefix: string
  readonly #subscribers: Subscribers
  readonly #publisher: RedisClient
  readonly #receiver: RedisClient
  /** By their channels. */
  readonly #receivers = new Map<string, (data: Buffer) => void>()
  readonly #report: (error: Error) => void
  #closed = false

  /** Starts connecting, with retries. */
  constructor({ url, prefix, name = 'plaza-bus', onError, onDropped }: RedisBusOptions) {
    this.#prefix = `${prefix}bus:`
    this.#subscribers = new Subscribers(onDropped)
    this.#report = (error) => {
      if (!this.#closed) onError(error)
    }
    this.#publisher = newClient({ url, name }, this.#report)
    this.#receiver = newClient({ url, name }, this.#report).on('ready', () => {
      // Resubscribes to all channels. Messages sent while the connection was lost are gone.
      for (const channel of this.#receivers.keys()) this.#listen(channel)
      this.#subscribers.lose()
    })
    for (const client of [this.#publisher, this.#receiver]) client.connect().catch(this.#report)
  }

  publish(channel: string, data: Uint8Array): void {
    checkMessage(data)
    if (this.#closed || !this.#publisher.isReady) return
    this.#publisher.publish(this.#prefix + channel, Buffer.from(data)).catch(this.#rejected)
  }

  subscribe(channel: string, take: MessageHandler, lost?: () => void): Disposable {
    if (!this.#receivers.has(channel)) {
      this.#receivers.set(channel, (data) => this.#subscribers.deliver(channel, data))
      if (this.#receiver.isReady) this.#listen(channel)
    }
    return this.#subscribers.add(channel, { take, lost, ended: () => this.#leave(channel) })
  }

  /** Subscribes to a channel, once. The next connection repeats a failed subscription. */
  #listen(channel: string): void {
    const receive = this.#receivers.get(channel)
    if (receive) this.#receiver.subscribe(this.#prefix + channel, receive, true).catch(this.#rejected)
  }

  #leave(channel: string): void {
    const receive = this.#receivers.get(channel)
    this.#receivers.delete(channel)
    if (this.#closed || !receive) return
    this.#receiver.unsubscribe(this.#prefix + channel, receive, true).catch(this.#rejected)
  }

  /** The client reports lost connections by itself. */
  readonly #rejected = (error: unknown) => {
    if (error instanceof ErrorReply) this.#report(error)
  }

  /** Sends published messages first, if Redis replies soon. */
  async close(): Promise<void> {
    this.#closed = true
    this.#subscribers.clear()
    if (this.#publisher.isReady)
      await Promise.race([
        this.#publisher.close().catch(() => undefined),
        sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ])
    for (const client of [this.#publisher, this.#receiver]) destroyQuietly(client)
  }
}

function newClient(at: { url: string; name: string }, onError: (error: Error) => void) {
  const client = createClient({
    ...at,
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_OUTGOING,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries) => Math.min(FIRST_RETRY_MS * 2 ** Math.min(retries, 10), LAST_RETRY_MS),
    },
  })
  return client.on('error', onError)
}

/** Destroying a client that never connected throws an error, which can be ignored. */
function destroyQuietly(client: RedisClient): void {
  try {
    client.destroy()
  } catch {
    // There was no connection.
  }
}
