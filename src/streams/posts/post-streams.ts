import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TimeSource } from '../../common/clock.ts'
import { idAt } from '../../common/ids.ts'
import type { LoggedEvent } from '../../events/event.ts'
import { isOfKind } from '../../events/event.ts'
import type { Tail, TailTaker } from '../../events/tail.ts'
import type { View } from '../../objects/shape.ts'
import { postEdited, postPublished } from '../../posts/events.ts'
import type { Store } from '../../storage/store.ts'
import type { Line, StreamConnection } from '../connections/connection.ts'
import { lineOf } from '../connections/connection.ts'
import { streamRulesChanged } from '../events.ts'
import type { PostBatch, PostFormat } from './formats.ts'
import { isDelivered, matchableOf, placesReady } from './matchable.ts'
import type { MatchedRow } from './queries.ts'
import { postsOfSpan, postsToMatch } from './queries.ts'
import type { MatchedRule, RuleSets } from './rule-sets.ts'
import type { RuledStream } from '../rules.ts'

/** A connection, and how it shows posts. */
export interface Subscriber {
  readonly connection: StreamConnection
  readonly format: PostFormat
}

/** A time in epoch milliseconds, and a later one. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

interface Parts {
  store: Pick<Store, 'all'>
  clock: TimeSource
  mediaOrigin: string
  stream: RuledStream
  rules: RuleSets
  tail: Tail
}

/** A post that rules of some apps match. */
interface Match {
  readonly id: string
  readonly byApp: ReadonlyMap<string, readonly MatchedRule[]>
}

/** A line, and who receives it. */
interface Delivery {
  readonly line: Line
  readonly to: readonly Subscriber[]
}

/** Posts that are read, matched and written together. */
const POSTS_AT_ONCE = 100
/** Posts that are matched, and posts that are written, in one turn of the event loop. */
const MATCHED_AT_ONCE = 20
const WRITTEN_AT_ONCE = 10

/**
 * A stream of posts on this node: it reads the posts that events name, and hands each to the connections of the apps whose
 * rules match it. What many connections show in the same way is written once.
 */
export class PostStreams implements TailTaker {
  readonly #parts: Parts
  readonly #subscribers = new Map<string, Set<Subscriber>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Resolves when every post that is published from then on, and matches, reaches the subscriber. */
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
    // The place in the log first: a rule that changes while the others are read is read again.
    await tail.add(this)
    await this.holdRules(connection)
  }

  /**
   * Sends a subscriber the posts of a span that match, as fast as it reads. The rules of its app must be there: see `add`
   * and `holdRules`.
   */
  async replay(subscriber: Subscriber, { fromMs, toMs }: Span): Promise<void> {
    const { connection } = subscriber
    const before = idAt(toMs, 0, 0)
    const only = (appId: string) => (appId === connection.appId ? [subscriber] : [])
    for (let after = String(BigInt(idAt(fromMs, 0, 0)) - 1n); connection.isOpen; ) {
      const page = { after, before, limit: POSTS_AT_ONCE }
      const rows = await this.#parts.store.all(postsOfSpan, page)
      for await (const { line } of this.#deliveries(rows, only)) await connection.offer(line)
      const last = rows.at(-1)
      if (!last || rows.length < POSTS_AT_ONCE) return
      after = last.id
    }
  }

  /** Keeps the rules of an app for a connection that receives no new posts. */
  async holdRules({ appId, over }: StreamConnection): Promise<void> {
    const { rules } = this.#parts
    await rules.hold(appId)
    void over.then(() => rules.release(appId))
  }

  async take(events: readonly LoggedEvent[]): Promise<void> {
    const { rules, store, stream } = this.#parts
    for (const app of changedApps(events, stream)) await rules.refresh(app)
    const ids = publishedPosts(events)
    for (let at = 0; at < ids.length; at += POSTS_AT_ONCE) {
      const some = JSON.stringify(ids.slice(at, at + POSTS_AT_ONCE))
      const rows = await store.all(postsToMatch, { ids: some })
      let count = 0
      for await (const { line, to } of this.#deliveries(rows, (app) => this.#subscribers.get(app) ?? [])) {
        for (const { connection } of to) connection.push(line)
        if (++count % WRITTEN_AT_ONCE === 0) await nextTurn()
      }
    }
  }

  async *#deliveries(
    rows: readonly MatchedRow[],
    subscribersOf: (app: string) => Iterable<Subscriber>,
  ): AsyncGenerator<Delivery> {
    const matches = await this.#match(rows)
    const written = await this.#write(matches, subscribersOf)
    for (const { id, byApp } of matches) {
      for (const [app, rules] of byApp) {
        const byFormat = Map.groupBy(subscribersOf(app), ({ format }) => format.key)
        for (const [key, to] of byFormat) {
          const post = written.get(key)?.get(id)
          const [first] = to
          if (post !== undefined && first) yield { line: lineOf(first.format.line(post, rules)), to }
        }
      }
    }
  }

  async #match(rows: readonly MatchedRow[]): Promise<Match[]> {
    const delivered = rows.filter(isDelivered)
    await placesReady(delivered)
    const matches: Match[] = []
    for (const [index, row] of delivered.entries()) {
      if (index % MATCHED_AT_ONCE === MATCHED_AT_ONCE - 1) await nextTurn()
      const byApp = this.#parts.rules.match(matchableOf(row))
      if (byApp.size > 0) matches.push({ id: row.id, byApp })
    }
    return matches
  }

  /** Each post once in every format that somebody wants it in, by the keys of the formats. */
  async #write(
    matches: readonly Match[],
    subscribersOf: (app: string) => Iterable<Subscriber>,
  ): Promise<Map<string, Map<string, string>>> {
    const wanted = new Map<string, { format: PostFormat; ids: Set<string> }>()
    for (const { id, byApp } of matches)
      for (const app of byApp.keys())
        for (const { format } of subscribersOf(app)) {
          const known = wanted.get(format.key) ?? { format, ids: new Set() }
          wanted.set(format.key, known)
          known.ids.add(id)
        }
    const batch: PostBatch = { view: this.#view(), ids: matches.map(({ id }) => id) }
    const written = new Map<string, Map<string, string>>()
    let count = 0
    for (const [key, { format, ids }] of wanted) {
      const posts = new Map<string, string>()
      written.set(key, posts)
      for await (const [id, post] of format.write([...ids], batch)) {
        posts.set(id, post)
        if (++count % WRITTEN_AT_ONCE === 0) await nextTurn()
      }
    }
    return written
  }

  /** An app sees what everyone sees. */
  #view(): View {
    const { clock, store, mediaOrigin } = this.#parts
    return { userId: undefined, now: clock.now(), store, mediaOrigin }
  }
}

function changedApps(events: readonly LoggedEvent[], stream: RuledStream): Set<string> {
  return new Set(
    events.flatMap((event) =>
      isOfKind(event, streamRulesChanged) && event.data.stream === stream ? [event.data.app_id] : [],
    ),
  )
}

const publishedPosts = (events: readonly LoggedEvent[]): string[] => [
  ...new Set(
    events.flatMap((event) =>
      (isOfKind(event, postPublished) || isOfKind(event, postEdited)) &&
      event.data.environment === 'production'
        ? [event.data.post_id]
        : [],
    ),
  ),
]
