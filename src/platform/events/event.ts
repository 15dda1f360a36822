/**
 * The data of an event: ids and plain values. It is stored as JSON; handlers receive nothing else.
 */
export type EventData = Readonly<Record<string, string | number | boolean | null>>

/** A kind of domain event, with the type of its data. */
export interface EventKind<Data extends EventData = EventData> {
  /** Stored with each event, so that it never changes: `user.suspended`. */
  readonly name: string
  /** The id of the subject. Events of one subject are handled in order. */
  subject(data: Data): string
  /**
   * How many things an event is about, at least 1. The position in the log grows by this number.
   */
  items(data: Data): number
}

/** An event, as the log stores it. */
export interface LoggedEvent<Data extends EventData = EventData> {
  /** Grows along the log: by 1, by the items of the event, or by more where events were removed. */
  readonly position: number
  readonly kind: string
  readonly subject: string
  /** The time of its transaction, in epoch milliseconds. */
  readonly at: number
  readonly data: Data
}

const names = new Set<string>()

/**
 * Declares a kind of event, beside its resource:
 *
 *     export const userSuspended = eventKind<{ user_id: string }>(
 *       'user.suspended',
 *       ({ user_id }) => user_id,
 *     )
 *
 * @throws Error A kind with this name exists already.
 */
export function eventKind<Data extends EventData>(
  name: string,
  subject: (data: Data) => string,
  items: (data: Data) => number = () => 1,
): EventKind<Data> {
  if (names.has(name)) throw new Error(`there are two kinds of events with the name ${name}`)
  names.add(name)
  return { name, subject, items }
}

/** Whether an event is of a kind, which determines the type of its data. */
export const isOfKind = <Data extends EventData>(
  event: LoggedEvent,
  kind: EventKind<Data>,
): event is LoggedEvent<Data> => event.kind === kind.name
