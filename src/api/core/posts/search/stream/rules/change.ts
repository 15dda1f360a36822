import { Type } from 'typebox'
import { RuleProblem } from '../../../../../../delivery/streams/rule-problems.ts'
import { isoTime } from '../../../../../../platform/common/time.ts'
import { invalidFor } from '../../../../../../platform/http/errors.ts'
import { msg } from '../../../../../../platform/http/message.ts'
import { json } from '../../../../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../../../../platform/http/schema.ts'
import { count, endpoint, NewRule, Rule, ruleValue, sent } from './endpoint.ts'
import { addedReply, allDeletedReply, deletedReply } from './replies.ts'

const MAX_CHANGED = 1_000
const MAX_BODY_BYTES = 4 * 1024 * 1024
const closed = { additionalProperties: false }

const optional = Type.Optional(count)
const Summary = Type.Object(
  {
    created: optional,
    not_created: optional,
    valid: optional,
    invalid: optional,
    deleted: optional,
    not_deleted: optional,
  },
  closed,
)
const Deletion = Type.Object(
  {
    ids: Type.Optional(Type.Array(id('A rule.'), { minItems: 1, maxItems: MAX_CHANGED })),
    values: Type.Optional(Type.Array(ruleValue, { minItems: 1, maxItems: MAX_CHANGED })),
  },
  closed,
)

/**
 * POST /2/posts/search/stream/rules: adds or deletes rules (core reference, 03 sections 1.1 and
 * 1.2).
 */
export const changeStreamRules = endpoint({
  id: 'changeStreamRules',
  host: 'core',
  method: 'POST',
  path: '/2/posts/search/stream/rules',
  summary: 'Add or delete rules of the filtered stream',
  description:
    'Adds the rules in `add` (201), or deletes the rules in `delete`, or all rules (200). Valid rules are added; invalid rules are reported in `errors`. If all rules exist already, the status is 200 with the same body; if no other rule is valid, 400.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '100/15m' },
  query: {
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'Whether to validate the request and reply as usual without changing anything.',
      }),
    ),
    delete_all: Type.Optional(
      Type.Boolean({ description: 'Whether to delete all rules. Not allowed with other parameters.' }),
    ),
  },
  optionalBody: true,
  maxBodyBytes: MAX_BODY_BYTES,
  body: Type.Object(
    {
      add: Type.Optional(
        Type.Array(NewRule, { minItems: 1, maxItems: MAX_CHANGED, description: 'Rules to add.' }),
      ),
      delete: Type.Optional(component('RuleDeletion', Deletion, 'Rules to delete, by id or value.')),
    },
    closed,
  ),
  reply: Type.Object(
    {
      data: Type.Optional(Type.Array(Rule)),
      meta: Type.Object({ sent, summary: Summary }, closed),
      errors: Type.Optional(Type.Array(RuleProblem, { minItems: 1 })),
    },
    closed,
  ),
  status: 201,
  otherStatuses: { 200: 'The rules were deleted, or all rules to add exist already.' },
  errors: ['too many rules'],
  reasons: ['RulesInvalid', 'RuleNotFound'],
  example: {
    body: { add: [{ value: 'cat has:media', tag: 'cats' }] },
    reply: {
      data: [{ value: 'cat has:media', tag: 'cats', id: '1900000000000000042' }],
      meta: {
        sent: '2026-02-03T04:05:06.000Z',
        summary: { created: 1, not_created: 0, valid: 1, invalid: 0 },
      },
    },
  },
  async handle({ principal: { app }, query, body = {} }, dependencies) {
    const { dry_run: dryRun, delete_all: deletesAll } = query
    const changes = [body.add, body.delete].filter((change) => change !== undefined).length
    if (changes !== (deletesAll === true ? 0 : 1) || (deletesAll === true && dryRun !== undefined))
      throw notOne()
    if (body.delete && !body.delete.ids && !body.delete.values) throw noRules()
    const call = { app, dryRun: dryRun === true, sent: isoTime(dependencies.clock.now()) }
    if (deletesAll === true) return json(await allDeletedReply(call, dependencies), 200)
    const { value, status } = body.add
      ? await addedReply(body.add, call, dependencies)
      : await deletedReply(body.delete ?? {}, call, dependencies)
    return json(value, status)
  },
})

const noRules = () =>
  invalidFor('RulesInvalid', msg`identify the rules to delete by ids or by values`, {
    place: 'body',
    name: 'delete',
    value: '{}',
  })
const notOne = () =>
  invalidFor('RulesInvalid', msg`send exactly one of add, delete and the parameter delete_all`, {
    place: 'body',
    name: 'add',
    value: '',
  })
