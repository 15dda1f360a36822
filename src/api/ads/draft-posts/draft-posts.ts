import { entity } from '../entity/entity.ts'
import { releaseMedia } from '../media/uses.ts'
import { draftFields } from '../posts/fields.ts'
import {
  authorFilter,
  changedPlanned,
  newPlanned,
  PLANNED_CODES,
  plannedEntity,
  usePlannedMedia,
} from '../posts/planned.ts'

/** Posts that are being written. */
export const draftPosts = entity({
  ...plannedEntity,
  one: 'draft post',
  source: 'Creatives (reference: draft posts)',
  describe: {
    list: 'Returns the drafts of one user, oldest first.',
    create: 'Stores a post without publishing it. The post must be publishable.',
    update:
      'Changes only the parameters that are sent. An empty list of media, card or name removes the value. You can send back a whole object.',
    delete: 'Deletion is final: the draft post is no longer returned.',
  },
  codes: PLANNED_CODES,
  filters: authorFilter,
  fields: draftFields,
  fixed: (_, { user_id }) => ({ as_user_id: user_id }),
  complete: newPlanned,
  adjust: (item, change) => changedPlanned(item, change),
  after: (item, work) => usePlannedMedia('draft_posts', item, work),
  async afterDelete(item, work) {
    await releaseMedia({ table: 'draft_posts', id: item.id }, work)
    item.status = 'DELETED'
  },
})
