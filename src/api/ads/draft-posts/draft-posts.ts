import { Type } from 'typebox'
import { choice, component } from '../../../platform/http/schema.ts'
import { plannedMembers, shownPlanned } from '../posts/planned.ts'
import { plannedEndpoints } from '../posts/planned-endpoints.ts'
import { drafts } from './queries.ts'

/** Posts that are being written. */
export const draftPosts = plannedEndpoints({
  one: 'draft post',
  table: 'draft_posts',
  source: 'Creatives (reference: draft posts)',
  queries: drafts,
  schema: component(
    'DraftPost',
    Type.Object(
      {
        ...plannedMembers,
        status: Type.Optional(choice(['DELETED'], 'Present in the reply to its deletion.')),
      },
      { additionalProperties: false },
    ),
  ),
  shown: shownPlanned,
  deleted: { status: 'DELETED' },
  describe: {
    list: 'Returns the drafts of one user, oldest first.',
    create: 'Stores a post without publishing it. The post must be publishable.',
    update: 'Changes only the parameters that are sent.',
    delete: '',
  },
  complete: (made) => made,
})
