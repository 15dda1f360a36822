import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adHocQuery } from '../../src/app/tables.ts'
import { post as postShape } from '../../src/domain/posts/object.ts'
import { countryLocationId } from '../../src/domain/reference-data/locations.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { Client } from '../support/client.ts'
import { makeCommunity } from '../support/communities.ts'
import { Person } from '../support/person.ts'
import { importLines } from '../support/posts.ts'
import { stages } from '../support/stages.ts'

const subscribe = adHocQuery<{ id: string }>('subscribeOfExport', (db, at) =>
  db.updateTable('users').set({ subscription_type: 'Premium' }).where('id', '=', at.id),
)

type Line = Record<string, unknown>

/** What another Plaza cannot know, and what it shows of its own. */
const OWN = ['source', 'edit_controls']

for (const stage of stages) {
  describe(`posts of one Plaza in another on ${stage.name}`, { skip: stage.skip }, () => {
    test('every field that the API shows of posts can be imported, and is shown there', async () => {
      const opened = await stage.open({ rateLimits: 'off' })
      const target = await stage.open({ rateLimits: 'off' })
      const clients = [new Client(opened.plaza), new Client(target.plaza)] as const
      try {
        const ann = await Person.join(opened.plaza, clients[0])
        await makeCommunity(opened.plaza.context, { id: '42', members: [ann.id] })
        await opened.plaza.context.store.write((tx) => tx.run(subscribe, { id: ann.id }))
        const write = async (json: object) => {
          opened.plaza.clock.advance(1000)
          const reply = await ann.core('POST', '/2/posts', json)
          assert.equal(reply.status, 201, reply.text)
          return (reply.json as { data: { id: string } }).data.id
        }
        const long = `${'A long post about herons. '.repeat(40)}#herons @${ann.screenName}`
        const first = await write({ text: `Hello #heron https://example.com/a @${ann.screenName}` })
        const ids = [
          first,
          await write({ text: long, geo: { place_id: countryLocationId('DE') } }),
          await write({ text: 'To the neighbours', community_id: '42', share_with_followers: true }),
          await write({ text: 'To few', community_id: '42' }),
          await write({ text: 'Bought', paid_partnership: true, reply_settings: 'following' }),
          await write({ card_uri: 'card://123' }),
          await write({ text: 'A reply', reply: { in_reply_to_post_id: first } }),
          await write({ quote_post_id: first }),
        ]
        const fields = `post.fields=${postShape.fieldNames.join(',')}`
        const path = `/2/posts?ids=${ids.join(',')}&${fields}`
        const read = async (who: Person) => (await who.core('GET', path)).json as { data: Line[] }
        const { data: lines } = await read(ann)
        assert.equal(lines.length, ids.length)
        const seen = new Set(lines.flatMap((line) => Object.keys(line)))
        for (const name of ['card_uri', 'community_id', 'note_post', 'paid_partnership', 'scopes'])
          assert.ok(seen.has(name), name)

        const { context, clock } = target.plaza
        clock.advance(opened.plaza.clock.now() - clock.now())
        const reader = await Person.join(target.plaza, clients[1])
        await context.store.write((tx) =>
          createUser(tx, {
            ...{ id: ann.id, screen_name: ann.screenName, screen_name_key: ann.screenName, name: 'Ann' },
            ...{ password_hash: 'none', suspended: 0, created_at: clock.now() },
          }),
        )
        assert.deepEqual(await importLines(context, lines), [])
        // Private metrics are for the author.
        const hidden = [...OWN, 'non_public_metrics', 'organic_metrics']
        const comparable = (all: readonly Line[]) =>
          all.map((line) =>
            Object.fromEntries(Object.entries(line).filter(([name]) => !hidden.includes(name))),
          )
        const { data: imported } = await read(reader)
        // The author alone sees what is for a community that does not exist there.
        const shown = lines.filter(({ text }) => text !== 'To few')
        assert.equal(shown.length, lines.length - 1)
        assert.deepEqual(comparable(imported), comparable(shown))
        assert.deepEqual(await importLines(context, lines), [])
      } finally {
        for (const one of clients) await one.close()
        await opened.close()
        await target.close()
      }
    })
  })
}
