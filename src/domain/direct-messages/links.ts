import { profilesByIds } from '../../identity/users/queries.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { isShownTo, postsSeenBy } from '../posts/queries.ts'

/** Maximum number of links to posts that are looked up; the others remain plain links. */
const MAX_LINKS = 10

/** The path of a post: `/demo/status/1900000000000000001`. */
const POST_PATH = /^\/([A-Za-z0-9_]{1,15})\/status\/([0-9]{1,19})\/?$/

/**
 * The posts that a text links to. Plaza has no pages of posts, so the host does not matter: the
 * sender must see the post, and the path must contain the screen name of its author.
 */
export async function linkedPosts(tx: Transaction, { urls }: Entities, sender: string): Promise<string[]> {
  const named = urls.flatMap(({ expanded_url }) => pathOf(expanded_url)).slice(0, MAX_LINKS)
  if (named.length === 0) return []
  const ids = JSON.stringify([...new Set(named.map(({ id }) => id))])
  const posts = (await tx.all(postsSeenBy, { ids, viewer: sender })).filter(
    (row) => row.deleted === 0 && isShownTo(row, sender),
  )
  const authors = await tx.all(profilesByIds, { ids: JSON.stringify(posts.map((row) => row.author_id)) })
  const names = new Map(authors.map((row) => [row.id, row.screen_name_key]))
  const nameOf = new Map(posts.map((row) => [row.id, names.get(row.author_id)]))
  return [...new Set(named.filter(({ id, name }) => nameOf.get(id) === name).map(({ id }) => id))]
}

/** The post that a URL names, with the screen name of its author. */
function pathOf(address: string): { id: string; name: string }[] {
  if (!URL.canParse(address)) return []
  const [, name = '', id] = POST_PATH.exec(new URL(address).pathname) ?? []
  return id === undefined ? [] : [{ id, name: name.toLowerCase() }]
}
