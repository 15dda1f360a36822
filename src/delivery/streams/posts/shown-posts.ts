import type { PostViews } from '../../../domain/analytics/views.ts'
import { beyondCap, type Usage, type UsageApp } from '../../../domain/usage/usage.ts'
import { afterError } from '../../../platform/common/after-error.ts'
import { systemClock } from '../../../platform/common/clock.ts'
import { jsonText } from '../../../platform/common/exact-json.ts'
import type { Naming } from '../../../platform/http/contract.ts'
import type { Cause } from '../../../platform/protocols/catalogue.ts'
import { problemOf } from '../../../platform/protocols/problem/errors.ts'
import type { StreamConnection } from '../connections/connection.ts'

interface ShownPostsOptions {
  usage: Pick<Usage, 'countShown'>
  views: Pick<PostViews, 'add'>
  naming: Naming
  /** Called when posts could not be counted. They are counted later. */
  onError: (error: unknown) => void
}

/** The posts that were sent to an app since the last count. */
interface UncountedPosts {
  readonly app: UsageApp
  readonly postIds: Set<string>
  readonly connections: Set<StreamConnection>
}

/** Posts that are sent within this time, in real time, are counted together. */
const GATHER_MS = 500

/**
 * Counts the posts that streams send, many at once and a little later, so that no post waits for
 * it. When an app exceeds a cap, its streams end with the Problem of the cap.
 */
export class ShownPosts {
  readonly #parts: ShownPostsOptions
  readonly #closing = new AbortController()
  #shown = new Map<string, UncountedPosts>()
  #running: Promise<void> | undefined

  constructor(parts: ShownPostsOptions) {
    this.#parts = parts
  }

  add({ app, connection }: { app: UsageApp; connection: StreamConnection }, postId: string): void {
    const shown = this.#of(app)
    shown.postIds.add(postId)
    this.#parts.views.add(postId)
    shown.connections.add(connection)
    this.#running ??= this.#run()
  }

  /** Counts what is left. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  #of(app: UsageApp): UncountedPosts {
    const shown = this.#shown.get(app.id) ?? { app, postIds: new Set(), connections: new Set() }
    this.#shown.set(app.id, shown)
    return shown
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    let failures = 0
    do {
      await systemClock.at(systemClock.now() + GATHER_MS, signal)
      const gathered = [...this.#shown.values()]
      this.#shown = new Map()
      const isCounted = await Promise.all(gathered.map((shown) => this.#count(shown)))
      if (isCounted.every(Boolean)) failures = 0
      else await afterError(failures++, signal)
    } while (this.#shown.size > 0 && !signal.aborted)
    this.#running = undefined
  }

  /** Returns whether it succeeded. Posts that could not be counted are collected again. */
  async #count({ app, postIds, connections }: UncountedPosts): Promise<boolean> {
    const { usage, onError } = this.#parts
    try {
      const cap = await usage.countShown(app, [...postIds])
      if (cap !== undefined)
        for (const one of connections) void one.end('usage_capped', this.#lastLine(app, cap))
      return true
    } catch (error) {
      onError(error)
      const shown = this.#of(app)
      for (const id of postIds) shown.postIds.add(id)
      for (const one of connections) shown.connections.add(one)
      return false
    }
  }

  /** The Problem that calls beyond the cap get. */
  #lastLine(app: UsageApp, cap: Cause): string {
    return `${jsonText({ errors: [problemOf(beyondCap(app, cap), this.#parts.naming)] })}\r\n`
  }
}
