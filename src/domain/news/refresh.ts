import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/common/clock.ts'
import { compareIds, firstIdAt, type IdSource, idAfter, leastId } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { wordsOf } from '../query-language/tokenize.ts'
import { clustersOf, type NewsCluster, type NewsItem } from './cluster.ts'
import { describe, type StoryDescription } from './describe.ts'
import { newsAppeared, newsUpdated } from './events.ts'
import { WINDOW_MS } from './posts.ts'
import {
  addStoryPosts,
  addStoryWords,
  clearStoryPosts,
  clearStoryWords,
  moveNewsGeneration,
  newsGeneration,
  newsPostBehind,
  newsWindow,
  postsOfStories,
  putStory,
  removeNewsPostsBefore,
  removeOldStories,
  removeStories,
  setNewsStories,
  storiesByIds,
  storyBehind,
} from './queries.ts'
import { type ShownStory, type StoryPost, shownStory } from './show.ts'
import type { NewsPostRow } from './tables.ts'
import { foldText, type PostTerms } from './terms.ts'

export interface RefreshContext {
  store: Store
  clock: Clock
  ids: IdSource
}

/** Maximum number of posts that stories are built from: the newest of the window. */
const WINDOW_POSTS = 5_000
/** Maximum number of stories that one refresh writes: the largest. */
const MAX_STORIES = 200
/** Stories that one transaction writes. */
const STORIES_AT_ONCE = 10
const POSTS_OF_STORY = 20
/** A story without new posts for this long is removed. Searches look no further back. */
const STORY_MS = 30 * 86_400_000
const STORED_STORIES = 10_000
const REMOVED_AT_ONCE = 1_000

const refresh = taskType<Record<never, never>>('refresh news')

const EVERY_MS = 60_000
const LEASE_MS = 600_000

/** Builds stories from new posts: every minute, on one node. */
export const newsRefresh = (parts: RefreshContext) =>
  schedule(
    refresh,
    { everyMs: EVERY_MS, leaseMs: LEASE_MS, run: (signal) => refreshNews(parts, signal) },
    parts.clock,
  )

/** Another refresh has written stories meanwhile. */
class RefreshConflict extends Error {
  override readonly name = 'Overtaken'
}

/** How many stories a refresh has written. */
export interface RefreshResult {
  appeared: number
  updated: number
}

/**
 * Groups the posts of the last day, writes the clusters with new posts as stories, and removes what
 * is old. The number of posts that it reads is bounded. Of two concurrent refreshes, only one
 * writes.
 */
export async function refreshNews(parts: RefreshContext, signal?: AbortSignal): Promise<RefreshResult> {
  const { store, clock } = parts
  const generation = (await store.first(newsGeneration, {}))?.value ?? ''
  const from = firstIdAt(clock.now() - WINDOW_MS)
  const items = await itemsOf(await store.all(newsWindow, { from, limit: WINDOW_POSTS }))
  const clusters = await clustersOf(items, signal)
  const stories = storiesOf(clusters, items, parts.ids).filter(({ isChanged }) => isChanged)
  const result: RefreshResult = { appeared: 0, updated: 0 }
  try {
    await writeStories(stories, { ...parts, generation, signal }, result)
  } catch (error) {
    if (!(error instanceof RefreshConflict)) throw error
  }
  await removeOld(parts, from, signal)
  return result
}

const PARSED_AT_ONCE = 500

/** In the order of their ids. */
async function itemsOf(rows: NewsPostRow[]): Promise<NewsItem[]> {
  const items: NewsItem[] = []
  for (const [at, row] of rows.entries()) {
    if (at % PARSED_AT_ONCE === PARSED_AT_ONCE - 1) await nextTurn()
    const terms = JSON.parse(row.terms) as PostTerms
    items.push({ ...terms, id: row.post_id, author: row.author_id, story: row.story_id })
  }
  return items.reverse()
}

/** A cluster of posts as a story. */
interface StoryUpdate {
  id: string
  isNew: boolean
  /** Whether it has new posts. */
  isChanged: boolean
  cluster: NewsCluster
  /** Stories whose posts have all moved to this one. */
  replaces: string[]
}

/**
 * Assigns to each cluster the story that most of its posts belong to, the largest clusters first.
 * The others get new stories.
 */
function storiesOf(
  clusters: readonly NewsCluster[],
  items: readonly NewsItem[],
  ids: IdSource,
): StoryUpdate[] {
  const largest = [...clusters].sort(bySize).slice(0, MAX_STORIES)
  const left = countsOf(items)
  const taken = new Set<string>()
  return largest.map((cluster) => {
    const counts = countsOf(cluster.items)
    const [known] = [...counts]
      .filter(([story]) => !taken.has(story))
      .sort(([storyA, countA], [storyB, countB]) => countB - countA || compareIds(storyA, storyB))
    const id = known?.[0] ?? ids.next()
    taken.add(id)
    const replaces = [...counts].flatMap(([story, count]) => {
      left.set(story, (left.get(story) ?? 0) - count)
      return story !== id && left.get(story) === 0 ? [story] : []
    })
    const isChanged = cluster.items.some(({ story }) => story !== id)
    return { id, isNew: known === undefined, isChanged, cluster, replaces }
  })
}

const firstId = ({ items }: NewsCluster) => leastId(...items.map(({ id }) => id))
const bySize = (a: NewsCluster, b: NewsCluster) =>
  b.items.length - a.items.length || compareIds(firstId(a), firstId(b))

/** How many of some posts belong to each story. */
function countsOf(items: readonly NewsItem[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { story } of items) if (story !== null) counts.set(story, (counts.get(story) ?? 0) + 1)
  return counts
}

async function writeStories(
  stories: readonly StoryUpdate[],
  { store, generation, signal }: RefreshContext & { generation: string; signal: AbortSignal | undefined },
  result: RefreshResult,
): Promise<void> {
  let at = generation
  for (let next = 0; next < stories.length && !signal?.aborted; next += STORIES_AT_ONCE) {
    const batch = stories.slice(next, next + STORIES_AT_ONCE)
    const to = String(Number(at) + 1)
    const described = await descriptionsOf(batch)
    await store.write(async (tx) => {
      if ((await tx.run(moveNewsGeneration, { from: at, to })) === 0) throw new RefreshConflict()
      for (const [story, description] of described) await writeStory(tx, story, description)
    })
    at = to
    result.appeared += batch.filter(({ isNew }) => isNew).length
    result.updated += batch.filter(({ isNew }) => !isNew).length
  }
}

/** Yields to the event loop between stories: one may have all posts of the window. */
async function descriptionsOf(stories: readonly StoryUpdate[]): Promise<Map<StoryUpdate, StoryDescription>> {
  const described = new Map<StoryUpdate, StoryDescription>()
  for (const story of stories) {
    described.set(story, describe(story.cluster))
    await nextTurn()
  }
  return described
}

async function writeStory(
  tx: Transaction,
  { id, isNew, cluster, replaces }: StoryUpdate,
  description: StoryDescription,
): Promise<void> {
  if (replaces.length > 0) await tx.run(removeStories, { ids: JSON.stringify(replaces) })
  const { name } = await putStoryOf(tx, { id, posts: cluster.items }, description)
  const { category, keywords } = description
  const about = { story_id: id, name, category, keywords: keywords.join() }
  await emit(tx, isNew ? newsAppeared : newsUpdated, about)
}

/** A post of a story, and the story that it belonged to. */
type ClusteredPost = Pick<NewsItem, 'id' | 'story'>

/** Writes a story without its event. Resolves to what it shows. `posts`: most typical first. */
export async function putStoryOf(
  tx: Transaction,
  { id, posts: items }: { id: string; posts: readonly ClusteredPost[] },
  description: StoryDescription,
): Promise<ShownStory> {
  const { category, keywords, contexts } = description
  const [known] = await tx.all(storiesByIds, { ids: JSON.stringify([id]) })
  const row = { id, category, keywords: JSON.stringify(keywords), contexts: JSON.stringify(contexts) }
  await tx.run(putStory, { ...row, started_at: known?.started_at ?? tx.now, updated_at: tx.now })
  await writePosts(tx, id, items)
  const posts = await tx.all(postsOfStories, { ids: JSON.stringify([id]) })
  return writeWords(tx, id, description, posts)
}

async function writePosts(tx: Transaction, story: string, items: readonly ClusteredPost[]): Promise<void> {
  const shown = items.slice(0, POSTS_OF_STORY).map(({ id }, place) => ({ place, post_id: id }))
  const added = items.filter((item) => item.story !== story)
  const assigned = added.map(({ id }) => ({ post_id: id, story_id: story }))
  await tx.run(clearStoryPosts, { story })
  await tx.run(addStoryPosts, { story, posts: JSON.stringify(shown) })
  await tx.run(setNewsStories, { posts: JSON.stringify(assigned) })
}

/** The words of everything that the story shows. */
async function writeWords(
  tx: Transaction,
  story: string,
  description: StoryDescription,
  posts: readonly StoryPost[],
) {
  const shown = shownStory(description, posts)
  const { name, hook, summary, keywords, contexts } = shown
  const text = [name, hook, summary, ...keywords, ...Object.values(contexts).flat()].join(' ')
  await tx.run(clearStoryWords, { story })
  await tx.run(addStoryWords, { story, words: JSON.stringify(searchWords(text)) })
  return shown
}

/** The distinct words of a text by which stories are found. */
export const searchWords = (text: string): string[] => [...new Set(wordsOf(text).map(foldText))]

/** Removes posts older than the window, and stories that are too old or too many. */
async function removeOld(
  { store, clock }: RefreshContext,
  from: string,
  signal?: AbortSignal,
): Promise<void> {
  const behind = await store.first(newsPostBehind, { from, size: WINDOW_POSTS })
  const before = behind ? idAfter(behind.post_id) : from
  const oldest = clock.now() - STORY_MS
  const tooMany = await store.first(storyBehind, { after: oldest, size: STORED_STORIES })
  const limit = REMOVED_AT_ONCE
  const steps = [
    () => store.write((tx) => tx.run(removeNewsPostsBefore, { before, limit })),
    () => store.write((tx) => tx.run(removeOldStories, { before: tooMany?.updated_at ?? oldest, limit })),
  ]
  for (const step of steps) while (!signal?.aborted && (await step()) === limit);
}
