import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TimeSource } from '../../../platform/common/clock.ts'
import type { LoggedEvent } from '../../../platform/events/event.ts'
import type { Tail, TailTaker } from '../../../platform/events/tail.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { lineOf, type StreamConnection } from '../connections/connection.ts'
import type { ObjectFormat } from '../posts/formats.ts'
import { WRITTEN_AT_ONCE } from '../posts/matching.ts'
import type { Span } from '../span.ts'

/** Where the rows of streams come from: those that are public, in pages. */
export interface VolumeSource<Row> {
  /** What some events published. */
  published(events: readonly LoggedEvent[]): AsyncIterable<readonly Row[]>
  /** What was published in a period, oldest first. */
  within(span: Span): AsyncIterable<readonly Row[]>
  /** The key with which a format writes a row. */
  keyOf(row: Row): string
}

/** A connection to a stream that needs no rules. */
export interface VolumeSubscriber<Row> {
  readonly connection: StreamConnection
  readonly format: ObjectFormat
  /** Whether the stream contains a row. */
  takes(row: Row): boolean
}

interface VolumeStreamsOptions<Row> {
  readonly store: Store
  readonly clock: TimeSource
  readonly mediaOrigin: string
  /** Called with what was sent, by its key, and to how many. */
  readonly onSent?: (key: string, times: number) => void
  readonly tail: Tail
  readonly source: VolumeSource<Row>
}

/** A row as JSON, for some subscribers. */
interface WrittenRow<Row> {
  readonly json: string
  readonly to: readonly VolumeSubscriber<Row>[]
}

/**
 * The streams of this node that need no rules: samples and firehoses. Each row is read once, and
 * written once for all connections that show it in the same way.
 */
export class VolumeStreams<Row> implements TailTaker {
  readonly #options: VolumeStreamsOptions<Row>
  readonly #subscribers = new Set<VolumeSubscriber<Row>>()

  constructor(options: VolumeStreamsOptions<Row>) {
    this.#options = options
  }

  /** Adds a subscriber. Resolves once everything that is published from then on reaches it. */
  async add(subscriber: VolumeSubscriber<Row>): Promise<void> {
    const { tail } = this.#options
    this.#subscribers.add(subscriber)
    void subscriber.connection.over.then(() => {
      this.#subscribers.delete(subscriber)
      if (this.#subscribers.size === 0) tail.remove(this)
    })
    await tail.add(this)
  }

  async take(events: readonly LoggedEvent[]): Promise<void> {
    let count = 0
    for await (const rows of this.#options.source.published(events))
      for await (const { json, to } of this.#written(rows, [...this.#subscribers])) {
        const line = lineOf(json)
        for (const { connection } of to) connection.push(line)
        if (++count % WRITTEN_AT_ONCE === 0) await nextTurn()
      }
  }

  /** Sends a subscriber what was published in a period, as fast as it reads. */
  async replay(subscriber: VolumeSubscriber<Row>, span: Span): Promise<void> {
    const { connection } = subscriber
    for await (const rows of this.#options.source.within(span)) {
      for await (const { json } of this.#written(rows, [subscriber])) await connection.offer(lineOf(json))
      if (!connection.isOpen) return
    }
  }

  /** Writes rows once for each format in which subscribers take them. */
  async *#written(
    rows: readonly Row[],
    subscribers: readonly VolumeSubscriber<Row>[],
  ): AsyncGenerator<WrittenRow<Row>> {
    const { store, clock, mediaOrigin, source } = this.#options
    const batch = {
      view: { userId: undefined, now: clock.now(), store, mediaOrigin },
      ids: rows.map((row) => source.keyOf(row)),
    }
    for (const ofFormat of Map.groupBy(subscribers, ({ format }) => format.key).values()) {
      const takers = new Map(rows.map((row) => [source.keyOf(row), ofFormat.filter((one) => one.takes(row))]))
      const keys = batch.ids.filter((key) => takers.get(key)?.length)
      const [first] = ofFormat
      if (!first || keys.length === 0) continue
      for await (const [key, json] of first.format.write(keys, batch)) {
        const to = takers.get(key) ?? []
        this.#options.onSent?.(key, to.length)
        yield { json, to }
      }
    }
  }
}
