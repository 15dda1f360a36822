import { Type } from 'typebox'
import { repost } from '../../../../domain/posts/engagement.ts'
import { id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { reactEndpoint } from '../reaction.ts'

/** POST /2/users/{id}/reposts. */
export const repostPost = reactEndpoint({
  id: 'repostPost',
  segment: 'reposts',
  parameter: 'post_id',
  summary: 'Repost a post',
  description:
    'Creates a repost: a post of the user that refers to the original. A user can repost a post once; repeating the call changes nothing. Other users cannot repost the posts of protected users.',
  scopes: ['post.read', 'post.write', 'users.read'],
  limits: { user: '50/15m' },
  data: {
    name: 'Reposted',
    members: { id: id('The repost.'), reposted: Type.Boolean() },
    example: { id: '1900000000000000002', reposted: true },
  },
  errors: ['repost not allowed'],
  async change(reaction, { app }, dependencies) {
    const { post, userId } = reaction
    if (post.author_protected === 1 && post.author_id !== userId) throw apiError('repost not allowed')
    return { id: await repost(reaction, { appId: app.id, ...dependencies }), reposted: true }
  },
})
