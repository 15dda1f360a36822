import { Type } from 'typebox'
import { ruleProblem } from '../../../../delivery/streams/rule-problems.ts'
import { addRules, namesOf } from '../../../../delivery/streams/rules.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { NewRule, presentRule } from '../../posts/search/stream/rules/endpoint.ts'
import { endpoint, MAX_BODY_BYTES, MAX_CHANGED, PowerstreamRules } from './endpoint.ts'

/** POST /2/powerstream/rules: adds rules for the powerstream (core reference, 03 section 4). */
export const addPowerstreamRules = endpoint({
  id: 'addPowerstreamRules',
  host: 'core',
  method: 'POST',
  path: '/2/powerstream/rules',
  summary: 'Add rules of the powerstream',
  description:
    'Adds up to 100 rules of up to 2,048 characters, in the language of the rules of the filtered stream. Valid rules are added; invalid rules are reported in `errors`. If no rule is valid, the status is 400.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '50/24h' },
  maxBodyBytes: MAX_BODY_BYTES,
  body: Type.Object(
    { rules: Type.Array(NewRule, { minItems: 1, maxItems: MAX_CHANGED }) },
    { additionalProperties: false },
  ),
  reply: PowerstreamRules,
  status: 201,
  errors: ['too many rules'],
  example: {
    body: { rules: [{ value: 'from:ada', tag: 'ada' }] },
    reply: { data: { rules: [{ id: '1900000000000000042', value: 'from:ada', tag: 'ada' }] } },
  },
  async handle({ principal: { app }, body }, dependencies) {
    const { naming } = dependencies
    const options = { app, stream: 'powerstream', names: namesOf(naming.vocabulary) } as const
    const { rules, faults } = await addRules(body.rules, options, dependencies)
    const errors = faults.map((fault) => ruleProblem(fault, naming))
    return json(
      { data: { rules: rules.map(presentRule) }, ...(errors.length > 0 && { errors }) },
      rules.length > 0 ? 201 : 400,
    )
  },
})
