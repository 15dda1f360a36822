import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { promotableUsers } from '../../src/api/ads/promotable-users/promotable-users.ts'
import { OPERATORS, TARGETING_TYPES, type TargetingType } from '../../src/api/ads/targeting/names.ts'
import { targetingTypes } from '../../src/api/ads/targeting/types.ts'
import { recurringEvents } from '../../src/domain/reference-data/events.ts'
import { nextBase36 } from '../../src/platform/common/ids.ts'
import type { Advertiser } from '../support/advertiser.ts'
import type { Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { stages } from '../support/stages.ts'
import {
  type Criterion,
  cursorIn,
  dataOf,
  errorsOf,
  listOf,
  operationErrorsOf,
  prerollLineItem,
  Targeter,
  UNITED_STATES,
} from '../support/targeting.ts'

/** Who a value is tried for. */
interface Place {
  ann: Advertiser
  userId: string
}

/** How a type of targeting is tried: with a value that is right, and with one that is wrong. */
interface Trial {
  /** A value that there is; undefined while there is none. */
  good?: string | ((place: Place) => Promise<string> | string)
  /** The name that the criterion gets. */
  name?: string
  bad: string
  /** The code that the wrong value is rejected with. */
  code?: string
  /** What must be beside it, in the same batch. */
  beside?: readonly Criterion[] | ((place: Place) => Promise<readonly Criterion[]>)
}

const LONDON_EVENING = 'Evening News (United Kingdom)'
const ELECTION = String(
  recurringEvents().find(({ event_type }) => event_type === 'POLITICS')?.targeting_value,
)
const keyword = { good: 'coffee ☕', name: 'coffee ☕', bad: '   ' }
const audience = { bad: '249yj', code: 'TAILORED_AUDIENCE_NOT_FOUND' }
const campaign = {
  good: async ({ ann }: Place) => (await ann.campaign({ name: 'Spring' })).id,
  name: 'Spring',
  bad: 'zzz',
  code: 'CAMPAIGN_NOT_FOUND',
  beside: [{ targeting_type: 'ENGAGEMENT_TYPE', targeting_value: 'IMPRESSION' }],
}
const promoted = {
  good: ({ userId }: Place) => userId,
  bad: '1',
  code: 'INVALID_USER_ID',
  beside: [{ targeting_type: 'ENGAGEMENT_TYPE', targeting_value: 'VIDEO_VIEW' }],
}
const storeCategory = { good: 'qouq', name: 'Games: Music', bad: 'nowhere' }

const trials: Readonly<Record<TargetingType, Trial>> = {
  AGE: { good: 'AGE_13_TO_24', bad: 'AGE_1_TO_2' },
  GENDER: { good: '2', name: 'Female', bad: '3' },
  LANGUAGE: { good: 'en', name: 'English', bad: 'xx' },
  LOCATION: { good: UNITED_STATES, name: 'United States', bad: '0000000000000000' },
  INTEREST: { good: '1001', bad: '999' },
  SIMILAR_TO_FOLLOWERS_OF_USER: { good: ({ userId }) => userId, bad: '1', code: 'INVALID_USER_ID' },
  FOLLOWERS_OF_USER: { good: ({ userId }) => userId, bad: '1', code: 'INVALID_USER_ID' },
  BROAD_KEYWORD: keyword,
  EXACT_KEYWORD: keyword,
  PHRASE_KEYWORD: keyword,
  UNORDERED_KEYWORD: keyword,
  EVENT: { good: '1ex', name: "New Year's", bad: 'zzzzz' },
  CONVERSATION: { good: 'a1', name: 'NFL', bad: 'zzzzz' },
  TV_SHOW: {
    good: '10027243420',
    name: 'NewsWatch',
    bad: '1',
    beside: [{ targeting_type: 'LOCATION', targeting_value: UNITED_STATES }],
  },
  LIVE_TV_EVENT: { good: ELECTION, bad: '1ex' },
  DEVICE: { good: '1r', name: 'iPhone 4', bad: 'zzzzzz' },
  PLATFORM: { good: '4', name: 'Desktop and laptop computers', bad: '5' },
  PLATFORM_VERSION: { good: '18', name: 'Jelly Bean', bad: 'zzzzz' },
  NETWORK_OPERATOR: { good: '1b', name: 'Aeris', bad: 'zzzzzz' },
  NETWORK_ACTIVATION_DURATION: { good: '6', bad: '0' },
  WIFI_ONLY: { good: '1', bad: '0' },
  CUSTOM_AUDIENCE: audience,
  CUSTOM_AUDIENCE_EXPANDED: audience,
  CAMPAIGN_ENGAGEMENT: campaign,
  CAMPAIGN_ENGAGEMENT_LOOKALIKE: campaign,
  USER_ENGAGEMENT: promoted,
  USER_ENGAGEMENT_LOOKALIKE: promoted,
  ENGAGEMENT_TYPE: {
    good: 'VIDEO_VIEW_COMPLETE',
    bad: 'LIKE',
    beside: async ({ userId }) => [{ targeting_type: 'USER_ENGAGEMENT', targeting_value: userId }],
  },
  APP_STORE_CATEGORY: storeCategory,
  APP_STORE_CATEGORY_LOOKALIKE: storeCategory,
  APP_LIST: { bad: '1' },
  IAB_CATEGORY: { good: 'IAB2', name: 'Automotive', bad: 'IAB99' },
  CONTENT_PUBLISHER_USER: {
    good: '1353868435021721602',
    name: 'examplepub',
    bad: '1',
    code: 'INVALID_USER_ID',
  },
}

test('every type of targeting is tried', () => {
  assert.deepEqual(Object.keys(trials).sort(), [...TARGETING_TYPES].sort())
})

for (const stage of stages) {
  describe(`targeting on ${stage.name}`, { skip: stage.skip }, () => {
    let targeter: Targeter

    before(async () => {
      targeter = await Targeter.open(stage)
    })
    after(() => targeter?.close())

    const { call, target, targetAll } = {
      call: (...args: Parameters<Targeter['call']>) => targeter.call(...args),
      target: (...args: Parameters<Targeter['target']>) => targeter.target(...args),
      targetAll: (...args: Parameters<Targeter['targetAll']>) => targeter.targetAll(...args),
    }
    const place = async (): Promise<Place> => ({ ann: await targeter.account(), userId: targeter.userId })
    const criteriaOf = async (ann: Advertiser, lineItem: string, more = '') =>
      listOf(
        await call('GET', `/accounts/${ann.account.id}/targeting_criteria?line_item_ids=${lineItem}${more}`),
      )

    for (const type of TARGETING_TYPES) {
      const { good, name, bad, code = 'INVALID_PARAMETER', beside = [] } = trials[type]
      const { operators, batchOnly } = targetingTypes[type]
      const [operator = 'EQ'] = operators
      const lineItemOf = async ({ ann }: Place) =>
        (await (type === 'IAB_CATEGORY' ? prerollLineItem(ann) : ann.lineItem())).id
      const valueFor = async (at: Place) => String(typeof good === 'function' ? await good(at) : good)
      const besideOf = async (at: Place) => (typeof beside === 'function' ? await beside(at) : beside)

      if (good !== undefined && operators.length > 0)
        for (const operator_type of operators) {
          test(`${type} ${operator_type} is taken and listed with its name`, async () => {
            const at = await place()
            const lineItem = await lineItemOf(at)
            const targeting_value = await valueFor(at)
            const others = await besideOf(at)
            const criterion = { targeting_type: type, targeting_value, operator_type }
            const reply = await targetAll(at.ann, lineItem, [...others, criterion])
            assert.equal(reply.status, 200, reply.text)
            assert.equal((reply.json as { data_type: string }).data_type, 'targeting_criterion')
            const made = listOf(reply).at(-1)
            assert.deepEqual(
              { ...made, id: undefined, name: undefined, location_type: undefined },
              {
                ...criterion,
                line_item_id: lineItem,
                id: undefined,
                name: undefined,
                location_type: undefined,
                created_at: '2026-03-01T12:00:00Z',
                updated_at: '2026-03-01T12:00:00Z',
                deleted: false,
              },
            )
            if (name !== undefined) assert.equal(made?.name, name)
            assert.equal('location_type' in (made ?? {}), type === 'LOCATION')
            const listed = await criteriaOf(at.ann, lineItem)
            assert.deepEqual(listed.at(-1), made)
          })
        }

      test(`${type} with a value that does not exist is ${code}, and nothing is kept`, async () => {
        const at = await place()
        const lineItem = await lineItemOf(at)
        const criterion = { targeting_type: type, targeting_value: bad, operator_type: operator }
        const reply = await target(at.ann, lineItem, criterion)
        assert.deepEqual(
          errorsOf(reply).map((one) => [one.code, one.parameter]),
          [[code, 'targeting_value']],
          reply.text,
        )
        assert.deepEqual(await criteriaOf(at.ann, lineItem), [])
      })

      for (const operator_type of OPERATORS.filter((one) => !operators.includes(one))) {
        test(`${type} does not take ${operator_type}`, async () => {
          const at = await place()
          const targeting_value = good === undefined ? bad : await valueFor(at)
          const reply = await target(at.ann, await lineItemOf(at), {
            targeting_type: type,
            targeting_value,
            operator_type,
          })
          assert.ok([400, 404].includes(reply.status), reply.text)
          assert.deepEqual(
            errorsOf(reply)
              .filter((one) => one.parameter === 'operator_type')
              .map((one) => one.code),
            ['INVALID_PARAMETER'],
          )
        })
      }

      if (batchOnly)
        test(`${type} is accepted by the batch endpoint only`, async () => {
          const at = await place()
          const reply = await target(at.ann, await lineItemOf(at), {
            targeting_type: type,
            targeting_value: await valueFor(at),
            operator_type: operator,
          })
          assert.equal(reply.status, 400)
          assert.deepEqual(errorsOf(reply)[0]?.parameter, 'targeting_type')
        })
    }

    const keywords = (count: number, type = 'BROAD_KEYWORD') =>
      Array.from({ length: count }, (_, n) => ({ targeting_type: type, targeting_value: `word ${n}` }))

    test('genders may be spelled out, and are the same criterion', async () => {
      const { ann } = await place()
      const lineItem = (await ann.lineItem()).id
      for (const targeting_value of ['__proto__', 'constructor', 'female'])
        assert.equal((await target(ann, lineItem, { targeting_type: 'GENDER', targeting_value })).status, 400)
      for (const targeting_value of ['FEMALE', '2'])
        assert.ok((await target(ann, lineItem, { targeting_type: 'GENDER', targeting_value })).status < 300)
      assert.deepEqual(
        (await criteriaOf(ann, lineItem)).map((one) => [one.targeting_value, one.name]),
        [['2', 'Female']],
      )
    })

    test('a line item takes a thousand keywords of all kinds together, and no more', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      assert.equal((await targetAll(ann, id, keywords(500))).status, 200)
      assert.equal((await targetAll(ann, id, keywords(499, 'PHRASE_KEYWORD'))).status, 200)
      const over = await targetAll(ann, id, keywords(2, 'EXACT_KEYWORD'))
      assert.equal(over.status, 400)
      assert.deepEqual(
        operationErrorsOf(over).map((errors) => errors.map(({ code, attribute }) => [code, attribute])),
        [[], [['INVALID', 'targeting_type']]],
      )
      const last = keywords(1, 'EXACT_KEYWORD')
      assert.equal((await targetAll(ann, id, last)).status, 200)
      const single = await target(ann, id, { targeting_type: 'BROAD_KEYWORD', targeting_value: 'one more' })
      assert.equal(errorsOf(single)[0]?.code, 'INVALID')
      assert.equal((await targetAll(ann, id, last)).status, 200, 'what is there already is not one more')
    })

    test('at most a hundred interests and as many similar users, one age, one event', async () => {
      const { ann, userId } = await place()
      const { id } = await ann.lineItem()
      const list = await call('GET', '/targeting_criteria/interests?count=101')
      const interests = listOf(list).map(({ targeting_value }) => ({
        targeting_type: 'INTEREST',
        targeting_value: String(targeting_value),
      }))
      assert.equal(interests.length, 101)
      const over = await targetAll(ann, id, interests)
      assert.deepEqual(
        operationErrorsOf(over).findIndex((errors) => errors.length > 0),
        100,
      )
      assert.equal((await targetAll(ann, id, interests.slice(0, 100))).status, 200)
      const pairs = [
        ['AGE', 'AGE_OVER_18', 'AGE_OVER_21'],
        ['EVENT', '1ex', String(listOf(await call('GET', '/targeting_criteria/events'))[0]?.targeting_value)],
      ] as const
      for (const [targeting_type, first, second] of pairs) {
        assert.equal((await target(ann, id, { targeting_type, targeting_value: first })).status, 201)
        const rejected = await target(ann, id, { targeting_type, targeting_value: second })
        assert.deepEqual([rejected.status, errorsOf(rejected)[0]?.code], [400, 'INVALID'])
      }
      const people = await Promise.all(
        Array.from({ length: 100 }, () => Person.join(targeter.opened.plaza, targeter.client)),
      )
      const similar = [userId, ...people.map((one) => one.id)].map((targeting_value) => ({
        targeting_type: 'SIMILAR_TO_FOLLOWERS_OF_USER',
        targeting_value,
      }))
      assert.equal((await targetAll(ann, id, similar)).status, 400)
      assert.equal((await targetAll(ann, id, similar.slice(1))).status, 200)
    })

    test('what is there already is not to blame for what is new in a batch', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const age = (targeting_value: string) => ({ targeting_type: 'AGE', targeting_value })
      const codes = (reply: Reply) => operationErrorsOf(reply).map((errors) => errors.map(({ code }) => code))
      const known = await targetAll(ann, id, [age('AGE_OVER_18')])
      assert.equal(known.status, 200)
      const more = await targetAll(ann, id, [age('AGE_OVER_21'), age('AGE_OVER_18'), age('AGE_OVER_18')])
      assert.deepEqual([more.status, ...codes(more)], [400, ['INVALID'], [], []])
      assert.deepEqual(await criteriaOf(ann, id), listOf(known))
      const { id: other } = await ann.lineItem()
      const twice = await targetAll(ann, other, [age('AGE_OVER_21'), age('AGE_OVER_18'), age('AGE_OVER_21')])
      assert.deepEqual([twice.status, ...codes(twice)], [400, [], ['INVALID'], []])
    })

    test('at most two thousand locations', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const pages = ['', '1'].map(() => [] as Criterion[])
      let cursor = ''
      for (const page of pages) {
        const reply = await call(
          'GET',
          `/targeting_criteria/locations?location_type=CITIES&count=1000${cursor}`,
        )
        page.push(
          ...listOf(reply).map(({ targeting_value }) => ({
            targeting_type: 'LOCATION',
            targeting_value: String(targeting_value),
          })),
        )
        cursor = `&cursor=${cursorIn(reply)}`
      }
      const all = pages.flat()
      assert.equal(new Set(all.map((one) => one.targeting_value)).size, 2000)
      for (let at = 0; at < 2000; at += 500)
        assert.equal((await targetAll(ann, id, all.slice(at, at + 500))).status, 200)
      const over = await target(ann, id, { targeting_type: 'LOCATION', targeting_value: UNITED_STATES })
      assert.equal(errorsOf(over)[0]?.code, 'INVALID')
    })

    test('a batch of more than 500 operations is too complex', async () => {
      const { ann } = await place()
      const reply = await targetAll(ann, (await ann.lineItem()).id, keywords(501))
      assert.deepEqual([reply.status, errorsOf(reply)[0]?.code], [400, 'REQUEST_TOO_COMPLEX'])
    })

    test('engagement is targeted with its type, whichever stands first in the batch, and neither alone', async () => {
      const { ann, userId } = await place()
      const { id } = await ann.lineItem()
      const type = { targeting_type: 'ENGAGEMENT_TYPE', targeting_value: 'ENGAGEMENT' }
      const user = { targeting_type: 'USER_ENGAGEMENT', targeting_value: userId }
      for (const one of [type, user]) {
        const alone = await target(ann, id, one)
        assert.deepEqual([alone.status, errorsOf(alone)[0]?.code], [400, 'INCLUSIVE_PARAMETERS'])
      }
      assert.equal((await targetAll(ann, id, [type, user])).status, 200)
      const other = await ann.lineItem()
      assert.equal((await targetAll(ann, other.id, [user, type])).status, 200)
      const more = { targeting_type: 'ENGAGEMENT_TYPE', targeting_value: 'IMPRESSION' }
      assert.equal((await target(ann, id, more)).status, 201, 'what it needs is there already')
    })

    test('a platform cannot be combined with one of its devices, in either order', async () => {
      const { ann } = await place()
      const iphone = { targeting_type: 'DEVICE', targeting_value: '1r' }
      const ios = { targeting_type: 'PLATFORM', targeting_value: '0' }
      const android = { targeting_type: 'PLATFORM', targeting_value: '1' }
      const [first, second] = [await ann.lineItem(), await ann.lineItem()]
      assert.equal((await target(ann, first.id, iphone)).status, 201)
      const broader = await target(ann, first.id, ios)
      assert.deepEqual([broader.status, errorsOf(broader)[0]?.attribute], [400, 'targeting_value'])
      assert.equal((await target(ann, first.id, android)).status, 201)
      assert.equal((await target(ann, second.id, ios)).status, 201)
      assert.equal((await target(ann, second.id, iphone)).status, 400)
    })

    test('a TV show needs locations, all of them in its market, now and later', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const shows = listOf(await call('GET', '/targeting_criteria/tv_shows?locale=en-GB&q=evening'))
      assert.deepEqual(
        shows.map(({ name }) => name),
        [LONDON_EVENING],
      )
      const show = { targeting_type: 'TV_SHOW', targeting_value: String(shows[0]?.targeting_value) }
      const nowhere = await target(ann, id, show)
      assert.deepEqual([nowhere.status, errorsOf(nowhere)[0]?.code], [400, 'INVALID_TV_SHOW_LOCATIONS'])
      const us = { targeting_type: 'LOCATION', targeting_value: UNITED_STATES }
      const { id: usId } = dataOf(await target(ann, id, us))
      const outside = await target(ann, id, show)
      assert.deepEqual([outside.status, errorsOf(outside)[0]?.code], [400, 'TV_SHOW_OUTSIDE_MARKET'])
      await call('DELETE', `/accounts/${ann.account.id}/targeting_criteria/${usId}`)
      const [kingdom] = listOf(
        await call('GET', '/targeting_criteria/locations?location_type=COUNTRIES&country_code=GB'),
      )
      const gb = { targeting_type: 'LOCATION', targeting_value: String(kingdom?.targeting_value) }
      assert.equal((await targetAll(ann, id, [show, gb])).status, 200)
      const later = await target(ann, id, us)
      assert.deepEqual([later.status, errorsOf(later)[0]?.code], [400, 'TV_SHOW_OUTSIDE_MARKET'])
      assert.equal((await target(ann, id, { ...us, operator_type: 'NE' })).status, 201)
    })

    test('followers are targeted of the own user only, not of one whose posts may be reposted', async () => {
      const { ann } = await place()
      const other = String(targeter.opened.plaza.seeded?.users.find(({ id }) => id !== targeter.userId)?.id)
      const { context } = targeter.opened.plaza
      await context.store.write((tx) =>
        tx.run(promotableUsers.rows.add, {
          account_id: ann.account.id,
          id: nextBase36(context.ids),
          visibility: 0,
          created_at: 1,
          updated_at: 1,
          deleted: 0,
          user_id: other,
          promotable_user_type: 'REPOSTS_ONLY',
        }),
      )
      const { id } = await ann.lineItem()
      const rejected = await target(ann, id, { targeting_type: 'FOLLOWERS_OF_USER', targeting_value: other })
      assert.deepEqual([rejected.status, errorsOf(rejected)[0]?.code], [400, 'INVALID_USER_ID'])
      const engaged = [
        { targeting_type: 'USER_ENGAGEMENT', targeting_value: other },
        { targeting_type: 'ENGAGEMENT_TYPE', targeting_value: 'ENGAGEMENT' },
      ]
      assert.equal((await targetAll(ann, id, engaged)).status, 200)
    })

    test('a campaign of another account is not there to target', async () => {
      const { ann } = await place()
      const stranger = await targeter.account()
      const { id: campaignId } = await stranger.campaign()
      const reply = await target(ann, (await ann.lineItem()).id, {
        targeting_type: 'CAMPAIGN_ENGAGEMENT',
        targeting_value: campaignId,
      })
      assert.deepEqual([reply.status, errorsOf(reply)[0]?.code], [404, 'CAMPAIGN_NOT_FOUND'])
    })

    test('content is targeted by whole content categories, on preroll line items', async () => {
      const { ann } = await place()
      const { id } = await prerollLineItem(ann)
      const iab = (...ids: string[]) =>
        ids.map((targeting_value) => ({ targeting_type: 'IAB_CATEGORY', targeting_value }))
      const part = await targetAll(ann, id, iab('IAB5'))
      assert.deepEqual(operationErrorsOf(part)[0]?.[0]?.attribute, 'targeting_value')
      assert.equal((await targetAll(ann, id, iab('IAB2', 'IAB5', 'IAB15'))).status, 200)
      const nowhere = await targetAll(ann, id, iab('IAB24'))
      assert.equal(operationErrorsOf(nowhere)[0]?.[0]?.code, 'INVALID')
      const plain = await targetAll(ann, (await ann.lineItem()).id, iab('IAB2'))
      assert.equal(operationErrorsOf(plain)[0]?.[0]?.code, 'INCOMPATIBLE_LINE_ITEM')
    })

    test('at most fifty publishers are excluded', async () => {
      const { ann } = await place()
      const { id } = await prerollLineItem(ann)
      const publishers = listOf(await call('GET', '/publishers')).map(({ user_id }) => ({
        targeting_type: 'CONTENT_PUBLISHER_USER',
        targeting_value: String(user_id),
        operator_type: 'NE',
      }))
      assert.equal((await targetAll(ann, id, publishers.slice(0, 50))).status, 200)
      const over = await targetAll(ann, id, publishers.slice(50, 51))
      assert.equal(operationErrorsOf(over)[0]?.[0]?.code, 'INVALID')
    })

    test('the same criterion again is the one that is there; its opposite is rejected', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const us = { targeting_type: 'LOCATION', targeting_value: UNITED_STATES }
      const first = await target(ann, id, us)
      const again = await target(ann, id, { ...us, operator_type: 'EQ' })
      assert.deepEqual(dataOf(again), dataOf(first))
      assert.equal((await criteriaOf(ann, id)).length, 1)
      const opposite = await target(ann, id, { ...us, operator_type: 'NE' })
      assert.deepEqual([opposite.status, errorsOf(opposite)[0]?.attribute], [400, 'operator_type'])
      await call('DELETE', `/accounts/${ann.account.id}/targeting_criteria/${dataOf(first).id}`)
      const anew = await target(ann, id, us)
      assert.notEqual(dataOf(anew).id, dataOf(first).id)
    })

    test('two requests at once do not both add the last criterion that is allowed', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const replies = await Promise.all(
        ['AGE_OVER_18', 'AGE_OVER_21', 'AGE_OVER_25'].map((targeting_value) =>
          target(ann, id, { targeting_type: 'AGE', targeting_value }),
        ),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400])
      assert.equal((await criteriaOf(ann, id)).length, 1)
    })

    test('an unknown type has its own code; everything that is missing is reported at once', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const reply = await target(ann, id, { targeting_type: 'SHOE_SIZE', targeting_value: '42' })
      assert.deepEqual(
        errorsOf(reply).map(({ code, parameter }) => [code, parameter]),
        [['INVALID_TARGETING_TYPE', 'targeting_type']],
      )
      const empty = await call('POST', `/accounts/${ann.account.id}/targeting_criteria`, {})
      assert.deepEqual(
        errorsOf(empty).map(({ code, parameter }) => [code, parameter]),
        ['line_item_id', 'targeting_type', 'targeting_value'].map((name) => ['MISSING_PARAMETER', name]),
      )
    })

    test('nothing is added to a line item that is deleted, unknown, or of another user', async () => {
      const { ann } = await place()
      const stranger = await targeter.account()
      const deleted = await ann.lineItem()
      await call('DELETE', `/accounts/${ann.account.id}/line_items/${deleted.id}`)
      for (const id of [deleted.id, 'zzz', (await stranger.lineItem()).id]) {
        const reply = await target(ann, id, { targeting_type: 'LANGUAGE', targeting_value: 'en' })
        assert.deepEqual([reply.status, errorsOf(reply)[0]?.code], [404, 'LINE_ITEM_NOT_FOUND'])
      }
    })

    test('criteria of a deleted line item are shown with deleted ones only, and are not deleted', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const made = dataOf(await target(ann, id, { targeting_type: 'LANGUAGE', targeting_value: 'en' }))
      await call('DELETE', `/accounts/${ann.account.id}/line_items/${id}`)
      assert.deepEqual(await criteriaOf(ann, id), [])
      const path = `/accounts/${ann.account.id}/targeting_criteria/${made.id}`
      assert.equal((await call('GET', path)).status, 404)
      assert.deepEqual(await criteriaOf(ann, id, '&with_deleted=true'), [made])
      assert.equal(dataOf(await call('GET', `${path}?with_deleted=true`)).deleted, false)
    })

    test('a criterion is deleted once, and of its own account only', async () => {
      const { ann } = await place()
      const stranger = await targeter.account()
      const { id } = await ann.lineItem()
      const made = dataOf(await target(ann, id, { targeting_type: 'LANGUAGE', targeting_value: 'en' }))
      const foreign = `/accounts/${stranger.account.id}/targeting_criteria/${made.id}`
      for (const method of ['GET', 'DELETE']) {
        const reply = await call(method, foreign)
        assert.deepEqual([reply.status, errorsOf(reply)[0]?.code], [404, 'TARGETING_CRITERION_NOT_FOUND'])
      }
      const path = `/accounts/${ann.account.id}/targeting_criteria/${made.id}`
      assert.equal(dataOf(await call('DELETE', path)).deleted, true)
      assert.equal((await call('DELETE', path)).status, 404)
      assert.deepEqual(await criteriaOf(ann, id), [])
      const [shown] = await criteriaOf(ann, id, '&with_deleted=true')
      assert.equal(shown?.deleted, true)
    })

    test('a batch creates and deletes in one go, or does nothing at all', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const made = dataOf(await target(ann, id, { targeting_type: 'AGE', targeting_value: 'AGE_OVER_18' }))
      const path = `/batch/accounts/${ann.account.id}/targeting_criteria`
      const exchange = (value: string) => [
        { operation_type: 'Delete', params: { targeting_criterion_id: made.id } },
        {
          operation_type: 'Create',
          params: { line_item_id: id, targeting_type: 'AGE', targeting_value: value },
        },
      ]
      const rejected = await targeter.post(path, exchange('AGE_OVER_1000'))
      assert.equal(rejected.status, 400)
      assert.deepEqual(
        operationErrorsOf(rejected).map((errors) => errors.length),
        [0, 1],
      )
      assert.deepEqual(await criteriaOf(ann, id), [made])
      const done = await targeter.post(path, exchange('AGE_OVER_21'))
      assert.equal(done.status, 200, done.text)
      assert.deepEqual(
        (await criteriaOf(ann, id)).map(({ targeting_value }) => targeting_value),
        ['AGE_OVER_21'],
      )
      const update = await targeter.post(path, [{ operation_type: 'Update', params: {} }])
      assert.equal(operationErrorsOf(update)[0]?.[0]?.code, 'INVALID_PARAMETER')
    })

    test('names come in the language that is asked for, where there is a name', async () => {
      const { ann } = await place()
      const { id } = await ann.lineItem()
      const some = [
        { targeting_type: 'LOCATION', targeting_value: UNITED_STATES },
        { targeting_type: 'LANGUAGE', targeting_value: 'ja' },
        { targeting_type: 'PLATFORM', targeting_value: '4' },
        { targeting_type: 'BROAD_KEYWORD', targeting_value: 'coffee' },
      ]
      assert.equal((await targetAll(ann, id, some)).status, 200)
      const named = await criteriaOf(ann, id, '&lang=de')
      assert.deepEqual(
        named.map((one) => one.localized_name),
        ['Vereinigte Staaten', 'Japanisch', 'Desktop- und Laptop-Computer', undefined],
      )
      const [plain] = await criteriaOf(ann, id)
      assert.equal('localized_name' in (plain ?? {}), false)
      const path = `/accounts/${ann.account.id}/targeting_criteria/${plain?.id}`
      assert.equal(dataOf(await call('GET', `${path}?lang=fr`)).localized_name, 'États-Unis')
      const wrong = await call('GET', `${path}?lang=english`)
      assert.deepEqual([wrong.status, errorsOf(wrong)[0]?.parameter], [400, 'lang'])
    })

    test('the list needs line items, narrows by ids, and is paged', async () => {
      const { ann } = await place()
      const [first, second] = [await ann.lineItem(), await ann.lineItem()]
      const base = `/accounts/${ann.account.id}/targeting_criteria`
      const without = await call('GET', base)
      assert.deepEqual(
        errorsOf(without).map(({ code, parameter }) => [code, parameter]),
        [['MISSING_PARAMETER', 'line_item_ids']],
      )
      const made = listOf(await targetAll(ann, first.id, keywords(5)))
      await targetAll(ann, second.id, keywords(2))
      const both = `${base}?line_item_ids=${first.id},${second.id}`
      assert.equal(listOf(await call('GET', both)).length, 7)
      const ids = `${made[1]?.id},${made[3]?.id}`
      assert.deepEqual(listOf(await call('GET', `${both}&targeting_criterion_ids=${ids}`)), [
        made[1],
        made[3],
      ])
      const page = await call('GET', `${base}?line_item_ids=${first.id}&count=3&with_total_count=true`)
      assert.equal((page.json as { total_count: number }).total_count, 5)
      const rest = await call('GET', `${base}?line_item_ids=${first.id}&count=3&cursor=${cursorIn(page)}`)
      assert.deepEqual([...listOf(page), ...listOf(rest)], made)
      assert.equal(cursorIn(rest), null)
    })

    test('a line item that promotes an app is shown on the platform of the app', async () => {
      const { ann } = await place()
      const app = { objective: 'APP_INSTALLS', product_type: 'PROMOTED_POSTS', placements: 'ALL_ON_SERVICE' }
      const create = async (more: Record<string, string>) => {
        const campaign_id = (await ann.campaign()).id
        const reply = await call('POST', `/accounts/${ann.account.id}/line_items`, {
          campaign_id,
          ...app,
          ...more,
        })
        return dataOf(reply).id
      }
      const platformsOf = async (lineItem: string) =>
        (await criteriaOf(ann, lineItem)).map(({ targeting_type, targeting_value }) => [
          targeting_type,
          targeting_value,
        ])
      const android = await create({ android_app_store_identifier: 'com.example.app' })
      assert.deepEqual(await platformsOf(android), [['PLATFORM', '1']])
      const ios = await create({ ios_app_store_identifier: '123456789' })
      assert.deepEqual(await platformsOf(ios), [['PLATFORM', '0']])
      const path = `/accounts/${ann.account.id}/line_items/${ios}`
      await call('PUT', path, { android_app_store_identifier: 'com.example.app' })
      assert.deepEqual(await platformsOf(ios), [['PLATFORM', '0']], 'a change adds nothing')
      assert.deepEqual(await platformsOf((await ann.lineItem()).id), [])
    })
  })
}
