import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TimeSource } from '../../../platform/common/clock.ts'
import { firstIdAt, idBefore } from '../../../platform/common/ids.ts'
import type { LoggedEvent } from '../../../platform/events/event.ts'
import type { Tail, TailTaker } from '../../../platform/events/tail.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { lineOf, type StreamConnection } from '../connections/connection.ts'
import type { Span } from '../open-stream.ts'
import type { PostFormat } from '../posts/formats.ts'
import { isDelivered } from '../posts/matchable.ts'
import { POSTS_AT_ONCE, publishedPosts, WRITTEN_AT_ONCE } from '../posts/matching.ts'
import { type MatchedRow, postsOfSpan, postsToMatch } from '../posts/queries.ts'

/** A connection to a stream of all posts or of a share of them. */
export interface VolumeSubscriber {
  readonly connection: StreamConnection
  readonly format: PostFormat
  /** Whether the stream contains a public post. */
  takes(post: Pick<MatchedRow, 'id' | 'lang'>): boolean
}

interface PostVolumesOptions {
  readonly store: Store
  readonly clock: TimeSource
  readonly mediaOrigin: string
  readonly tail: Tail
}

/** A post as JSON, for some subscribers. */
interface WrittenPost {
  readonly json: string
  readonly to: readonly VolumeSubscriber[]
}

/**
 * The streams of this node that need no rules: samples and firehoses. Each public post is read
 * once, and written once for all connections that show it in the same way.
 */
export class PostVolumes implements TailTaker {
  readonly #options: PostVolumesOptions
  readonly #subscribers = new Set<VolumeSubscriber>()

  constructor(options: PostVolumesOptions) {
    this.#options = options
  }

  /** Adds a subscriber. Resolves once every post that is published from then on reaches it. */
  async add(subscriber: VolumeSubscriber): Promise<void> {
    const { tail } = this.#options
    this.#subscribers.add(subscriber)
    void subscriber.connection.over.then(() => {
      this.#subscribers.delete(subscriber)
      if (this.#subscribers.size === 0) tail.remove(this)
    })
    await tail.add(this)
  }

  async take(events: readonly LoggedEvent[]): Promise<void> {
    const ids = publishedPosts(events)
    let count = 0
    for (let from = 0; from < ids.length; from += POSTS_AT_ONCE) {
      const page = JSON.stringify(ids.slice(from, from + POSTS_AT_ONCE))
      const rows = await this.#options.store.all(postsToMatch, { ids: page })
      for await (const { json, to } of this.#written(rows, [...this.#subscribers])) {
        const line = lineOf(json)
        for (const { connection } of to) connection.push(line)
        if (++count % WRITTEN_AT_ONCE === 0) await nextTurn()
      }
    }
  }

  /** Sends a subscriber the posts of a period, as fast as it reads. */
  async replay(subscriber: VolumeSubscriber, { fromMs, toMs }: Span): Promise<void> {
    const { connection } = subscriber
    const before = firstIdAt(toMs)
    for (let after = idBefore(firstIdAt(fromMs)); connection.isOpen; ) {
      const rows = await this.#options.store.all(postsOfSpan, { after, before, limit: POSTS_AT_ONCE })
      for await (const { json } of this.#written(rows, [subscriber])) await connection.offer(lineOf(json))
      const last = rows.at(-1)
      if (!last || rows.length < POSTS_AT_ONCE) return
      after = last.id
    }
  }

  /** Writes posts once for each format in which subscribers take them. */
  async *#written(
    rows: readonly MatchedRow[],
    subscribers: readonly VolumeSubscriber[],
  ): AsyncGenerator<WrittenPost> {
    const posts = rows.filter((row) => isDelivered(row) && row.nullcast === 0)
    const { store, clock, mediaOrigin } = this.#options
    const view = { userId: undefined, now: clock.now(), store, mediaOrigin }
    const batch = { view, ids: posts.map(({ id }) => id) }
    for (const ofFormat of Map.groupBy(subscribers, ({ format }) => format.key).values()) {
      const takers = new Map(posts.map((post) => [post.id, ofFormat.filter((one) => one.takes(post))]))
      const ids = batch.ids.filter((id) => takers.get(id)?.length)
      const [first] = ofFormat
      if (!first || ids.length === 0) continue
      for await (const [id, json] of first.format.write(ids, batch)) yield { json, to: takers.get(id) ?? [] }
    }
  }
}
