import { compareIds } from '../../../platform/common/ids.ts'
import { Slices } from '../../../platform/common/slices.ts'
import type { Store } from '../../../platform/storage/store.ts'
import {
  AUTHORS_OF_PART,
  type Direction,
  type HeadRow,
  homeHeads,
  listHeads,
  postsOfAuthors,
  type TimelineArgs,
  type TimelineRow,
} from './queries.ts'

interface TimelineOptions {
  direction: Direction
  exclude: ReadonlySet<string>
}

/** A page of the posts of a user and of those whom the user follows. */
export function homeTimeline(
  store: Pick<Store, 'all'>,
  args: TimelineArgs,
  options: TimelineOptions,
): Promise<TimelineRow[]> {
  const query = homeHeads(options.direction, options.exclude)
  const heads = (after: string) => store.all(query, { ...args, after, limit: AUTHORS_OF_PART })
  return mergedTimeline(store, args, { ...options, heads, authors: [args.of] })
}

/**
 * A page of the posts of the members of a list, which `of` names. `viewer` is the user who reads
 * it, or empty.
 */
export function listTimeline(
  store: Pick<Store, 'all'>,
  args: TimelineArgs & { viewer: string },
  options: TimelineOptions,
): Promise<TimelineRow[]> {
  const query = listHeads(options.direction, options.exclude)
  const heads = (after: string) => store.all(query, { ...args, after, limit: AUTHORS_OF_PART })
  return mergedTimeline(store, { ...args, of: args.viewer }, { ...options, heads, authors: [] })
}

interface MergedTimelineOptions extends TimelineOptions {
  /** Authors who are always read. */
  authors: readonly string[]
  /** Reads the next part of the other authors. */
  heads(after: string): Promise<HeadRow[]>
}

/**
 * A page can only contain posts of those authors whose first post after the previous page is among
 * the first ones. One index lookup for each author finds these, in parts, so that other calls run
 * in between; then only their posts are read. `of` is the user who reads it.
 */
async function mergedTimeline(
  store: Pick<Store, 'all'>,
  args: TimelineArgs,
  { direction, exclude, authors, heads }: MergedTimelineOptions,
): Promise<TimelineRow[]> {
  const slices = new Slices()
  const found: { author: string; head: string }[] = []
  for (let after = ''; ; ) {
    const part = await heads(after)
    for (const { author_id: author, head } of part) if (head !== null) found.push({ author, head })
    const last = part.at(-1)
    if (!last || part.length < AUTHORS_OF_PART) break
    after = last.author_id
    if (slices.isOver) await slices.next()
  }
  const sign = direction === 'older' ? -1 : 1
  found.sort((a, b) => sign * compareIds(a.head, b.head))
  const read = [...authors, ...found.slice(0, args.limit).map(({ author }) => author)]
  return store.all(postsOfAuthors(direction, exclude), { ...args, authors: JSON.stringify(read) })
}
