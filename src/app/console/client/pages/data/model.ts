import { call } from '../../api.ts'
import type { List } from '../../parts/pages.tsx'

export type { List } from '../../parts/pages.tsx'

export interface One<T> {
  readonly data: T
}

export interface User {
  readonly id: string
  readonly screen_name: string
  readonly name: string
  readonly description: string
  readonly location: string
  readonly url: string | null
  readonly profile_image_url: string | null
  readonly profile_banner_url: string | null
  readonly protected: boolean
  readonly verified: boolean
  readonly verified_type: string
  readonly subscription_type: string
  readonly note_writer: string | null
  readonly suspended: boolean
  readonly followers_count: number
  readonly following_count: number
  readonly post_count: number
  readonly created_at: string
}

export interface Post {
  readonly id: string
  readonly author_id: string
  readonly text: string
  readonly conversation_id: string
  readonly in_reply_to_post_id: string | null
  readonly quote_post_id: string | null
  readonly repost_of_post_id: string | null
  readonly media_keys: readonly string[]
  readonly poll_id: string | null
  readonly like_count: number
  readonly repost_count: number
  readonly reply_count: number
  readonly quote_count: number
  readonly created_at: string
}

export interface Community {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly access: string
  readonly join_policy: string
  readonly member_count: number
  readonly created_at: string
}

export interface Medium {
  readonly media_key: string
  readonly type: 'IMAGE' | 'GIF' | 'VIDEO'
  readonly path: string | null
  readonly poster_path: string | null
  readonly width: number | null
  readonly height: number | null
  readonly alt_text: string | null
}

export interface Message {
  readonly id: string
  readonly conversation_id: string
  readonly sender_id: string
  readonly text: string
  readonly created_at: string
}

export interface App {
  readonly id: string
  readonly name: string
  readonly website: string
  readonly owner_user_id: string
  readonly kind: string
  readonly permission: string
  readonly client_type: string | null
  readonly suspended: boolean
  readonly created_at: string
}

const MAX_KNOWN = 500
const users = new Map<string, Promise<User | undefined>>()

/** A user by id; undefined if there is none. Asked once. */
export function userWith(id: string): Promise<User | undefined> {
  const known = users.get(id)
  if (known) return known
  if (users.size >= MAX_KNOWN) users.clear()
  const asked = call<One<User>>('GET', `/users/${id}`).then(
    ({ data }) => data,
    () => undefined,
  )
  users.set(id, asked)
  return asked
}

/** Forgets what is known, after a change. */
export const forgetUsers = (): void => users.clear()

/** Posts with what they show: authors, media, and the posts that they repost or quote. */
export interface ShownPosts {
  readonly posts: readonly Post[]
  readonly authors: ReadonlyMap<string, User>
  readonly media: ReadonlyMap<string, Medium>
  readonly others: ReadonlyMap<string, Post>
  readonly next: string | undefined
}

/** Reads a list of posts and everything that they show. */
export async function readPosts(path: string, signal: AbortSignal): Promise<ShownPosts> {
  const { data: posts, meta } = await call<List<Post>>('GET', path, { signal })
  const otherIds = [...new Set(posts.flatMap((post) => post.repost_of_post_id ?? post.quote_post_id ?? []))]
  const others = (await Promise.all(otherIds.map((id) => readPost(id, signal)))).filter(
    (post) => post !== undefined,
  )
  const all = [...posts, ...others]
  const authors = await Promise.all([...new Set(all.map(({ author_id }) => author_id))].map(userWith))
  const keys = [...new Set(all.flatMap(({ media_keys }) => media_keys))]
  const media = keys.length === 0 ? [] : await readMedia(keys, signal)
  return {
    posts,
    authors: new Map(authors.flatMap((user) => (user ? [[user.id, user] as const] : []))),
    media: new Map(media.map((medium) => [medium.media_key, medium])),
    others: new Map(others.map((post) => [post.id, post])),
    next: meta.next_token,
  }
}

const readPost = (id: string, signal: AbortSignal): Promise<Post | undefined> =>
  call<One<Post>>('GET', `/posts/${id}`, { signal }).then(
    ({ data }) => data,
    () => undefined,
  )

const MAX_KEYS = 100

const readMedia = async (keys: readonly string[], signal: AbortSignal): Promise<readonly Medium[]> =>
  (
    await call<One<readonly Medium[]>>('GET', `/media?media_keys=${keys.slice(0, MAX_KEYS).join(',')}`, {
      signal,
    })
  ).data
