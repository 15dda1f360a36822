import { homeTimeline } from '../../../../domain/posts/timelines/merged.ts'
import { excludeParameter, ownListOfUser } from '../../object-lists.ts'
import { excludedBy, readTimeline, windowParameters } from '../timeline.ts'

/** GET /2/users/{id}/timelines/reverse_chronological. */
export const readHomeTimeline = ownListOfUser({
  id: 'readHomeTimeline',
  segment: 'timelines/reverse_chronological',
  summary: 'Read the home timeline',
  description:
    'Returns the posts, replies and reposts of the user and of the users they follow, newest first. Posts of muted users are omitted, also if others repost them.',
  scopes: ['post.read', 'users.read'],
  object: 'post',
  results: { default: 100, min: 1, max: 100 },
  limits: { user: '180/15m' },
  query: { ...windowParameters, ...excludeParameter },
  isTimeline: true,
  read: (store, of, page, query) =>
    readTimeline(page, query, (args) =>
      homeTimeline(store, { of, ...args }, { direction: page.direction, exclude: excludedBy(query) }),
    ),
  isShown: ({ unwanted }) => unwanted === 0,
})
