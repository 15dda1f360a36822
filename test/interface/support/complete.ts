import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { declaredEndpoints, TO_DO, unreached } from '../lists/endpoints.ts'
import { adsCodes, type Entry, legacyCodes, problems } from '../lists/errors.ts'
import { headers } from '../lists/headers.ts'
import { Seen } from './seen.ts'
import type { World } from './world.ts'

/** Where the parts of one run leave what they have seen: they have one parent. */
const folder = join(tmpdir(), `plaza-interface-${process.ppid}`)

/**
 * Checks that nothing is omitted: tests that fail with the names of what no exchange of any part
 * has covered. The part that ends last knows what all have seen; the others skip these tests.
 */
export function checkComplete(part: string, parts: readonly string[], world: () => World): void {
  describe('the suite is complete', () => {
    let seen: Seen | undefined
    /** Why a check must be left to another part, or cannot be made. */
    const left = () =>
      isWhole(world()) ? seen === undefined && 'the part that ends last checks what all have seen' : PARTIAL

    before(() => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${part}.${process.pid}`), world().seen.text())
      renameSync(join(folder, `${part}.${process.pid}`), join(folder, `${part}.json`))
      const files = parts.map((one) => join(folder, `${one}.json`))
      if (files.every(existsSync)) seen = Seen.of(files.map((file) => readFileSync(file, 'utf8')))
    })
    after(() => seen && rmSync(folder, { recursive: true, force: true }))

    test('every declared endpoint was called with success', (t) => {
      if (!seen || left()) return t.skip(String(left()))
      assert.deepEqual(unreached(declaredEndpoints(), seen.calls), [])
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
        if (!seen || left()) return t.skip(String(left()))
        assertList(list, seen.errors)
      })
    test('no error was seen that the lists do not name', () => {
      const known = new Set(Object.values(lists).flatMap((list) => list.map(({ error }) => error)))
      assert.deepEqual(
        [...world().seen.errors].filter((error) => !known.has(error)),
        [],
      )
    })
    test('headers: all were seen, save those that are not produced', (t) => {
      if (!seen || left()) return t.skip(String(left()))
      assertList(headers, seen.headers)
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
