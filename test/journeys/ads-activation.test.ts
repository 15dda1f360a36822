import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { promotedPosts } from '../../src/api/ads/promoted-posts/promoted-posts.ts'
import { Desk, dataOf, errorOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

for (const stage of stages) {
  describe(`activating and pausing on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    const put = (path: string) => ann.send('PUT', path)

    test('drafts and paused campaigns and line items become active, once', async () => {
      for (const entity_status of ['DRAFT', 'PAUSED'] as const) {
        const campaign = await ann.advertiser.campaign({ entity_status })
        const lineItem = await ann.advertiser.lineItem({ campaign_id: campaign.id, entity_status })
        for (const path of [`/campaigns/${campaign.id}`, `/line_items/${lineItem.id}`]) {
          opened.plaza.clock.advance(1000)
          const first = await put(`${path}/activate`)
          assert.equal(first.status, 200, first.text)
          assert.equal(dataOf(first).entity_status, 'ACTIVE')
          opened.plaza.clock.advance(1000)
          assert.deepEqual(dataOf(await put(`${path}/activate`)).updated_at, dataOf(first).updated_at)
        }
      }
    })

    test('what is deleted, unknown or of another account is not activated', async () => {
      const campaign = await ann.advertiser.campaign({ entity_status: 'PAUSED' })
      const bob = await Desk.open(opened.plaza, client)
      const no = [404, 'CAMPAIGN_NOT_FOUND campaign_id']
      assert.deepEqual(errorOf(await bob.send('PUT', `/campaigns/${campaign.id}/activate`)), no)
      assert.deepEqual(errorOf(await put('/campaigns/zzz/activate')), no)
      await ann.delete(`/campaigns/${campaign.id}`)
      assert.deepEqual(errorOf(await put(`/campaigns/${campaign.id}/activate`)), no)
    })

    test('a line item with only paused posts is incomplete', async () => {
      const lineItem = await ann.advertiser.lineItem()
      const post = await makePost(opened.plaza.context, { authorId: ann.person.id })
      await ann.advertiser.promotableUser()
      const { id } = await ann.advertiser.make(promotedPosts, { line_item_id: lineItem.id, post_id: post.id })
      const reasons = async () => {
        const { reasons_not_servable } = dataOf(await ann.get(`/line_items/${lineItem.id}`))
        return (reasons_not_servable as string[]).includes('INCOMPLETE')
      }
      assert.equal(await reasons(), false)
      const paused = await ann.put(`/promoted_posts/${id}`, { entity_status: 'PAUSED' })
      assert.deepEqual([paused.status, dataOf(paused).entity_status], [200, 'PAUSED'])
      assert.equal(await reasons(), true)
      await ann.put(`/promoted_posts/${id}`, { entity_status: 'ACTIVE' })
      assert.equal(await reasons(), false)
      assert.deepEqual(errorOf(await ann.put(`/promoted_posts/${id}`, { entity_status: 'DRAFT' })), [
        400,
        'INVALID_PARAMETER entity_status',
      ])
    })
  })

  test(`funding instruments are changed on the sandbox only, on ${stage.name}`, {
    skip: stage.skip,
  }, async () => {
    const opened = await stage.open({ rateLimits: 'off' })
    const client = new Client(opened.plaza)
    try {
      const sandbox = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
      const { id } = await sandbox.advertiser.fund()
      const changed = await sandbox.put(`/funding_instruments/${id}`, {
        funded_amount_local_micro: '5000000',
      })
      assert.equal(changed.status, 200, changed.text)
      assert.equal(dataOf(changed).funded_amount_local_micro, 5_000_000)
      const production = await Desk.open(opened.plaza, client)
      const other = await production.advertiser.fund()
      const rejected = await production.put(`/funding_instruments/${other.id}`, { paused: 'true' })
      assert.deepEqual(
        [rejected.status, (rejected.json as { errors: { code: string }[] }).errors[0]?.code],
        [404, 'ROUTE_NOT_FOUND'],
      )
    } finally {
      await client.close()
      await opened.close()
    }
  })
}
