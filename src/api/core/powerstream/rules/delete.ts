import { Type } from 'typebox'
import { deleteRules } from '../../../../delivery/streams/rules.ts'
import { invalidFor } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { count, ruleValue } from '../../posts/search/stream/rules/endpoint.ts'
import { endpoint, MAX_BODY_BYTES, MAX_CHANGED } from './endpoint.ts'

const closed = { additionalProperties: false }
const NamedRule = Type.Object({ id: Type.Optional(id('The rule.')), value: Type.Optional(ruleValue) }, closed)

/** DELETE /2/powerstream/rules: deletes rules of the powerstream (core reference, 03 section 4). */
export const deletePowerstreamRules = endpoint({
  id: 'deletePowerstreamRules',
  host: 'core',
  method: 'DELETE',
  path: '/2/powerstream/rules',
  summary: 'Delete rules of the powerstream',
  description: 'Deletes up to 100 rules, each identified by its id or its value.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '50/24h' },
  maxBodyBytes: MAX_BODY_BYTES,
  body: Type.Object({ rules: Type.Array(NamedRule, { minItems: 1, maxItems: MAX_CHANGED }) }, closed),
  reply: Type.Object({ data: Type.Object({ deleted: count, not_deleted: count }, closed) }, closed),
  reasons: ['RulesInvalid'],
  example: {
    body: { rules: [{ id: '1900000000000000042' }] },
    reply: { data: { deleted: 1, not_deleted: 0 } },
  },
  async handle({ principal: { app }, body: { rules } }, { store }) {
    const wrong = rules.findIndex(({ id, value }) => (id === undefined) === (value === undefined))
    if (wrong >= 0)
      throw invalidFor('RulesInvalid', msg`each rule must be identified by its id or by its value`, {
        place: 'body',
        name: 'rules',
        value: JSON.stringify(rules[wrong]),
      })
    const ids = rules.flatMap(({ id = [] }) => id)
    const values = rules.flatMap(({ value = [] }) => value)
    const { deleted, missing } = await deleteRules({ ids, values }, { app, stream: 'powerstream' }, { store })
    return json({ data: { deleted, not_deleted: missing.ids.length + missing.values.length } })
  },
})
