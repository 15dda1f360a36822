import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminCall } from '../../src/app/admin-call.ts'
import { startPlaza as startPlazaInProcess } from '../../src/app/index.ts'

// Calls of the admin API, and what startPlaza() makes with them, with the types of its document.

describe('calls of the admin API by their route', () => {
  test('fill in paths, queries and bodies, and return the whole reply', async () => {
    const plaza = await startPlazaInProcess({ seed: 'none' })
    try {
      const admin = { consoleUrl: plaza.urls.console }
      const made = await adminCall(admin, 'POST /users', {
        body: { screen_name: 'ann', name: 'Ann', created_at: '-2h' },
      })
      assert.equal(made.data.screen_name, 'ann')
      const { data, meta } = await adminCall(admin, 'GET /users', { query: { limit: 1 } })
      assert.deepEqual([data.map(({ name }) => name), meta.result_count], [['Ann'], 1])
      const changed = await adminCall(admin, 'PUT /users/{user}', {
        path: { user: '@ann' },
        body: { description: 'Builds bridges' },
      })
      assert.equal(changed.data.description, 'Builds bridges')
      // @ts-expect-error there is no such call
      await assert.rejects(adminCall(admin, 'GET /nothing'))
      // @ts-expect-error a path needs its parameters, which have these names
      await assert.rejects(adminCall(admin, 'GET /users/{user}', { path: { id: 'ann' } }))
    } finally {
      await plaza.close()
    }
  })

  test('make everything that a test needs, with names in camel case', async () => {
    const plaza = await startPlazaInProcess({ seed: 'none' })
    try {
      const { create } = plaza
      const ann = await create.user({ screenName: 'ann', name: 'Ann', directMessagesFrom: 'everyone' })
      assert.ok(ann.password.length > 0)
      await create.user({ screenName: 'bob', name: 'Bob', protected: true, password: 'long enough' })
      const app = await create.app({ name: 'Tool', owner: 'ann', grants: ['ann'] })
      assert.deepEqual(
        app.tokens.map(({ screenName }) => screenName),
        ['ann'],
      )
      const token = await create.token({ kind: 'oauth2', appId: app.id, user: 'ann', scopes: ['post.read'] })
      assert.equal(typeof token.accessToken, 'string')
      const account = await create.account({
        name: 'Shop',
        owner: 'ann',
        funding: [{ currency: 'USD', type: 'CREDIT_LINE', creditLimitLocalMicro: 5_000_000_000 }],
      })
      const [funding_instrument_id] = account.fundingInstrumentIds
      const campaign = await create.campaign(account.id, {
        ...{ name: 'Spring', funding_instrument_id, daily_budget_amount_local_micro: 50_000_000 },
      })
      assert.match(campaign.id, /^[0-9a-z]+$/)
      assert.deepEqual(await create.follow('ann', 'bob'), { pending: true })
      assert.deepEqual(await create.follow('ann', 'bob', { accept: true }), { pending: false })
      const post = await create.post({ author: 'ann', text: 'The bridge is open', createdAt: '-2h' })
      assert.equal(post.authorId, ann.id)
      await create.like('bob', post.id)
      assert.match(await create.repost('ann', post.id), /^\d+$/)
      const message = await create.directMessage({ from: 'bob', to: ['ann'], text: 'Hello' })
      assert.equal(typeof message.conversationId, 'string')
      const rule = await create.rule({ appId: app.id, value: 'bridge', tag: 'bridges' })
      assert.match(rule.id, /^\d+$/)
      const filter = { userId: ann.id }
      const subscription = await create.subscription({
        appId: app.id,
        eventType: 'profile.update.bio',
        filter,
      })
      assert.match(subscription.subscriptionId, /^\d+$/)
    } finally {
      await plaza.close()
    }
  })
})
