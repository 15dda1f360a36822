import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { declaredEndpoints, TO_DO, unreached } from '../lists/endpoints.ts'
import { adsCodes, type Entry, legacyCodes, problems } from '../lists/errors.ts'
import { headers } from '../lists/headers.ts'
import type { World } from './world.ts'

/**
 * Checks that nothing is omitted: tests that fail with the names of what no exchange has covered.
 */
export function checkComplete(world: () => World): void {
  describe('the suite is complete', () => {
    test('every declared endpoint was called with success', (t) => {
      if (!isWhole(world())) return t.skip(PARTIAL)
      const declared = declaredEndpoints()
      assert.deepEqual(unreached(declared, world().seen.calls), [])
    })
    test('no endpoint that is declared is still to do', () => {
      const declared = declaredEndpoints().map(({ method, path }) => `${method} ${path}`)
      assert.deepEqual(
        TO_DO.filter((one) => declared.includes(one)),
        [],
      )
    })
    for (const endpoint of TO_DO) test(endpoint, { todo: 'does not exist yet' })
    const lists = { 'Problem subtypes': problems, 'legacy codes': legacyCodes, 'advertising codes': adsCodes }
    for (const [name, list] of Object.entries(lists))
      test(`${name}: all were seen, save those that are not produced`, (t) => {
        if (!isWhole(world())) return t.skip(PARTIAL)
        assertList(list, world().seen.errors)
      })
    test('no error was seen that the lists do not name', () => {
      const known = new Set(Object.values(lists).flatMap((list) => list.map(({ error }) => error)))
      assert.deepEqual(
        [...world().seen.errors].filter((error) => !known.has(error)),
        [],
      )
    })
    test('headers: all were seen, save those that are not produced', (t) => {
      if (!isWhole(world())) return t.skip(PARTIAL)
      assertList(headers, world().seen.headers)
    })
  })
}

const PARTIAL = 'rows were skipped, for which the suite needs a Plaza that it starts'

/** Whether rows were skipped because the suite did not start the Plaza. */
const isWhole = ({ isSeeded, server }: World) => isSeeded && server.command !== undefined

function assertList(list: readonly Entry[], seen: ReadonlySet<string>): void {
  const missing = list.filter(({ error, notProduced }) => notProduced === undefined && !seen.has(error))
  const produced = list.filter(({ error, notProduced }) => notProduced !== undefined && seen.has(error))
  assert.deepEqual(
    {
      missing: missing.map(({ error }) => error),
      'listed as not produced': produced.map(({ error }) => error),
    },
    { missing: [], 'listed as not produced': [] },
  )
}
