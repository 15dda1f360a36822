import type { Static } from 'typebox'
import { classicPosts } from '../../../domain/posts/classic.ts'
import { previewOf } from '../../../domain/posts/insert.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { compareIds } from '../../../platform/common/ids.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { nameKey } from '../name-key.ts'
import type { AccountScope } from '../scope.ts'
import type { AccountPost } from './post.ts'
import { draftQueries, type PlannedPostRow, scheduledQueries } from './queries.ts'

// Drafts and scheduled posts in the list of posts, in the form of published ones.

const QUERIES = { DRAFT: draftQueries, SCHEDULED: scheduledQueries } as const

interface PlannedListQuery {
  post_type: keyof typeof QUERIES
  post_ids?: readonly string[] | undefined
  name?: string | undefined
  timeline_type?: 'ALL' | 'NULLCAST' | 'ORGANIC' | undefined
}

interface PlannedPageArgs {
  users: readonly string[]
  before: string
  limit: number
}

/** One page, newest first, and one more if there is another page. */
export async function plannedRows(
  query: PlannedListQuery,
  { users, before, limit }: PlannedPageArgs,
  { accountId: account }: AccountScope,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<PlannedPostRow[]> {
  const { newest, named, byIds } = QUERIES[query.post_type]
  const timeline = query.timeline_type ?? (query.post_ids ? 'ALL' : 'NULLCAST')
  const nullcasts = timeline === 'ALL' ? ['0', '1'] : [timeline === 'NULLCAST' ? '1' : '0']
  const from = query.name === undefined ? undefined : nameKey(query.name)
  if (query.post_ids) {
    const listed: PlannedPostRow[] = await store.all(byIds, { account, ids: JSON.stringify(query.post_ids) })
    return listed
      .filter(
        (row) =>
          users.includes(row.user_id) &&
          nullcasts.includes(String(row.nullcast)) &&
          (from === undefined || row.name_key?.startsWith(from)) &&
          compareIds(row.id, before) < 0,
      )
      .sort((a, b) => compareIds(b.id, a.id))
      .slice(0, limit)
  }
  const [user] = users
  if (user === undefined) return []
  const args = { account, user, before, limit, nullcasts: JSON.stringify(nullcasts) }
  return from === undefined
    ? store.all(newest, args)
    : store.all(named, { ...args, from, to: `${from}\u{10ffff}` })
}

/** Planned posts in the list: what they would be once published, under their own ids. */
export async function plannedPosts(
  rows: readonly PlannedPostRow[],
  {
    type,
    environment,
    trimUser,
  }: { type: PlannedListQuery['post_type']; environment: string; trimUser: boolean },
  context: Pick<AdsDependencies, 'store' | 'clock' | 'dictionary' | 'mediaOrigin'>,
): Promise<Static<typeof AccountPost>[]> {
  const previews: PostRow[] = []
  for (const row of rows) {
    const post = {
      environment,
      authorId: row.user_id,
      text: row.text,
      nullcast: row.nullcast === 1,
      replySettings: 'everyone' as const,
      appId: row.app_id,
      contributorId: row.contributor_id,
      mediaKeys: JSON.parse(row.media_keys) as string[],
      cardUri: row.card_uri,
    }
    const preview = await previewOf(context.store, post, {
      clock: context.clock,
      dictionary: context.dictionary,
      ids: { next: () => row.id },
    })
    previews.push({ ...preview, created_at: row.created_at })
  }
  const shown = await classicPosts(previews, { mode: 'extended', trimUser }, context)
  return rows.map((row, index) => ({
    ...(shown[index] as (typeof shown)[number]),
    name: row.name,
    conversation_settings: 'EVERYONE',
    nullcast: row.nullcast === 1,
    scheduled_at: row.scheduled_at ?? null,
    scheduled_status: row.scheduled_status ?? null,
    post_type: type,
    post_id: row.id,
  }))
}
