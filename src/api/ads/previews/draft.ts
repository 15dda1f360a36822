import { Type } from 'typebox'
import { long } from '../../../platform/http/schema.ts'
import { draftPosts } from '../draft-posts/draft-posts.ts'
import { adsEndpoint } from '../endpoint.ts'
import { previewAddress } from './address.ts'

export const previewDraftPost = adsEndpoint({
  id: 'previewDraftPost',
  method: 'POST',
  path: '/accounts/{account_id}/draft_posts/preview/{draft_post_id}',
  summary: 'Preview a draft post',
  description:
    'Returns a `message` with the URL of the preview, which is valid for an hour. The draft is not changed.',
  source: 'Creatives (reference: draft posts)',
  right: 'creatives',
  scopes: ['read'],
  params: { draft_post_id: long('The draft post.') },
  codes: ['NOT_FOUND'],
  member: 'message',
  data: Type.String({ description: 'A sentence that contains the URL.' }),
  async handle({ scope: { accountId }, params: { draft_post_id: postId } }, context) {
    const row = await context.store.first(draftPosts.rows.byId, { account: accountId, id: postId })
    if (!row) throw draftPosts.missing(accountId, postId)
    const address = previewAddress({ accountId, type: 'DRAFT', postId }, context)
    return { data: `Open ${address} within an hour to see the draft.` }
  },
})
