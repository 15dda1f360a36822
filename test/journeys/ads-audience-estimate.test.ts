import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SAMPLE_SIZE } from '../../src/api/ads/targeting/estimate/sample.ts'
import { query } from '../../src/app/tables.ts'
import { insertPost } from '../../src/domain/posts/insert.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { picked } from '../../src/platform/storage/query.ts'
import type { Advertiser } from '../support/advertiser.ts'
import type { Reply } from '../support/client.ts'
import { stages } from '../support/stages.ts'
import { type Criterion, errorsOf, Targeter, UNITED_STATES } from '../support/targeting.ts'

interface Profile {
  location?: string
  description?: string
  suspended?: number
  protected?: number
}

const setProfile = query<Required<Profile> & { id: string }>('setProfileOfTest', (db, at) =>
  db
    .updateTable('users')
    .set(picked(at, ['location', 'description', 'suspended', 'protected']))
    .where('id', '=', at.id),
)

interface Someone extends Profile {
  posts?: string[]
  environment?: 'production' | 'sandbox'
}

const keyword = (targeting_value: string, targeting_type = 'BROAD_KEYWORD'): Criterion => ({
  targeting_type,
  targeting_value,
})
const sizeIn = (reply: Reply) => {
  assert.equal(reply.status, 200, reply.text)
  return (reply.json as { data: { audience_size: { min: number; max: number } } }).data.audience_size
}
/** So many of each, because sizes are whole tens. */
const OF_EACH = 10
/** The size if so many match for certain, and so many may. */
const between = (sure: number, possible: number) => ({
  min: OF_EACH * sure,
  max: OF_EACH * (possible + 1),
})
const exactly = (count: number) => between(count, count)

for (const stage of stages) {
  describe(`audience estimates on ${stage.name}`, { skip: stage.skip }, () => {
    let targeter: Targeter
    let ann: Advertiser
    let count = 0

    before(async () => {
      targeter = await Targeter.open(stage)
      ann = await targeter.account()
    })
    after(() => targeter?.close())

    const estimate = (body: unknown) => targeter.post(`/accounts/${ann.account.id}/audience_estimate`, body)
    const of = async (...criteria: Criterion[]) => sizeIn(await estimate(criteria))

    /** Ten people of each kind, as the platform knows them. */
    const join = (people: readonly Someone[]) => joinOnce(people.flatMap((one) => Array(OF_EACH).fill(one)))

    async function joinOnce(people: readonly Someone[]): Promise<void> {
      const { context } = targeter.opened.plaza
      await context.store.write(async (tx) => {
        for (const { posts = [], environment = 'production', ...profile } of people) {
          const id = context.ids.next()
          const screen_name = `guest${++count}`
          await createUser(tx, {
            id,
            screen_name,
            screen_name_key: screen_name,
            name: 'Guest',
            password_hash: 'none',
            suspended: 0,
            created_at: context.clock.now(),
          })
          await tx.run(setProfile, {
            id,
            location: '',
            description: '',
            suspended: 0,
            protected: 0,
            ...profile,
          })
          for (const text of posts)
            await insertPost(
              tx,
              {
                environment,
                authorId: id,
                text,
                nullcast: false,
                replySettings: 'everyone',
                appId: '1',
                contributorId: null,
              },
              context,
            )
        }
      })
    }

    test('people are counted by what they say, in posts and profiles', async () => {
      await join([
        { posts: ['I drink zcoffee every morning'] },
        { posts: ['Tea for me'], description: 'A morning with zcoffee' },
        { posts: ['Zcoffee!', 'and ztea'] },
        { posts: ['zcoffees of the world'] },
        { posts: ['nothing of that'] },
        { posts: ['zcoffee in the sandbox'], environment: 'sandbox' },
        { posts: ['zcoffee from someone suspended'], suspended: 1 },
        { posts: ['zcoffee from someone protected'], protected: 1 },
      ])
      assert.deepEqual(await of(keyword('ZCOFFEE')), exactly(4), 'the beginning of a word is enough')
      assert.deepEqual(await of(keyword('zcoffee', 'PHRASE_KEYWORD')), exactly(3))
      assert.deepEqual(await of(keyword('morning zcoffee')), exactly(2), 'in any order')
      assert.deepEqual(await of(keyword('morning zcoffee', 'EXACT_KEYWORD')), exactly(0))
      assert.deepEqual(await of(keyword('drink zcoffee', 'EXACT_KEYWORD')), exactly(1))
      assert.deepEqual(await of(keyword('zcoffee ztea')), exactly(0), 'not in different posts')
      assert.deepEqual(await of(keyword('zcoffee from someone', 'EXACT_KEYWORD')), exactly(0))
      assert.deepEqual(await of(keyword('zunheard')), exactly(0))
    })

    test('an estimate does not tell whether a single user matches', async () => {
      const phrase = keyword('zrare appointment at noon', 'EXACT_KEYWORD')
      const nobody = { min: 0, max: 10 }
      assert.deepEqual(await of(phrase), nobody)
      await joinOnce([{ posts: ['My zrare appointment at noon'] }])
      assert.deepEqual(await of(phrase), nobody)
      await joinOnce(Array(8).fill({ posts: ['A zrare appointment at noon'] }))
      assert.deepEqual(await of(phrase), nobody)
      await joinOnce([{ posts: ['No zrare appointment at noon'] }])
      assert.deepEqual(await of(phrase), { min: 10, max: 20 })
      await joinOnce(Array(90).fill({ posts: ['Zrare again'] }))
      assert.deepEqual(await of(keyword('zrare')), { min: 100, max: 110 })
    })

    test('primary types are joined, and excluded ones taken away', async () => {
      await join([{ posts: ['zapple'] }, { posts: ['zpear'] }, { posts: ['zapple and zpear'] }])
      const [apple, pear] = [keyword('zapple'), keyword('zpear')]
      assert.deepEqual(await of(apple), exactly(2))
      assert.deepEqual(await of(apple, pear), exactly(3))
      assert.deepEqual(await of(apple, { ...pear, operator_type: 'NE' }), exactly(1))
      const interest = { targeting_type: 'INTEREST', targeting_value: '1001' }
      const before = (await of(interest)).min / OF_EACH
      await join([
        { posts: ['My favourite biography'] },
        { description: 'Reader of memoirs and biographies' },
      ])
      assert.deepEqual(await of(interest), exactly(before + 1))
      assert.deepEqual(await of(apple, interest), exactly(2 + before + 1))
    })

    test('a known location narrows the estimate; a missing one is unknown', async () => {
      const [germany] = await places('location_type=COUNTRIES&country_code=DE')
      const [bavaria] = await places('location_type=REGIONS&country_code=DE&q=bavaria')
      const [california] = await places('location_type=REGIONS&country_code=US&q=california')
      await join([
        { posts: ['zplace'], location: 'Munich, Germany' },
        { posts: ['zplace'], location: 'Hamburg, Germany' },
        { posts: ['zplace'], location: 'San Jose, CA' },
        { posts: ['zplace'], location: 'United States' },
        { posts: ['zplace'], location: 'the moon' },
        { posts: ['zplace'] },
      ])
      const at = (id: string | undefined, operator_type = 'EQ') => ({
        targeting_type: 'LOCATION',
        targeting_value: String(id),
        operator_type,
      })
      assert.deepEqual(await of(keyword('zplace')), exactly(6))
      assert.deepEqual(await of(keyword('zplace'), at(germany)), between(2, 4))
      assert.deepEqual(await of(keyword('zplace'), at(germany), at(UNITED_STATES)), between(4, 6))
      assert.deepEqual(await of(keyword('zplace'), at(germany, 'NE')), between(2, 4))
      assert.deepEqual(await of(keyword('zplace'), at(bavaria)), between(1, 3))
      assert.deepEqual(await of(keyword('zplace'), at(california)), between(1, 4))
    })

    async function places(filter: string): Promise<string[]> {
      const reply = await targeter.call('GET', `/targeting_criteria/locations?${filter}`)
      return (reply.json as { data: { targeting_value: string }[] }).data.map((one) => one.targeting_value)
    }

    test('the language of posts narrows; what the platform does not know widens the range', async () => {
      await join([
        { posts: ['zword is what I like to write about in the evening'] },
        { posts: ['Ich schreibe gern über das zword und die Welt am Abend'] },
        { description: 'zword' },
      ])
      const language = (targeting_value: string) => ({ targeting_type: 'LANGUAGE', targeting_value })
      assert.deepEqual(await of(keyword('zword'), language('en')), between(1, 2))
      assert.deepEqual(await of(keyword('zword'), language('de')), between(1, 2))
      assert.deepEqual(await of(keyword('zword'), language('en'), language('de')), between(2, 3))
      const device = { targeting_type: 'DEVICE', targeting_value: '1r' }
      assert.deepEqual(await of(keyword('zword'), device), between(0, 3))
      const followers = { targeting_type: 'FOLLOWERS_OF_USER', targeting_value: targeter.userId }
      assert.deepEqual(await of(followers), exactly(0), 'nobody follows them')
      const stale = { targeting_type: 'USER_ENGAGEMENT', targeting_value: targeter.userId }
      assert.deepEqual(await of(keyword('zword'), stale), exactly(0), 'nobody has seen an advertisement yet')
    })

    test('both forms of the body mean the same, and the criteria are not repeated', async () => {
      const criteria = [keyword('zapple')]
      const [bare, wrapped] = [await estimate(criteria), await estimate({ targeting_criteria: criteria })]
      assert.deepEqual(bare.json, wrapped.json)
      assert.equal(bare.text, (await estimate(criteria)).text, 'the same question has the same answer')
      assert.deepEqual((bare.json as { request: unknown }).request, {
        params: { targeting_criteria: null, account_id: ann.account.id },
      })
    })

    test('criteria that cannot be estimated are rejected with reason and position', async () => {
      const wrong: readonly (readonly [body: unknown, ...errors: (readonly [string, string])[]])[] = [
        [{}, ['MISSING_PARAMETER', 'targeting_criteria']],
        [[], ['INVALID_PARAMETER', 'targeting_criteria']],
        ['coffee', ['INVALID_PARAMETER', 'targeting_criteria']],
        [{ targeting_criteria: 7 }, ['INVALID_PARAMETER', 'targeting_criteria']],
        [[null], ['INVALID_PARAMETER', 'targeting_criteria']],
        [[{}], ['MISSING_PARAMETER', 'targeting_type'], ['MISSING_PARAMETER', 'targeting_value']],
        [[keyword('a', 'SHOE_SIZE')], ['INVALID_TARGETING_TYPE', 'targeting_type']],
        [
          [keyword('a'), { targeting_type: 'LOCATION', targeting_value: 'x' }],
          ['INVALID_PARAMETER', 'targeting_value'],
        ],
        [[{ ...keyword('a'), operator_type: 'LT' }], ['INVALID_PARAMETER', 'operator_type']],
        [[{ targeting_type: 'GENDER', targeting_value: 1 }], ['INVALID_PARAMETER', 'targeting_criteria']],
        [[{ ...keyword('a'), operator_type: 'NE' }], ['INVALID_PARAMETER', 'targeting_criteria']],
        [
          [{ targeting_type: 'CUSTOM_AUDIENCE', targeting_value: '249yj' }],
          ['TAILORED_AUDIENCE_NOT_FOUND', 'targeting_value'],
        ],
        [
          [{ targeting_type: 'FOLLOWERS_OF_USER', targeting_value: '1' }],
          ['INVALID_USER_ID', 'targeting_value'],
        ],
        [Array.from({ length: 501 }, () => keyword('a')), ['INVALID_PARAMETER', 'targeting_criteria']],
      ]
      for (const [body, ...expected] of wrong) {
        const reply = await estimate(body)
        assert.ok(reply.status === 400 || reply.status === 404, reply.text)
        assert.deepEqual(
          errorsOf(reply).map(({ code, parameter }) => [code, parameter]),
          expected,
        )
      }
      const second = await estimate([keyword('a'), keyword(' ')])
      assert.match(errorsOf(second)[0]?.message ?? '', /criterion 2/)
    })

    test('an account of another user is not asked about', async () => {
      const stranger = await targeter.post('/accounts/zzzz/audience_estimate', [keyword('a')])
      assert.deepEqual([stranger.status, errorsOf(stranger)[0]?.code], [403, 'ACCOUNT_NOT_FOUND'])
    })

    // The last one, because it makes the platform larger than a sample.
    test('beyond a sample, the range contains the true number, and is no wider than its error', async () => {
      const half = Math.ceil(SAMPLE_SIZE * 0.75)
      for (let made = 0; made < half; made += 150)
        await joinOnce(
          Array.from({ length: 150 }, () => [{ description: 'zcrowd' }, { description: 'others' }]).flat(),
        )
      const truth = half
      const { min, max } = await of(keyword('zcrowd'))
      assert.ok(min <= truth && truth <= max, `${min} to ${max}, not ${truth}`)
      assert.ok(min > truth * 0.8 && max < truth * 1.25, `${min} to ${max}`)
      const rare = await of(keyword('zcoffee', 'PHRASE_KEYWORD'))
      assert.ok(rare.min <= 30 && rare.max >= 30, `${rare.min} to ${rare.max}`)
    })
  })
}
