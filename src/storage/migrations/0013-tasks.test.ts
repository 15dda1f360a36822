import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { earlier, MASTER_KEY } from '../../../test/support/earlier.ts'
import { START_MS, startPlaza } from '../../../test/support/plaza.ts'
import { systemRandom } from '../../common/random.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { createSealer } from '../seal.ts'

// Opens databases of the version before the task queue, in which work of each kind waits, and sees it done.

const BEFORE = 12
const HOUR_MS = 3_600_000
const sealer = createSealer(Buffer.from(MASTER_KEY, 'hex'), systemRandom)

const user = {
  id: '1001',
  screen_name: 'ada',
  screen_name_key: 'ada',
  name: 'Ada',
  password_hash: '',
  suspended: 0,
  created_at: 1,
}

const app = {
  id: '2001',
  owner_user_id: '1001',
  name: 'App',
  website: 'https://app.test/',
  consumer_key: 'key',
  consumer_secret_sealed: sealer.seal('secret', 'consumer secret 2001'),
  permission: 'read',
  kind: 'web',
  sign_in: 0,
  suspended: 0,
  bearer_generation: 0,
  bearer_hash: null,
  created_at: 1,
}

const webhook = (id: string, next_check_at: number, check_lease_until = 0) => ({
  id,
  app_id: '2001',
  url: `https://hooks.test/${id}`,
  valid: 1,
  created_at: 1,
  last_success_at: START_MS,
  next_check_at,
  check_lease_until,
})

const rows: Parameters<(typeof earlier)[number]['make']>[1] = [
  ['users', user],
  ['apps', app],
  ['webhooks', webhook('3001', START_MS - 1)],
  ['webhooks', webhook('3002', START_MS - 1, START_MS + 1)],
  ['webhooks', webhook('3003', START_MS + HOUR_MS)],
]

/** Reaches nobody, and notes who was called. */
function silent(called: string[]): Outbound {
  return {
    checkTarget: (url) => ({ ok: true, url: new URL(url) }),
    async send({ url }) {
      called.push(url.split('?')[0] as string)
      return { outcome: { kind: 'unreachable', detail: 'nobody is there' }, sent: false, internal: false }
    },
    close: async () => undefined,
  }
}

for (const database of earlier) {
  describe(`work that waited on ${database.name} before there was a task queue`, {
    skip: database.skip,
  }, () => {
    const called: string[] = []
    let plaza: Awaited<ReturnType<typeof startPlaza>>
    let remove: () => Promise<void>
    before(async () => {
      const made = await database.make(BEFORE, rows)
      remove = made.remove
      plaza = await startPlaza({ ...made.config, seed: 'none' }, { outbound: silent(called) })
    })
    after(async () => {
      await plaza?.close()
      await remove()
    })

    test('webhooks are checked when their checks are due', async () => {
      assert.equal(await plaza.tasks.runDue('check webhook'), 2)
      assert.deepEqual(called.splice(0).sort(), ['https://hooks.test/3001', 'https://hooks.test/3002'])
      plaza.clock.advance(HOUR_MS)
      await plaza.tasks.runDue('check webhook')
      assert.ok(called.splice(0).includes('https://hooks.test/3003'))
    })
  })
}
