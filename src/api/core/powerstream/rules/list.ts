import { pageOfRules } from '../../../../delivery/streams/queries.ts'
import { FIRST_ID } from '../../../../platform/common/ids.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { presentRule } from '../../posts/search/stream/rules/endpoint.ts'
import { endpoint, PowerstreamRules } from './endpoint.ts'

/**
 * GET /2/powerstream/rules: the rules of the app for the powerstream (core reference, 03 section
 * 4).
 */
export const listPowerstreamRules = endpoint({
  id: 'listPowerstreamRules',
  host: 'core',
  method: 'GET',
  path: '/2/powerstream/rules',
  summary: 'List the rules of the powerstream',
  description: 'Returns all rules of the calling app, oldest first.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '50/24h' },
  reply: PowerstreamRules,
  example: { reply: { data: { rules: [{ id: '1900000000000000042', value: 'from:ada', tag: 'ada' }] } } },
  async handle({ principal: { app } }, { store, config }) {
    const all = { app: app.id, stream: 'powerstream', after: FIRST_ID, limit: config.streamRulesPerApp }
    return json({ data: { rules: (await store.all(pageOfRules, all)).map(presentRule) } })
  },
})
