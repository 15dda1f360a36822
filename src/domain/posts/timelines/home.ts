import { compareIds } from '../../../platform/common/ids.ts'
import { Slices } from '../../../platform/common/slices.ts'
import type { Store } from '../../../platform/storage/store.ts'
import {
  AUTHORS_OF_PART,
  type Direction,
  homeHeads,
  postsOfAuthors,
  type TimelineArgs,
  type TimelineRow,
} from './queries.ts'

/**
 * A page of the posts of a user and of those whom the user follows. A page can only contain posts
 * of those authors whose first post after the previous page is among the first ones. One index
 * lookup for each followed user finds these authors, in parts, so that other calls run in between;
 * then only their posts are read.
 */
export async function homeTimeline(
  store: Pick<Store, 'all'>,
  args: TimelineArgs,
  { direction, exclude }: { direction: Direction; exclude: ReadonlySet<string> },
): Promise<TimelineRow[]> {
  const slices = new Slices()
  const heads = homeHeads(direction, exclude)
  const found: { author: string; head: string }[] = []
  for (let after = ''; ; ) {
    const part = await store.all(heads, { ...args, after, limit: AUTHORS_OF_PART })
    for (const { author_id: author, head } of part) if (head !== null) found.push({ author, head })
    const last = part.at(-1)
    if (!last || part.length < AUTHORS_OF_PART) break
    after = last.author_id
    if (slices.isOver) await slices.next()
  }
  const sign = direction === 'older' ? -1 : 1
  found.sort((a, b) => sign * compareIds(a.head, b.head))
  const authors = [args.of, ...found.slice(0, args.limit).map(({ author }) => author)]
  return store.all(postsOfAuthors(direction, exclude), { ...args, authors: JSON.stringify(authors) })
}
