import { Type } from 'typebox'
import { html } from '../../../platform/common/html.ts'
import { choice, closedComponent, id, ids, long } from '../../../platform/http/schema.ts'
import { adsEndpoint } from '../endpoint.ts'
import { POST_TYPES } from '../posts/post.ts'
import { previewed } from '../posts/selection.ts'
import { previewAddress } from './address.ts'

export const listPostPreviews = adsEndpoint({
  id: 'listPostPreviews',
  method: 'GET',
  path: '/accounts/{account_id}/post_previews',
  summary: 'List previews of posts',
  description:
    'Returns HTML for each post, in the order of the request: an `iframe` whose URL is valid for an hour and needs no sign-in. Ids of another type are ignored, and so are posts that are not public, except those that are only shown in advertisements.',
  source: 'Creatives (reference: post previews)',
  right: 'read',
  query: {
    post_ids: ids(long('A post, draft or scheduled post.'), 'The posts.'),
    post_type: choice([...POST_TYPES], 'Type of the posts that the ids name.', 'PostType'),
  },
  data: Type.Array(
    closedComponent('PostPreview', {
      post_id: id('The post.'),
      preview: Type.String({ description: 'An `iframe` element.' }),
    }),
  ),
  async handle({ scope, query: { post_ids, post_type: type } }, context) {
    const listed = await previewed({ post_type: type, post_ids }, scope, context)
    const known = new Set(listed.map((row) => row.id))
    return {
      data: post_ids
        .filter((id) => known.has(id))
        .map((postId) => {
          const address = previewAddress({ accountId: scope.accountId, type, postId }, context)
          return { post_id: postId, preview: frame(address) }
        }),
    }
  },
})

const frame = (address: string) =>
  html`<iframe class="post-preview" src="${address}" title="Preview of a post" width="480" height="560" frameborder="0" sandbox="allow-popups"></iframe>`
    .text
