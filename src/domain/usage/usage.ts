import type { App } from '../../identity/apps/app.ts'
import type { Clock } from '../../platform/common/clock.ts'
import { int64Of } from '../../platform/common/int64.ts'
import type { Config } from '../../platform/config/config.ts'
import { apiError, type Cause } from '../../platform/protocols/catalogue.ts'
import { type Store, StoreBusy, StoreUnavailable, type Transaction } from '../../platform/storage/store.ts'
import { dayOf, monthStart } from './days.ts'
import {
  addAppUsage,
  addCounted,
  addProjectUsage,
  addUsageProject,
  appTotals,
  countedAmong,
  lockUsage,
  projectTotals,
  type UsageTotals,
} from './queries.ts'

/** The caps of apps and projects; infinity for none. */
export type UsageCaps = Pick<
  Config,
  | 'usageDailyPerApp'
  | 'usageMonthlyPerApp'
  | 'usageDailyPerProject'
  | 'usageMonthlyPerProject'
  | 'usageResetDay'
>

export interface UsageOptions {
  readonly store: Store
  readonly clock: Clock
  readonly config: UsageCaps
}

/**
 * The app and project that posts are counted for. The project of an app is all apps of its owner.
 */
export type UsageApp = Pick<App, 'id' | 'ownerUserId'>

/** Counts the posts that are returned to apps, towards the caps of each app and of its project. */
export interface Usage {
  /**
   * Counts posts that are about to be returned to an app, each once per UTC day: all of them or,
   * beyond a cap, none. Posts that were counted before cause no write. While the store cannot
   * write, because a disk is full, posts are returned up to the cap without being counted.
   * @throws ApiError The cap that would be exceeded.
   * @throws StoreBusy Too many calls wait.
   */
  count(app: UsageApp, postIds: readonly string[]): Promise<void>
  /**
   * Counts posts that were already sent to an app, each once per UTC day, whatever the caps are.
   * Resolves to the cap that they exceed.
   * @throws StoreBusy Too many calls wait.
   */
  countShown(app: UsageApp, postIds: readonly string[]): Promise<Cause | undefined>
  /** @throws ApiError The cap that the app has reached. */
  check(app: UsageApp): Promise<void>
}

/** A call of `count` that waits for its transaction. */
interface CountCall {
  readonly app: UsageApp
  readonly postIds: readonly string[]
  /** Whether the posts were already sent to the app. */
  readonly isShown: boolean
  resolve(cap: Cause | undefined): void
  reject(error: unknown): void
}

/** Maximum number of calls of one project that share a transaction. */
const CALLS_AT_ONCE = 100
/** Maximum number of waiting calls on one node. */
const MAX_WAITING = 10_000

/**
 * Calls of one project are counted by one transaction at a time. Calls that arrive meanwhile share
 * the next one: otherwise each would occupy a connection while it waits for the lock of the
 * project.
 */
export function postUsage(parts: UsageOptions): Usage {
  const counted = new CountedPostsCache()
  const queues = new Map<string, CountCall[]>()
  let waiting = 0

  async function drain(project: string, queue: CountCall[]): Promise<void> {
    while (queue.length > 0) {
      const calls = queue.splice(0, CALLS_AT_ONCE)
      try {
        const { day, caps } = await parts.store.write((tx) => countCalls(tx, project, calls, parts.config))
        for (const [index, { app, postIds, isShown, resolve }] of calls.entries()) {
          const cap = caps[index]
          if (cap === undefined || isShown) counted.add(day, app.id, postIds)
          resolve(cap)
        }
      } catch (error) {
        for (const { reject } of calls) reject(error)
      }
      waiting -= calls.length
    }
    queues.delete(project)
  }

  /** Resolves to the cap that the posts exceed. */
  async function counting(
    app: UsageApp,
    postIds: readonly string[],
    isShown: boolean,
  ): Promise<Cause | undefined> {
    const day = dayOf(parts.clock.now())
    const unknown = counted.without(day, app.id, postIds)
    if (unknown.length === 0) return undefined
    const at = { day, app: app.id, posts: JSON.stringify(unknown) }
    const known = await parts.store.all(countedAmong, at)
    const ids = known.map(({ post_id }) => post_id)
    counted.add(day, app.id, ids)
    if (ids.length === unknown.length) return undefined
    if (waiting >= MAX_WAITING) throw new StoreBusy('too many calls wait for their usage to be counted')
    return new Promise((resolve, reject) => {
      const call = { app, postIds: unknown, isShown, resolve, reject }
      const project = app.ownerUserId
      const queue = queues.get(project)
      waiting++
      if (queue) queue.push(call)
      else {
        const started = [call]
        queues.set(project, started)
        void drain(project, started)
      }
    })
  }

  /** The cap that posts would exceed if they were counted. */
  async function capOf({ id, ownerUserId: project }: UsageApp, posts: number): Promise<Cause | undefined> {
    const day = dayOf(parts.clock.now())
    const at = { day, from: monthStart(day, parts.config.usageResetDay) }
    const [ofApp, ofProject] = await Promise.all([
      parts.store.first(appTotals, { app: id, ...at }),
      parts.store.first(projectTotals, { project, ...at }),
    ])
    return exceededCap(
      posts,
      { ofApp: ofApp as UsageTotals, ofProject: ofProject as UsageTotals },
      parts.config,
    )
  }

  return {
    async count(app, postIds) {
      const cap = await counting(app, postIds, false).catch((error) => {
        if (error instanceof StoreUnavailable) return capOf(app, postIds.length)
        throw error
      })
      if (cap !== undefined) throw beyondCap(app, cap)
    },
    countShown: (app, postIds) => counting(app, postIds, true),
    async check(app) {
      const cap = await capOf(app, 1)
      if (cap !== undefined) throw beyondCap(app, cap)
    },
  }
}

const PRODUCT_NAME = 'standard-basic'

/** The error of posts beyond a cap. */
export const beyondCap = ({ ownerUserId }: UsageApp, cap: Cause) =>
  apiError(cap, { members: { account_id: int64Of(ownerUserId), product_name: PRODUCT_NAME } })

/** A post that is about to be sent to an app. */
export interface AppPost {
  readonly app: UsageApp
  readonly postId: string
}

/**
 * Counts posts in the transaction that enqueues them for their apps, each once per UTC day.
 * Resolves, for each post in order, to the cap that prevents it from being counted and sent;
 * undefined for those that were counted.
 */
export async function countSent(
  tx: Transaction,
  posts: readonly AppPost[],
  caps: UsageCaps,
): Promise<(Cause | undefined)[]> {
  const found = new Map<AppPost, Cause | undefined>()
  const byProject = Map.groupBy(posts, ({ app }) => app.ownerUserId)
  // Always in the same order, because each of them is locked.
  for (const project of [...byProject.keys()].sort()) {
    const own = byProject.get(project) ?? []
    const calls = own.map(({ app, postId }) => ({ app, postIds: [postId], isShown: false }))
    const { caps: exceeded } = await countCalls(tx, project, calls, caps)
    for (const [index, post] of own.entries()) found.set(post, exceeded[index])
  }
  return posts.map((post) => found.get(post))
}

/**
 * Counts calls in order. Resolves, for each call, to the cap that it would exceed; undefined for
 * those that were counted.
 */
async function countCalls(
  tx: Transaction,
  project: string,
  calls: readonly Pick<CountCall, 'app' | 'postIds' | 'isShown'>[],
  caps: UsageCaps,
): Promise<{ day: number; caps: (Cause | undefined)[] }> {
  // Sums that are read after the lock include what others wrote before.
  await lock(tx, project)
  const day = dayOf(tx.now)
  const from = monthStart(day, caps.usageResetDay)
  const ofProject = (await tx.first(projectTotals, { project, day, from })) as UsageTotals
  const before = ofProject.day
  const countsByApp = await countsOfApps(tx, calls, { day, from })
  const exceeded = calls.map(({ app, postIds, isShown }) => {
    const appCounts = countsByApp.get(app.id) as AppCounts
    const posts = [...new Set(postIds)].filter((id) => !appCounts.counted.has(id))
    const cap = exceededCap(posts.length, { ofApp: appCounts.totals, ofProject }, caps)
    if (cap !== undefined && !isShown) return cap
    for (const total of [appCounts.totals, ofProject]) {
      total.day += posts.length
      total.month += posts.length
    }
    for (const id of posts) appCounts.counted.add(id)
    appCounts.added.push(...posts)
    return cap
  })
  for (const [app, { added }] of countsByApp) {
    if (added.length === 0) continue
    await tx.run(addCounted, { day, app, posts: JSON.stringify(added) })
    await tx.run(addAppUsage, { day, app, posts: added.length })
  }
  if (ofProject.day > before) await tx.run(addProjectUsage, { day, project, posts: ofProject.day - before })
  return { day, caps: exceeded }
}

async function lock(tx: Transaction, project: string): Promise<void> {
  if (await tx.first(lockUsage, { project })) return
  await tx.run(addUsageProject, { project })
  await tx.first(lockUsage, { project })
}

/** The counts of an app in a transaction. */
interface AppCounts {
  readonly totals: UsageTotals
  /** The posts of the calls that were already counted on this day. */
  readonly counted: Set<string>
  readonly added: string[]
}

async function countsOfApps(
  tx: Transaction,
  calls: readonly Pick<CountCall, 'app' | 'postIds'>[],
  { day, from }: { day: number; from: number },
): Promise<Map<string, AppCounts>> {
  const countsByApp = new Map<string, AppCounts>()
  for (const app of new Set(calls.map((call) => call.app.id))) {
    const ids = calls.filter((call) => call.app.id === app).flatMap(({ postIds }) => postIds)
    const totals = (await tx.first(appTotals, { app, day, from })) as UsageTotals
    const rows = await tx.all(countedAmong, { day, app, posts: JSON.stringify(ids) })
    countsByApp.set(app, { totals, counted: new Set(rows.map(({ post_id }) => post_id)), added: [] })
  }
  return countsByApp
}

/**
 * Of several exceeded caps, the one with the longest period, and that of the project before that of
 * the app.
 */
function exceededCap(
  posts: number,
  { ofApp, ofProject }: { ofApp: UsageTotals; ofProject: UsageTotals },
  caps: UsageCaps,
): Cause | undefined {
  if (posts === 0) return undefined
  if (ofProject.month + posts > caps.usageMonthlyPerProject) return 'monthly usage of project capped'
  if (ofApp.month + posts > caps.usageMonthlyPerApp) return 'monthly usage of app capped'
  if (ofProject.day + posts > caps.usageDailyPerProject) return 'daily usage of project capped'
  if (ofApp.day + posts > caps.usageDailyPerApp) return 'daily usage of app capped'
  return undefined
}

/** Maximum number of posts that this node caches as counted. */
const MAX_REMEMBERED = 50_000

/** A cache of posts that were counted today. A counted post stays counted for the day. */
class CountedPostsCache {
  #day = 0
  #posts = new Map<string, Set<string>>()
  #size = 0

  without(day: number, app: string, postIds: readonly string[]): string[] {
    const known = day === this.#day ? this.#posts.get(app) : undefined
    return known ? postIds.filter((id) => !known.has(id)) : [...postIds]
  }

  add(day: number, app: string, postIds: readonly string[]): void {
    if (day < this.#day) return
    if (day > this.#day || this.#size + postIds.length > MAX_REMEMBERED) {
      this.#day = day
      this.#posts = new Map()
      this.#size = 0
    }
    const known = this.#posts.get(app) ?? new Set()
    this.#posts.set(app, known)
    for (const id of postIds) known.add(id)
    this.#size += postIds.length
  }
}
