import { Type } from 'typebox'
import { streamRulesChanged } from '../../../delivery/streams/events.ts'
import { appUnenrolled } from '../../../identity/apps/events.ts'
import { lockApp, moveCredentialEpoch, removeApp } from '../../../identity/apps/queries.ts'
import { emit } from '../../../platform/events/log.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { theApp } from '../../../workbench/create/apps.ts'
import { Deleted } from '../../core/deleted.ts'
import { webhooksOfApp } from '../../core/webhooks/queries.ts'
import { unregisterWebhook } from '../../core/webhooks/register.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { appId, EXAMPLE } from './app.ts'

/** DELETE /admin/v1/apps/{app_id}: removes an app. */
export const deleteApp = dataEndpoint({
  ...ADMIN,
  id: 'deleteApp',
  method: 'DELETE',
  path: '/admin/v1/apps/{app_id}',
  summary: 'Delete an app',
  description:
    'Deletes an app with its keys, tokens, webhooks, subscriptions and rules. Its streams end. Posts that were published with it stay.',
  params: { app_id: appId },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { app_id: EXAMPLE.id }, reply: { data: { deleted: true } } },
  async handle({ params: { app_id } }, { store }) {
    await store.write((tx) => remove(tx, app_id))
    return json({ data: { deleted: true } })
  },
})

async function remove(tx: Transaction, id: string): Promise<void> {
  await tx.run(lockApp, { appId: id })
  await theApp(tx, id)
  for (const webhook of await tx.all(webhooksOfApp, { appId: id }))
    await unregisterWebhook(tx, { id: webhook.id, appId: id })
  await tx.run(removeApp, { id })
  await tx.run(moveCredentialEpoch, {})
  await emit(tx, appUnenrolled, { app_id: id })
  for (const stream of ['filtered', 'powerstream'] as const)
    await emit(tx, streamRulesChanged, { app_id: id, stream })
}
