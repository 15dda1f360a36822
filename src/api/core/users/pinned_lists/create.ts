import { Type } from 'typebox'
import { pinList as pin } from '../../../../domain/lists/lists.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { beginListRelation } from '../list-relation.ts'

const REFUSED = { 'not own': 'list not followed', 'too many': 'too many pinned lists' } as const

/** POST /2/users/{id}/pinned_lists. */
export const pinList = beginListRelation({
  id: 'pinList',
  segment: 'pinned_lists',
  summary: 'Pin a list',
  description:
    'Pins a list that the user owns or follows. A user may have 5 pinned lists. Repeating the call changes nothing.',
  data: { name: 'PinnedList', members: { pinned: Type.Boolean() }, example: { pinned: true } },
  errors: Object.values(REFUSED),
  async change(tx, subject, parts) {
    const pinned = await pin(tx, subject, parts)
    if (pinned !== 'pinned') throw apiError(REFUSED[pinned])
    return { pinned: true }
  },
})
