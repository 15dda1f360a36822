import { type Static, Type } from 'typebox'
import { writeNote } from '../../../domain/notes/notes.ts'
import { NoteInfo } from '../../../domain/notes/object.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../platform/http/schema.ts'
import { countForDay } from '../../../platform/http/steps/count-day.ts'
import { wrong } from '../posts/wrong.ts'
import { checkedNote, endpoint, SOURCE, WRITER_LIMITS } from './endpoint.ts'

const closed = { additionalProperties: false }

const CreateNoteBody = component(
  'CreateNoteBody',
  Type.Object(
    {
      test_mode: Type.Boolean({ description: 'Whether the note is a test, which is not public.' }),
      post_id: id('The post that it is about.'),
      info: NoteInfo,
    },
    closed,
  ),
)

/** POST /2/notes: a community note on a post (core reference, 04 section 3). */
export const createNote = endpoint({
  id: 'createNote',
  host: 'core',
  method: 'POST',
  path: '/2/notes',
  summary: 'Write a community note',
  description:
    'Creates a community note on a public post of the last 7 days. The writer must be enrolled. A writer can have one note on a post, and one more in test mode.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['post.write'],
  steps: [countForDay],
  limits: { ...WRITER_LIMITS, 'user-24hour': '250/24h' },
  body: CreateNoteBody,
  reply: Type.Object({ data: Type.Object({ id: id('The note.') }, closed) }, closed),
  errors: ['not a note writer', 'note exists', 'post not eligible for notes'],
  example: {
    body: {
      test_mode: true,
      post_id: '1900000000000000001',
      info: {
        text: 'The bridge was opened in 1932, not 1952: https://example.com/bridge',
        classification: 'misinformed_or_potentially_misleading',
        misleading_tags: ['factual_error'],
        trustworthy_sources: true,
      },
    },
    reply: { data: { id: '1900000000000000042' } },
  },
  async handle({ principal, body }, { store, ids }) {
    const note = { ...noteOf(body), userId: principal.userId }
    return json({ data: { id: await store.write((tx) => writeNote(tx, note, { ids })) } })
  },
})

/** The body, validated as far as possible without the store. */
function noteOf({ test_mode, post_id, info }: Static<typeof CreateNoteBody>) {
  const { classification, misleading_tags: tags } = info
  if (classification === 'not_misleading' && tags.length > 0)
    throw wrong(
      'info.misleading_tags',
      tags.join(),
      msg`A note that is not_misleading has no misleading_tags.`,
    )
  if (classification !== 'not_misleading' && tags.length === 0)
    throw wrong('info.misleading_tags', '', msg`The note needs at least one of the misleading_tags.`)
  return {
    postId: post_id,
    testMode: test_mode,
    text: checkedNote('info.text', info.text),
    classification,
    misleadingTags: tags,
    trustworthySources: info.trustworthy_sources,
    isMediaNote: info.is_media_note ?? false,
  }
}
