import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { usersByIds } from '../../src/api/ads/targeting/queries.ts'
import { adHocQuery } from '../../src/app/tables.ts'
import type { NewPost } from '../../src/domain/posts/insert.ts'
import { Desk, errorOf, newPerson, type Person } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const PATH = '/targeting_suggestions'
const change = adHocQuery<{ id: string; suspended: number; protected: number }>('changeOfTest', (db, at) =>
  db.updateTable('users').set({ suspended: at.suspended, protected: at.protected }).where('id', '=', at.id),
)

/** Every word that several users write, and some that fewer write. */
const ABOUT_ESPRESSO = [
  ['Espresso with a lovely breakfast'],
  ['Espresso before breakfast', 'Espresso and bicycles'],
  ['Espresso before breakfast', 'Bicycles are freedom'],
  ['Espresso before breakfast with bicycles'],
  ['Bicycles and espresso', 'A lovely espresso'],
]

for (const stage of stages) {
  describe(`targeting suggestions on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      ann = await Desk.open(opened.plaza, client)
      for (const texts of ABOUT_ESPRESSO) await join(texts)
      for (let n = 0; n < 3; n++) {
        const { id: authorId } = await newPerson(opened.plaza)
        const sandboxed = { authorId, environment: 'sandbox' as const }
        await makePost(opened.plaza.context, { ...sandboxed, text: 'Espresso machines' })
        await makePost(opened.plaza.context, { authorId, nullcast: true, text: 'Espresso discounts' })
      }
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    /** A user with some posts. */
    async function join(texts: readonly string[], more: Partial<NewPost> = {}): Promise<Person> {
      const user = await newPerson(opened.plaza)
      for (const text of texts) await makePost(opened.plaza.context, { authorId: user.id, text, ...more })
      return user
    }

    const suggest = (query: string, desk = ann) => desk.get(`${PATH}?${query}`)
    const suggested = async (query: string, desk = ann) => {
      const reply = await suggest(query, desk)
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data: Record<string, string>[] }).data
    }
    const keywords = async (values: string, more = '') =>
      (await suggested(`suggestion_type=KEYWORD&targeting_values=${values}${more}`)).map(
        (one) => one.suggestion_value,
      )

    test('keywords are what at least three users say in the same posts, what most say first', async () => {
      const reply = await suggest('suggestion_type=KEYWORD&targeting_values=espresso&count=4')
      assert.deepEqual(reply.json, {
        request: {
          params: {
            account_id: ann.accountId,
            suggestion_type: 'KEYWORD',
            targeting_values: ['espresso'],
            count: 4,
          },
        },
        data: [
          { suggestion_type: 'KEYWORD', suggestion_value: 'breakfast' },
          { suggestion_type: 'KEYWORD', suggestion_value: 'before' },
          { suggestion_type: 'KEYWORD', suggestion_value: 'bicycles' },
        ],
      })
      assert.deepEqual(await keywords('bicycles,Breakfast', '&count=2'), ['espresso', 'before'])
      assert.deepEqual(await keywords('espresso', '&count=1'), ['breakfast'])
    })

    test('keywords are not what users say who are protected or suspended, or say to some only', async () => {
      const secret = 'Zebracorn pregnancyclinic appointment'
      const hidden = { suspended: 0, protected: 0 }
      for (let n = 0; n < 3; n++) {
        const closed = await join([secret])
        await opened.plaza.context.store.write((tx) =>
          tx.run(change, { ...hidden, id: closed.id, protected: 1 }),
        )
        const banned = await join([secret])
        await opened.plaza.context.store.write((tx) =>
          tx.run(change, { ...hidden, id: banned.id, suspended: 1 }),
        )
        await join([secret], { superFollowersOnly: true })
        await join([secret], { communityId: '42' })
      }
      assert.deepEqual(await keywords('zebracorn'), [])
      const open = await join([secret])
      const similar = await suggested(`suggestion_type=USER_ID&targeting_values=${open.id}`)
      assert.deepEqual(similar, [], 'nobody is similar because of them')
      await join([secret])
      assert.deepEqual(await keywords('zebracorn'), [], 'two users are not enough')
      await join([secret])
      assert.deepEqual(await keywords('zebracorn'), ['appointment', 'pregnancyclinic'])
    })

    test('keywords are neighbours among interests and topics of conversation, too', async () => {
      assert.deepEqual((await keywords('stocks')).slice(0, 4), [
        'banking',
        'budgeting',
        'credit cards',
        'cryptocurrencies',
      ])
      assert.deepEqual(await keywords('Minecraft'), ['chess', 'pac-man', 'tetris', 'the legend of zelda'])
      assert.deepEqual(await keywords('nothingofthekind'), [])
    })

    test('no more than 30 unless more are asked for, up to 50', async () => {
      const broad = 'stocks,poetry,pop,birds,suvs,weather'
      assert.equal((await keywords(broad)).length, 30)
      assert.equal((await keywords(broad, '&count=50')).length, 50)
      for (const count of ['0', '51', 'x'])
        assert.deepEqual(
          errorOf(await suggest(`suggestion_type=KEYWORD&targeting_values=a&count=${count}`)),
          [400, 'INVALID_PARAMETER count'],
        )
    })

    test('users are those who talk about the same, the closest first', async () => {
      const first = await join(['Mandolins with a gentle orchestra', 'Snow again'])
      const second = await join(['Mandolins before orchestra', 'Mandolins and trumpets'])
      const third = await join(['Trumpets are loud', 'Mandolins!'])
      const found = await suggested(`suggestion_type=USER_ID&targeting_values=${first.id}`)
      assert.deepEqual(found, [
        { suggestion_type: 'USER_ID', suggestion_value: second.id },
        { suggestion_type: 'USER_ID', suggestion_value: third.id },
      ])
      const both = await suggested(`suggestion_type=USER_ID&targeting_values=${first.id},${third.id}`)
      assert.deepEqual(
        both.map((one) => one.suggestion_value),
        [second.id],
      )
      await opened.plaza.context.store.write((tx) =>
        tx.run(change, { id: third.id, suspended: 1, protected: 0 }),
      )
      const left = await suggested(`suggestion_type=USER_ID&targeting_values=${first.id}`)
      assert.deepEqual(
        left.map((one) => one.suggestion_value),
        [second.id],
      )
    })

    test('values must be of the type, and users must be there', async () => {
      assert.deepEqual(errorOf(await suggest('')), [
        400,
        'MISSING_PARAMETER suggestion_type',
        'MISSING_PARAMETER targeting_values',
      ])
      const wrong = [400, 'INVALID_PARAMETER targeting_values']
      const word = await suggest('suggestion_type=USER_ID&targeting_values=1,coffee')
      assert.deepEqual(errorOf(word), wrong)
      const [error] = (word.json as { errors: { message: string }[] }).errors
      assert.equal(error?.message, 'Expected Long, got "coffee" for targeting_values')
      assert.deepEqual(errorOf(await suggest('suggestion_type=KEYWORD&targeting_values=')), wrong)
      assert.deepEqual(errorOf(await suggest('suggestion_type=USER_ID&targeting_values=12345')), [
        400,
        'INVALID_USER_ID targeting_values',
      ])
      assert.deepEqual(errorOf(await suggest('suggestion_type=EVENT&targeting_values=a')), [
        400,
        'INVALID_PARAMETER suggestion_type',
      ])
    })

    test('of one user do not keep those of another waiting', async (t) => {
      const { store } = opened.plaza.context
      const bob = await Desk.open(opened.plaza, client)
      const released = Promise.withResolvers<void>()
      const all = store.all.bind(store)
      let held = 0
      t.mock.method(store, 'all', async (...args: Parameters<typeof all>) => {
        if (args[0].name === usersByIds.name) {
          held++
          await released.promise
        }
        return all(...args)
      })
      const similar = `suggestion_type=USER_ID&targeting_values=${ann.person.id}`
      const many = Array.from({ length: 12 }, () => suggest(similar))
      await until('a call of the first user', () => held > 0)
      assert.deepEqual(await suggested('suggestion_type=KEYWORD&targeting_values=espresso&count=1', bob), [
        { suggestion_type: 'KEYWORD', suggestion_value: 'breakfast' },
      ])
      assert.equal(held, 1, 'one call at a time for a user')
      released.resolve()
      for (const { status } of await Promise.all(many)) assert.equal(status, 200)
    })

    test('of the sandbox are those of its posts', async () => {
      const desk = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
      const found = await suggested('suggestion_type=KEYWORD&targeting_values=espresso', desk)
      assert.deepEqual(
        found.map((one) => one.suggestion_value),
        ['machines'],
      )
    })
  })
}
