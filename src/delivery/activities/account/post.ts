import { type Static, Type } from 'typebox'
import { type ClassicPost, classicPostMembers, classicPosts } from '../../../domain/posts/classic.ts'
import { isForEveryone, postsSeenBy } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { ExtendedPost, truncatedPost } from '../../../domain/posts/truncated.ts'
import { component, id, longNumber } from '../../../platform/http/schema.ts'
import { closed } from '../payloads.ts'
import type { FormParts } from './form.ts'

const count = Type.Integer({ minimum: 0 })
const members = {
  ...classicPostMembers,
  extended_post: Type.Optional(ExtendedPost),
  quote_count: count,
  reply_count: count,
  is_quote_status: Type.Boolean({
    description: 'Whether it quotes a post, or is a repost of one that does.',
  }),
  quoted_status_id: Type.Optional(longNumber('The post that is quoted.')),
  quoted_status_id_str: Type.Optional(id('The post that is quoted.')),
}
const QuotedPost = component('AccountActivityQuotedPost', Type.Object(members, closed))
const quotingMembers = { ...members, quoted_status: Type.Optional(QuotedPost) }
const RepostedPost = component('AccountActivityRepostedPost', Type.Object(quotingMembers, closed))

/**
 * A post in classic form, with the post that it reposts or quotes if everyone may see that one too.
 */
export const AccountPost = component(
  'AccountActivityPost',
  Type.Object({ ...quotingMembers, reposted_status: Type.Optional(RepostedPost) }, closed),
)
export type AccountPost = Static<typeof AccountPost>

type Posts = ReadonlyMap<string, PostRow>

/** Those of some posts that everyone may see, by id. */
async function publicPosts(ids: readonly (string | null)[], store: FormParts['store']): Promise<Posts> {
  const wanted = new Set(ids.filter((one) => one !== null))
  if (wanted.size === 0) return new Map()
  const rows = await store.all(postsSeenBy, { ids: JSON.stringify([...wanted]), viewer: '' })
  return new Map(rows.filter(isForEveryone).map((row) => [row.id, row]))
}

/** Reads posts that everyone may see. */
export async function accountPosts(
  ids: readonly string[],
  { store, mediaOrigin, coreOrigin }: Omit<FormParts, 'reader'>,
): Promise<(id: string) => AccountPost | undefined> {
  const posts = await publicPosts(ids, store)
  const reposted = [...posts.values()].map((row) => row.reposted_post_id)
  const originals = await publicPosts(reposted, store)
  const quotes = [...posts.values(), ...originals.values()].map((row) => row.quoted_post_id)
  const quoted = await publicPosts(quotes, store)
  const rows = [...new Map([...posts, ...originals, ...quoted]).values()]
  const form = { mode: 'extended', trimUser: false } as const
  const whole = await classicPosts(rows, form, { store, mediaOrigin })
  const shown = new Map(
    rows.map((row, at) => [row.id, truncatedPost(row, whole[at] as ClassicPost, coreOrigin)]),
  )
  const plain = (row: PostRow) => {
    const quotedId = (originals.get(row.reposted_post_id ?? '') ?? row).quoted_post_id
    return {
      ...(shown.get(row.id) as ReturnType<typeof truncatedPost>),
      quote_count: row.quote_count,
      reply_count: row.reply_count,
      is_quote_status: quotedId !== null,
      ...(quotedId !== null && { quoted_status_id: quotedId, quoted_status_id_str: quotedId }),
    }
  }
  const quoting = (row: PostRow) => {
    const other = quoted.get(row.quoted_post_id ?? '')
    return { ...plain(row), ...(other && { quoted_status: plain(other) }) }
  }
  return (postId) => {
    const row = posts.get(postId)
    if (!row) return undefined
    const original = originals.get(row.reposted_post_id ?? '')
    return { ...quoting(row), ...(original && { reposted_status: quoting(original) }) }
  }
}
