import { Type } from 'typebox'
import { locationsReady } from '../../../../domain/reference-data/locations.ts'
import type { Violation } from '../../../../platform/http/errors.ts'
import { jsonPairs } from '../../../../platform/http/input/json-pairs.ts'
import { compileParameters } from '../../../../platform/http/input/reader.ts'
import { type Message, msg } from '../../../../platform/http/message.ts'
import { choice, closedObject, component, raw, text } from '../../../../platform/http/schema.ts'
import { byVocabulary, memberOf, type Vocabulary } from '../../../../platform/http/vocabulary.ts'
import { AdsApiError, adsApiError } from '../../../../platform/protocols/ads/api-error.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../../platform/protocols/ads/codes.ts'
import { violationError } from '../../../../platform/protocols/ads/errors.ts'
import type { AdsDependencies } from '../../dependencies.ts'
import { adsEndpoint, LIMITS } from '../../endpoint.ts'
import { describe } from '../criteria.ts'
import { MAX_VALUE_LENGTH } from '../fields.ts'
import { OPERATORS, type Operator, TARGETING_TYPES } from '../names.ts'
import { targetingTypes } from '../types.ts'
import { gate } from './gate.ts'
import { type Criterion, targetingOf } from './matching.ts'
import { audienceSize } from './sample.ts'

const MAX_CRITERIA = 500

const MAX_BYTES = 256 * 1024

/** Maximum number of reported errors, which bounds the size of a reply. */
const MAX_ERRORS = 20

const DescribedCriterion = component(
  'EstimatedCriterion',
  Type.Object({
    targeting_type: text(1, 100, `One of ${TARGETING_TYPES.join(', ')}.`),
    targeting_value: text(1, MAX_VALUE_LENGTH, 'Value as in a targeting criterion.'),
    operator_type: Type.Optional(choice([...OPERATORS], 'Operator; `EQ` by default.', 'TargetingOperator')),
  }),
)

export const estimateAudience = adsEndpoint({
  id: 'estimateAudience',
  method: 'POST',
  path: '/accounts/{account_id}/audience_estimate',
  summary: 'Estimate an audience',
  description:
    'Estimates how many people a set of targeting criteria reaches. The body is a list of criteria, or an object with `targeting_criteria`. ' +
    'At least one criterion must have a primary type: followers, audiences, interests, keywords or TV.',
  source: 'Campaign management',
  right: 'read',
  scopes: ['read'],
  limits: LIMITS.estimates,
  body: raw(Type.Array(DescribedCriterion, { minItems: 1, maxItems: MAX_CRITERIA })),
  maxBodyBytes: MAX_BYTES,
  codes: ['CAMPAIGN_NOT_FOUND', 'INVALID_TARGETING_TYPE', 'INVALID_USER_ID', 'TAILORED_AUDIENCE_NOT_FOUND'],
  data: closedObject({
    audience_size: closedObject({
      min: Type.Integer({
        minimum: 0,
        description: 'Users who match for certain, rounded down to tens and to two significant digits.',
      }),
      max: Type.Integer({
        minimum: 0,
        description: 'Users who may match, rounded up in the same way: 10 if fewer than ten may.',
      }),
    }),
  }),
  // The criteria are not repeated (reference: what replies repeat of a request).
  echo: { constants: { targeting_criteria: null } },
  async handle({ body, principal, scope }, context) {
    await locationsReady()
    const criteria = await read(criteriaIn(body, context.naming.vocabulary), scope.accountId, context)
    const isTargeted = await targetingOf(criteria, context.store)
    const audience_size = await gate.through(principal.userId, () =>
      audienceSize(isTargeted, scope.account.environment, context),
    )
    return { data: { audience_size } }
  },
})

function criteriaIn(body: unknown, vocabulary: Vocabulary): unknown[] {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const listed = isObject ? memberOf(body as Record<string, unknown>, 'targeting_criteria', vocabulary) : body
  if (isObject && listed === undefined) throw adsApiError(missingParameter('targeting_criteria'))
  if (!Array.isArray(listed)) throw adsApiError(wrongList(msg`Expected a list for targeting_criteria`))
  if (listed.length === 0)
    throw adsApiError(wrongList(msg`A minimum of 1 items must be provided for targeting_criteria`))
  if (listed.length > MAX_CRITERIA)
    throw adsApiError(wrongList(msg`A maximum of ${MAX_CRITERIA} criteria may be sent, got ${listed.length}`))
  return listed
}

const wrongList = (message: Message) => wrongParameter('targeting_criteria', message)

const readerOf = byVocabulary((vocabulary) =>
  compileParameters(DescribedCriterion, 'body', vocabulary, { ignoreUnknown: true }),
)

/** The parsed criteria. Throws the errors of all of them. */
async function read(
  list: readonly unknown[],
  accountId: string,
  context: Pick<AdsDependencies, 'store' | 'membership' | 'config' | 'naming'>,
): Promise<Criterion[]> {
  const errors: AdsError[] = []
  const criteria: Criterion[] = []
  for (const [index, value] of list.entries()) {
    const found = await readOne(value, accountId, context)
    if ('errors' in found) errors.push(...found.errors.map((error) => atIndex(error, index)))
    else criteria.push(found)
    if (errors.length >= MAX_ERRORS) break
  }
  if (errors.length > 0) throw new AdsApiError({ errors: errors.slice(0, MAX_ERRORS) })
  if (!criteria.some(({ type, operator }) => operator === 'EQ' && targetingTypes[type].primary))
    throw adsApiError(wrongList(msg`targeting_criteria needs at least one of ${PRIMARY.join(', ')}`))
  return criteria
}

const PRIMARY = TARGETING_TYPES.filter((type) => targetingTypes[type].primary)

async function readOne(
  criterion: unknown,
  accountId: string,
  {
    store,
    membership,
    config,
    naming: { vocabulary },
  }: Pick<AdsDependencies, 'store' | 'membership' | 'config' | 'naming'>,
): Promise<Criterion | { errors: AdsError[] }> {
  if (typeof criterion !== 'object' || criterion === null || Array.isArray(criterion))
    return { errors: [wrongList(msg`Expected an object with targeting_type and targeting_value`)] }
  const violations: Violation[] = []
  const reader = readerOf(vocabulary)
  const values = reader(jsonPairs(criterion, violations, reader.kindOf), violations)
  if (violations.length > 0) return { errors: violations.map(violationError) }
  const described = {
    targeting_type: String(values.targeting_type),
    targeting_value: String(values.targeting_value),
    operator_type: (values.operator_type ?? 'EQ') as Operator,
  }
  const found = await describe(described, { store, accountId, membership, config, vocabulary })
  if ('errors' in found) return found
  return {
    type: found.type,
    value: found.value,
    operator: described.operator_type,
    name: found.target.name,
  }
}

const atIndex = (error: AdsError, index: number): AdsError => ({
  ...error,
  message: msg`${error.message} (criterion ${index + 1})`,
})
