import { mediaByKeys } from '../../domain/media/media.ts'
import { MAX_WHOLE_BYTES } from '../../domain/media/upload-rules.ts'
import { givenOf } from '../../domain/posts/given.ts'
import { pollsByIds } from '../../domain/posts/queries.ts'
import type { PostRow } from '../../domain/posts/tables.ts'
import { compareIds, LAST_ID } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ExportedNames } from './exported-names.ts'
import { bookmarksOfPosts, likesOfPosts, newestPostsOf } from './queries.ts'

const PAGE = 500

interface PostBounds {
  readonly posts: number
  readonly mediaBytes: number
  /** The names of exported communities. */
  readonly communityNames: ReadonlyMap<string, string>
}

/**
 * Exported posts, oldest first, and the names by which the seed refers to them: `post1` is the
 * oldest. A reply to a post that is not exported becomes a post of its own.
 */
export async function exportPosts(
  { store, files }: { store: Store; files: Pick<FileStore, 'read'> },
  names: ExportedNames,
  { posts: limit, mediaBytes, communityNames }: PostBounds,
) {
  const rows = await readPosts(store, names, limit)
  const media = await mediaOfPosts({ store, files }, rows, mediaBytes)
  const nameOf = new Map<string, string>()
  const originals: PostRow[] = []
  for (const row of rows) {
    const isQuote = row.quoted_post_id !== null && nameOf.has(row.quoted_post_id)
    // A post that shows only media that are left out has nothing that a seed could contain.
    const isEmpty = row.text === '' && row.poll_id === null && !isQuote && !media.has(row.id)
    // Without its community, a post that is only there would be shown to everyone.
    const isCut = row.share_with_followers === 0 && communityIn(row, communityNames) === null
    if (row.reposted_post_id !== null || isEmpty || isCut) continue
    originals.push(row)
    for (const id of [row.id, row.first_version_id]) nameOf.set(id, `post${originals.length}`)
  }
  const polls = await pollsOf(store, originals)
  const lists = await reactionsTo(store, originals, rows, names)
  const posts = originals.map((row) => {
    const replied = row.in_reply_to_post_id === null ? undefined : nameOf.get(row.in_reply_to_post_id)
    const quoted = row.quoted_post_id === null ? undefined : nameOf.get(row.quoted_post_id)
    const poll = row.poll_id === null ? undefined : polls.get(row.poll_id)
    return {
      id: nameOf.get(row.id),
      author: names.get(row.author_id),
      text: row.text,
      lang: row.lang,
      created_at: isoTime(row.created_at),
      ...(replied !== undefined && { reply_to: replied }),
      ...communityOf(row, communityNames),
      ...(quoted !== undefined && { quotes: quoted }),
      ...(poll && { poll }),
      ...(media.has(row.id) && { media: media.get(row.id) }),
      ...(row.reply_settings !== 'everyone' && { reply_settings: row.reply_settings }),
      ...(row.possibly_sensitive === 1 && { possibly_sensitive: true }),
      ...givenOf(row),
      ...lists(row),
    }
  })
  return { posts, nameOf }
}

/** The name of the community of a post: null if it is not exported, undefined if there is none. */
const communityIn = ({ community_id }: PostRow, names: PostBounds['communityNames']) =>
  community_id === null ? undefined : (names.get(community_id) ?? null)

function communityOf(row: PostRow, names: PostBounds['communityNames']) {
  const community = communityIn(row, names)
  if (community === undefined || community === null) return {}
  return { community, ...(row.share_with_followers === 1 && { share_with_followers: true }) }
}

/** The newest posts, oldest first: of an edited post, the newest version. */
async function readPosts(store: Store, names: ExportedNames, limit: number): Promise<PostRow[]> {
  const authors = JSON.stringify([...names.keys()])
  const rows: PostRow[] = []
  for (let before = LAST_ID; rows.length < limit; ) {
    const page = await store.all(newestPostsOf, {
      ...{ authors, before, limit: Math.min(PAGE, limit - rows.length) },
    })
    rows.push(...page)
    const last = page.at(-1)
    if (!last || page.length < Math.min(PAGE, limit)) break
    before = last.id
  }
  const newest = new Map<string, PostRow>()
  for (const row of rows) if (!newest.has(row.first_version_id)) newest.set(row.first_version_id, row)
  return [...newest.values()].sort((a, b) => a.created_at - b.created_at || compareIds(a.id, b.id))
}

interface ExportedMedium {
  /** Base64. */
  data: string
  alt_text?: string
}

/** The media of posts by the ids of the posts: of the newest posts, up to `maxBytes` in all. */
async function mediaOfPosts(
  { store, files }: { store: Store; files: Pick<FileStore, 'read'> },
  rows: readonly PostRow[],
  maxBytes: number,
): Promise<Map<string, ExportedMedium[]>> {
  const exported = new Map<string, ExportedMedium[]>()
  let left = maxBytes
  for (const { id, media_keys, reposted_post_id } of rows.toReversed()) {
    if (media_keys === '[]' || reposted_post_id !== null) continue
    const media = await mediaByKeys(store, JSON.parse(media_keys) as string[])
    const bytes = media.reduce((sum, row) => sum + (row?.bytes ?? 0), 0)
    const isWhole = media.every((row) => row !== undefined && row.bytes <= MAX_WHOLE_BYTES)
    if (!isWhole || bytes > left) continue
    left -= bytes
    const read = media.flatMap((row) => (row?.hash ? [{ ...row, hash: row.hash }] : []))
    const each = read.map(async ({ hash, bytes, alt_text }) => ({
      data: (await files.read(hash, 0, bytes)).toString('base64'),
      ...(alt_text !== null && { alt_text }),
    }))
    if (each.length > 0) exported.set(id, await Promise.all(each))
  }
  return exported
}

async function pollsOf(store: Store, posts: readonly PostRow[]) {
  const ids = posts.flatMap(({ poll_id }) => poll_id ?? [])
  const polls = new Map<string, { options: { label: string; votes: number }[]; duration_minutes: number }>()
  if (ids.length === 0) return polls
  for (const row of await store.all(pollsByIds, { ids: JSON.stringify(ids) })) {
    const poll = polls.get(row.id) ?? {
      options: [],
      duration_minutes: row.duration_minutes,
    }
    polls.set(row.id, poll)
    poll.options.push({ label: row.label, votes: Number(row.votes) })
  }
  return polls
}

/** The likes, reposts and bookmarks of exported users, in the order of their names. */
async function reactionsTo(
  store: Store,
  posts: readonly PostRow[],
  all: readonly PostRow[],
  names: ExportedNames,
) {
  const ids = JSON.stringify(posts.map((row) => row.first_version_id))
  const byPost = (rows: readonly { user_id: string; post_id: string }[]) => {
    const lists = new Map<string, string[]>()
    for (const { user_id, post_id } of rows) {
      const name = names.get(user_id)
      if (name !== undefined) lists.set(post_id, [...(lists.get(post_id) ?? []), name])
    }
    return lists
  }
  const reposts = all.flatMap((row) =>
    row.reposted_post_id === null ? [] : [{ user_id: row.author_id, post_id: row.reposted_post_id }],
  )
  const [likes, bookmarks, reposted] = [
    byPost(await store.all(likesOfPosts, { posts: ids })),
    byPost(await store.all(bookmarksOfPosts, { posts: ids })),
    byPost(reposts),
  ]
  return (row: PostRow) => {
    const listed = (lists: Map<string, string[]>, id: string) => lists.get(id)?.toSorted()
    const [likers, reposters, keepers] = [
      listed(likes, row.first_version_id),
      listed(reposted, row.id) ?? listed(reposted, row.first_version_id),
      listed(bookmarks, row.first_version_id),
    ]
    return {
      ...(likers && { likes: likers }),
      ...(reposters && { reposts: reposters }),
      ...(keepers && { bookmarks: keepers }),
    }
  }
}
