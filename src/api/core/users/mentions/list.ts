import { mentionsOfUser } from '../../../../domain/posts/timelines/queries.ts'
import { listOfUser } from '../../object-lists.ts'
import { readTimeline, windowParameters } from '../timeline.ts'

/** GET /2/users/{id}/mentions. */
export const listMentions = listOfUser({
  id: 'listMentions',
  segment: 'mentions',
  summary: 'List the posts that mention a user',
  description:
    'Returns the posts that mention a user or reply to one, newest first. Posts of blocked users, and posts that the caller may not see, are omitted.',
  scopes: ['post.read', 'users.read'],
  object: 'post',
  results: { default: 10, min: 5, max: 100 },
  limits: { app: '450/15m', user: '180/15m' },
  query: windowParameters,
  isTimeline: true,
  read: (store, of, page, query) =>
    readTimeline(page, query, (args) => store.all(mentionsOfUser[page.direction], { of, ...args })),
  isShown: ({ unwanted }) => unwanted === 0,
})
