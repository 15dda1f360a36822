import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { rateNote, requestNote } from '../../src/domain/notes/notes.ts'
import { enroll, unenroll } from '../../src/domain/notes/writers.ts'
import { Client } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const hide = query<{ id: string }>('hideWriterOfNotes', (db, at) =>
  db.updateTable('users').set({ protected: 1 }).where('id', '=', at.id),
)
const INFO = {
  text: 'The bridge was opened in 1932: https://example.com/bridge',
  classification: 'misinformed_or_potentially_misleading',
  misleading_tags: ['factual_error'],
  trustworthy_sources: true,
}

interface Body {
  data?: { id: string; post_id: string; status?: string; scoring_status?: unknown }[]
  meta: { result_count: number; next_token?: string }
  includes?: { users: { id: string }[] }
}

for (const stage of stages) {
  describe(`community notes on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let writer: Person
    let author: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      writer = await Person.join(opened.plaza, client)
      author = await Person.join(opened.plaza, client)
      await store().write((tx) => enroll(tx, writer.id, 'top'))
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const store = () => opened.plaza.context.store
    const send = (method: string, path: string, json?: object, by = writer) =>
      client.signed(method, `${opened.plaza.urls.core}/2/${path}`, by.keys, json ? { json } : {})
    const list = async (path: string, parameters: Record<string, string> = {}): Promise<Body> => {
      const sent = new URLSearchParams({ test_mode: 'false', ...parameters })
        .toString()
        .replaceAll('+', '%20')
      const reply = await send('GET', `notes/search/${path}?${sent}`)
      assert.equal(reply.status, 200, reply.text)
      return reply.json as Body
    }
    const feed = (parameters: Record<string, string> = {}) => list('posts_eligible_for_notes', parameters)
    const idsOf = ({ data = [] }: Body) => data.map(({ id }) => id)
    const publish = (text: string) => makePost(opened.plaza.context, { authorId: author.id, text })
    const noteOn = async (post: { id: string }, test_mode = false) => {
      const reply = await send('POST', 'notes', { test_mode, post_id: post.id, info: INFO })
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }
    /** A feed of one language, which only posts of this test have. */
    const feedIs = (lang: string, ...ids: string[]) =>
      until(`the feed of ${lang} has ${ids.length} posts`, async () => {
        const body = await feed({ post_selection: `feed_size: xxl, feed_lang: ${lang}` })
        return idsOf(body).join() === ids.join() && body
      })

    test('a post is in the feed of its language, until the writer has a note on it', async () => {
      const post = await publish('Cette phrase est écrite en français et parle du grand pont')
      await feedIs('fr', post.id)
      const id = await noteOn(post)
      await feedIs('fr')
      const test = { test_mode: 'true', post_selection: 'feed_size: large, feed_lang: fr' }
      const { data = [], includes } = await feed({ ...test, expansions: 'author_id' })
      assert.deepEqual(
        [data.map((one) => one.id), includes?.users.map((one) => one.id)],
        [[post.id], [author.id]],
      )
      assert.equal((await send('DELETE', `notes/${id}`)).status, 200)
      await feedIs('fr', post.id)
      const again = await send('POST', 'notes', { test_mode: true, post_id: post.id, info: INFO })
      assert.equal(again.status, 200, again.text)
    })

    test('the most wanted posts come first: those with requests, then those with reactions, then new ones', async () => {
      const posts = []
      for (const words of ['große Brücke', 'kleine Brücke', 'lange Straße'])
        posts.push(await publish(`Das ist ein deutscher Satz über eine ${words} in der schönen Stadt`))
      const [first, second, third] = posts
      assert.ok(first && second && third)
      await feedIs('de', third.id, second.id, first.id)
      const requested = await store().write((tx) => requestNote(tx, first.id, author.id))
      assert.deepEqual(requested, { requests: 1 })
      assert.deepEqual(await store().write((tx) => requestNote(tx, first.id, author.id)), { requests: 1 })
      assert.equal(await store().write((tx) => requestNote(tx, '456', author.id)), undefined)
      const liked = await send('POST', `users/${writer.id}/likes`, { post_id: second.id })
      assert.equal(liked.status, 200, liked.text)
      await feedIs('de', first.id, second.id, third.id)

      const selection = { post_selection: 'feed_lang: de', max_results: '2' }
      const page = await feed(selection)
      assert.deepEqual(idsOf(page), [first.id, second.id])
      const next = { ...selection, pagination_token: page.meta.next_token ?? '' }
      assert.deepEqual(await feed(next), {
        data: [{ id: third.id, text: third.text, edit_history_post_ids: [third.id] }],
        meta: { result_count: 1 },
      })
      const other = new URLSearchParams({ ...next, test_mode: 'true' }).toString().replaceAll('+', '%20')
      assert.equal((await send('GET', `notes/search/posts_eligible_for_notes?${other}`)).status, 400)
    })

    test('posts that not everyone sees, reposts and old ones take no notes', async () => {
      const hidden = await Person.join(opened.plaza, client)
      const ofHidden = await makePost(opened.plaza.context, {
        authorId: hidden.id,
        text: 'Esta es una frase en español sobre el puente grande de la ciudad',
      })
      const seen = await publish('Esta es otra frase en español sobre el puente pequeño de la ciudad')
      const restricted = await makePost(opened.plaza.context, {
        authorId: author.id,
        text: 'Esta es una frase en español sobre el puente para los suscriptores',
        superFollowersOnly: true,
      })
      const gone = await publish('Esta es la tercera frase en español sobre un puente de la ciudad')
      await feedIs('es', gone.id, seen.id, ofHidden.id)
      assert.equal((await send('DELETE', `posts/${gone.id}`, undefined, author)).status, 200)
      await store().write((tx) => tx.run(hide, { id: hidden.id }))
      await feedIs('es', seen.id)
      for (const { id } of [ofHidden, restricted, gone]) {
        const reply = await send('POST', 'notes', { test_mode: false, post_id: id, info: INFO })
        assert.equal(reply.status, 403, reply.text)
      }
      opened.plaza.clock.advance(7 * DAY_MS)
      await feedIs('es')
      await opened.plaza.tasks.runDue('remove old note candidates')
      assert.equal(await store().write((tx) => requestNote(tx, seen.id, author.id)), undefined)
      const late = await send('POST', 'notes', { test_mode: false, post_id: seen.id, info: INFO })
      assert.equal(late.status, 403, late.text)
    })

    test('ratings give a public note its status, the last of each user', async () => {
      const id = await noteOn(await publish('A sentence about the bridge'))
      const rate = (userId: string, helpfulness: 'helpful' | 'not_helpful', tags: string[] = []) =>
        store().write((tx) => rateNote(tx, id, { userId, helpfulness, viewpoint: 'neutral', tags }))
      assert.deepEqual(await rate(writer.id, 'helpful'), { fault: 'own note' })
      const raters = []
      for (let n = 0; n < 5; n++) raters.push((await Person.join(opened.plaza, client)).id)
      const [first = '', ...others] = raters
      assert.deepEqual(await rate(first, 'not_helpful', ['incorrect']), { status: 'minimum_ratings_not_met' })
      for (const rater of others) await rate(rater, 'helpful', ['clear'])
      assert.deepEqual(await rate(first, 'helpful', ['good_sources']), { status: 'currently_rated_helpful' })
      const { data } = await list('notes_written', {
        'note.fields': 'status,scoring_status',
        max_results: '1',
      })
      assert.deepEqual(data?.[0]?.status, 'currently_rated_helpful')
      assert.deepEqual(data?.[0]?.scoring_status, {
        has_access: true,
        rating_counts_per_model: {
          model_name: 'core',
          value: {
            positive_factor_bucket_counts: NONE,
            neutral_factor_bucket_counts: {
              helpful_count: 5,
              somewhat_helpful_count: 0,
              not_helpful_count: 0,
              helpful_tag_counts: { tag_name: 'clear', tag_count: 4 },
            },
            negative_factor_bucket_counts: NONE,
          },
        },
      })
      const test = await noteOn(await publish('Another sentence about the bridge'), true)
      const rating = { userId: first, helpfulness: 'helpful', viewpoint: 'neutral', tags: [] } as const
      assert.deepEqual(await store().write((tx) => rateNote(tx, test, rating)), { fault: 'test mode' })
    })

    test('notes are listed newest first, page by page', async () => {
      const other = await Person.join(opened.plaza, client)
      await store().write((tx) => enroll(tx, other.id, 'regular'))
      const listed = async (parameters: string) => {
        const reply = await send(
          'GET',
          `notes/search/notes_written?test_mode=true&${parameters}`,
          undefined,
          other,
        )
        assert.equal(reply.status, 200, reply.text)
        return reply.json as Body
      }
      const ids: string[] = []
      for (let n = 0; n < 3; n++) {
        const { id } = await publish(`Sentence ${n} about notes`)
        const reply = await send('POST', 'notes', { test_mode: true, post_id: id, info: INFO }, other)
        ids.unshift((reply.json as { data: { id: string } }).data.id)
      }
      const page = await listed('max_results=2')
      assert.deepEqual(idsOf(page), ids.slice(0, 2))
      const last = await listed(`max_results=2&pagination_token=${page.meta.next_token}`)
      assert.deepEqual([idsOf(last), last.meta], [ids.slice(2), { result_count: 1 }])
    })

    test('of two concurrent notes on a post, one is written', async () => {
      const { id } = await publish('A sentence that two notes race for')
      const body = { test_mode: false, post_id: id, info: INFO }
      const replies = await Promise.all([1, 2, 3].map(() => send('POST', 'notes', body)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 403, 403])
    })

    test('a user who may no longer write notes cannot read any either', async () => {
      const former = await Person.join(opened.plaza, client)
      await store().write((tx) => enroll(tx, former.id, 'regular'))
      assert.equal(await store().write((tx) => unenroll(tx, former.id)), true)
      assert.equal(await store().write((tx) => unenroll(tx, former.id)), false)
      const reply = await send('GET', 'notes/search/notes_written?test_mode=true', undefined, former)
      assert.equal(reply.status, 403)
    })

    test('a text is evaluated without being written', async () => {
      const { id } = await publish('A sentence to evaluate')
      for (const path of ['evaluate_note', 'notes/evaluate']) {
        const reply = await send('POST', path, { post_id: id, note_text: 'Maybe I should think so?' })
        assert.deepEqual(reply.json, { data: { claim_opinion_score: -5.25 } }, reply.text)
      }
    })
  })
}

const NONE = { helpful_count: 0, somewhat_helpful_count: 0, not_helpful_count: 0 }
