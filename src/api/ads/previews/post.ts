import type { Static } from 'typebox'
import { userById } from '../../../identity/users/queries.ts'
import { numberIn } from '../cards/card-fields.ts'
import { cardsOf, type FlatCard } from '../cards/flat.ts'
import { base36Of } from '../cards/kinds.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { draftPosts } from '../draft-posts/draft-posts.ts'
import { plannedPosts } from '../posts/planned-list.ts'
import { type AccountPost, accountPosts } from '../posts/post.ts'
import type { PlannedPostRow } from '../posts/queries.ts'
import { previewedPosts } from '../posts/selection.ts'
import { scheduledPosts } from '../scheduled-posts/scheduled-posts.ts'
import type { AccountScope } from '../scope.ts'
import type { Preview } from './address.ts'
import { accountOfPreview } from './queries.ts'

export type PreviewedPost = Static<typeof AccountPost>
export type PreviewedCard = Static<typeof FlatCard> & Readonly<Record<string, unknown>>

/**
 * A post as its preview shows it, with its card; undefined if it no longer exists or may no longer
 * be shown.
 */
export async function postOfPreview(
  { accountId, type, postId }: Preview,
  context: AdsDependencies,
): Promise<{ post: PreviewedPost; card: PreviewedCard | undefined } | undefined> {
  const account = await context.store.first(accountOfPreview, { id: accountId })
  if (!account) return undefined
  const scope: AccountScope = { accountId, account, roles: [] }
  const [post] = type === 'PUBLISHED' ? await published(postId, scope, context) : await planned()
  const author = post && (await context.store.first(userById, { id: post.user.id_str }))
  if (!post || author?.suspended !== 0) return undefined
  return { post, card: post.card_uri === undefined ? undefined : await cardOf(post.card_uri, scope, context) }

  async function planned() {
    if (type === 'PUBLISHED') return []
    const { rows } = type === 'DRAFT' ? draftPosts : scheduledPosts
    const row = (await context.store.first(rows.byId, { account: accountId, id: postId })) as
      | PlannedPostRow
      | undefined
    const { environment } = scope.account
    return row ? plannedPosts([row], { type, environment, trimUser: false }, context) : []
  }
}

async function published(
  postId: string,
  scope: AccountScope,
  context: Pick<AdsDependencies, 'store' | 'mediaOrigin'>,
) {
  const rows = await previewedPosts([postId], scope, context)
  return accountPosts(rows, { accountId: scope.accountId, trimUser: false }, context)
}

async function cardOf(uri: string, scope: AccountScope, context: AdsDependencies) {
  const number = numberIn(uri)
  const selection = { numbers: [number], base36: [base36Of(number)], withDeleted: true }
  const [card] = await cardsOf(selection, scope, context)
  return card as PreviewedCard | undefined
}
