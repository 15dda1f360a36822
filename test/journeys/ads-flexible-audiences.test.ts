import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { changeAccount } from '../../src/api/ads/accounts/queries.ts'
import { flexibleCounts, RECOUNT_MS } from '../../src/api/ads/audiences/counting.ts'
import { flexibleToCount } from '../../src/api/ads/audiences/queries.ts'
import { REMOVAL_DELAY_MS } from '../../src/api/ads/audiences/removal.ts'
import { AudienceReader } from '../../src/api/ads/delivery/audiences.ts'
import { type Data, Desk, dataOf, errorOf, listOf } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { runKinds } from '../support/tasks.ts'

const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
const people = (names: string) => [...names].map((name) => ({ email: [hashed(name)] }))
const MINIMUM = 3
const DAY_MS = 86_400_000

interface Told {
  code: string
  message: string
  parameter?: string
  attribute?: string
}

const operationErrors = (reply: Reply) =>
  (reply.json as { operation_errors?: Told[][] }).operation_errors?.map((list) =>
    list.map(({ code, parameter, attribute }) => [code, parameter ?? attribute].join(' ')),
  )

/** A segment with the defaults that replies fill in. */
const whole = (segment: object) => ({
  frequency: 1,
  frequency_comparator: 'NUM_GTE',
  negate: false,
  child_segments: [],
  ...segment,
})

for (const stage of stages) {
  describe(`audiences that combine others, on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    before(async () => {
      opened = await stage.open({ rateLimits: 'off', audienceMinimum: MINIMUM, audienceDelaySeconds: 5 })
      client = new Client(opened.plaza)
    })
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const batch = (operations: object[], desk = ann, kind = 'custom') =>
      client.signed(
        'POST',
        `${opened.plaza.urls.ads}/12/batch/accounts/${desk.accountId}/${kind}_audiences`,
        desk.person.keys,
        { json: operations },
      )
    let names = 0
    const creation = (segments: unknown, more: object = {}) => ({
      operation_type: 'Create',
      params: { name: `Combination ${names++}`, audience_type: 'FLEXIBLE', segments, ...more },
    })
    const create = (segments: unknown, desk = ann) => batch([creation(segments)], desk)

    async function flexible(segments: unknown, desk = ann): Promise<Data> {
      const reply = await create(segments, desk)
      assert.equal(reply.status, 200, reply.text)
      const [audience] = listOf(reply)
      await count()
      return audience as Data
    }

    /** Lets uploads become members. */
    async function merge(): Promise<void> {
      opened.plaza.clock.advance(5_000)
      await opened.plaza.context.membership.drain()
    }

    const count = () => opened.plaza.tasks.runDue('count flexible audience')

    async function upload(audience: Data, users: object[], times: object = {}, desk = ann): Promise<Reply> {
      const path = `/custom_audiences/${audience.id}/users`
      return desk.json('POST', path, [{ operation_type: 'Update', params: { users, ...times } }])
    }

    /** An audience with a member for each letter. */
    async function filled(letters: string, times: object = {}, desk = ann): Promise<Data> {
      const audience = dataOf(await desk.post('/custom_audiences', { name: `Letters ${names++}` }))
      if (letters !== '') assert.equal((await upload(audience, people(letters), times, desk)).status, 200)
      await merge()
      return audience
    }

    const leaf = (audience: Data, more: object = {}) => ({ custom_audience_id: audience.id, ...more })
    const shown = async (audience: Data, desk = ann) =>
      dataOf(await desk.get(`/custom_audiences/${audience.id}`))

    /** Its size and its reasons. */
    async function state(audience: Data, desk = ann) {
      const { audience_size, reasons_not_targetable } = await shown(audience, desk)
      return [audience_size, reasons_not_targetable]
    }

    test('the reply has the combination with its defaults, and every read has it too', async () => {
      const [a, b] = [await filled('abc'), await filled('bcde')]
      const segments = {
        boolean_operator: 'AND',
        child_segments: [
          // Unknown members are ignored.
          leaf(a, { lookback_window: 7, frequency: 2, frequency_comparator: 'NUM_LT', window: 7 }),
          {
            boolean_operator: 'OR',
            negate: true,
            child_segments: [{ custom_audience_id: b.id.toUpperCase() }],
          },
        ],
      }
      const params = { name: 'Both', description: 'of two', audience_type: 'FLEXIBLE', segments }
      const reply = await batch([{ operation_type: 'Create', params }])
      assert.equal(reply.status, 200, reply.text)
      const [made] = listOf(reply)
      const { id, created_at, updated_at, ...rest } = made as Data
      assert.equal(created_at, updated_at)
      assert.deepEqual(rest, {
        name: 'Both',
        description: 'of two',
        audience_type: 'FLEXIBLE',
        targetable: false,
        targetable_types: ['FLEXIBLE', 'EXCLUDED_FLEXIBLE'],
        reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
        audience_size: null,
        owner_account_id: ann.accountId,
        is_owner: true,
        permission_level: 'READ_WRITE',
        metadata: [
          {
            custom_audience_id: id,
            account_id: ann.accountId,
            name: 'Both',
            audience_source: 'FLEXIBLE_AUDIENCE',
            upload_status: 'UPLOADED',
            segments: whole({
              boolean_operator: 'AND',
              child_segments: [
                whole({
                  custom_audience_id: a.id,
                  lookback_window: 7,
                  frequency: 2,
                  frequency_comparator: 'NUM_LT',
                }),
                whole({
                  boolean_operator: 'OR',
                  negate: true,
                  child_segments: [whole({ custom_audience_id: b.id })],
                }),
              ],
            }),
          },
        ],
        partner_source: 'OTHER',
        deleted: false,
      })
      assert.deepEqual((reply.json as { request: unknown }).request, [
        { params: { ...params, account_id: ann.accountId }, operation_type: 'Create' },
      ])
      assert.deepEqual(await shown(made as Data), made)
      const listed = listOf(await ann.get('/custom_audiences'))
      assert.deepEqual(listed.at(-1), made)
      assert.equal('metadata' in (listed[0] as Data), false)
      // What replies have can be sent again.
      const { metadata } = made as unknown as { metadata: [{ segments: object }] }
      const [again] = listOf(await create(metadata[0].segments))
      assert.deepEqual(
        (again as unknown as { metadata: [{ segments: object }] }).metadata[0].segments,
        metadata[0].segments,
      )
      assert.equal(dataOf(await ann.delete(`/custom_audiences/${id}`)).deleted, true)
    })

    test('an audience of the other type has its own uses', async () => {
      const a = await filled('abc')
      const [made] = listOf(await batch([creation(leaf(a), { audience_type: 'MOBILE_AUDIENCE' })]))
      assert.deepEqual(
        [made?.audience_type, made?.targetable_types],
        ['MOBILE_AUDIENCE', ['MOBILE_AUDIENCE', 'EXCLUDED_MOBILE_AUDIENCE']],
      )
    })

    test('its size follows its parts: uploads, removals, deletions and the time', async () => {
      const { clock } = opened.plaza
      const [a, b] = [await filled('abcdef'), await filled('defgh')]
      const both = await flexible({ boolean_operator: 'AND', child_segments: [leaf(a), leaf(b)] })
      const either = await flexible({ boolean_operator: 'OR', child_segments: [leaf(a), leaf(b)] })
      const recent = await flexible(leaf(a, { lookback_window: 1 }))
      const older = await flexible({
        boolean_operator: 'AND',
        child_segments: [leaf(a), leaf(a, { lookback_window: 1, negate: true })],
      })
      const sizes = async () =>
        Promise.all([both, either, recent, older].map(async (one) => (await state(one))[0]))
      assert.deepEqual(await sizes(), [3, 8, 6, null])
      assert.deepEqual(await state(older), [null, ['TOO_SMALL']])

      // Until it is counted again, an upload leaves the size as it was.
      await upload(b, people('abc'))
      assert.deepEqual(await state(both), [3, ['PROCESSING']])
      assert.deepEqual(await state(recent), [6, []])
      await count()
      assert.deepEqual(await state(both), [3, ['PROCESSING']])
      clock.advance(2_500)
      await count()
      assert.deepEqual(await state(both), [3, ['PROCESSING']])
      await merge()
      await count()
      assert.deepEqual(await state(both), [6, []])

      await ann.json('POST', `/custom_audiences/${b.id}/users`, [
        { operation_type: 'Delete', params: { users: people('ab') } },
      ])
      await merge()
      await count()
      assert.deepEqual(await sizes(), [4, 8, 6, null])

      clock.advance(2 * DAY_MS)
      await upload(a, people('abc'))
      await merge()
      await count()
      assert.deepEqual(await sizes(), [4, 8, 3, 3])
      clock.advance(DAY_MS + RECOUNT_MS)
      await count()
      assert.deepEqual(await sizes(), [4, 8, null, 6])

      await ann.delete(`/custom_audiences/${a.id}`)
      clock.advance(REMOVAL_DELAY_MS)
      await opened.plaza.tasks.runDue('forget members of audience')
      await merge()
      await count()
      assert.deepEqual(await sizes(), [null, 6, null, null])
    })

    test('a count continues in the next run', async () => {
      const parts = await Promise.all(['abcd', 'cdef', 'fgh'].map((letters) => filled(letters)))
      const reply = await create({
        boolean_operator: 'OR',
        child_segments: parts.map((part) => leaf(part)),
      })
      const [audience] = listOf(reply)
      const { context } = opened.plaza
      // Each audience is read twice: its keys, and its users with several.
      const kind = flexibleCounts(context, 1)
      const begun: unknown[] = []
      const run: typeof kind.run = async (...given) => {
        const row = await context.store.first(flexibleToCount, { audience: String(audience?.id) })
        begun.push(row?.progress && JSON.parse(row.progress).next)
        return kind.run(...given)
      }
      await runKinds(context, { ...kind, run })
      assert.deepEqual(begun, [
        null,
        { audience: 0, person: 0 },
        { audience: 1 },
        { audience: 1, person: 0 },
        { audience: 2 },
        { audience: 2, person: 0 },
      ])
      assert.deepEqual(await state(audience as Data), [8, []])
    })

    test('a run that is stopped before it begins leaves it to be counted', async () => {
      const a = await filled('abcd')
      const [audience] = listOf(await create(leaf(a)))
      const { context } = opened.plaza
      const kind = flexibleCounts(context)
      const given = { audience: String(audience?.id), account: ann.accountId }
      const stopped = async () => {
        const ended = await kind.run(given, { attempt: 1, signal: AbortSignal.abort() })
        if (typeof ended === 'function') await context.store.write(ended)
      }
      await assert.rejects(stopped(), { name: 'AbortError' })
      assert.deepEqual(await state(audience as Data), [null, ['PROCESSING', 'TOO_SMALL']])
      await count()
      assert.deepEqual(await state(audience as Data), [4, []])
    })

    test('uploads that never stop waiting do not keep it uncounted', async () => {
      const { clock } = opened.plaza
      const a = await filled('abcd')
      const combined = await flexible(leaf(a))
      await upload(a, people('e'))
      await merge()
      for (let minutes = 0; minutes < 9; minutes++) {
        await upload(a, people('f'))
        clock.advance(4_000)
        await count()
        assert.deepEqual(await state(combined), [4, ['PROCESSING']])
        clock.advance(56_000)
      }
      clock.advance(60_000)
      await merge()
      await upload(a, people('f'))
      clock.advance(4_000)
      await count()
      assert.deepEqual(await state(combined), [6, ['PROCESSING']])
      await merge()
      await count()
      assert.deepEqual(await state(combined), [6, []])
    })

    test('it is deleted with its count, and its name and its parts are free', async () => {
      const a = await filled('abc')
      const combined = await flexible(leaf(a))
      const gone = await batch([{ operation_type: 'Delete', params: { custom_audience_id: combined.id } }])
      assert.deepEqual(
        listOf(gone).map(({ deleted, targetable, audience_size, reasons_not_targetable }) => [
          deleted,
          targetable,
          audience_size,
          reasons_not_targetable,
        ]),
        [[true, false, null, ['TOO_SMALL']]],
      )
      opened.plaza.clock.advance(REMOVAL_DELAY_MS)
      await opened.plaza.tasks.runDue('forget members of audience')
      const again = await batch([creation(leaf(a), { name: combined.name })])
      assert.equal(again.status, 200, again.text)
      assert.equal((await upload(a, people('x'))).status, 200)
    })

    test('cannot be changed, and has no users of its own', async () => {
      const a = await filled('abc')
      const combined = await flexible(leaf(a))
      const path = `/custom_audiences/${combined.id}`
      assert.deepEqual(errorOf(await ann.put(path, { name: 'New' })), [400, 'INVALID of audience_type'])
      assert.deepEqual(errorOf(await upload(combined, people('a'))), [
        400,
        'INVALID_TAILORED_AUDIENCE_TYPE custom_audience_id',
      ])
      const rename = { custom_audience_id: combined.id, name: 'New' }
      const reply = await batch([{ operation_type: 'Update', params: rename }])
      assert.deepEqual([reply.status, operationErrors(reply)], [400, [['INVALID audience_type']]])
      const same = await ann.put(path, { name: String(combined.name) })
      assert.deepEqual([same.status, (await shown(combined)).name], [200, combined.name])
    })

    describe('a wrong combination', () => {
      let a: Data
      beforeEach(async () => {
        a = await filled('abc')
      })
      const inner = (child_segments: unknown, more: object = {}) => ({
        boolean_operator: 'AND',
        child_segments,
        ...more,
      })
      /** The errors of the creation. Nothing is created with it. */
      async function wrong(segments: unknown, more: object = {}): Promise<string[]> {
        const reply = await batch([
          { operation_type: 'Create', params: { name: `Beside ${names++}` } },
          creation(segments, more),
        ])
        assert.equal(reply.status, 400, reply.text)
        assert.equal(listOf(await ann.get('/custom_audiences')).length, 1)
        const [beside, errors] = operationErrors(reply) ?? []
        assert.deepEqual(beside, [])
        return errors ?? []
      }

      test('is told by the path of its member', async () => {
        const bad = (more: object) => wrong(inner([leaf(a), leaf(a, more)]))
        const at = 'segments.child_segments[1]'
        for (const [more, errors] of [
          [{ frequency: 0 }, [`INVALID_PARAMETER ${at}.frequency`]],
          [{ frequency: 1.5 }, [`INVALID_PARAMETER ${at}.frequency`]],
          [{ frequency_comparator: 'GTE' }, [`INVALID_PARAMETER ${at}.frequency_comparator`]],
          [{ lookback_window: 2 }, [`INVALID_PARAMETER ${at}.lookback_window`]],
          [{ negate: 'yes' }, [`INVALID_PARAMETER ${at}.negate`]],
          [{ child_segments: {} }, [`INVALID_PARAMETER ${at}.child_segments`]],
          [{ custom_audience_id: '' }, [`INVALID_PARAMETER ${at}.custom_audience_id`]],
          [{ custom_audience_id: 'a b' }, [`INVALID_ID_ILLEGAL_CHARACTERS ${at}.custom_audience_id`]],
          [
            { child_segments: [leaf(a)] },
            [`MISSING_PARAMETER ${at}.boolean_operator`, `EXCLUSIVE_PARAMETERS ${at}.custom_audience_id`],
          ],
        ] as const)
          assert.deepEqual(await bad(more), errors)
        assert.deepEqual(await wrong(inner([leaf(a), 7])), [`INVALID_PARAMETER ${at}`])
        assert.deepEqual(await wrong(inner([leaf(a)], { lookback_window: 7 })), [
          'INVALID_PARAMETER segments.lookback_window',
        ])
        assert.deepEqual(await wrong({ child_segments: [leaf(a)] }), [
          'MISSING_PARAMETER segments.boolean_operator',
        ])
        for (const empty of [{}, { boolean_operator: 'OR', child_segments: [] }])
          assert.deepEqual(await wrong(empty), ['MISSING_PARAMETER segments.custom_audience_id'])
        assert.deepEqual(await wrong('all'), ['INVALID_PARAMETER segments'])
        assert.deepEqual(await wrong([]), ['INVALID_PARAMETER segments'])
      })

      test('names audiences that are not there, or that combine others', async () => {
        const bob = await Desk.open(opened.plaza, client)
        const his = await filled('abc', {}, bob)
        const at = 'segments.child_segments[1].custom_audience_id'
        for (const id of ['zzzz', his.id])
          assert.deepEqual(await wrong(inner([leaf(a), { custom_audience_id: id }])), [
            `TAILORED_AUDIENCE_NOT_FOUND ${at}`,
          ])
        const combined = await flexible(leaf(a))
        const reply = await create(inner([leaf(a), leaf(combined)]))
        assert.deepEqual(operationErrors(reply), [[`INVALID_TAILORED_AUDIENCE_TYPE ${at}`]])
      })

      test('is too large', async () => {
        const many = (count: number) => Array.from({ length: count }, () => leaf(a))
        assert.deepEqual(await wrong(inner(many(11))), ['INVALID_PARAMETER segments'])
        assert.deepEqual(await wrong(inner([inner(many(6)), inner(many(5))])), ['INVALID_PARAMETER segments'])
        const nested = (levels: number): object => (levels === 1 ? leaf(a) : inner([nested(levels - 1)]))
        assert.deepEqual(await wrong(nested(11)), [
          `INVALID_PARAMETER segments${'.child_segments[0]'.repeat(10)}`,
        ])
        let deep = '7'
        for (let n = 0; n < 20_000; n++) deep = `{"boolean_operator":"OR","child_segments":[${deep}]}`
        const body = `[{"operation_type":"Create","params":{"name":"Deep","audience_type":"FLEXIBLE","segments":${deep}}}]`
        const url = `${opened.plaza.urls.ads}/12/batch/accounts/${ann.accountId}/custom_audiences`
        const authorization = client.sign('POST', url, ann.person.keys)
        const reply = await client.send('POST', url, {
          body: Buffer.from(body),
          headers: { authorization, 'content-type': 'application/json' },
        })
        assert.equal(reply.status, 400, reply.text)
        assert.equal((await create(inner([inner(many(5)), inner(many(5))]))).status, 200)
        assert.equal((await create(nested(10))).status, 200)
      })

      test('does not fit its type', async () => {
        assert.deepEqual(await wrong(undefined), ['MISSING_PARAMETER segments'])
        assert.deepEqual(await wrong(null, { audience_type: 'MOBILE_AUDIENCE' }), [
          'MISSING_PARAMETER segments',
        ])
        assert.deepEqual(await wrong(leaf(a), { audience_type: 'CRM' }), ['INVALID_PARAMETER segments'])
        assert.deepEqual(await wrong(leaf(a), { audience_type: undefined }), ['INVALID_PARAMETER segments'])
        assert.deepEqual(await wrong(leaf(a), { audience_type: 'WEB' }), ['INVALID_PARAMETER audience_type'])
        const uploaded = await batch([
          { operation_type: 'Create', params: { name: 'Uploaded', audience_type: 'CRM', description: '' } },
        ])
        assert.deepEqual(
          listOf(uploaded).map((one) => [one.audience_type, 'metadata' in one]),
          [['CRM', false]],
        )
        // A single call creates audiences of uploaded users only.
        assert.deepEqual(
          errorOf(await ann.post('/custom_audiences', { name: 'One', audience_type: 'FLEXIBLE' })),
          [400, 'INVALID_PARAMETER audience_type'],
        )
      })

      test('names an audience that a hundred others name', async () => {
        for (let n = 0; n < 10; n++)
          assert.equal((await batch(Array.from({ length: 10 }, () => creation(leaf(a))))).status, 200)
        assert.deepEqual(operationErrors(await create(leaf(a))), [
          ['INVALID_PARAMETER segments.custom_audience_id'],
        ])
      })
    })

    test('is targeted like any other once it is large enough, and delivered to so many people', async () => {
      const { context } = opened.plaza
      const [a, b] = [await filled('abcdefg'), await filled('efghij')]
      const both = await flexible({ boolean_operator: 'AND', child_segments: [leaf(a), leaf(b)] })
      const few = await flexible({
        boolean_operator: 'AND',
        child_segments: [leaf(a), leaf(b), leaf(await filled('e'))],
      })
      const { id: line_item_id } = await ann.advertiser.lineItem()
      const target = (audience: Data, more: Record<string, string> = {}) =>
        ann.post('/targeting_criteria', {
          line_item_id,
          targeting_type: 'CUSTOM_AUDIENCE',
          targeting_value: audience.id,
          ...more,
        })
      assert.deepEqual(errorOf(await target(few)), [400, 'INVALID_PARAMETER targeting_value'])
      const criterion = await target(both)
      assert.equal(criterion.status, 201, criterion.text)
      assert.deepEqual([dataOf(criterion).name, dataOf(criterion).operator_type], [both.name, 'EQ'])
      const users = 1_000
      const reader = () =>
        new AudienceReader({ ...context, config: { ...context.config, adPeoplePerUser: users } })
      const peopleOf = async () =>
        (await reader().read(ann.accountId, [line_item_id])).get(line_item_id)?.people
      assert.equal(await peopleOf(), 3)
      assert.deepEqual(
        listOf(await ann.get(`/custom_audiences/${both.id}/targeted?with_active=false`)).map(
          ({ line_items }) => (line_items as Data[]).map(({ id }) => id),
        ),
        [[line_item_id]],
      )
      assert.equal((await target(a)).status, 201)
      assert.equal(await peopleOf(), 10)
      await ann.delete(`/targeting_criteria/${dataOf(criterion).id}`)
      assert.equal((await target(both, { operator_type: 'NE' })).status, 201)
      assert.equal(await peopleOf(), 4)
    })

    test('combines audiences that were shared, and is shared itself', async () => {
      const bob = await Desk.open(opened.plaza, client)
      for (const desk of [ann, bob])
        await opened.plaza.context.store.write((tx) =>
          tx.run(changeAccount, { ...desk.advertiser.account, business_id: 'one' }),
        )
      const [his, mine] = [await filled('abcd', {}, bob), await filled('bcde')]
      const share = (audience: Data, owner: Desk, other: Desk) =>
        owner.post(`/custom_audiences/${audience.id}/permissions`, {
          granted_account_id: other.accountId,
          permission_level: 'READ_ONLY',
        })
      const permission = await share(his, bob, ann)
      assert.equal(permission.status, 201)
      const both = await flexible({ boolean_operator: 'AND', child_segments: [leaf(his), leaf(mine)] })
      assert.deepEqual(await state(both), [3, []])
      assert.equal((await share(both, ann, bob)).status, 201)
      const [seen] = listOf(await bob.get('/custom_audiences?permission_scope=SHARED'))
      const own = await shown(both)
      assert.deepEqual(seen, { ...own, is_owner: false, permission_level: 'READ_ONLY' })
      assert.deepEqual(await shown(both, bob), seen)
      // What was shared stays a part, and is no part of new combinations.
      await bob.delete(`/custom_audiences/${his.id}/permissions/${dataOf(permission).id}`)
      await upload(his, people('e'), {}, bob)
      await merge()
      await count()
      assert.deepEqual(await state(both), [4, []])
      assert.deepEqual(operationErrors(await create(leaf(his))), [
        ['TAILORED_AUDIENCE_NOT_FOUND segments.custom_audience_id'],
      ])
    })

    test('the former path has the same', async () => {
      const a = await filled('abc')
      const reply = await batch([creation(leaf(a))], ann, 'tailored')
      assert.equal(reply.status, 200, reply.text)
      const [made] = listOf(reply)
      assert.deepEqual(dataOf(await ann.get(`/tailored_audiences/${made?.id}`)), made)
    })
  })
}
