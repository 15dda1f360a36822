import { setImmediate as nextTurn } from 'node:timers/promises'
import { postEdited, postPublished } from '../../../domain/posts/events.ts'
import type { TimeSource } from '../../../platform/common/clock.ts'
import { Slices } from '../../../platform/common/slices.ts'
import { isOfKind, type LoggedEvent } from '../../../platform/events/event.ts'
import type { View } from '../../../platform/objects/shape.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { streamRulesChanged } from '../events.ts'
import type { RuledStream } from '../rules.ts'
import type { ObjectBatch, PostFormat } from './formats.ts'
import { isDelivered, matchableOf, placesReady } from './matchable.ts'
import { type MatchedRow, postsToMatch } from './queries.ts'
import type { MatchedRule, RuleSets } from './rule-sets.ts'

interface PostMatchingOptions {
  store: Pick<Store, 'all'>
  clock: TimeSource
  mediaOrigin: string
  rules: RuleSets
}

/** Who receives posts in a format. */
export interface Formatted {
  readonly format: PostFormat
}

/** A post that rules of some apps match. */
interface Match {
  readonly id: string
  readonly byApp: ReadonlyMap<string, readonly MatchedRule[]>
}

/** A post as JSON with the rules that it matches, and its receivers. */
export interface MatchedText<To extends Formatted> {
  readonly id: string
  readonly text: string
  readonly to: readonly To[]
}

/** Posts that are read, matched and written together. */
export const POSTS_AT_ONCE = 100
/** Posts that are written in one turn of the event loop. */
export const WRITTEN_AT_ONCE = 10

/**
 * Matches posts with the rules of apps, and writes each post once for all receivers with the same
 * format.
 */
export class PostMatching {
  readonly #parts: PostMatchingOptions

  constructor(parts: PostMatchingOptions) {
    this.#parts = parts
  }

  /** The posts that some events published, for their receivers, in order. */
  async *published<To extends Formatted>(
    events: readonly LoggedEvent[],
    receiversOf: (app: string) => Iterable<To>,
  ): AsyncGenerator<MatchedText<To>> {
    const ids = publishedPosts(events)
    for (let from = 0; from < ids.length; from += POSTS_AT_ONCE) {
      const page = JSON.stringify(ids.slice(from, from + POSTS_AT_ONCE))
      yield* this.texts(await this.#parts.store.all(postsToMatch, { ids: page }), receiversOf)
    }
  }

  /** The lines of some posts for their receivers, in order. */
  async *texts<To extends Formatted>(
    rows: readonly MatchedRow[],
    receiversOf: (app: string) => Iterable<To>,
  ): AsyncGenerator<MatchedText<To>> {
    const matches = await this.#match(rows)
    const written = await this.#write(matches, receiversOf)
    for (const { id, byApp } of matches) {
      for (const [app, rules] of byApp) {
        const byFormat = Map.groupBy(receiversOf(app), ({ format }) => format.key)
        for (const [key, to] of byFormat) {
          const post = written.get(key)?.get(id)
          const [first] = to
          if (post !== undefined && first) yield { id, text: first.format.line(post, rules), to }
        }
      }
    }
  }

  async #match(rows: readonly MatchedRow[]): Promise<Match[]> {
    const delivered = rows.filter(isDelivered)
    await placesReady(delivered)
    const matches: Match[] = []
    const slices = new Slices()
    for (const row of delivered) {
      const post = await matchableOf(row, slices)
      if (slices.isOver) await slices.next()
      const byApp = await this.#parts.rules.match(post, slices)
      if (slices.isOver) await slices.next()
      if (byApp.size > 0) matches.push({ id: row.id, byApp })
    }
    return matches
  }

  /** Each post once per requested format, by the keys of the formats. */
  async #write(
    matches: readonly Match[],
    receiversOf: (app: string) => Iterable<Formatted>,
  ): Promise<Map<string, Map<string, string>>> {
    const wanted = new Map<string, { format: PostFormat; ids: Set<string> }>()
    for (const { id, byApp } of matches)
      for (const app of byApp.keys())
        for (const { format } of receiversOf(app)) {
          const known = wanted.get(format.key) ?? { format, ids: new Set() }
          wanted.set(format.key, known)
          known.ids.add(id)
        }
    const batch: ObjectBatch = { view: this.#view(), ids: matches.map(({ id }) => id) }
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

  /** An app sees what is public. */
  #view(): View {
    const { clock, store, mediaOrigin } = this.#parts
    return { userId: undefined, now: clock.now(), store, mediaOrigin }
  }
}

/** The apps whose rules some events changed. */
export function changedApps(events: readonly LoggedEvent[], stream: RuledStream): Set<string> {
  return new Set(
    events.flatMap((event) =>
      isOfKind(event, streamRulesChanged) && event.data.stream === stream ? [event.data.app_id] : [],
    ),
  )
}

/** The posts that some events published. */
export const publishedPosts = (events: readonly LoggedEvent[]): string[] => [
  ...new Set(
    events.flatMap((event) =>
      (isOfKind(event, postPublished) || isOfKind(event, postEdited)) &&
      event.data.environment === 'production'
        ? [event.data.post_id]
        : [],
    ),
  ),
]
