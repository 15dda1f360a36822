import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { adHocQuery } from '../../src/storage/query.ts'
import type { Person } from '../support/ads-desk.ts'
import { Desk, newPerson, errorOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import type { Opened } from '../support/stages.ts'
import { stages } from '../support/stages.ts'

const PATH = '/targeting_suggestions'
const suspend = adHocQuery<{ id: string }>('suspendOfTest', (db, at) =>
  db.updateTable('users').set({ suspended: 1 }).where('id', '=', at.id),
)

for (const stage of stages) {
  describe(`targeting suggestions on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    let users: Person[]

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      ann = await Desk.open(opened.plaza, client)
      const posts = [
        ['Espresso with a lovely breakfast', 'Rain again'],
        ['Espresso before breakfast', 'Espresso and bicycles'],
        ['Bicycles are freedom', 'Espresso!'],
      ]
      users = []
      for (const texts of posts) {
        const user = await newPerson(opened.plaza)
        users.push(user)
        for (const text of texts) await makePost(opened.plaza.context, { authorId: user.id, text })
      }
      const elsewhere = await newPerson(opened.plaza)
      const sandboxed = { authorId: elsewhere.id, environment: 'sandbox' as const }
      await makePost(opened.plaza.context, { ...sandboxed, text: 'Espresso machines' })
      await makePost(opened.plaza.context, {
        authorId: elsewhere.id,
        nullcast: true,
        text: 'Espresso discounts',
      })
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

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

    test('keywords are what users say in the same posts, what most say first', async () => {
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
          { suggestion_type: 'KEYWORD', suggestion_value: 'lovely' },
        ],
      })
      assert.deepEqual(await keywords('bicycles,Breakfast', '&count=4'), [
        'espresso',
        'before',
        'freedom',
        'lovely',
      ])
      assert.deepEqual(await keywords('espresso', '&count=1'), ['breakfast'])
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
      const [first, second, third] = users as [Person, Person, Person]
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
      await opened.plaza.context.store.write((tx) => tx.run(suspend, { id: third.id }))
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
