import { postsOfUser } from '../../../../domain/posts/timelines/queries.ts'
import { excludeParameter, listOfUser } from '../../object-lists.ts'
import { excludedBy, readTimeline, windowParameters } from '../timeline.ts'

/** GET /2/users/{id}/posts. */
export const listUserPosts = listOfUser({
  id: 'listUserPosts',
  segment: 'posts',
  summary: 'List the posts of a user',
  description:
    'Returns the posts, replies and reposts of a user, newest first. Posts of a protected user are visible only to the user and their followers.',
  scopes: ['post.read', 'users.read'],
  object: 'post',
  results: { default: 10, min: 5, max: 100 },
  limits: { app: '1500/15m', user: '900/15m' },
  query: { ...windowParameters, ...excludeParameter },
  isTimeline: true,
  read: (store, of, page, query) =>
    readTimeline(page, query, (args) =>
      store.all(postsOfUser(page.direction, excludedBy(query)), { of, ...args }),
    ),
})
