import type { Bus } from '../../../platform/cluster/bus.ts'
import { messagesOn } from '../../../platform/cluster/messages.ts'
import { systemClock } from '../../../platform/common/clock.ts'
import { type RandomSource, uuid } from '../../../platform/common/random.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { StreamConnectionRow } from '../tables.ts'
import type { StreamConnection } from './connection.ts'
import { connectionsByIds } from './queries.ts'

/** The outcome for a connection that was to be ended. */
export interface Kill {
  readonly uuid: string
  readonly success: boolean
  readonly error_message?: string
}

interface ConnectionKillsOptions {
  store: Pick<Store, 'all'>
  bus: Bus
  random: RandomSource
  connections: { get(id: string): Pick<StreamConnection, 'id' | 'end'> | undefined }
}

/** Maximum number of ids in one message of the bus. */
const UUIDS_AT_ONCE = 500
/** How long other nodes may take. In real time. */
const ANSWER_MS = 3_000

interface Order {
  order: string
  uuids: string[]
}

const isOrder = (value: Partial<Record<keyof Order, unknown>>): value is Order =>
  typeof value.order === 'string' &&
  Array.isArray(value.uuids) &&
  value.uuids.length <= UUIDS_AT_ONCE &&
  value.uuids.every((one) => typeof one === 'string')

const orders = messagesOn('end stream connections', isOrder)
const answers = messagesOn('stream connections ended', isOrder)

/**
 * Ends connections on whichever node holds them. A node that ends connections announces it on the
 * bus once their ends are recorded. The records are authoritative, so a lost message causes no
 * wrong result.
 */
export class ConnectionKills {
  readonly #parts: ConnectionKillsOptions
  readonly #listener: Disposable
  readonly #waiting = new Map<string, (ended: readonly string[]) => void>()
  readonly #answers: Disposable

  constructor(parts: ConnectionKillsOptions) {
    this.#parts = parts
    this.#listener = orders.subscribe(parts.bus, (order) => this.#obey(order))
    this.#answers = answers.subscribe(parts.bus, ({ order, uuids }) => this.#waiting.get(order)?.(uuids))
  }

  close(): void {
    this.#listener[Symbol.dispose]()
    this.#answers[Symbol.dispose]()
  }

  /** Ends connections of an app. Resolves to the outcome for each, in order. */
  async end(app: string, uuids: readonly string[]): Promise<Kill[]> {
    const before = await this.#rows(uuids)
    const open = uuids.filter((one) => isOpenOf(before.get(one), app))
    await this.#endOpen(open)
    const after = await this.#rows(open)
    return uuids.map((one) => {
      if (before.get(one)?.app_id !== app) return failed(one, 'There is no such connection.')
      if (!open.includes(one)) return failed(one, 'The connection had ended before.')
      return after.get(one)?.disconnected_at === null
        ? failed(one, 'The node of the connection does not answer.')
        : { uuid: one, success: true }
    })
  }

  /** Resolves when every connection has ended, or the other nodes have had their time. */
  async #endOpen(uuids: readonly string[]): Promise<void> {
    const own = await this.#endOwn(uuids)
    const left = new Set(uuids.filter((one) => !own.includes(one)))
    if (left.size === 0) return
    const { bus, random } = this.#parts
    const order = uuid(random)
    const all = new AbortController()
    this.#waiting.set(order, (ended) => {
      for (const one of ended) left.delete(one)
      if (left.size === 0) all.abort()
    })
    const others = [...left]
    for (let at = 0; at < others.length; at += UUIDS_AT_ONCE)
      orders.publish(bus, { order, uuids: others.slice(at, at + UUIDS_AT_ONCE) })
    await systemClock.at(systemClock.now() + ANSWER_MS, all.signal)
    this.#waiting.delete(order)
  }

  async #obey({ order, uuids }: Order): Promise<void> {
    const ended = await this.#endOwn(uuids)
    if (ended.length > 0) answers.publish(this.#parts.bus, { order, uuids: ended })
  }

  /** Ends those that this node holds. Resolves to them once their ends are recorded. */
  async #endOwn(uuids: readonly string[]): Promise<string[]> {
    const own = uuids.flatMap((one) => this.#parts.connections.get(one) ?? [])
    await Promise.all(own.map((connection) => connection.end('operator_disconnect')))
    return own.map(({ id }) => id)
  }

  async #rows(uuids: readonly string[]): Promise<Map<string, StreamConnectionRow>> {
    if (uuids.length === 0) return new Map()
    const rows = await this.#parts.store.all(connectionsByIds, { ids: JSON.stringify(uuids) })
    return new Map(rows.map((row) => [row.id, row]))
  }
}

const isOpenOf = (row: StreamConnectionRow | undefined, app: string) =>
  row?.app_id === app && row.disconnected_at === null

const failed = (uuid: string, error_message: string): Kill => ({ uuid, success: false, error_message })
