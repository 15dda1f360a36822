import { Type } from 'typebox'
import { linksOfApp } from '../../../../../delivery/streams/links/queries.ts'
import { appById } from '../../../../../identity/apps/queries.ts'
import { objectTime } from '../../../../../platform/common/time.ts'
import { json } from '../../../../../platform/http/reply-kinds.ts'
import { component, id, time } from '../../../../../platform/http/schema.ts'
import type { Vocabulary } from '../../../../../platform/http/vocabulary.ts'
import { closed, endpoint, exampleWebhook, OTHER_PATH, PATH, SOURCE, webhookParam } from './endpoint.ts'

const StreamLink = component(
  'StreamWebhookLink',
  Type.Object(
    {
      application_id: id('The app.'),
      business_user_id: id('The owner of the app.'),
      created_at: time('When it was first linked.'),
      fields: Type.Array(Type.String({ description: 'A parameter, like `expansions=author_id`.' })),
      instance_id: id('The stream. An app has one.'),
      webhook_id: webhookParam,
    },
    closed,
  ),
)

/** `{"post.fields":["lang"]}` as `["post.fields=lang"]`, in the words that clients use. */
const fieldsOf = (selection: string, vocabulary: Vocabulary): string[] =>
  Object.entries(JSON.parse(selection) as Record<string, readonly string[]>).map(
    ([name, values]) => `${vocabulary.name(name)}=${values.map((value) => vocabulary.name(value)).join(',')}`,
  )

/** GET /2/posts/search/webhooks (core reference, 03 section 3). */
export const listStreamWebhooks = endpoint({
  id: 'listStreamWebhooks',
  host: 'core',
  method: 'GET',
  path: PATH,
  aliases: [OTHER_PATH],
  summary: 'List the webhooks that are linked to the filtered stream',
  description: 'Lists the links of the calling app, without paging. An app has at most one per webhook.',
  source: SOURCE,
  auth: ['app'],
  limits: { app: '450/15m' },
  reply: Type.Object({ data: Type.Object({ links: Type.Array(StreamLink) }, closed) }, closed),
  example: {
    reply: {
      data: {
        links: [
          {
            application_id: '1900000000000000007',
            business_user_id: '1900000000000000001',
            created_at: '2026-02-03T04:05:06.000Z',
            fields: ['expansions=author_id'],
            instance_id: '1900000000000000007',
            webhook_id: exampleWebhook,
          },
        ],
      },
    },
  },
  async handle({ principal: { app } }, { store, naming }) {
    const [owner, rows] = await Promise.all([
      store.first(appById, { id: app.id }),
      store.all(linksOfApp, { app: app.id }),
    ])
    const links = rows.map(({ webhook_id, selection, created_at }) => ({
      application_id: app.id,
      business_user_id: owner?.owner_user_id ?? app.id,
      created_at: objectTime(created_at),
      fields: fieldsOf(selection, naming.vocabulary),
      instance_id: app.id,
      webhook_id,
    }))
    return json({ data: { links } })
  },
})
