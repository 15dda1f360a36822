import { Type } from 'typebox'
import { streamLinksChanged } from '../../../../../delivery/streams/events.ts'
import { removeLink } from '../../../../../delivery/streams/links/queries.ts'
import { lockApp } from '../../../../../identity/apps/queries.ts'
import { emit } from '../../../../../platform/events/log.ts'
import { json } from '../../../../../platform/http/reply-kinds.ts'
import { Deleted } from '../../../deleted.ts'
import { requireWebhook } from '../../../webhooks/find.ts'
import { closed, endpoint, exampleWebhook, OTHER_PATH, PATH, SOURCE, webhookParam } from './endpoint.ts'

/** DELETE /2/posts/search/webhooks/{webhook_id} (core reference, 03 section 3). */
export const unlinkStreamWebhook = endpoint({
  id: 'unlinkStreamWebhook',
  host: 'core',
  method: 'DELETE',
  path: `${PATH}/{webhook_id}`,
  aliases: [`${OTHER_PATH}/{webhook_id}`],
  summary: 'Unlink a webhook from the filtered stream',
  description: 'The webhook receives no more posts. Unlinking a webhook that is not linked changes nothing.',
  source: SOURCE,
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '450/15m' },
  params: { webhook_id: webhookParam },
  reply: Type.Object({ data: Deleted }, closed),
  reasons: ['WebhookIdInvalid'],
  example: { params: { webhook_id: exampleWebhook }, reply: { data: { deleted: true } } },
  async handle({ principal: { app }, params: { webhook_id } }, { store }) {
    const deleted = await store.write(async (tx) => {
      await tx.run(lockApp, { appId: app.id })
      await requireWebhook(tx, app.id, webhook_id)
      const removed = await tx.run(removeLink, { webhook: webhook_id, app: app.id })
      if (removed > 0) await emit(tx, streamLinksChanged, { app_id: app.id })
      return removed > 0
    })
    return json({ data: { deleted } })
  },
})
