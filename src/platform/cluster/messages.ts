import type { Bus } from './bus.ts'

/** A message on the bus has another form than its channel. */
class InvalidMessage extends Error {
  override readonly name = 'InvalidMessage'
}

/** Messages of one form on a channel of the bus, as JSON. */
export interface MessageChannel<Message> {
  publish(bus: Bus, message: Message): void
  /** Messages of another form are reported and dropped by the bus. */
  subscribe(bus: Bus, take: (message: Message) => unknown, lost?: () => void): Disposable
}

/**
 * @param isMessage Whether a parsed JSON object is a message of the channel. It must check every
 *   member.
 */
export const messagesOn = <Message extends object>(
  channel: string,
  isMessage: (value: Partial<Record<keyof Message, unknown>>) => value is Message,
): MessageChannel<Message> => ({
  publish: (bus, message) => bus.publish(channel, Buffer.from(JSON.stringify(message))),
  subscribe(bus, take, lost) {
    const read = (data: Uint8Array) => {
      const value = objectIn(data)
      if (!isMessage(value)) throw new InvalidMessage('a member is missing or invalid')
      return take(value)
    }
    return bus.subscribe(channel, read, lost)
  },
})

/** @throws InvalidMessage */
function objectIn(data: Uint8Array): object {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(data).toString())
  } catch (cause) {
    throw new InvalidMessage('it is not JSON', { cause })
  }
  if (typeof value !== 'object' || value === null) throw new InvalidMessage('it is not a JSON object')
  return value
}
