import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { query } from '../../src/app/tables.ts'
import { newPerson, type Person } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { bestWaitsBeside, MAX_WAIT_MS } from '../support/other-caller.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

/** As many as a user may follow. */
const FOLLOWED = 5_000
const TIMELINES = 8

const followEverybody = query<{ of: string; now: number }>('followEverybody', (db, at) => ({
  compile: () =>
    sql`insert into relations (source_id, target_id, kind, created_at)
      select ${at.of}, id, 'follow', ${at.now} from users where id <> ${at.of} limit ${sql.lit(FOLLOWED)}`.compile(
      db,
    ),
}))

const [memory] = stages
describe('home timelines of users who follow many', () => {
  let opened: Opened
  let client: Client
  let reader: Person
  let other: Person

  before(async () => {
    assert.ok(memory)
    opened = await memory.open({ rateLimits: 'off', seedPopulation: FOLLOWED - 10 })
    const { plaza } = opened
    client = new Client(plaza)
    reader = await newPerson(plaza)
    other = await newPerson(plaza)
    for (let n = 0; n < 3; n++) await makePost(plaza.context, { authorId: other.id, text: `Post ${n}` })
    const { store, clock } = plaza.context
    await store.write((tx) => tx.run(followEverybody, { of: reader.id, now: clock.now() }))
  })
  after(async () => {
    await client.close()
    await opened.close()
  })

  test('several at once leave the event loop to others', async () => {
    const { core } = opened.plaza.urls
    const home = `${core}/2/users/${reader.id}/timelines/reverse_chronological`
    const read = async () => assert.equal((await client.signed('GET', home, reader.keys)).status, 200)
    const { turnMs, callMs } = await bestWaitsBeside(
      () => Promise.all(Array.from({ length: TIMELINES }, read)),
      () => client.signed('GET', `${core}/2/users/me`, other.keys),
    )
    assert.ok(turnMs <= MAX_WAIT_MS && callMs <= MAX_WAIT_MS, `others wait ${turnMs} and ${callMs} ms`)
  })

  test('a page has the posts of the last one of those followed', async () => {
    const { core } = opened.plaza.urls
    const path = `${core}/2/users/${reader.id}/timelines/reverse_chronological?max_results=2`
    const reply = await client.signed('GET', path, reader.keys)
    assert.deepEqual(
      (reply.json as { data: { text: string }[] }).data.map(({ text }) => text),
      ['Post 2', 'Post 1'],
    )
  })
})
