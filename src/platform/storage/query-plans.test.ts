import assert from 'node:assert/strict'
import { test } from 'node:test'
// Declares every query of the program.
import '../../app/server.ts'
import { deliberateScans, queryPlans, scansTable } from './query-plans.ts'

const plans = queryPlans()

test('no query reads a whole table, except those that are meant to', () => {
  const scans = plans.filter((plan) => scansTable(plan) && !deliberateScans[plan.name])
  assert.deepEqual(
    scans.map(({ name, plan }) => `${name}: ${plan.join('; ')}`),
    [],
  )
})

test('every deliberate scan still is one', () => {
  const scanning = plans.filter(scansTable).map(({ name }) => name)
  assert.deepEqual(
    Object.keys(deliberateScans).filter((name) => !scanning.includes(name)),
    [],
  )
})

test('each query has a name of its own', () => {
  assert.equal(new Set(plans.map(({ name }) => name)).size, plans.length)
})
