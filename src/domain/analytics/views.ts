import { afterError } from '../../platform/common/after-error.ts'
import { type Clock, systemClock } from '../../platform/common/clock.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { idIn } from '../media/media.ts'
import { countOnMedia, countOnPosts, type MediaCount, type PostCount } from './count.ts'
import { hourOf } from './metrics.ts'
import { videosAmong, viewedPosts } from './queries.ts'

interface PostViewsOptions {
  readonly store: Pick<Store, 'write'>
  /** Its hours are those of the views. */
  readonly clock: Pick<Clock, 'now'>
  /** Whether views are written without a call of `flush`. */
  readonly background: boolean
  /** Called when views could not be written. They are written later. */
  readonly onError: (error: unknown) => void
}

/** Views that come within this time, in real time, are written together. */
const GATHER_MS = 1_000
/** Posts of one transaction. */
const POSTS_AT_ONCE = 500
/** Posts whose views wait on one node. While there are as many, views of others are not counted. */
const MAX_POSTS = 50_000

/** The views of an hour that are not written yet, by post. */
interface HourOfViews {
  readonly hour: number
  readonly posts: Map<string, number>
}

/**
 * Counts the views of posts, in memory, and writes them a second later, so that no reader waits. A
 * node that is killed loses the views of that second.
 */
export class PostViews {
  readonly #parts: PostViewsOptions
  readonly #closing = new AbortController()
  #waiting: HourOfViews[] = []
  #count = 0
  #running: Promise<void> | undefined

  constructor(parts: PostViewsOptions) {
    this.#parts = parts
  }

  /** A post was shown to somebody else than its author. */
  add(postId: string, times = 1): void {
    const { posts } = this.#of(hourOf(this.#parts.clock.now()))
    const known = posts.get(postId)
    if (known === undefined) {
      if (this.#count >= MAX_POSTS) return
      this.#count++
    }
    posts.set(postId, (known ?? 0) + times)
    if (this.#parts.background) this.#running ??= this.#run()
  }

  /** Writes what is waiting. */
  async flush(): Promise<void> {
    while (this.#count > 0) await this.#writeSome()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await this.flush().catch(this.#parts.onError)
  }

  #of(hour: number): HourOfViews {
    const last = this.#waiting.at(-1)
    if (last?.hour === hour) return last
    const added = { hour, posts: new Map<string, number>() }
    this.#waiting.push(added)
    return added
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    let failures = 0
    while (this.#count > 0 && !signal.aborted) {
      await systemClock.at(systemClock.now() + GATHER_MS, signal)
      try {
        await this.flush()
        failures = 0
      } catch (error) {
        this.#parts.onError(error)
        await afterError(failures++, signal)
      }
    }
    this.#running = undefined
  }

  async #writeSome(): Promise<void> {
    const [first] = this.#waiting
    if (!first) return
    const some = [...first.posts.entries()].slice(0, POSTS_AT_ONCE)
    for (const [id] of some) first.posts.delete(id)
    this.#count -= some.length
    if (first.posts.size === 0) this.#waiting.shift()
    try {
      await this.#parts.store.write((tx) => writeViews(tx, first.hour, new Map(some)))
    } catch (error) {
      const { posts } = this.#of(first.hour)
      for (const [id, count] of some) {
        if (!posts.has(id)) this.#count++
        posts.set(id, (posts.get(id) ?? 0) + count)
      }
      throw error
    }
  }
}

/** A view of a repost is one of its original. The videos of a post are viewed with it. */
async function writeViews(tx: Transaction, hour: number, views: ReadonlyMap<string, number>): Promise<void> {
  const found = await tx.all(viewedPosts, { ids: JSON.stringify([...views.keys()]) })
  const shown = found.map((row) => ({
    id: row.reposted_post_id ?? row.id,
    amount: views.get(row.id) ?? 0,
    media: (JSON.parse(row.media_keys) as string[]).map(idIn),
  }))
  const posts: PostCount[] = shown.flatMap(({ id, amount, media }) => [
    { id, hour, metric: 'impressions', amount },
    ...(media.length > 0 ? [{ id, hour, metric: 'media_views' as const, amount }] : []),
  ])
  const media = shown.flatMap(({ amount, media }) => media.map((id) => ({ id, amount })))
  const ids = JSON.stringify([...new Set(media.map(({ id }) => id))])
  const videos = new Set(media.length > 0 ? (await tx.all(videosAmong, { ids })).map(({ id }) => id) : [])
  await countOnPosts(tx, posts)
  await countOnMedia(
    tx,
    media
      .filter(({ id }) => videos.has(id))
      .flatMap(({ id, amount }): MediaCount[] => [
        { id, hour, metric: 'playback_start', amount },
        { id, hour, metric: 'video_views', amount },
      ]),
  )
}
