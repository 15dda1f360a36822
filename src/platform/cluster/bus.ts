/**
 * Messages between the nodes of one deployment, and within a node. They are hints: a message may be
 * lost, so the tables are authoritative, and receivers of a message read the tables.
 */
export interface Bus {
  /**
   * Sends a message to all subscribers of a channel, on every node including this one, after this
   * call has returned. While the connection is lost, messages are dropped.
   * @throws RangeError The message exceeds `MAX_MESSAGE_BYTES`
   */
  publish(channel: string, data: Uint8Array): void
  /**
   * Calls `take` with each message until the result is disposed of. Messages of one node arrive in
   * order. A message for which `take` throws or rejects is reported and dropped: anything that can
   * reach Redis can publish one.
   * @param lost Called when messages may have been lost: the connection was lost, or messages
   *   arrived faster than they were taken.
   */
  subscribe(channel: string, take: MessageHandler, lost?: () => void): Disposable
  close(): Promise<void>
}

export type MessageHandler = (data: Uint8Array) => unknown

/** Called for each message that its subscriber could not handle. */
export type OnDropped = (channel: string, error: unknown) => void

export const MAX_MESSAGE_BYTES = 64 * 1024

/** The queue limit of a subscriber. Beyond it, the queue is dropped and the subscriber notified. */
export const MAX_WAITING_MESSAGES = 1_000
const MAX_WAITING_BYTES = 1024 * 1024

/** @throws RangeError */
export function checkMessage(data: Uint8Array): void {
  if (data.byteLength > MAX_MESSAGE_BYTES)
    throw new RangeError(`a message has ${data.byteLength} bytes, more than ${MAX_MESSAGE_BYTES}`)
}

/** A subscriber with its queue. */
interface Subscriber {
  take: MessageHandler
  lost: (() => void) | undefined
  waiting: Uint8Array[]
  bytes: number
  hasLost: boolean
  isScheduled: boolean
  /** Called with what `take` or `lost` threw. */
  failed(error: unknown): void
}

/** The subscribers of this node. Each gets its queued messages at the end of the turn. */
export class Subscribers {
  readonly #channels = new Map<string, Set<Subscriber>>()
  readonly #onDropped: OnDropped

  constructor(onDropped: OnDropped) {
    this.#onDropped = onDropped
  }

  /** @param ended Called when the last subscriber of the channel has left. */
  add(
    channel: string,
    { take, lost, ended }: { take: MessageHandler; lost?: (() => void) | undefined; ended?: () => void },
  ): Disposable {
    const failed = (error: unknown) => this.#onDropped(channel, error)
    const subscriber = { take, lost, failed, waiting: [], bytes: 0, hasLost: false, isScheduled: false }
    const others = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, others)
    others.add(subscriber)
    return {
      [Symbol.dispose]: () => {
        if (!others.delete(subscriber)) return
        subscriber.waiting.length = 0
        if (others.size > 0 || this.#channels.get(channel) !== others) return
        this.#channels.delete(channel)
        ended?.()
      },
    }
  }

  deliver(channel: string, data: Uint8Array): void {
    for (const subscriber of this.#channels.get(channel) ?? []) {
      subscriber.waiting.push(data)
      subscriber.bytes += data.byteLength
      if (subscriber.waiting.length > MAX_WAITING_MESSAGES || subscriber.bytes > MAX_WAITING_BYTES)
        drop(subscriber)
      schedule(subscriber)
    }
  }

  /** Notifies every subscriber that messages may have been lost. */
  lose(): void {
    for (const subscribers of this.#channels.values())
      for (const subscriber of subscribers) {
        drop(subscriber)
        schedule(subscriber)
      }
  }

  clear(): void {
    for (const subscribers of this.#channels.values()) {
      for (const subscriber of subscribers) subscriber.waiting.length = 0
      subscribers.clear()
    }
    this.#channels.clear()
  }
}

function drop(subscriber: Subscriber): void {
  subscriber.waiting.length = 0
  subscriber.bytes = 0
  subscriber.hasLost = true
}

function schedule(subscriber: Subscriber): void {
  if (subscriber.isScheduled) return
  subscriber.isScheduled = true
  setImmediate(() => {
    subscriber.isScheduled = false
    const { waiting, hasLost } = subscriber
    Object.assign(subscriber, { waiting: [], bytes: 0, hasLost: false })
    if (hasLost) attempt(() => subscriber.lost?.(), subscriber)
    for (const data of waiting) attempt(() => subscriber.take(data), subscriber)
  })
}

/** An error of one message affects neither later messages nor other subscribers. */
function attempt(work: () => unknown, { failed }: Subscriber): void {
  try {
    const result = work()
    if (result instanceof Promise) result.catch(failed)
  } catch (error) {
    failed(error)
  }
}

/** The bus of a single node. */
export class MemoryBus implements Bus {
  readonly #subscribers: Subscribers

  constructor(onDropped: OnDropped) {
    this.#subscribers = new Subscribers(onDropped)
  }

  publish(channel: string, data: Uint8Array): void {
    checkMessage(data)
    this.#subscribers.deliver(channel, data)
  }

  subscribe(channel: string, take: MessageHandler, lost?: () => void): Disposable {
    return this.#subscribers.add(channel, { take, lost })
  }

  async close(): Promise<void> {
    this.#subscribers.clear()
  }
}
