import { profilesByIds } from '../../identity/users/queries.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import type { Entities, LinkPreview, UrlEntity } from '../../platform/text/entities.ts'
import { articleOf } from '../articles/in-post.ts'
import { postInLink } from '../posts/post-links.ts'
import { isForEveryone, postsSeenBy, publicPostsAmong } from '../posts/queries.ts'
import type { PostRow } from '../posts/tables.ts'
import { MAX_WEIGHT, shortened } from '../posts/weight.ts'
import { type GivenPreview, linkKey, previewIn } from './members.ts'
import { linkPreviewsByUrls, putLinkPreview } from './queries.ts'

type Reader = Pick<Store, 'all'>

/** The first links of a post get previews: a long text has thousands of links. */
const MAX_PREVIEWS = 20

/** A link of the platform to one of its posts. */
interface OwnPreview extends LinkPreview {
  readonly post_id: string
}

/**
 * Posts with previews of their links: of links to public posts, and of others those that are
 * stored. Links that have a preview keep it; of many links, the first get one. `entities` is JSON,
 * as posts store it.
 */
export async function withPreviews<Row extends { readonly entities: string }>(
  reader: Reader,
  rows: readonly Row[],
): Promise<Row[]> {
  const read = new Map(
    rows
      .filter(({ entities }) => !entities.includes('"urls":[]'))
      .map((row) => [row, JSON.parse(row.entities) as Entities]),
  )
  const bare = [...read.values()].flatMap(({ urls }) =>
    urls.slice(0, MAX_PREVIEWS).filter((link) => !hasPreview(link)),
  )
  if (bare.length === 0) return [...rows]
  const own = await ownPreviews(reader, bare)
  const stored = await storedPreviews(reader, bare)
  return rows.map((row) => {
    const entities = read.get(row)
    if (!entities) return row
    const urls = entities.urls.map((link, at) =>
      at >= MAX_PREVIEWS || hasPreview(link) ? link : { ...link, ...(own(link) ?? stored(link)) },
    )
    return { ...row, entities: JSON.stringify({ ...entities, urls }) }
  })
}

const hasPreview = ({ title, description, unwound_url, status, images }: LinkPreview) =>
  (title ?? description ?? unwound_url ?? status ?? images) !== undefined

type PreviewOf = (link: { readonly expanded_url: string }) => LinkPreview | undefined

/**
 * Stores the preview of a page, for the links of posts that are written later. Resolves to the form
 * of its URL; undefined for a URL that cannot be stored.
 */
export async function putPreview(tx: Transaction, given: GivenPreview): Promise<string | undefined> {
  const url = linkKey(given.url)
  if (url === undefined) return undefined
  await tx.run(putLinkPreview, { url, preview: JSON.stringify(previewIn(given) ?? {}) })
  return url
}

/** The stored previews of links. */
export async function storedPreviews(
  reader: Reader,
  links: readonly { readonly expanded_url: string }[],
): Promise<PreviewOf> {
  const keys = [...new Set(links.flatMap(({ expanded_url }) => linkKey(expanded_url) ?? []))]
  if (keys.length === 0) return () => undefined
  const rows = await reader.all(linkPreviewsByUrls, { urls: JSON.stringify(keys) })
  const known = new Map(rows.map(({ url, preview }) => [url, JSON.parse(preview) as LinkPreview]))
  return ({ expanded_url }) => known.get(linkKey(expanded_url) ?? '')
}

/** The previews of links to posts that everyone sees. */
async function ownPreviews(reader: Reader, links: readonly UrlEntity[]): Promise<PreviewOf> {
  const named = new Map(
    links.flatMap(({ expanded_url }) => {
      const post = postInLink(expanded_url)
      return post ? [[expanded_url, post]] : []
    }),
  )
  const posts = await publicPosts(
    reader,
    [...named.values()].map(({ id }) => id),
  )
  const ids = JSON.stringify([...new Set([...posts.values()].map((row) => row.author_id))])
  const authors = posts.size === 0 ? [] : await reader.all(profilesByIds, { ids })
  const authorOf = new Map(authors.map((row) => [row.id, row]))
  return ({ expanded_url }): OwnPreview | undefined => {
    const { id = '', name } = named.get(expanded_url) ?? {}
    const row = posts.get(id)
    const author = authorOf.get(row?.author_id ?? '')
    if (!row || author?.screen_name_key !== name) return undefined
    const [media_key] = JSON.parse(row.media_keys) as string[]
    const text = shortened(row.text, MAX_WEIGHT, (JSON.parse(row.entities) as Entities).urls)
    return {
      title: articleOf(row)?.title ?? `${author?.name} (@${author?.screen_name})`,
      ...(text !== '' && { description: text }),
      ...{ unwound_url: expanded_url, status: 200, post_id: id },
      ...(media_key !== undefined && { media_key }),
    }
  }
}

async function publicPosts(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, PostRow>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(postsSeenBy, { ids: JSON.stringify([...new Set(ids)]), viewer: '' })
  return new Map(rows.filter(isForEveryone).map((row) => [row.id, row]))
}

/**
 * Entities without the previews of posts that not everyone sees any more, for a whole page. Without
 * such links, it reads nothing.
 */
export async function withoutGonePosts(reader: Reader, page: readonly Entities[]) {
  const ids = [...new Set(page.flatMap(({ urls }) => urls.flatMap(({ post_id }) => post_id ?? [])))]
  const rows = ids.length === 0 ? [] : await reader.all(publicPostsAmong, { ids: JSON.stringify(ids) })
  const posts = new Set(rows.map(({ id }) => id))
  const shown = (link: UrlEntity): UrlEntity => {
    if (link.post_id === undefined || posts.has(link.post_id)) return link
    const { start, end, url, expanded_url, display_url } = link
    return { start, end, url, expanded_url, display_url }
  }
  return (entities: Entities): Entities =>
    ids.length === 0 ? entities : { ...entities, urls: entities.urls.map(shown) }
}
