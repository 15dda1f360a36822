import { Type } from 'typebox'
import { addRules, namesOf, type RuleFault } from '../../../delivery/streams/rules.ts'
import { appOf } from '../../../identity/tokens/credentials.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theApp } from '../../../workbench/create/apps.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { appId } from '../apps/app.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { AdminRule, EXAMPLE, presentRule, ruleMembers, streamName } from './rule.ts'

/** POST /admin/v1/apps/{app_id}/stream_rules: adds a rule. */
export const createRule = endpoint({
  ...ADMIN,
  id: 'createStreamRule',
  method: 'POST',
  path: '/admin/v1/apps/{app_id}/stream_rules',
  summary: 'Add a rule to a stream of an app',
  description: 'Adds a rule, which open streams of the app apply at once.',
  params: { app_id: appId },
  body: Type.Object(
    {
      value: ruleMembers.value,
      tag: Type.Optional(ruleMembers.tag),
      stream: Type.Optional(streamName),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Type.Object({ data: AdminRule }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found', 'too many rules'],
  example: {
    params: { app_id: EXAMPLE.app_id },
    body: { value: EXAMPLE.value, tag: 'bridges' },
    reply: { data: EXAMPLE },
  },
  async handle({ params: { app_id }, body: { stream = 'filtered', ...rule } }, dependencies) {
    const { store, sealer, naming } = dependencies
    const app = appOf(await theApp(store, app_id), sealer)
    const names = namesOf(naming.vocabulary)
    const { rules, faults } = await addRules([rule], { app, stream, names }, dependencies)
    const [made] = rules
    if (made) return json({ data: presentRule(made) })
    throw new WrongValue('value', rule.value, sentenceOf(faults[0]))
  },
})

const sentenceOf = (fault: RuleFault | undefined): string =>
  fault?.kind === 'duplicate'
    ? `The app has this rule already: ${fault.id}.`
    : (fault?.errors ?? []).map(({ message }) => message).join('\n')
