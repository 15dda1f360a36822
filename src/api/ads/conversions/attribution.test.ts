import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { firstDelivery } from '../../../domain/ad-delivery/queries.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { creditsOf } from './attribution.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 2, 1)

test('two searches of an account, and eight of all accounts, run at once', async () => {
  const running = new Map<string, number>()
  const most = { ofOne: 0, ofAll: 0, days: 0 }
  const change = (account: string, by: number) => running.set(account, (running.get(account) ?? 0) + by)
  const store = {
    first: async (query: unknown) => (query === firstDelivery ? { from_time: NOW - 90 * DAY_MS } : undefined),
    async all(_: unknown, { account }: { account: string }) {
      change(account, 1)
      const counts = [...running.values()]
      most.ofOne = Math.max(most.ofOne, ...counts)
      most.ofAll = Math.max(
        most.ofAll,
        counts.reduce((sum, count) => sum + count, 0),
      )
      most.days++
      await nextTurn()
      change(account, -1)
      return []
    },
  } as unknown as Pick<Store, 'all' | 'first'>
  const conversion = {
    atMs: NOW,
    clickIds: [],
    people: ['nobody'],
    clickWindowMs: 3 * DAY_MS,
    viewWindowMs: DAY_MS,
  }
  const accounts = Array.from({ length: 12 }, (_, n) => `account ${n}`)
  const searches = accounts.flatMap((account) =>
    Array.from({ length: 5 }, () => creditsOf(account, [conversion], { store, nowMs: NOW })),
  )
  assert.deepEqual(
    await Promise.all(searches),
    Array.from({ length: 60 }, () => [undefined]),
  )
  // The days of the window, and one more for rows that begin before it.
  assert.deepEqual(most, { ofOne: 2, ofAll: 8, days: 60 * 5 })
})
