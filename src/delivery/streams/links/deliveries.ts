import { countSent, type UsageApp, type UsageCaps } from '../../../domain/usage/usage.ts'
import type { TimeSource } from '../../../platform/common/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import { isOfKind, type LoggedEvent } from '../../../platform/events/event.ts'
import { type Consumer, type ConsumerResult, IGNORED } from '../../../platform/events/follower.ts'
import type { ObjectGraph } from '../../../platform/objects/graph.ts'
import type { Naming } from '../../../platform/protocols/protocols.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { enqueueDeliveries, type NewDelivery, recordCapped, recordSkipped } from '../../webhooks/enqueue.ts'
import { mayReceive } from '../../webhooks/states.ts'
import { streamLinksChanged } from '../events.ts'
import { type PostFormat, postFormats } from '../posts/formats.ts'
import { changedApps, PostMatching } from '../posts/matching.ts'
import type { RuleSets } from '../posts/rule-sets.ts'
import type { StreamLinkRow } from '../tables.ts'
import { linkedWebhooks, pageOfLinks } from './queries.ts'

const LINKS_AT_ONCE = 1_000

type Caps = UsageCaps & Pick<Config, 'invalidAfterSeconds'>

export interface LinkParts {
  readonly store: Pick<Store, 'all'>
  readonly clock: TimeSource
  readonly config: Caps
  readonly mediaOrigin: string
  readonly graph: ObjectGraph
  readonly naming: Naming
  /**
   * A separate set of rules: connections on this node do not follow the position of this consumer.
   */
  readonly rules: RuleSets
  /**
   * Called for a link that can no longer be read, for example after a downgrade. It receives
   * nothing.
   */
  readonly onUnreadable: (link: StreamLinkRow, error: unknown) => void
}

/** A webhook that receives posts. */
interface Link {
  readonly webhookId: string
  readonly appId: string
  readonly format: PostFormat
}

/** A post for one of the webhooks of an app. */
interface LinkedPost {
  readonly appId: string
  readonly postId: string
  readonly delivery: NewDelivery
}

/**
 * Enqueues posts, and counts each once for its app, as a stream does. Beyond a cap, the delivery
 * log records each missing post. Posts that no webhook of the app may receive are neither sent nor
 * counted.
 */
async function enqueueCounted(tx: Transaction, posts: readonly LinkedPost[], caps: Caps): Promise<void> {
  const ids = JSON.stringify([...new Set(posts.map(({ delivery }) => delivery.webhookId))])
  const webhooks = new Map((await tx.all(linkedWebhooks, { ids })).map((row) => [row.id, row]))
  const at = { nowMs: tx.now, invalidAfterSeconds: caps.invalidAfterSeconds }
  const sent: (LinkedPost & { readonly app: UsageApp })[] = []
  const skipped: NewDelivery[] = []
  for (const post of posts) {
    const webhook = webhooks.get(post.delivery.webhookId)
    // No one can see the deliveries of a deleted webhook.
    if (!webhook) continue
    if (!mayReceive(webhook, at)) skipped.push(post.delivery)
    else sent.push({ ...post, app: { id: post.appId, ownerUserId: webhook.owner_user_id } })
  }
  await recordSkipped(tx, skipped)
  const keyOf = ({ appId, postId }: LinkedPost) => `${appId} ${postId}`
  const counted = new Map(sent.map((post) => [keyOf(post), post]))
  const exceeded = await countSent(tx, [...counted.values()], caps)
  const capOf = new Map([...counted.keys()].map((key, index) => [key, exceeded[index]]))
  for (const [cap, own] of Map.groupBy(sent, (post) => capOf.get(keyOf(post)))) {
    const deliveries = own.map(({ delivery }) => delivery)
    if (cap === undefined) await enqueueDeliveries(tx, deliveries)
    else await recordCapped(tx, deliveries, cap)
  }
}

/**
 * Delivers posts that match the rules of an app to the webhooks that the app has linked to its
 * filtered stream. Deliveries are committed with the position in the event log, so each webhook
 * gets each post once, whichever node handles the event.
 */
export class StreamLinkDelivery implements Consumer {
  readonly name = 'stream links'
  readonly #parts: LinkParts
  readonly #matching: PostMatching
  readonly #formatOf: ReturnType<typeof postFormats>
  /** By app. Undefined if they must be read. */
  #links: Map<string, Link[]> | undefined
  /** Apps whose rules are in use. */
  #held = new Set<string>()

  constructor(parts: LinkParts) {
    this.#parts = parts
    this.#matching = new PostMatching(parts)
    this.#formatOf = postFormats(parts.graph)
  }

  gained(): void {
    this.#links = undefined
    for (const app of this.#held) this.#parts.rules.release(app)
    this.#held = new Set()
  }

  /** The affected webhooks do not receive them. */
  missed(): void {
    this.gained()
  }

  async take(events: readonly LoggedEvent[]): Promise<ConsumerResult> {
    if (events.some((event) => isOfKind(event, streamLinksChanged))) this.#links = undefined
    for (const app of changedApps(events, 'filtered'))
      if (this.#held.has(app)) await this.#parts.rules.refresh(app)
    const links = await this.#current()
    if (links.size === 0) return IGNORED
    const posts: LinkedPost[] = []
    for await (const { id, text, to } of this.#matching.published(events, (app) => links.get(app) ?? []))
      for (const { webhookId, appId } of to) {
        const about = { webhookId, eventId: id, body: text, postId: id }
        posts.push({ appId, postId: id, delivery: { ...about, subscription: { kind: 'stream' } } })
      }
    return posts.length === 0 ? IGNORED : (tx) => enqueueCounted(tx, posts, this.#parts.config)
  }

  /** The links, with the rules of their apps. */
  async #current(): Promise<ReadonlyMap<string, readonly Link[]>> {
    if (this.#links) return this.#links
    const { rules } = this.#parts
    const links = new Map<string, Link[]>()
    for await (const row of this.#rows()) {
      const format = this.#format(row)
      if (!format) continue
      const ofApp = links.get(row.app_id) ?? []
      links.set(row.app_id, ofApp)
      ofApp.push({ webhookId: row.webhook_id, appId: row.app_id, format })
    }
    for (const app of links.keys()) {
      if (this.#held.has(app)) continue
      await rules.hold(app)
      this.#held.add(app)
    }
    for (const app of this.#held) {
      if (links.has(app)) continue
      rules.release(app)
      this.#held.delete(app)
    }
    this.#links = links
    return links
  }

  async *#rows(): AsyncGenerator<StreamLinkRow> {
    for (let after = ''; ; ) {
      const rows = await this.#parts.store.all(pageOfLinks, { after, limit: LINKS_AT_ONCE })
      yield* rows
      const last = rows.at(-1)
      if (!last || rows.length < LINKS_AT_ONCE) return
      after = last.webhook_id
    }
  }

  /** One link must not block the posts of all others. */
  #format(row: StreamLinkRow): PostFormat | undefined {
    const { graph, naming, onUnreadable } = this.#parts
    try {
      const selection = JSON.parse(row.selection) as Record<string, unknown>
      return this.#formatOf(graph.select('post', selection), naming)
    } catch (error) {
      onUnreadable(row, error)
      return undefined
    }
  }
}
