import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addGeneratedUsers } from '../../src/identity/users/queries.ts'
import { change, idsIn, okay, read, relate, suspend, unrelate } from '../support/actions.ts'
import { Client } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

const PATH = '/2/users/search'

for (const stage of stages) {
  describe(`searches for users on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let reader: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      reader = await Person.join(opened.plaza, client)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const join = () => Person.join(opened.plaza, client)
    const search = async (query: string, who = reader): Promise<string[]> =>
      idsIn(await read(who, `${PATH}?query=${encodeURIComponent(query)}`))
    /** A user with this profile. */
    async function someone(handle: string, name: string, description = ''): Promise<Person> {
      const person = await join()
      await change(opened.plaza, person, { handle, name, description })
      return person
    }

    test('words begin words of usernames, names and descriptions, in this order', async () => {
      const described = await someone('quiet_1', 'Somebody', 'I write about zebrafish, not ska.')
      const named = await someone('quiet_2', 'Zébra O’Hara')
      const part = await someone('the_zebra', 'Somebody')
      const begins = await someone('zebra_fan', 'Somebody')
      const exact = await someone('Zebra', 'Somebody')
      assert.deepEqual(
        await search('ZEBRA'),
        [exact, begins, part, named, described].map(({ id }) => id),
      )
      assert.deepEqual(await search('zebrafi'), [described.id])
      assert.deepEqual(await search('ohara zeb'), [named.id])
      assert.deepEqual(await search("O'Har"), [named.id])
      assert.deepEqual(await search('ska zebra'), [described.id])
      assert.deepEqual(await search('sk zebra'), [])
      assert.deepEqual(await search('zebras'), [])
      assert.deepEqual(await search(" ' "), [])
    })

    test('a search follows changes of the profile, suspension and blocks', async () => {
      const [shy, protectedOne] = [await someone('okapi_one', 'One'), await someone('okapi_two', 'Two')]
      await change(opened.plaza, protectedOne, { protected: 1 })
      assert.deepEqual(new Set(await search('okapi')), new Set([shy.id, protectedOne.id]))
      await relate(shy, 'blocking', reader)
      assert.deepEqual(await search('okapi'), [protectedOne.id])
      assert.deepEqual(await search('okapi', shy), [protectedOne.id, shy.id])
      await unrelate(shy, 'blocking', reader)
      await relate(reader, 'blocking', shy)
      assert.deepEqual(await search('okapi one'), [shy.id])
      await suspend(opened.plaza, shy, true)
      assert.deepEqual(await search('okapi_one'), [])
      await suspend(opened.plaza, shy, false)
      assert.deepEqual(await search('okapi_one'), [shy.id])
      await change(opened.plaza, shy, { handle: 'tapir_one', name: 'Tapir' })
      assert.deepEqual([await search('okapi_one'), await search('tapir')], [[], [shy.id]])
    })

    test('who has more followers is first', async () => {
      const [older, newer] = [await someone('gnu_a', 'A'), await someone('gnu_b', 'B')]
      assert.deepEqual(await search('gnu'), [newer.id, older.id])
      await relate(reader, 'following', older)
      assert.deepEqual(await search('gnu'), [older.id, newer.id])
      await unrelate(reader, 'following', older)
      assert.deepEqual(await search('gnu'), [newer.id, older.id])
    })

    test('pages go forwards and back, each user once', async () => {
      const { store, ids, clock } = opened.plaza.context
      const users = Array.from({ length: 40 }, (_, n) => ({
        ...{ id: ids.next(), screen_name: `yak${n}`, screen_name_key: `yak${n}`, name: 'Yak yak' },
        ...{ password_hash: 'none', suspended: Number(n % 4 === 0), created_at: clock.now() },
        ...{ description: 'Yak. A yak', description_entities: null, location: '' },
        ...{ followers_count: n ** 2, following_count: 0, post_count: 0, listed_count: 0, like_count: 0 },
      }))
      await store.write((tx) => addGeneratedUsers(tx, users))
      const exact = await someone('yak', 'Yak')
      const order = users.filter(({ suspended }) => suspended === 0).map(({ id }) => id)
      const all = [exact.id, ...order.reverse()]
      const pages: string[][] = []
      let token: string | undefined
      let last: { next_token?: string; previous_token?: string } | undefined
      do {
        const at = token === undefined ? '' : `&next_token=${token}`
        const body = await read(reader, `${PATH}?query=yak&max_results=7${at}`)
        pages.push(idsIn(body))
        last = body.meta as typeof last
        token = last?.next_token
      } while (token !== undefined)
      assert.deepEqual(pages.flat(), all)
      for (let at = pages.length - 2; at >= 0; at--) {
        const body = await read(reader, `${PATH}?query=yak&max_results=7&next_token=${last?.previous_token}`)
        assert.deepEqual(idsIn(body), pages[at])
        last = body.meta as typeof last
      }
      assert.equal(last?.previous_token, undefined)
    })

    test('other characters, long queries and tokens of other lists are refused', async () => {
      for (const query of ['', '@demo', 'é', '%', 'a'.repeat(51), 'a"b', 'a*']) {
        const reply = await reader.core('GET', `${PATH}?query=${encodeURIComponent(query)}`)
        assert.equal(reply.status, 400, query)
      }
      const token = await reader.core('GET', `${PATH}?query=a&next_token=1'%20or%201`)
      assert.equal(token.status, 400)
      const far = await reader.core('GET', `${PATH}?query=a&next_token=n${'z'.repeat(24)}`)
      assert.equal(okay(far).meta?.result_count, 0)
    })
  })
}
