import type { Area } from '../support/exchange.ts'
import { id64, integer, keep, like, timeMs } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const RULES = '/2/posts/search/stream/rules'
const JSON_TYPE = 'application/json; charset=utf-8'

const cat = { value: 'cat {run} has:media', tag: 'cats' }
const dog = { value: 'dog {run}' }

const added = (created: number, not: number) => ({
  sent: timeMs,
  summary: { created, not_created: not, valid: created, invalid: not },
})
const deleted = (gone: number, not: number) => ({
  sent: timeMs,
  summary: { deleted: gone, not_deleted: not },
})

const duplicate = (rule: { value: string }, id: unknown) => ({
  value: rule.value,
  id,
  title: 'DuplicateRule',
  type: '{problem_base}/2/problems/duplicate-rules',
})
const wrong = (value: string, slug: string, ...details: unknown[]) => ({
  value,
  details,
  title: 'UnprocessableEntity',
  type: `{problem_base}/2/problems/${slug}`,
})

/** Unknown operators have two messages. */
const UNKNOWN = [
  "Reference to invalid operator 'h'. Operator is not available in current product or product packaging. Please refer to complete available operator list at docs/reference/query-language.md (at position 1)",
  "Reference to invalid field 'h' (at position 1)",
]

const notThere = (name: string, value: string) =>
  problem.invalidRequest([{ [name]: [value] }, 'RuleNotFound: Rule does not exist'])

const NOT_ONE = 'RulesInvalid: send exactly one of add, delete and the parameter delete_all'
const notOne = problem.invalidRequest([{ add: [''] }, NOT_ONE])

const long = 'x'.repeat(1025)

/**
 * Sources: interface, "Other core endpoints named in release notes"; core reference, 03 sections 1
 * and 4.
 */
export const rules: Area = {
  name: 'rules of streams',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'delete_all removes whatever an earlier run left',
      send: `POST ${RULES}`,
      query: { delete_all: 'true' },
      status: 200,
      reply: { meta: deleted(integer as never, 0) },
      limit: 100,
    },
    {
      it: 'an app without rules has no data',
      send: `GET ${RULES}`,
      status: 200,
      reply: { meta: { sent: timeMs, result_count: 0 } },
      limit: 450,
    },
    {
      it: 'a dry run replies as usual and adds nothing',
      send: `POST ${RULES}`,
      query: { dry_run: 'true' },
      json: { add: [cat] },
      status: 201,
      reply: { data: [{ ...cat, id: id64 }], meta: added(1, 0) },
    },
    {
      it: 'rules are added',
      send: `POST ${RULES}`,
      json: { add: [cat, dog] },
      status: 201,
      reply: {
        data: [
          { ...cat, id: keep('cat_rule', id64) },
          { ...dog, id: keep('dog_rule', id64) },
        ],
        meta: added(2, 0),
      },
      limit: 100,
    },
    {
      it: 'a rule with the same value is a duplicate; only duplicates are a 200',
      send: `POST ${RULES}`,
      json: { add: [cat] },
      status: 200,
      type: JSON_TYPE,
      reply: { meta: added(0, 1), errors: [duplicate(cat, '{cat_rule}')] },
    },
    {
      it: 'a duplicate beside an invalid rule is a 400',
      send: `POST ${RULES}`,
      json: { add: [cat, { value: 'h:x' }] },
      status: 400,
      type: JSON_TYPE,
      reply: {
        meta: added(0, 2),
        errors: [duplicate(cat, '{cat_rule}'), wrong('h:x', 'invalid-rules', ...UNKNOWN)],
      },
    },
    {
      it: 'rules that are right are added beside those that are not',
      send: `POST ${RULES}`,
      json: { add: [{ value: 'emu {run}' }, cat, { value: 'h:x' }] },
      status: 201,
      reply: {
        data: [{ value: 'emu {run}', id: keep('emu_rule', id64) }],
        meta: added(1, 2),
        errors: [duplicate(cat, '{cat_rule}'), wrong('h:x', 'invalid-rules', ...UNKNOWN)],
      },
    },
    {
      it: 'an error says where it is',
      send: `POST ${RULES}`,
      json: { add: [{ value: 'cat (dog' }] },
      status: 400,
      type: JSON_TYPE,
      reply: { meta: added(0, 1), errors: [wrong('cat (dog', 'invalid-rules', like(/./))] },
    },
    {
      it: 'a rule that is too long',
      send: `POST ${RULES}`,
      json: { add: [{ value: long }] },
      status: 400,
      type: JSON_TYPE,
      reply: {
        meta: added(0, 1),
        errors: [wrong(long, 'rule-length', 'Rule is too long. Must be no more than 1024 characters')],
      },
    },
    {
      it: 'an operator of another plan',
      send: `POST ${RULES}`,
      json: { add: [{ value: 'embedding:"late trains"' }] },
      status: 400,
      type: JSON_TYPE,
      reply: {
        meta: added(0, 1),
        errors: [wrong('embedding:"late trains"', 'noncompliant-rules', like(/embedding/))],
      },
    },
    {
      it: 'more rules than the app may have: none is added',
      send: `POST ${RULES}`,
      json: { add: Array.from({ length: 998 }, (_, index) => ({ value: `many${index}` })) },
      status: 400,
      reply: {
        title: 'RulesCapExceeded',
        detail: 'Rules cap exceeded. Delete rules before you add others.',
        type: '{problem_base}/2/problems/rule-cap',
      },
    },
    {
      it: 'the list is in the order of creation, in pages whose tokens have 16 characters',
      send: `GET ${RULES}`,
      query: { max_results: '2' },
      status: 200,
      reply: {
        data: [
          { ...cat, id: '{cat_rule}' },
          { ...dog, id: '{dog_rule}' },
        ],
        meta: { sent: timeMs, result_count: 2, next_token: keep('rules_token', like(/^[0-9a-z]{16}$/)) },
      },
    },
    {
      it: 'the last page has no token',
      send: `GET ${RULES}`,
      query: { max_results: '2', pagination_token: '{rules_token}' },
      status: 200,
      reply: {
        data: [{ value: 'emu {run}', id: '{emu_rule}' }],
        meta: { sent: timeMs, result_count: 1 },
      },
    },
    {
      it: 'a token of another length is not a token',
      send: `GET ${RULES}`,
      query: { pagination_token: 'abc' },
      status: 400,
      reply: problem.invalidRequest([
        { pagination_token: ['abc'] },
        'The `pagination_token` query parameter value [abc] is not valid',
      ]),
    },
    {
      it: 'rules by their ids',
      send: `GET ${RULES}`,
      query: { ids: '{dog_rule},456' },
      status: 200,
      reply: { data: [{ ...dog, id: '{dog_rule}' }], meta: { sent: timeMs, result_count: 1 } },
    },
    {
      it: 'counts of rules, and how many there may be',
      send: `GET ${RULES}/counts`,
      status: 200,
      reply: {
        data: {
          all_project_client_apps: [{ client_app_id: '{app}', rule_count: 3 }],
          cap_per_client_app: 1000,
          cap_per_project: 25000,
          client_app_rules_count: { client_app_id: '{app}', rule_count: 3 },
          project_rules_count: 3,
        },
      },
      limit: 450,
    },
    {
      it: 'some of the counts',
      send: `GET ${RULES}/counts`,
      query: { 'rules_count.fields': 'project_rules_count' },
      status: 200,
      reply: { data: { project_rules_count: 3 } },
    },
    {
      it: 'a dry run deletes nothing',
      send: `POST ${RULES}`,
      query: { dry_run: 'true' },
      json: { delete: { ids: ['{dog_rule}'] } },
      status: 200,
      reply: { meta: deleted(1, 0) },
    },
    {
      it: 'rules are deleted by id and by value, and an unknown id is reported',
      send: `POST ${RULES}`,
      json: { delete: { ids: ['{dog_rule}', '456'], values: [cat.value] } },
      status: 200,
      reply: { meta: deleted(2, 1), errors: [notThere('ids', '456')] },
    },
    {
      it: 'a deletion of nothing is a 400',
      send: `POST ${RULES}`,
      json: { delete: { ids: ['{dog_rule}'] } },
      status: 400,
      type: JSON_TYPE,
      reply: { meta: deleted(0, 1), errors: [notThere('ids', '{dog_rule}')] },
    },
    { it: 'neither add nor delete', send: `POST ${RULES}`, json: {}, status: 400, reply: notOne },
    {
      it: 'add and delete',
      send: `POST ${RULES}`,
      json: { add: [cat], delete: { ids: ['1'] } },
      status: 400,
      reply: notOne,
    },
    {
      it: 'delete_all beside another parameter',
      send: `POST ${RULES}`,
      query: { delete_all: 'true', dry_run: 'true' },
      status: 400,
      reply: notOne,
    },
    {
      it: 'a deletion that names no rules',
      send: `POST ${RULES}`,
      json: { delete: {} },
      status: 400,
      reply: problem.invalidRequest([
        { delete: ['{}'] },
        'RulesInvalid: identify the rules to delete by ids or by values',
      ]),
    },
    {
      it: 'an empty list',
      send: `POST ${RULES}`,
      json: { add: [] },
      status: 400,
      reply: problem.invalidRequest([{ add: [] }, '$.add: must be between 1 and 1000 long']),
    },
    {
      it: 'rules are for bearers alone',
      send: `GET ${RULES}`,
      as: 'user',
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 1.0a User Context', 'OAuth 2.0 Application-Only'),
    },
    {
      it: 'rules of the powerstream are added',
      send: 'POST /2/powerstream/rules',
      json: { rules: [{ value: 'from:ada {run}', tag: 'ada' }] },
      status: 201,
      reply: { data: { rules: [{ value: 'from:ada {run}', tag: 'ada', id: keep('power_rule', id64) }] } },
    },
    {
      it: 'a rule of the powerstream that is there already',
      send: 'POST /2/powerstream/rules',
      json: { rules: [{ value: 'from:ada {run}' }] },
      status: 400,
      type: JSON_TYPE,
      reply: { data: { rules: [] }, errors: [duplicate({ value: 'from:ada {run}' }, '{power_rule}')] },
    },
    {
      it: 'the rules of the powerstream',
      send: 'GET /2/powerstream/rules',
      status: 200,
      reply: { data: { rules: [{ value: 'from:ada {run}', tag: 'ada', id: '{power_rule}' }] } },
    },
    {
      it: 'rules of the powerstream are deleted by id or value',
      send: 'DELETE /2/powerstream/rules',
      json: { rules: [{ id: '{power_rule}' }, { value: 'no such rule' }] },
      status: 200,
      reply: { data: { deleted: 1, not_deleted: 1 } },
    },
  ],
}
