import { Type } from 'typebox'
import { rulesOfOwner } from '../../../../../../delivery/streams/queries.ts'
import { json } from '../../../../../../platform/http/reply-kinds.ts'
import { choices, component, id } from '../../../../../../platform/http/schema.ts'
import { count, endpoint } from './endpoint.ts'

const AppRules = component(
  'AppRulesCount',
  Type.Object({ client_app_id: id('The app.'), rule_count: count }, { additionalProperties: false }),
)

const counts = {
  all_project_client_apps: Type.Optional(
    Type.Array(AppRules, { description: 'Apps of the project that have rules.' }),
  ),
  cap_per_client_app: Type.Optional(count),
  cap_per_project: Type.Optional(count),
  client_app_rules_count: Type.Optional(AppRules),
  project_rules_count: Type.Optional(count),
}
const FIELDS = [
  'all_project_client_apps',
  'cap_per_client_app',
  'cap_per_project',
  'client_app_rules_count',
  'project_rules_count',
] as const satisfies readonly (keyof typeof counts)[]

/**
 * GET /2/posts/search/stream/rules/counts: the number of rules and their limits (core reference, 03
 * section 1.1).
 */
export const countStreamRules = endpoint({
  id: 'countStreamRules',
  host: 'core',
  method: 'GET',
  path: '/2/posts/search/stream/rules/counts',
  summary: 'Count the rules of the filtered stream',
  description:
    'Returns the number of rules of the app and of its project, and their limits. The project of an app consists of all apps of its owner.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '450/15m' },
  query: {
    'rules_count.fields': Type.Optional(
      choices([...FIELDS], 'Members to return; all by default.', 'RulesCountField'),
    ),
  },
  reply: Type.Object(
    { data: component('RulesCount', Type.Object(counts, { additionalProperties: false })) },
    { additionalProperties: false },
  ),
  example: { reply: { data: { cap_per_client_app: 1000, cap_per_project: 25000, project_rules_count: 3 } } },
  async handle({ principal: { app }, query }, { store, config }) {
    const rows = await store.all(rulesOfOwner, { owner: app.ownerUserId, stream: 'filtered' })
    const apps = rows.map(({ app_id, rules }) => ({ client_app_id: app_id, rule_count: rules }))
    const own = apps.find(({ client_app_id }) => client_app_id === app.id)
    const all = {
      all_project_client_apps: apps,
      cap_per_client_app: config.streamRulesPerApp,
      cap_per_project: config.streamRulesPerProject,
      client_app_rules_count: own ?? { client_app_id: app.id, rule_count: 0 },
      project_rules_count: apps.reduce((sum, { rule_count }) => sum + rule_count, 0),
    }
    const fields = query['rules_count.fields'] ?? FIELDS
    return json({ data: Object.fromEntries(fields.map((name) => [name, all[name]])) })
  },
})
