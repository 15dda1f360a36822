import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { customAudiences } from '../../src/api/ads/audiences/custom-audiences.ts'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import { adHocQuery } from '../../src/app/tables.ts'
import { change, edit, okay, publish, react, relate, unrelate } from '../support/actions.ts'
import { Advertiser } from '../support/advertiser.ts'
import { Client } from '../support/client.ts'
import { png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { importLines } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

for (const stage of stages.filter(({ name }) => name !== 'SQLite file')) {
  describe(`comparisons of counters and indexes with their rows on ${stage.name}`, {
    skip: stage.skip,
  }, () => {
    let opened: Opened
    let client: Client
    let ada: Person
    let bob: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      ;[ada, bob] = [await Person.join(opened.plaza, client), await Person.join(opened.plaza, client)]
      await change(opened.plaza, ada, { subscription_type: 'Basic' })
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    /** A statement that no part of the program runs. */
    const run = (statement: RawBuilder<unknown>) => {
      const declared = adHocQuery<object>('brokenRows', (db) => ({ compile: () => statement.compile(db) }))
      return opened.plaza.context.store.write((tx) => tx.run(declared, {}))
    }
    const compare = async (repair = false): Promise<Difference[]> => {
      const all: Difference[] = []
      const found = (one: Difference) => void all.push(one)
      const { store } = opened.plaza.context
      for await (const { compared } of compareAll(store, comparisons, { repair, found }))
        assert.ok(compared >= 0)
      return all
    }
    /** Each broken row is found, and repaired once. */
    const isFound = async (of: string, names: readonly string[]) => {
      const found = await compare(true)
      assert.deepEqual(
        found.map((one) => [one.of, one.name]),
        names.map((name) => [of, name]),
      )
      await opened.plaza.tasks.runDue('remove reactions to post')
      await opened.plaza.tasks.runDue('accept follow requests')
      assert.deepEqual(await compare(), [])
    }

    test('nothing differs in what the program writes, including imports and generated users', async () => {
      const line = { id: '1800000000000000001', username: 'old_author', text: 'Old' }
      const public_metrics = {
        like_count: 9,
        bookmark_count: 8,
        reply_count: 7,
        repost_count: 6,
        quote_count: 5,
      }
      const reply = {
        ...line,
        id: '1800000000000000002',
        referenced_posts: [{ type: 'replied_to', id: line.id }],
      }
      assert.deepEqual(await importLines(opened.plaza.context, [{ ...line, public_metrics }, reply]), [])
      await react(bob, 'likes', line.id)
      assert.deepEqual(await compare(), [])
    })

    test('counts of users and of all versions of posts', async () => {
      const first = await publish(ada)
      const second = await edit(ada, first)
      await react(bob, 'likes', second)
      await relate(bob, 'following', ada)
      await run(
        sql`update users set followers_count = 7, like_count = 7, post_count = 7 where id = ${ada.id}`,
      )
      await isFound(`user ${ada.id}`, ['followers_count', 'post_count', 'like_count'])
      const counts = sql`like_count = 7, reply_count = 7, repost_count = 7, quote_count = 7, bookmark_count = 7`
      await run(sql`update posts set ${counts} where id = ${first}`)
      const names = ['repost_count', 'reply_count', 'like_count', 'quote_count', 'bookmark_count']
      await isFound(`post ${first}`, names)
    })

    test('search terms of users', async () => {
      await run(sql`delete from user_search_terms where user_id = ${ada.id} and term = 'p'`)
      await isFound(`user ${ada.id}`, ['search_terms'])
      await run(sql`update user_search_terms set rank = 99 where user_id = ${ada.id} and term = 'pe'`)
      await isFound(`user ${ada.id}`, ['search_terms'])
    })

    test('what deleted posts leave, mentions, versions and follow requests', async () => {
      const gone = await publish(ada)
      okay(await ada.core('DELETE', `/2/posts/${gone}`))
      await opened.plaza.tasks.runDue('remove reactions to post')
      await run(sql`insert into likes (user_id, post_id, created_at) values (${bob.id}, ${gone}, 1)`)
      await run(sql`update users set like_count = like_count + 1 where id = ${bob.id}`)
      await isFound(`deleted post ${gone}`, ['likes'])

      const post = await publish(ada, { text: `Hello @${bob.screenName}` })
      await run(sql`delete from post_mentions where post_id = ${post}`)
      await isFound(`post ${post}`, ['mentions'])
      await run(sql`insert into post_mentions (user_id, post_id) values (${bob.id}, ${gone})`)
      await isFound(`post ${gone}`, ['mentions'])

      const second = await edit(ada, post)
      await run(sql`update posts set version_ids = null where id = ${second}`)
      await isFound(`post ${second}`, ['version_ids'])

      const values = sql`(${bob.id}, ${ada.id}, 'request', 1)`
      await unrelate(bob, 'following', ada)
      await run(sql`insert into relations (source_id, target_id, kind, created_at) values ${values}`)
      await isFound(`user ${ada.id}`, ['follow requests'])
    })

    test('the media that posts use', async () => {
      const { id } = await uploaded(opened.plaza.context, ada.id, png(9, 9))
      const post = await publish(ada, { media: { media_ids: [id] } })
      await run(sql`delete from media_uses where media_id = ${id}`)
      await isFound(`post ${post}`, ['media'])
      await run(sql`update media set expires_at = 1 where id = ${id}`)
      await isFound(`medium ${id}`, ['kept'])
    })

    test('the parts of audiences that combine others', async () => {
      const one = await Advertiser.open(opened.plaza.context, ada.id)
      const parts = [
        await one.make(customAudiences, { name: 'A' }),
        await one.make(customAudiences, { name: 'B' }),
      ]
      const segment = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false, child_segments: [] }
      const segments = JSON.stringify({
        ...segment,
        boolean_operator: 'OR',
        child_segments: parts.map(({ id }) => ({ ...segment, custom_audience_id: id })),
      })
      const { id } = await one.make(customAudiences, { name: 'AB', audience_type: 'FLEXIBLE', segments })
      assert.deepEqual(await compare(), [])
      await run(sql`delete from flexible_audience_parts where part_id = ${sql.lit(parts[1]?.id)}`)
      await isFound(`audience ${id}`, ['parts'])
      await run(sql`insert into flexible_audience_parts (audience_id, part_id) values (${sql.lit(id)}, 'zz')`)
      await isFound(`audience ${id}`, ['parts'])
    })
  })
}
