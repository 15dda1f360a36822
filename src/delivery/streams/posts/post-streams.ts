import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UsageApp } from '../../../domain/usage/usage.ts'
import type { TimeSource } from '../../../platform/common/clock.ts'
import { firstIdAt, idBefore } from '../../../platform/common/ids.ts'
import type { LoggedEvent } from '../../../platform/events/event.ts'
import type { Tail, TailTaker } from '../../../platform/events/tail.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { lineOf, type StreamConnection } from '../connections/connection.ts'
import type { RuledStream } from '../rules.ts'
import type { Span } from '../span.ts'
import { AppsBehind } from './apps-behind.ts'
import type { PostFormat } from './formats.ts'
import { changedApps, POSTS_AT_ONCE, PostMatching, WRITTEN_AT_ONCE } from './matching.ts'
import { postsOfSpan } from './queries.ts'
import type { RuleSets } from './rule-sets.ts'
import type { ShownPosts } from './shown-posts.ts'

/** A connection, with its format of posts. */
export interface Subscriber {
  readonly app: UsageApp
  readonly connection: StreamConnection
  readonly format: PostFormat
}

interface PostStreamsOptions {
  store: Store
  clock: TimeSource
  mediaOrigin: string
  stream: RuledStream
  rules: RuleSets
  shown: Pick<ShownPosts, 'add'>
  tail: Tail
  /**
   * Called when the streams of an app wait because its rules or posts could not be read. They are
   * read again.
   */
  onError: (error: unknown) => void
}

/**
 * A stream of posts on this node. It reads the posts that events name, and passes each to the
 * connections of the apps whose rules match. A post that many connections show in the same way is
 * written once.
 */
export class PostStreams implements TailTaker {
  readonly #parts: PostStreamsOptions
  readonly #matching: PostMatching
  readonly #subscribers = new Map<string, Set<Subscriber>>()
  readonly #behind: AppsBehind

  constructor(parts: PostStreamsOptions) {
    this.#parts = parts
    this.#matching = new PostMatching(parts)
    const send = (events: readonly LoggedEvent[], only: string) =>
      this.#send(events, (app) => (app === only ? this.#of(app) : []))
    this.#behind = new AppsBehind({ ...parts, send })
  }

  /**
   * Adds a subscriber. Resolves once every matching post that is published from then on reaches it.
   */
  async add(subscriber: Subscriber): Promise<void> {
    const { tail } = this.#parts
    const { connection } = subscriber
    const { appId } = connection
    const ofApp = this.#subscribers.get(appId) ?? new Set()
    this.#subscribers.set(appId, ofApp.add(subscriber))
    void connection.over.then(() => {
      ofApp.delete(subscriber)
      if (ofApp.size === 0 && this.#subscribers.get(appId) === ofApp) this.#subscribers.delete(appId)
      if (this.#subscribers.size === 0) tail.remove(this)
    })
    // The position in the log first: if a rule changes while the rules are being read, they are
    // read again.
    await tail.add(this)
    await this.holdRules(connection)
  }

  /**
   * Sends a subscriber the matching posts of a period, as fast as it reads. The rules of its app
   * must be loaded: see `add` and `holdRules`.
   */
  async replay(subscriber: Subscriber, { fromMs, toMs }: Span): Promise<void> {
    const { connection } = subscriber
    const before = firstIdAt(toMs)
    const only = (appId: string) => (appId === connection.appId ? [subscriber] : [])
    for (let after = idBefore(firstIdAt(fromMs)); connection.isOpen; ) {
      const page = { after, before, limit: POSTS_AT_ONCE }
      const rows = await this.#parts.store.all(postsOfSpan, page)
      for await (const { id, text } of this.#matching.texts(rows, only)) {
        await connection.offer(lineOf(text))
        if (connection.isOpen) this.#parts.shown.add(subscriber, id)
      }
      const last = rows.at(-1)
      if (!last || rows.length < POSTS_AT_ONCE) return
      after = last.id
    }
  }

  /** Keeps the rules of an app loaded for a connection that receives no new posts. */
  async holdRules({ appId, over }: StreamConnection): Promise<void> {
    const { rules } = this.#parts
    await rules.hold(appId)
    void over.then(() => rules.release(appId))
  }

  /** Apps whose rules changed receive their posts later, and delay no others. */
  async take(events: readonly LoggedEvent[]): Promise<void> {
    const behind = this.#behind.note(events, changedApps(events, this.#parts.stream))
    await this.#send(events, (app) => (behind.has(app) ? [] : this.#of(app)))
  }

  /** Waits for apps whose rules are being read. Call it when the tail is closed. */
  close(): Promise<void> {
    return this.#behind.close()
  }

  #of(app: string): Iterable<Subscriber> {
    return this.#subscribers.get(app) ?? []
  }

  async #send(
    events: readonly LoggedEvent[],
    subscribersOf: (app: string) => Iterable<Subscriber>,
  ): Promise<void> {
    let count = 0
    for await (const { id, text, to } of this.#matching.published(events, subscribersOf)) {
      const line = lineOf(text)
      for (const subscriber of to) {
        const { connection } = subscriber
        connection.push(line)
        if (connection.isOpen) this.#parts.shown.add(subscriber, id)
      }
      if (++count % WRITTEN_AT_ONCE === 0) await nextTurn()
    }
  }
}
