import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { change, pagesOf, read, suspend } from '../support/actions.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const PATH = '/1.1/account/update_profile.json'

for (const stage of stages) {
  describe(`profiles on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const update = (who: Person, form: Record<string, string>) =>
      client.signed('POST', PATH, who.keys, { form })
    const eventsOf = async ({ id }: Person) => {
      const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
      return events
        .filter(({ kind, subject }) => kind !== 'access.granted' && subject === id)
        .map(({ kind, data }) => [kind, data.field, data.before, data.after])
    }

    test('a name has a visible character; another text without one is removed', async () => {
      const ada = await Person.join(opened.plaza, client)
      const form = { description: 'Hello', location: 'Here' }
      assert.equal((await update(ada, form)).status, 200)
      const refused = await update(ada, { name: '\u200b\u2060', description: 'Not kept' })
      assert.equal(refused.status, 400, refused.text)
      const reply = await update(ada, { description: '\u200b', location: '\u3164' })
      assert.equal(reply.status, 200, reply.text)
      const { name, description, location } = reply.json as Record<string, unknown>
      assert.deepEqual({ name, description, location }, { name: 'Person', description: '', location: '' })
    })

    test('the users of an organisation are listed, newest first', async () => {
      const join = () => Person.join(opened.plaza, client)
      const [organisation, reader] = [await join(), await join()]
      const members = []
      for (let n = 0; n < 3; n++) {
        opened.plaza.clock.advance(1000)
        const member = await join()
        await change(opened.plaza, member, { affiliation: organisation.id })
        members.unshift(member)
      }
      const ids = members.map(({ id }) => id)
      const path = `/2/users/${organisation.id}/affiliates`
      assert.deepEqual(await pagesOf(reader, `${path}?max_results=2`), [ids.slice(0, 2), ids.slice(2)])
      const { includes } = await read(reader, `${path}?expansions=affiliation.user_id`)
      assert.deepEqual(
        includes?.users?.map(({ id }) => id),
        [organisation.id],
      )
      assert.deepEqual(await pagesOf(reader, `/2/users/${reader.id}/affiliates`), [[]])
      await suspend(opened.plaza, members[0] as Person, true)
      await change(opened.plaza, members[1] as Person, { affiliation: null })
      assert.deepEqual(await pagesOf(reader, path), [ids.slice(2)])
    })

    test('a user changes members of the profile, each of which is an event, once', async () => {
      const ada = await Person.join(opened.plaza, client)
      const form = {
        name: 'Ada',
        description: 'First\nlines',
        location: 'Here',
        url: 'https://ada.example.com/',
      }
      for (let round = 0; round < 2; round++) {
        const reply = await update(ada, form)
        assert.equal(reply.status, 200, reply.text)
        const { id_str, name, description, location, url } = reply.json as Record<string, unknown>
        assert.deepEqual({ id_str, name, description, location, url }, { id_str: ada.id, ...form })
      }
      const cleared = await update(ada, { url: '', location: '' })
      const { name, url, location } = cleared.json as Record<string, unknown>
      assert.deepEqual([name, url, location], ['Ada', null, ''])
      assert.deepEqual(await eventsOf(ada), [
        ['user.profile_updated', 'description', '', 'First\nlines'],
        ['user.profile_updated', 'location', '', 'Here'],
        ['user.profile_updated', 'name', 'Person', 'Ada'],
        ['user.profile_updated', 'url', null, 'https://ada.example.com/'],
        ['user.profile_updated', 'location', 'Here', ''],
        ['user.profile_updated', 'url', 'https://ada.example.com/', null],
      ])
    })

    test('the entities of a profile are those of its description and its URL', async () => {
      const [ada, bob] = [await Person.join(opened.plaza, client), await Person.join(opened.plaza, client)]
      const path = `/2/users?ids=${ada.id},${bob.id}&user.fields=entities`
      const entities = async () => {
        const { json } = await ada.core('GET', path)
        return (json as { data: { entities?: object }[] }).data.map((one) => one.entities)
      }
      assert.deepEqual(await entities(), [undefined, undefined])
      const description = `💡 #art $ART @${bob.screenName.toUpperCase()} @nobody_here see www.example.com/${'x'.repeat(20)}`
      await update(ada, { description, url: 'https://www.example.org/' })
      await update(bob, { description: 'Words only' })
      const name = bob.screenName.length
      assert.deepEqual(await entities(), [
        {
          description: {
            cashtags: [{ start: 7, end: 11, tag: 'ART' }],
            hashtags: [{ start: 2, end: 6, tag: 'art' }],
            mentions: [{ start: 12, end: 13 + name, username: bob.screenName.toUpperCase(), id: bob.id }],
            urls: [
              {
                start: 31 + name,
                end: 67 + name,
                url: `www.example.com/${'x'.repeat(20)}`,
                expanded_url: `http://www.example.com/${'x'.repeat(20)}`,
                display_url: `example.com/${'x'.repeat(15)}…`,
              },
            ],
          },
          url: {
            urls: [
              {
                start: 0,
                end: 24,
                url: 'https://www.example.org/',
                expanded_url: 'https://www.example.org/',
                display_url: 'example.org',
              },
            ],
          },
        },
        undefined,
      ])
    })

    test('in classic form, they are the links of the description and the URL', async () => {
      const ada = await Person.join(opened.plaza, client)
      const entitiesOf = ({ json }: Reply) => (json as { entities?: object }).entities
      const form = { description: '💡 see www.example.com/a #art', url: 'https://www.example.org/' }
      const expected = {
        url: {
          urls: [
            {
              url: 'https://www.example.org/',
              expanded_url: 'https://www.example.org/',
              display_url: 'example.org',
              indices: [0, 24],
            },
          ],
        },
        description: {
          urls: [
            {
              url: 'www.example.com/a',
              expanded_url: 'http://www.example.com/a',
              display_url: 'example.com/a',
              indices: [6, 23],
            },
          ],
        },
      }
      assert.deepEqual(entitiesOf(await update(ada, form)), expected)
      const own = await client.signed('GET', '/1.1/account/verify_credentials.json', ada.keys)
      assert.deepEqual(entitiesOf(own), expected)
      assert.deepEqual(entitiesOf(await update(ada, { description: 'Words', url: '' })), {
        description: { urls: [] },
      })
      assert.equal(entitiesOf(await update(ada, { ...form, include_entities: 'false' })), undefined)
    })

    test('a user is looked up by name or id, with what the caller follows', async () => {
      const ada = await Person.join(opened.plaza, client)
      const bob = await Person.join(opened.plaza, client)
      const shown = async (query: Record<string, string>, by: Person = ada) => {
        const reply = await by.core('GET', `/1.1/users/show.json?${new URLSearchParams(query)}`)
        return { status: reply.status, json: reply.json as Record<string, unknown> }
      }
      const own = await client.signed('GET', '/1.1/account/verify_credentials.json', bob.keys)
      const name = bob.screenName.toUpperCase()
      assert.deepEqual(await shown({ screen_name: name }), { status: 200, json: own.json })
      assert.deepEqual((await shown({ user_id: bob.id })).json, own.json)
      await ada.core('POST', `/2/users/${ada.id}/following`, { target_user_id: bob.id })
      const { following, follow_request_sent } = (await shown({ screen_name: name })).json
      assert.deepEqual([following, follow_request_sent], [true, false])
      assert.equal((await shown({ screen_name: ada.screenName })).json.following, false)
      await suspend(opened.plaza, bob, true)
      assert.deepEqual(await shown({ screen_name: name }), {
        status: 403,
        json: { errors: [{ code: 63, message: 'User has been suspended.' }] },
      })
      assert.deepEqual(await shown({ user_id: '1' }), {
        status: 404,
        json: { errors: [{ code: 50, message: 'User not found.' }] },
      })
      assert.deepEqual(await shown({ screen_name: 'not a name' }), {
        status: 400,
        json: { errors: [{ code: 44, message: 'screen_name parameter is invalid.' }] },
      })
    })

    test('wrong values change nothing', async () => {
      const bob = await Person.join(opened.plaza, client)
      for (const form of [
        { name: '' },
        { name: ' ' },
        { name: 'x'.repeat(51), location: 'Here' },
        { location: 'x'.repeat(31) },
        { description: 'x'.repeat(161) },
        { description: 'a\u0000b' },
        { url: 'no url' },
        { url: `https://example.com/${'x'.repeat(90)}` },
      ]) {
        const reply = await update(bob, form)
        assert.equal(reply.status, 400, reply.text)
      }
      assert.deepEqual(await eventsOf(bob), [])
    })

    test('searches find posts of a user by what the operator changes', async () => {
      const eve = await Person.join(opened.plaza, client)
      const reply = await eve.core('POST', '/2/posts', { text: `Of ${eve.screenName}` })
      assert.equal(reply.status, 201, reply.text)
      opened.plaza.clock.advance(60_000)
      const authorization = `Bearer ${await client.bearer(demoKeys(opened.plaza))}`
      const found = (query: string, wanted: number) =>
        until(`${query}: ${wanted}`, async () => {
          const path = `/2/posts/search/recent?query=${encodeURIComponent(query)}`
          const { json } = await client.send('GET', path, { headers: { authorization } })
          return (json as { meta: { result_count: number } }).meta.result_count === wanted
        })
      const change = (changes: Parameters<typeof updateProfile>[2]) =>
        opened.plaza.context.store.write((tx) => updateProfile(tx, eve.id, changes))
      await found(`from:${eve.screenName} is:verified`, 0)
      await change({ verified_type: 'blue' })
      await found(`from:${eve.screenName} is:verified`, 1)
      await change({ protected: 1 })
      await found(`from:${eve.screenName}`, 0)
      await change({ protected: 0, handle: `${eve.screenName}2` })
      await found(`from:${eve.screenName}2`, 1)
    })
  })
}
