import assert from 'node:assert/strict'
import type { Plaza } from '../../src/app/server.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { type ProfileChanges, updateProfile } from '../../src/identity/users/profile.ts'
import type { Reply } from './client.ts'
import type { Person } from './person.ts'

// What users do with posts and with each other, through the core API.

interface Shown extends Record<string, unknown> {
  id: string
}

/** A reply with one object, or with a list of them. */
export interface Body {
  data?: Shown & Shown[]
  includes?: Record<string, Shown[]>
  meta?: { result_count: number; next_token?: string; previous_token?: string }
  errors?: { detail: string; title: string }[]
}

/** The body of a reply, whose status must be 200. */
export function okay(reply: Reply): Body {
  assert.equal(reply.status, 200, reply.text)
  return reply.json as Body
}

export const idsIn = ({ data }: Body): string[] => (data ?? []).map(({ id }) => id)

let count = 0

/** Publishes a post, by default with a new text. Resolves to its id. */
export async function publish(who: Person, json: object = {}): Promise<string> {
  const reply = await who.core('POST', '/2/posts', { text: `Words of number ${++count}`, ...json })
  assert.equal(reply.status, 201, reply.text)
  return (reply.json as { data: { id: string } }).data.id
}

/** Publishes a new version of a post. The author needs a subscription. */
export const edit = (who: Person, post: string, json: object = {}): Promise<string> =>
  publish(who, { edit_options: { previous_post_id: post }, ...json })

/** Likes, bookmarks or reposts a post. */
export const react = async (who: Person, segment: 'likes' | 'bookmarks' | 'reposts', post: string) =>
  okay(await who.core('POST', `/2/users/${who.id}/${segment}`, { post_id: post }))

export const takeBack = async (who: Person, segment: 'likes' | 'bookmarks' | 'reposts', post: string) =>
  okay(await who.core('DELETE', `/2/users/${who.id}/${segment}/${post}`))

/** Follows, blocks or mutes a user. */
export const relate = async (who: Person, segment: 'following' | 'blocking' | 'muting', whom: Person) =>
  okay(await who.core('POST', `/2/users/${who.id}/${segment}`, { target_user_id: whom.id }))

export const unrelate = async (who: Person, segment: 'following' | 'blocking' | 'muting', whom: Person) =>
  okay(await who.core('DELETE', `/2/users/${who.id}/${segment}/${whom.id}`))

export const read = async (who: Person, path: string) => okay(await who.core('GET', path))

/** The counts of a post. */
export async function countsOfPost(who: Person, post: string): Promise<Record<string, number>> {
  const { data } = await read(who, `/2/posts/${post}?post.fields=public_metrics`)
  return data?.public_metrics as Record<string, number>
}

/** The counts of a user's profile. */
export async function countsOfUser(who: Person): Promise<Record<string, number>> {
  const { data } = await read(who, '/2/users/me?user.fields=public_metrics')
  return data?.public_metrics as Record<string, number>
}

/** The ids of a list, page by page. An empty page is an empty list. */
export async function pagesOf(who: Person, path: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const more = token === '' ? '' : `${path.includes('?') ? '&' : '?'}pagination_token=${token}`
    const page: Body = await read(who, path + more)
    pages.push(idsIn(page))
    token = page.meta?.next_token
  }
  return pages
}

/** Changes the profile of a user as the operator. */
export const change = ({ context }: Plaza, { id }: Person, changes: ProfileChanges) =>
  context.store.write((tx) => updateProfile(tx, id, changes))

export const suspend = ({ context }: Plaza, { id }: Person, suspended: boolean) =>
  context.store.write((tx) => setSuspended(tx, { kind: 'user', id, suspended }))
