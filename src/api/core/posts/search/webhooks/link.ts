import { Type } from 'typebox'
import { streamLinksChanged } from '../../../../../delivery/streams/events.ts'
import { putLink } from '../../../../../delivery/streams/links/queries.ts'
import { lockApp } from '../../../../../identity/apps/queries.ts'
import { emit } from '../../../../../platform/events/log.ts'
import { json } from '../../../../../platform/http/reply-kinds.ts'
import { objects } from '../../../objects/objects.ts'
import { requireWebhook } from '../../../webhooks/find.ts'
import { closed, endpoint, exampleWebhook, OTHER_PATH, PATH, SOURCE, webhookParam } from './endpoint.ts'

/** POST /2/posts/search/webhooks/{webhook_id} (core reference, 03 section 3). */
export const linkStreamWebhook = endpoint({
  id: 'linkStreamWebhook',
  host: 'core',
  method: 'POST',
  path: `${PATH}/{webhook_id}`,
  aliases: [`${OTHER_PATH}/{webhook_id}`],
  summary: 'Link a webhook to the filtered stream',
  description:
    'The webhook receives each post that matches a rule of the app, in the format of `GET /2/posts/search/stream`, with these fields and expansions. Linking it again changes them.',
  source: SOURCE,
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '450/15m' },
  params: { webhook_id: webhookParam },
  query: objects.parameters('post'),
  reply: Type.Object({ data: Type.Object({ provisioned: Type.Boolean() }, closed) }, closed),
  reasons: ['WebhookIdInvalid'],
  example: { params: { webhook_id: exampleWebhook }, reply: { data: { provisioned: true } } },
  async handle({ principal: { app }, params: { webhook_id }, query }, { store }) {
    await store.write(async (tx) => {
      await tx.run(lockApp, { appId: app.id })
      await requireWebhook(tx, app.id, webhook_id)
      const selection = JSON.stringify(query)
      await tx.run(putLink, { webhook_id, app_id: app.id, selection, created_at: tx.now })
      await emit(tx, streamLinksChanged, { app_id: app.id })
    })
    return json({ data: { provisioned: true } })
  },
})
