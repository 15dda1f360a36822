import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import { ROLES } from '../../src/api/ads/scope.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import { isAdsEndpoint } from '../../src/platform/protocols/ads/endpoint.ts'
import { assertSucceeded, call, draft } from './calls.ts'
import type { Reply, World } from './world.ts'

/** Which tokens have access to which account: other users, other environments, roles. */
export function tenancyTests(endpoint: Endpoint, world: () => World): void {
  if (!isAdsEndpoint(endpoint) || endpoint.right === undefined) return
  const { right, host } = endpoint
  const code = (reply: Reply) => {
    const { errors } = JSON.parse(reply.text) as { errors: { code: string; parameter?: string }[] }
    return [reply.status, errors[0]?.code, errors[0]?.parameter]
  }
  const UNKNOWN = [403, 'ACCOUNT_NOT_FOUND', 'account_id']

  test("rejects a stranger's token", async () => {
    const one = await draft(world(), endpoint, 'user')
    const pen = await world().grant(await world().newUser())
    assert.deepEqual(code(await call(world(), endpoint, { ...one, pen }, { kind: 'user' })), UNKNOWN)
  })
  test('rejects an account that does not exist like one of another user', async () => {
    const one = await draft(world(), endpoint, 'user')
    const params = { ...one.params, account_id: 'nosuchaccount' }
    assert.deepEqual(code(await call(world(), endpoint, { ...one, params }, { kind: 'user' })), UNKNOWN)
  })
  test('repeats the ids of the path in an error', async () => {
    const one = await draft(world(), endpoint, 'user')
    const pen = await world().grant(await world().newUser())
    const { request } = JSON.parse((await call(world(), endpoint, { ...one, pen }, { kind: 'user' })).text)
    assert.equal(request.params[world().vocabulary.name('account_id')], one.params.account_id)
  })
  if (host === 'ads') {
    test('does not know an account of production on the sandbox', async () => {
      const one = await draft(world(), endpoint, 'user')
      const there = { ...endpoint, host: 'sandbox' as const }
      assert.deepEqual(code(await call(world(), there, one, { kind: 'user' })), UNKNOWN)
    })
  }
  // Every user of an account may read, so one role stands for all of them.
  for (const role of right === 'read' ? (['ANALYST'] as const) : ROLES) {
    const allowed = right === 'read' || ALLOWED[right]?.includes(role) === true
    test(`${allowed ? 'lets' : 'does not let'} ${role} call it`, async () => {
      const one = await draft(world(), endpoint, 'user')
      const user = await world().newUser()
      const { store, clock } = world().plaza.context
      const accountId = one.params.account_id ?? ''
      await store.write((tx) =>
        grantAccess(tx, { accountId, userId: user.id, roles: [role], now: clock.now() }),
      )
      const pen = await world().grant(user)
      const reply = await call(world(), endpoint, { ...one, pen }, { kind: 'user' })
      if (allowed) assertLetIn(reply)
      else assert.deepEqual(code(reply), [403, 'ACTION_NOT_ALLOWED', undefined])
    })
  }

  /** A resource may have an additional rule about its caller. */
  function assertLetIn(reply: Reply): void {
    if (reply.status < 300) assertSucceeded(world(), endpoint, reply)
    assert.ok(reply.status < 500, reply.text)
    assert.doesNotMatch(reply.text, /ACCOUNT_NOT_FOUND/)
  }
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  campaigns: ['ACCOUNT_ADMIN', 'AD_MANAGER'],
  creatives: ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'],
  account: ['ACCOUNT_ADMIN'],
}
