import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryPlans } from '../../../platform/storage/query-plans.ts'
import './queries.ts'

test('the last installation on a device is found without reading the earlier ones', () => {
  const found = queryPlans().find(({ name }) => name === 'lastInstallation')
  const search =
    'SEARCH installation USING COVERING INDEX conversions_by_device (hashed_device_id=? AND app_id=? AND account_id=? AND converted_at<?)'
  const plan = found?.plan ?? []
  assert.ok(
    plan.some((step) => step.includes(search)),
    plan.join('\n'),
  )
  // Those of one pair are in the order of the index: only the last ones of the pairs are sorted.
  assert.equal(plan.filter((step) => step.includes('TEMP B-TREE')).length, 1)
})
