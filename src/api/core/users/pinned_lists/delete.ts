import { Type } from 'typebox'
import { unpinList as unpin } from '../../../../domain/lists/lists.ts'
import { endListRelation } from '../list-relation.ts'

/** DELETE /2/users/{id}/pinned_lists/{list_id}. */
export const unpinList = endListRelation({
  id: 'unpinList',
  segment: 'pinned_lists',
  summary: 'Unpin a list',
  description: 'Ends the pin of a list. Repeating the call changes nothing.',
  data: { name: 'UnpinnedList', members: { pinned: Type.Boolean() }, example: { pinned: false } },
  async change(tx, subject) {
    await unpin(tx, subject)
    return { pinned: false }
  },
})
