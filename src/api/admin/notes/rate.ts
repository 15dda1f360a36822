import { Type } from 'typebox'
import { type RatingFault, rateNote } from '../../../domain/notes/notes.ts'
import {
  HELPFUL_TAGS,
  HELPFULNESS,
  NOT_HELPFUL_TAGS,
  STATUSES,
  VIEWPOINTS,
} from '../../../domain/notes/ratings.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedComponent, closedObject, id, storedChoice } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE as USER, userName } from '../users/user.ts'

const TAGS = [...HELPFUL_TAGS, ...NOT_HELPFUL_TAGS]

const NoteRating = closedComponent('NoteRating', {
  note_id: id('The note.'),
  user_id: id('Who rated it.'),
  status: storedChoice([...STATUSES], 'The status of the note after the rating.', 'NoteStatus'),
})

const EXAMPLE = { note_id: '1900000000000000301', user_id: USER.id, status: STATUSES[0] }

/** PUT /admin/v1/notes/{note_id}/ratings/{user}: rates a community note. */
export const rateAnyNote = dataEndpoint({
  ...ADMIN,
  id: 'rateNote',
  method: 'PUT',
  path: '/admin/v1/notes/{note_id}/ratings/{user}',
  summary: 'Rate a community note as a user',
  description:
    'Records how helpful a user finds a community note. A later rating of the user replaces an earlier one. The core API has no endpoint for readers of notes.',
  params: { note_id: id('The note.'), user: userName('Who rates it: id or screen name.') },
  body: closedObject({
    helpfulness: Type.Optional(choice([...HELPFULNESS], 'How helpful the note is: `helpful` by default.')),
    viewpoint: Type.Optional(choice([...VIEWPOINTS], 'The viewpoint of the user: `neutral` by default.')),
    tags: Type.Optional(
      Type.Array(choice(TAGS, 'A reason.'), {
        maxItems: TAGS.length,
        uniqueItems: true,
        description: 'Reasons for the rating.',
      }),
    ),
  }),
  reply: closedObject({ data: NoteRating }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: {
    params: { note_id: EXAMPLE.note_id, user: 'ann' },
    body: { helpfulness: 'helpful', tags: [HELPFUL_TAGS[0]] },
    reply: { data: EXAMPLE },
  },
  async handle({ params: { note_id, user }, body }, { store }) {
    const { helpfulness = 'helpful', viewpoint = 'neutral', tags = [] } = body
    const data = await store.write(async (tx) => {
      const { id: userId } = await theUser(tx, user)
      const rated = await rateNote(tx, note_id, { userId, helpfulness, viewpoint, tags })
      if ('fault' in rated) throw problemOf(rated.fault, note_id)
      return { note_id, user_id: userId, status: rated.status }
    })
    return json({ data })
  },
})

function problemOf(fault: RatingFault, note: string): Error {
  switch (fault) {
    case 'no such note':
      return new NotThere(`There is no note ${note}.`)
    case 'own note':
      return apiError('conflict', { explanation: 'Writers cannot rate their own notes.' })
    case 'test mode':
      return apiError('conflict', { explanation: 'Test notes cannot be rated.' })
  }
}
