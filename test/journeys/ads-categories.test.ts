import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { countryLocationId } from '../../src/domain/reference-data/locations.ts'
import type { Advertiser } from '../support/advertiser.ts'
import { stages } from '../support/stages.ts'
import {
  cursorIn,
  dataOf,
  errorsOf,
  listOf,
  operationErrorsOf,
  prerollLineItem,
  Targeter,
  UNITED_STATES,
} from '../support/targeting.ts'

const SOCCER = '9ddrgesiap6o'
const BASEBALL = '9lav5usxfmdc'
const LOCATION = { targeting_type: 'LOCATION', targeting_value: UNITED_STATES }

for (const stage of stages) {
  describe(`categories on ${stage.name}`, { skip: stage.skip }, () => {
    let targeter: Targeter
    let ann: Advertiser

    before(async () => {
      targeter = await Targeter.open(stage)
    })
    after(() => targeter?.close())

    const fresh = async () => {
      ann = await targeter.account()
    }
    const get = (path: string) => targeter.call('GET', path)
    const links = () => `/accounts/${ann.account.id}/line_item_curated_categories`
    const link = (line_item_id: string, curated_category_id = SOCCER) =>
      targeter.call('POST', links(), { line_item_id, curated_category_id })
    /** A line item that may have a curated category. */
    const ready = async () => {
      const { id } = await prerollLineItem(ann)
      assert.equal((await targeter.target(ann, id, LOCATION)).status, 201)
      return id
    }
    const codesOf = (reply: Awaited<ReturnType<typeof link>>) =>
      errorsOf(reply).map(({ code, parameter, attribute }) => [code, parameter ?? attribute])

    test('the last place in the countries of its curated category stays with a line item', async () => {
      await fresh()
      const lineItem = await ready()
      assert.equal((await link(lineItem)).status, 201)
      const criteria = `/accounts/${ann.account.id}/targeting_criteria`
      const [place] = listOf(await get(`${criteria}?line_item_ids=${lineItem}`))
      const path = `${criteria}/${place?.id}`
      const gone = await targeter.call('DELETE', path)
      assert.deepEqual([gone.status, ...codesOf(gone)], [400, ['INVALID', 'targeting_value']])
      assert.equal(dataOf(await get(path)).deleted, false)
      const [{ id } = { id: '' }] = listOf(await get(links()))
      assert.equal((await targeter.call('DELETE', `${links()}/${id}`)).status, 200)
      assert.equal((await targeter.call('DELETE', path)).status, 200)
    })

    test('of the places that a batch deletes, the last one that the curated category needs is wrong', async () => {
      await fresh()
      const lineItem = await ready()
      const abroad = { targeting_type: 'LOCATION', targeting_value: countryLocationId('FR') }
      assert.equal((await targeter.target(ann, lineItem, abroad)).status, 201)
      assert.equal((await link(lineItem)).status, 201)
      const [home, other] = listOf(
        await get(`/accounts/${ann.account.id}/targeting_criteria?line_item_ids=${lineItem}`),
      )
      const remove = (ids: readonly unknown[]) =>
        targeter.post(
          `/batch/accounts/${ann.account.id}/targeting_criteria`,
          ids.map((targeting_criterion_id) => ({
            operation_type: 'Delete',
            params: { targeting_criterion_id },
          })),
        )
      const both = await remove([other?.id, home?.id])
      assert.deepEqual(
        [both.status, ...operationErrorsOf(both).map((errors) => errors.map(({ code }) => code))],
        [400, [], ['INVALID']],
      )
      assert.equal((await remove([other?.id])).status, 200)
    })

    test('a line item gets a curated category, changes it, and loses it', async () => {
      await fresh()
      const lineItem = await ready()
      const made = await link(lineItem)
      assert.equal(made.status, 201, made.text)
      const { id } = dataOf(made)
      assert.deepEqual(dataOf(made), {
        id,
        line_item_id: lineItem,
        curated_category_id: SOCCER,
        created_at: '2026-03-01T12:00:00Z',
        updated_at: '2026-03-01T12:00:00Z',
        deleted: false,
      })
      const changed = await targeter.call('PUT', `${links()}/${id}`, { curated_category_id: BASEBALL })
      assert.deepEqual(
        [changed.status, dataOf(changed).curated_category_id, dataOf(changed).deleted],
        [200, BASEBALL, false],
      )
      assert.deepEqual(dataOf(await get(`${links()}/${id}`)), dataOf(changed))
      assert.deepEqual(listOf(await get(links())), [dataOf(changed)])
      assert.equal(dataOf(await targeter.call('DELETE', `${links()}/${id}`)).deleted, true)
      assert.deepEqual(listOf(await get(links())), [])
      const again = await targeter.call('DELETE', `${links()}/${id}`)
      assert.deepEqual(
        [again.status, ...codesOf(again)],
        [404, ['NOT_FOUND', 'line_item_curated_category_id']],
      )
      assert.equal((await link(lineItem)).status, 201, 'there is room for another one')
    })

    test('a line item has one curated category at most, two requests at once included', async () => {
      await fresh()
      const lineItem = await ready()
      const replies = await Promise.all(
        [SOCCER, BASEBALL, SOCCER].map((category) => link(lineItem, category)),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400])
      const rejected = replies.find(({ status }) => status === 400)
      assert.deepEqual(rejected && codesOf(rejected), [['INVALID', 'line_item_id']])
      const other = await ready()
      const { id } = dataOf(await link(other))
      const moved = await targeter.call('PUT', `${links()}/${id}`, { line_item_id: lineItem })
      assert.deepEqual([moved.status, ...codesOf(moved)], [400, ['INVALID', 'line_item_id']])
    })

    test('a curated category needs a preroll line item with a place in its countries', async () => {
      await fresh()
      const { id: plain } = await ann.lineItem()
      await targeter.target(ann, plain, LOCATION)
      assert.deepEqual(codesOf(await link(plain)), [['INCOMPATIBLE_LINE_ITEM', 'line_item_id']])
      const { id: nowhere } = await prerollLineItem(ann)
      assert.deepEqual(codesOf(await link(nowhere)), [['INVALID', 'curated_category_id']])
      await targeter.target(ann, nowhere, { ...LOCATION, operator_type: 'NE' })
      assert.deepEqual(codesOf(await link(nowhere)), [['INVALID', 'curated_category_id']])
    })

    test('curated and content categories exclude each other, whichever comes first', async () => {
      await fresh()
      const iab = [{ targeting_type: 'IAB_CATEGORY', targeting_value: 'IAB2' }]
      const [first, second] = [await ready(), await ready()]
      assert.equal((await targeter.targetAll(ann, first, iab)).status, 200)
      assert.deepEqual(codesOf(await link(first)), [['INVALID', 'curated_category_id']])
      assert.equal((await link(second)).status, 201)
      const rejected = await targeter.targetAll(ann, second, iab)
      assert.equal(operationErrorsOf(rejected)[0]?.[0]?.attribute, 'targeting_type')
    })

    test('with a curated category, five publishers may be excluded, not six', async () => {
      await fresh()
      const excluded = listOf(await get('/publishers')).map(({ user_id }) => ({
        targeting_type: 'CONTENT_PUBLISHER_USER',
        targeting_value: String(user_id),
        operator_type: 'NE',
      }))
      const [first, second] = [await ready(), await ready()]
      assert.equal((await targeter.targetAll(ann, first, excluded.slice(0, 6))).status, 200)
      assert.deepEqual(codesOf(await link(first)), [['INVALID', 'line_item_id']])
      assert.equal((await link(second)).status, 201)
      assert.equal((await targeter.targetAll(ann, second, excluded.slice(0, 5))).status, 200)
      assert.equal((await targeter.targetAll(ann, second, excluded.slice(5, 6))).status, 400)
    })

    test('objects that do not exist, are deleted, or belong to another user are not found', async () => {
      await fresh()
      const lineItem = await ready()
      assert.deepEqual(codesOf(await link(lineItem, 'zzz')), [['NOT_FOUND', 'curated_category_id']])
      assert.deepEqual(codesOf(await link('zzz')), [['LINE_ITEM_NOT_FOUND', 'line_item_id']])
      const { id } = dataOf(await link(lineItem))
      const own = `${links()}/${id}`
      await targeter.call('DELETE', `/accounts/${ann.account.id}/line_items/${lineItem}`)
      assert.deepEqual(codesOf(await link(lineItem)), [['LINE_ITEM_NOT_FOUND', 'line_item_id']])
      assert.equal((await get(own)).status, 404, 'its line item is deleted')
      assert.equal(dataOf(await get(`${own}?with_deleted=true`)).deleted, false)
      await fresh()
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const reply = await targeter.call(method, `${links()}/${id}`, method === 'PUT' ? {} : undefined)
        assert.equal(reply.status, 404)
      }
    })

    test('curated categories are counted, narrowed by country and paged', async () => {
      await fresh()
      const path = `/accounts/${ann.account.id}/curated_categories`
      const all = await get(path)
      assert.deepEqual([(all.json as { total_count: number }).total_count, cursorIn(all)], [9, null])
      const [first] = listOf(all)
      assert.deepEqual(Object.keys(first ?? {}).sort(), [
        'country_codes',
        'created_at',
        'description',
        'id',
        'name',
        'publisher_user_ids',
        'updated_at',
        'videos_monetized_in_last_thirty_days',
      ])
      const page = await get(`${path}?count=5&country_codes=US,DE`)
      assert.equal((page.json as { total_count: number }).total_count, 9)
      const rest = await get(`${path}?count=5&country_codes=US,DE&cursor=${cursorIn(page)}`)
      assert.deepEqual([...listOf(page), ...listOf(rest)], listOf(all))
      assert.deepEqual(listOf(await get(`${path}?country_codes=DE`)), [])
      assert.equal((await get(`${path}?country_codes=XX`)).status, 400)
      const one = await get(`${path}/${SOCCER}`)
      assert.deepEqual(
        dataOf(one),
        listOf(all).find(({ id }) => id === SOCCER),
      )
      assert.deepEqual((one.json as { request: unknown }).request, {
        params: { account_id: ann.account.id, curated_category_id: SOCCER },
      })
      assert.equal((await get(`${path}/zzz`)).status, 404)
    })

    test('business and content categories are whole lists', async () => {
      const business = await get('/advertiser_business_categories')
      assert.equal(listOf(business).length, 16)
      assert.deepEqual(Object.keys(business.json as object).sort(), ['data', 'next_cursor', 'request'])
      assert.deepEqual(listOf(business)[1], {
        id: '1jm',
        name: 'Health & Pharma',
        iab_categories: ['IAB7'],
      })
      const content = await get('/content_categories')
      assert.equal((content.json as { total_count: number }).total_count, 15)
      assert.deepEqual(listOf(content)[0], {
        id: 'ru',
        name: 'Automotive (Cars, Trucks, Racing)',
        iab_categories: ['IAB2'],
        publishers_in_last_thirty_days: 12,
        videos_monetized_in_last_thirty_days: 316,
      })
    })

    test('IAB categories are paged, and counted when that is asked for', async () => {
      const first = await get('/iab_categories?count=250&with_total_count=true')
      const second = await get(`/iab_categories?count=250&cursor=${cursorIn(first)}`)
      const all = [...listOf(first), ...listOf(second)]
      assert.equal((first.json as { total_count: number }).total_count, all.length)
      assert.equal('total_count' in (second.json as object), false)
      assert.equal(cursorIn(second), null)
      assert.deepEqual(all.slice(0, 2), [
        { id: 'IAB1', parent_id: null, name: 'Arts & Entertainment' },
        { id: 'IAB1-1', parent_id: 'IAB1', name: 'Books & Literature' },
      ])
      const both = await get(`/iab_categories?with_total_count=true&cursor=${cursorIn(first)}`)
      assert.deepEqual([both.status, errorsOf(both)[0]?.code], [400, 'EXCLUSIVE_PARAMETERS'])
    })

    test('publishers agree with the categories that count them', async () => {
      const publishers = listOf(await get('/publishers'))
      assert.deepEqual(
        publishers.find(({ username }) => username === 'examplepub'),
        {
          monetizable_country_codes: ['US'],
          promotion_eligible_country_codes: ['US'],
          username: 'examplepub',
          user_id: '1353868435021721602',
          monetization_restricted: true,
          content_category_ids: ['se'],
        },
      )
      for (const category of listOf(await get('/content_categories')))
        assert.equal(
          publishers.filter((one) => (one.content_category_ids as string[]).includes(category.id)).length,
          category.publishers_in_last_thirty_days,
        )
    })

    test('placements are those of all product types, or of one', async () => {
      assert.equal(listOf(await get('/line_items/placements')).length, 3)
      assert.deepEqual((await get('/line_items/placements?product_type=PROMOTED_ACCOUNT')).json, {
        request: { params: { product_type: 'PROMOTED_ACCOUNT' } },
        data: [{ product_type: 'PROMOTED_ACCOUNT', placements: [['ALL_ON_SERVICE'], ['SERVICE_TIMELINE']] }],
      })
      const wrong = await get('/line_items/placements?product_type=SHOE')
      assert.deepEqual(codesOf(wrong), [['INVALID_PARAMETER', 'product_type']])
    })

    test('bidding rules are those of all currencies, or of one', async () => {
      const all = await get('/bidding_rules')
      const { data_type, total_count } = all.json as { data_type: string; total_count: number }
      assert.deepEqual([data_type, total_count], ['bidding_rule', listOf(all).length])
      assert.deepEqual((await get('/bidding_rules?currency=USD')).json, {
        request: { params: { currency: 'USD' } },
        data_type: 'bidding_rule',
        total_count: 1,
        data: [
          {
            currency: 'USD',
            minimum_cpe_bid_local_micro: 10_000,
            maximum_cpe_bid_local_micro: 1_000_000_000,
            minimum_denomination: 10_000,
          },
        ],
      })
      for (const currency of ['usd', 'XXQ'])
        assert.deepEqual(codesOf(await get(`/bidding_rules?currency=${currency}`)), [
          ['INVALID_PARAMETER', 'currency'],
        ])
    })
  })
}
