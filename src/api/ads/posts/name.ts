import { msg } from '../../../platform/http/message.ts'
import { clearable, long } from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import { adsEndpoint } from '../endpoint.ts'
import { promotableUser } from '../line-items/queries.ts'
import { nameKey } from '../name-key.ts'
import { postName } from './fields.ts'
import { AccountPost, accountPosts } from './post.ts'
import { isKnown, type PromotableType } from './promotable.ts'
import { knownPostsByIds, putPostName, removePostName } from './queries.ts'

export const nameAccountPost = adsEndpoint({
  id: 'nameAccountPost',
  method: 'PUT',
  path: '/accounts/{account_id}/posts/{post_id}/name',
  summary: 'Set the name of a post',
  description:
    'Sets the name of a post of a promotable user. Only this account sees the name. An empty value removes it.',
  source: 'Creatives',
  right: 'creatives',
  params: { post_id: long('The post.') },
  form: { name: clearable(postName) },
  codes: ['POST_NOT_FOUND'],
  data: AccountPost,
  async handle({ scope, params, form }, context) {
    const { accountId, account } = scope
    const { post_id: postId } = params
    const { name } = form
    const row = await context.store.write(async (tx) => {
      const ids = JSON.stringify([postId])
      const [post] = await tx.all(knownPostsByIds, { environment: account.environment, ids })
      const promotable =
        post && (await tx.first(promotableUser, { account: accountId, userId: post.author_id }))
      if (!post || !promotable || !isKnown(promotable.promotable_user_type as PromotableType, post))
        throw rejected(
          'post_id',
          msg`Post ${postId} was not found for Account ${accountId}`,
          'POST_NOT_FOUND',
        )
      if (name === null) await tx.run(removePostName, { account: accountId, post: postId })
      else
        await tx.run(putPostName, {
          account_id: accountId,
          post_id: postId,
          author_id: post.author_id,
          name,
          name_key: nameKey(name),
        })
      return post
    })
    const [data] = await accountPosts([row], { accountId, trimUser: false }, context)
    if (!data) throw new Error('a post that was named is not shown')
    return { data }
  },
})
