import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { Client, type Reply } from '../support/client.ts'
import { png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

const subscribe = query<{ id: string }>('subscribeOfArticles', (db, at) =>
  db.updateTable('users').set({ subscription_type: 'Premium' }).where('id', '=', at.id),
)
const articleCount = query<{ author: string }, { count: number }>('articlesOfTest', (db, at) =>
  db
    .selectFrom('articles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('author_id', '=', at.author),
)

const text = { blocks: [{ text: 'A text', type: 'unstyled' }], entities: [] as object[] }
const dataOf = (reply: Reply) => (reply.json as { data: Record<string, unknown> }).data
const wrong = (reply: Reply) => [
  reply.status,
  (reply.json as { errors?: { message: string }[] }).errors?.[0]?.message,
]

for (const stage of stages) {
  describe(`articles on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    beforeEach(async () => {
      opened.plaza.clock.advance(1000)
      ann = await Person.join(opened.plaza, client)
      await opened.plaza.context.store.write((tx) => tx.run(subscribe, { id: ann.id }))
    })

    const draft = (json: object, as = ann) => client.signed('POST', '/2/articles/draft', as.keys, { json })
    const drafted = async (json: object = { title: 'Bridges', content_state: text }, as = ann) => {
      const reply = await draft(json, as)
      assert.equal(reply.status, 201, reply.text)
      return String(dataOf(reply).id)
    }
    const publish = (id: string, as = ann) => client.signed('POST', `/2/articles/${id}/publish`, as.keys)
    const published = async (id: string) => {
      const reply = await publish(id)
      assert.equal(reply.status, 200, reply.text)
      return String(dataOf(reply).post_id)
    }
    const read = async (target: string, as = ann) =>
      (await client.signed('GET', target, as.keys)).json as {
        data?: Record<string, unknown>
        includes?: { media?: { media_key: string }[] }
      }
    const medium = (as = ann) => uploaded(opened.plaza.context, as.id, png(8, 8))

    test('have media, which posts expand and keep', async () => {
      const [cover, first, second] = [await medium(), await medium(), await medium()]
      const item = ({ id }: { id: string }) => ({ media_id: id, media_category: 'post_image' })
      const image = {
        type: 'image',
        mutability: 'immutable',
        data: { media_items: [item(second), item(first)] },
      }
      const id = await drafted({
        title: 'Pictures',
        cover_media: item(cover),
        content_state: {
          blocks: [{ text: ' ', type: 'atomic', entity_ranges: [{ key: 0, offset: 0, length: 1 }] }],
          entities: [{ key: '0', value: image }],
        },
      })
      const post = await published(id)
      const path = `/2/posts/${post}?post.fields=article&expansions=article.cover_media,article.media_entities`
      const { data, includes } = await read(path)
      const article = data?.article as Record<string, unknown>
      assert.equal(article.cover_media, cover.media_key)
      assert.deepEqual(article.media_entities, [second.media_key, first.media_key])
      assert.deepEqual(
        includes?.media?.map(({ media_key }) => media_key),
        [cover.media_key, second.media_key, first.media_key],
      )
      // Without the field, no text is read, and the expansions work.
      assert.equal((await read(`/2/posts/${post}?expansions=article.cover_media`)).includes?.media?.length, 1)
    })

    test('name media that their author may show, with the category of the upload', async () => {
      const bob = await Person.join(opened.plaza, client)
      const [own, foreign] = [await medium(), await medium(bob)]
      const cover = (media_id: string, media_category = 'post_image') =>
        draft({ title: 'x', content_state: text, cover_media: { media_id, media_category } })
      assert.equal((await cover(own.id)).status, 201)
      assert.deepEqual(wrong(await cover(foreign.id)), [400, 'Your media IDs are invalid.'])
      assert.deepEqual(wrong(await cover('7')), [400, 'Your media IDs are invalid.'])
      assert.deepEqual(wrong(await cover(own.id, 'post_video')), [
        400,
        `The medium ${own.id} has another category.`,
      ])
    })

    test('are rejected if a part refers to nothing, and then nothing is stored', async () => {
      const block = (more: object) => ({ blocks: [{ text: 'abc', type: 'unstyled', ...more }], entities: [] })
      const entity = (type: string, data: object, key = '0') => ({
        key,
        value: { type, mutability: 'mutable', data },
      })
      const ends = 'A range ends after the 3 characters of its block.'
      for (const [content_state, message] of [
        [block({ inline_style_ranges: [{ offset: 2, length: 2, style: 'bold' }] }), ends],
        [block({ data: { urls: [{ from_index: 2, to_index: 1, text: '' }] } }), ends],
        [block({ entity_ranges: [{ key: 0, offset: 0, length: 1 }] }), 'No entity has the key 0.'],
        [{ ...text, entities: [entity('image', {})] }, 'The entity 0 of the type image needs media_items.'],
        [
          { ...text, entities: [entity('link', { url: 'ftp://x' })] },
          'The link 0 needs a URL with http or https.',
        ],
        [
          { ...text, entities: [entity('post', { post_id: '1' }), entity('post', { post_id: '1' })] },
          'Two entities have the key 0.',
        ],
        [
          {
            ...text,
            blocks: Array.from({ length: 3 }, () => ({ text: 'x'.repeat(50_000), type: 'unstyled' })),
          },
          'The text may have 100000 characters, not 150002.',
        ],
      ] as const)
        assert.deepEqual(wrong(await draft({ title: 'x', content_state })), [400, message])
      for (const body of [
        { title: '', content_state: text },
        { title: 'x'.repeat(101), content_state: text },
        { title: ' ', content_state: text },
        { title: 'x' },
        { title: 'x', content_state: { ...text, contentState: 1 } },
        { title: 'x', content_state: { blocks: [{ text: 'x', type: 'header' }], entities: [] } },
        { title: 'x', content_state: { ...text, entities: [entity('video', {})] } },
      ])
        assert.equal((await draft(body)).status, 400, JSON.stringify(body))
      assert.equal(
        Number((await opened.plaza.context.store.first(articleCount, { author: ann.id }))?.count),
        0,
      )
    })

    test('are published once, also by two calls at the same time', async () => {
      const id = await drafted()
      const replies = await Promise.all([1, 2, 3].map(() => publish(id)))
      const [post, ...others] = replies.map((reply) => dataOf(reply).post_id)
      assert.deepEqual(others, [post, post])
      const { data } = await read(`/2/users/${ann.id}?user.fields=public_metrics`)
      assert.equal((data?.public_metrics as { post_count: number } | undefined)?.post_count, 1)
    })

    test('go with their post, and with their medium only while they are drafts', async () => {
      const cover = await medium()
      const cover_media = { media_id: cover.id, media_category: 'post_image' }
      const late = await drafted({ title: 'Late', content_state: text, cover_media })
      opened.plaza.clock.advance(48 * 3_600_000)
      assert.deepEqual(wrong(await publish(late)), [
        400,
        `The medium ${cover.id} of the article no longer exists.`,
      ])
      const post = await published(await drafted())
      await client.signed('DELETE', `/2/posts/${post}`, ann.keys)
      assert.equal(
        Number((await opened.plaza.context.store.first(articleCount, { author: ann.id }))?.count),
        1,
      )
    })

    test('a new version of the post keeps its article', async () => {
      const post = await published(await drafted())
      const edited = await client.signed('POST', '/2/posts', ann.keys, {
        json: { text: 'Better bridges', edit_options: { previous_post_id: post } },
      })
      assert.equal(edited.status, 201, edited.text)
      const { data } = await read(`/2/posts/${dataOf(edited).id}?post.fields=article`)
      assert.equal((data?.article as { plain_text: string } | undefined)?.plain_text, 'A text')
    })

    test('a user has at most 100 drafts, and drafts belong to their author', async () => {
      const ids: string[] = []
      for (let count = 0; count < 100; count++) ids.push(await drafted())
      const reply = await draft({ title: 'One more', content_state: text })
      assert.equal(reply.status, 403)
      await published(ids[0] as string)
      await drafted()
      const bob = await Person.join(opened.plaza, client)
      assert.equal((await publish(ids[1] as string, bob)).status, 403)
    })
  })
}
