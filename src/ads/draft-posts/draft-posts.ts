import { Type } from 'typebox'
import { choice, component } from '../../http/schema.ts'
import { plannedMembers, shownPlanned } from '../posts/planned.ts'
import { plannedEndpoints } from '../posts/planned-endpoints.ts'
import { drafts } from './queries.ts'

/** Posts that are being written. */
export const draftPostEndpoints = plannedEndpoints({
  one: 'draft post',
  table: 'draft_posts',
  source: 'Creatives (reference: draft posts)',
  queries: drafts,
  schema: component(
    'DraftPost',
    Type.Object(
      { ...plannedMembers, status: Type.Optional(choice(['DELETED'], 'In the reply to its deletion.')) },
      { additionalProperties: false },
    ),
  ),
  shown: shownPlanned,
  deleted: { status: 'DELETED' },
  describe: {
    list: 'Of one user, oldest first.',
    create: 'Keeps a post that could be published, without publishing it.',
    update: 'Changes only what is sent.',
    delete: '',
  },
  complete: (made) => made,
})
