import { Type } from 'typebox'
import { claimOpinionScore } from '../../../domain/notes/evaluation.ts'
import { requireEligible } from '../../../domain/notes/notes.ts'
import { requireWriter } from '../../../domain/notes/writers.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { checkedText, endpoint, SOURCE, WRITER_LIMITS } from './endpoint.ts'

const closed = { additionalProperties: false }

/** POST /2/evaluate_note: how much a note reads like an opinion (core reference, 04 section 3). */
export const evaluateNote = endpoint({
  id: 'evaluateNote',
  host: 'core',
  method: 'POST',
  path: '/2/evaluate_note',
  aliases: ['/2/notes/evaluate'],
  summary: 'Evaluate the text of a community note',
  description:
    'Scores whether a text makes a claim with sources: from -10 to 5, below zero for an opinion. The score depends only on the text. Nothing is stored.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['post.write'],
  limits: WRITER_LIMITS,
  body: Type.Object(
    {
      post_id: id('The post that the note would be about.'),
      note_text: Type.String({
        minLength: 1,
        description: 'Up to 280 characters; each URL counts as one.',
      }),
    },
    closed,
  ),
  reply: Type.Object(
    { data: Type.Object({ claim_opinion_score: Type.Number({ minimum: -10, maximum: 5 }) }, closed) },
    closed,
  ),
  errors: ['not a note writer', 'post not eligible for notes'],
  example: {
    body: {
      post_id: '1900000000000000001',
      note_text: 'The bridge was opened in 1932: https://example.com/bridge',
    },
    reply: { data: { claim_opinion_score: 1.5 } },
  },
  async handle({ principal, body }, { store, clock }) {
    const text = checkedText('note_text', body.note_text)
    await requireWriter(store, principal.userId)
    await requireEligible(store, body.post_id, clock.now())
    return json({ data: { claim_opinion_score: claimOpinionScore(text) } })
  },
})
