import { Type } from 'typebox'
import { empty } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADDED_POST_METRICS, addPostCounts } from '../../../workbench/create/counted.ts'
import { pastTime } from '../../../workbench/create/times.ts'
import { amounts } from '../amounts.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, postId } from './post.ts'

/** POST /admin/v1/posts/{post_id}/metrics: adds views and clicks to a post. */
export const addPostMetrics = dataEndpoint({
  ...ADMIN,
  id: 'addPostMetrics',
  method: 'POST',
  path: '/admin/v1/posts/{post_id}/metrics',
  summary: 'Add views and clicks to a post',
  description:
    'Counts views, clicks and follows of a post in an hour, for its analytics. Likes, replies and other reactions are counted when users make them. A repost stands for its original.',
  params: { post_id: postId },
  body: closedObject({
    at: Type.Optional(pastTime('When they happened, to the hour')),
    metrics: amounts(ADDED_POST_METRICS),
  }),
  replyKind: 'empty',
  status: 204,
  reply: closedObject({}),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { post_id: EXAMPLE.id },
    body: { at: '-2h', metrics: { impressions: 120, url_clicks: 3 } },
    reply: {},
  },
  async handle({ params: { post_id }, body }, { store }) {
    await store.write((tx) => addPostCounts(tx, post_id, body))
    return empty()
  },
})
