import { Type } from 'typebox'
import { activityNames } from '../../../delivery/activities/kinds/kinds.ts'
import { bytes } from '../../../platform/http/reply-kinds.ts'
import { choice, raw, text } from '../../../platform/http/schema.ts'
import { emitByHand } from '../../../workbench/create/emit.ts'
import { objects } from '../../core/objects/objects.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'

const MAX_BODY_BYTES = 256 * 1024

/** POST /admin/v1/emit: emits an activity. */
export const emitAnyActivity = dataEndpoint({
  ...ADMIN,
  id: 'emitActivity',
  method: 'POST',
  path: '/admin/v1/emit',
  summary: 'Emit an activity as if it had happened',
  description: `Sends an activity to everyone who subscribed to it: streams, webhooks and account activity get it like one that happened. It is about users, posts and messages that exist; missing ones are created. Nothing else changes. Types: ${activityNames.join(', ')}.`,
  body: Type.Object(
    {
      event_type: text(1, 100, 'The type, also in the spelling of the vocabulary.'),
      user: Type.Optional(text(1, 16, 'Screen name of the user that the subscription filters by.')),
      text: Type.Optional(text(1, 10_000, 'For news: text that keywords are matched against.')),
      app: Type.Optional(text(1, 19, 'For events about an app: its id.')),
      direction: Type.Optional(choice(['inbound', 'outbound'], 'Both by default.')),
      with: Type.Optional(
        raw(Type.Object({}, { description: 'Members that replace those of the payload.' })),
      ),
    },
    { additionalProperties: false },
  ),
  maxBodyBytes: MAX_BODY_BYTES,
  reply: Type.Object(
    {
      data: Type.Object(
        {
          event_type: Type.String(),
          payload: Type.Object({}, { description: 'What subscribers receive.' }),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  example: {
    body: { event_type: 'follow.follow', user: 'ann' },
    reply: { data: { event_type: 'follow.follow', payload: {} } },
  },
  async handle({ body }, dependencies) {
    const { name, payload } = await emitByHand(body, { ...dependencies, graph: objects })
    // Its shape depends on the type, and it has the names of the vocabulary.
    return bytes({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: `{"data":{"event_type":${JSON.stringify(name)},"payload":${payload}}}`,
    })
  },
})
