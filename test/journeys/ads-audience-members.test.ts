import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Advertiser } from '../support/advertiser.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
const people = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => ({ email: [hashed(`person${from + n}@example.com`)] }))
const update = (users: object[], more: object = {}) => ({
  operation_type: 'Update',
  params: { users, ...more },
})

type Json = Record<string, unknown>
const dataOf = (reply: Reply) => (reply.json as { data: Json }).data

for (const stage of stages) {
  describe(`members of audiences on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let base: string
    let batchBase: string
    const send = (
      method: string,
      path: string,
      sent: { form?: Record<string, string>; json?: unknown } = {},
    ) =>
      client.signed(method, path.startsWith('http') ? path : `${base}${path}`, demoKeys(opened.plaza), sent)
    const audience = async (name: string) =>
      String(dataOf(await send('POST', '/custom_audiences', { form: { name } })).id)
    const shown = async (id: string) => dataOf(await send('GET', `/custom_audiences/${id}`))

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      const { plaza } = opened
      const userId = plaza.seeded?.apps[0]?.grants[0]?.userId ?? ''
      const ann = await Advertiser.open(plaza.context, userId)
      base = `${plaza.urls.ads}/12/accounts/${ann.account.id}`
      batchBase = `${plaza.urls.ads}/12/batch/accounts/${ann.account.id}`
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    /** The audience once everything that was acknowledged is merged. */
    async function merged(id: string): Promise<Json> {
      await opened.plaza.context.membership.drain()
      return shown(id)
    }

    test('an audience can be targeted once a hundred people are in it, and no more when they leave', async () => {
      const id = await audience('Developers')
      const fresh = await shown(id)
      assert.deepEqual([fresh.targetable, fresh.audience_size], [false, null])
      const first = await send('POST', `/custom_audiences/${id}/users`, { json: [update(people(0, 99))] })
      assert.equal(first.status, 200, first.text)
      assert.deepEqual(dataOf(first), { success_count: 99, total_count: 99 })
      assert.deepEqual((await merged(id)).reasons_not_targetable, ['TOO_SMALL'])
      await send('POST', `/custom_audiences/${id}/users`, { json: [update(people(50, 120))] })
      const large = await merged(id)
      assert.deepEqual([large.targetable, large.audience_size, large.reasons_not_targetable], [true, 120, []])
      const leave = [{ operation_type: 'Delete', params: { users: people(0, 60) } }]
      await send('POST', `/custom_audiences/${id}/users`, { json: leave })
      assert.equal((await merged(id)).targetable, false)
    })

    test('a batch with a wrong operation changes nothing, and names it by its position', async () => {
      const id = await audience('Careful')
      await send('POST', `/custom_audiences/${id}/users`, { json: [update(people(0, 100))] })
      const operations = [
        update(people(200, 203)),
        { operation_type: 'Add', params: { users: people(0, 1) } },
        update([{ email: ['not a hash'] }]),
        update(people(0, 1), { effective_at: '2026-05-01T00:00:00Z', expires_at: '2026-04-01T00:00:00Z' }),
        { operation_type: 'Update' },
      ]
      const reply = await send('POST', `/custom_audiences/${id}/users`, { json: operations })
      assert.equal(reply.status, 400)
      const { operation_errors: errors } = reply.json as { operation_errors: Record<string, string>[][] }
      assert.deepEqual(
        errors.map(([error]) => error?.parameter),
        [undefined, 'operation_type', 'users', 'expires_at', 'params'],
      )
      assert.equal((await merged(id)).audience_size, 100)
    })

    test('a request that is invalid as a whole gets one error', async () => {
      const id = await audience('Whole')
      const tooMany = Array.from({ length: 2501 }, () => update(people(0, 1)))
      for (const json of [{}, tooMany]) {
        const reply = await send('POST', `/custom_audiences/${id}/users`, { json })
        assert.equal(reply.status, 400)
        assert.ok((reply.json as { errors: Json[] }).errors.length > 0)
      }
      const most = Array.from({ length: 2500 }, (_, n) => update(people(n, n + 1)))
      const reply = await send('POST', `/custom_audiences/${id}/users`, { json: most })
      assert.deepEqual(dataOf(reply), { success_count: 2500, total_count: 2500 })
    })

    test('a list of people who are not to be reached counts each operation, one list an account', async () => {
      const list = dataOf(await send('POST', '/do_not_reach_lists', { form: { description: 'Asked us' } }))
      assert.deepEqual([list.name, list.list_size], ['Do Not Reach List', null])
      assert.equal((await send('POST', '/do_not_reach_lists')).status, 400)
      const path = `${batchBase}/do_not_reach_lists/${list.id}/users`
      const done = await send('POST', path, { json: [update(people(0, 2)), update(people(2, 3))] })
      assert.equal(done.status, 200, done.text)
      assert.deepEqual((done.json as { data: Json[] }).data, [
        { success_count: 2, total_count: 2 },
        { success_count: 1, total_count: 1 },
      ])
      const late = update(people(0, 1), { expires_at: '2099-01-01T00:00:00Z' })
      assert.equal((await send('POST', path, { json: [late] })).status, 400)
      const gone = await send('DELETE', `/do_not_reach_lists/${list.id}`)
      assert.equal(dataOf(gone).deleted, true)
    })
  })
}
