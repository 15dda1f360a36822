import { Type } from 'typebox'
import { pageOfRules } from '../../../delivery/streams/queries.ts'
import { FIRST_ID } from '../../../platform/common/ids.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theApp } from '../../../workbench/create/apps.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { AdminRule, EXAMPLE, presentRule, streamName } from './rule.ts'

/** GET /admin/v1/apps/{app_id}/stream_rules: the rules of an app. */
export const listRules = endpoint({
  ...ADMIN,
  id: 'listStreamRules',
  method: 'GET',
  path: '/admin/v1/apps/{app_id}/stream_rules',
  summary: 'List the rules of an app',
  description: 'Lists the rules of one stream, oldest first.',
  params: { app_id: appId },
  query: { ...PAGE_PARAMETERS, stream: Type.Optional(streamName) },
  reply: pageReply(AdminRule),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { app_id: EXAMPLE.app_id },
    reply: { data: [EXAMPLE], meta: { result_count: 1 } },
  },
  async handle({ params: { app_id: app }, query: { stream = 'filtered', ...query } }, { store }) {
    await theApp(store, app)
    const page = await readPage(query, {
      read: ({ after = FIRST_ID, limit }) => store.all(pageOfRules, { app, stream, after, limit }),
      keyOf: ({ id }) => id,
      show: presentRule,
    })
    return json(page)
  },
})
