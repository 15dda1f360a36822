import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { systemClock } from '../../platform/common/clock.ts'
import { endOfTurn } from '../../platform/common/turn.ts'
import type { LimitCount } from '../../platform/http/limits.ts'
import { checkPassword } from './sessions.ts'

const NO_USER = 'nobody'

/** Hashes in progress, by their passwords: each ends when it is called. */
const hashing = new Map<string, () => void>()

beforeEach(() => {
  mock.method(crypto, 'scrypt', (password: string, ...more: unknown[]) => {
    const done = more.at(-1) as (error: null, key: Buffer) => void
    hashing.set(password, () => {
      hashing.delete(password)
      done(null, Buffer.alloc(32, 1))
    })
  })
  syncBuiltinESMExports()
})

afterEach(() => {
  mock.restoreAll()
  syncBuiltinESMExports()
})

const parts = {
  store: { first: async () => undefined },
  cluster: {
    count: async (): Promise<LimitCount> => ({ allowed: true, remaining: 1, resetSeconds: 1 }),
    uncount: () => undefined,
  },
  clock: systemClock,
} as unknown as Parameters<typeof checkPassword>[3]

const signIn = (password: string, address: string) => checkPassword(NO_USER, password, address, parts)

/** Lets everything go on that waits for no hash. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await endOfTurn()
}

test('two passwords are hashed at a time, one of each address, so that the database has threads left', async () => {
  const answers = ['a1', 'a2', 'a3'].map((password) => signIn(password, '192.0.2.1'))
  await settled()
  assert.deepEqual([...hashing.keys()], ['a1'])
  answers.push(signIn('b1', '192.0.2.2'), signIn('c1', '192.0.2.3'))
  await settled()
  assert.deepEqual([...hashing.keys()], ['a1', 'b1'])
  const order: string[] = []
  while (hashing.size > 0) {
    for (const [password, end] of [...hashing]) {
      order.push(password)
      end()
    }
    await settled()
  }
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'a3'])
  assert.deepEqual(await Promise.all(answers), [undefined, undefined, undefined, undefined, undefined])
})

test('one address can keep few waiting, and all others are let in', async () => {
  const answers = Array.from({ length: 21 }, (_, number) => signIn(`a${number}`, '2001:db8::1'))
  await settled()
  const rejected: string[] = []
  signIn('more', '2001:db8::2').catch(({ name }: Error) => rejected.push(name))
  await settled()
  assert.deepEqual(rejected, ['CapacityError'])
  answers.push(signIn('b', '2001:db8:0:1::1'))
  await settled()
  assert.deepEqual([...hashing.keys()], ['a0', 'b'])
  while (hashing.size > 0) {
    for (const end of [...hashing.values()]) end()
    await settled()
  }
  assert.deepEqual(new Set(await Promise.all(answers)), new Set([undefined]))
})
