import { Type } from 'typebox'
import { deleteRules } from '../../../delivery/streams/rules.ts'
import { appOf } from '../../../identity/tokens/credentials.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { theApp } from '../../../workbench/create/apps.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { Deleted } from '../../core/deleted.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE, STREAMS } from './rule.ts'

/** DELETE /admin/v1/apps/{app_id}/stream_rules/{rule_id}: deletes a rule. */
export const deleteRule = endpoint({
  ...ADMIN,
  id: 'deleteStreamRule',
  method: 'DELETE',
  path: '/admin/v1/apps/{app_id}/stream_rules/{rule_id}',
  summary: 'Delete a rule of an app',
  description: 'Deletes a rule of either stream. Open streams of the app apply it at once.',
  params: { app_id: appId, rule_id: id('The rule.') },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { app_id: EXAMPLE.app_id, rule_id: EXAMPLE.id },
    reply: { data: { deleted: true } },
  },
  async handle({ params: { app_id, rule_id } }, { store, sealer }) {
    const app = appOf(await theApp(store, app_id), sealer)
    for (const stream of STREAMS) {
      const { deleted } = await deleteRules({ ids: [rule_id], values: [] }, { app, stream }, { store })
      if (deleted > 0) return json({ data: { deleted: true } })
    }
    throw new NotThere(`The app ${app_id} has no rule ${rule_id}.`)
  },
})
