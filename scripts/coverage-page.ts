import { PRODUCT_FIELDS } from '../src/api/ads/catalogs/product-fields.ts'
import { rules } from '../src/api/ads/line-items/rules.ts'
import { GOALS, goalsOf, OBJECTIVES, payBysOf, productTypesOf } from '../src/api/ads/line-items/values.ts'
import { TARGETING_TYPES } from '../src/api/ads/targeting/names.ts'
import type { PlazaEndpoint as Endpoint } from '../src/identity/auth/endpoint.ts'
import { byPath, conformanceName, routeOf } from './endpoints-page.ts'
import { code, page, table } from './markdown.ts'
import type { Seen } from './seen.ts'

/** Every declared row of the interface, with the tests that cover it. */
export function coveragePage(endpoints: readonly Endpoint[], seen: Seen): string {
  return page(
    'Coverage',
    'Each row of the interface, the endpoint that serves it, and the tests that call it.',
    '## Endpoints',
    'Conformance tests are derived from each declaration: every kind of caller, parameter, bound, limit and method, on every storage (`npm test -- conformance`; the group of an endpoint has the name `id: METHOD path`). The other files are those that got a reply of the endpoint when all tests ran: stories of users, and unmodified client libraries.',
    table(
      ['Endpoint', 'Section', 'Group in `test/conformance`', 'Stories and clients'],
      [...endpoints].sort(byPath).map((one) => endpointRow(one, seen)),
    ),
    '## Rules of line items',
    'Each is tried both ways in `test/journeys/line-item-rules.test.ts`, under the name `parameter: rule`.',
    table(
      ['Parameter', 'Rule'],
      rules.map(({ parameter, rule }) => [code(parameter), rule]),
    ),
    '## What fits an objective',
    'Other combinations are rejected. The goal and the `pay_by` that come first are the defaults.',
    table(
      ['`objective`', '`goal`', '`product_type`'],
      OBJECTIVES.map((one) => [code(one), listed(goalsOf(one)), listed(productTypesOf(one))]),
    ),
    table(
      ['`goal`', '`pay_by`', '`pay_by` with `bid_strategy` `TARGET`'],
      GOALS.map((one) => [code(one), listed(payBysOf(one, 'AUTO')), byTarget(one)]),
    ),
    '## Targeting types',
    'Each is tried with its operators and values in `test/journeys/ads-targeting.test.ts`.',
    TARGETING_TYPES.map(code).join(', '),
    '## Product fields',
    'Each is tried both ways in `test/journeys/ads-catalogs.test.ts`, under the name `field is taken by its rule and rejected by it`; rules of several fields have tests of their own there.',
    table(
      ['Field', 'Required', 'Rule'],
      Object.entries(PRODUCT_FIELDS).map(([name, { required, rule, choices }]) => [
        code(name),
        required,
        choices ? `${rule} One of ${choices.map(code).join(', ')}.` : rule,
      ]),
    ),
  )
}

const listed = (values: readonly string[]) => values.map(code).join(', ')

/**
 * Only `REACH`, `FOLLOWERS` and `WEBSITE_CLICKS` can have the strategy, and it excludes
 * impressions.
 */
function byTarget(goal: (typeof GOALS)[number]): string {
  const isPossible = (['REACH', 'FOLLOWERS', 'WEBSITE_CLICKS'] as const).some((one) =>
    goalsOf(one).includes(goal),
  )
  return isPossible ? listed(payBysOf(goal, 'TARGET').filter((one) => one !== 'IMPRESSION')) : ''
}

function endpointRow(endpoint: Endpoint, seen: Seen): string[] {
  const others = seen[endpoint.id] ?? []
  return [
    code(routeOf(endpoint)),
    endpoint.source,
    code(conformanceName(endpoint)),
    others.map((file) => code(file.replace(/^test\//, '').replace(/\.test\.ts$/, ''))).join(', '),
  ]
}
