import { type Static, Type } from 'typebox'
import { loadStories, type NewsSource } from '../../../domain/news/object.ts'
import { pageOfStories } from '../../../domain/news/queries.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedComponent, id, time } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { keyOfPair, PAGE_PARAMETERS, pageReply, placeOfPair, readPage } from '../page.ts'

/** A story in replies of the admin API. */
const AdminNewsStory = closedComponent('AdminNewsStory', {
  id: id('The story.'),
  name: Type.String({ description: 'Its first keywords.' }),
  summary: Type.String({ description: 'Sentences of its posts.' }),
  category: Type.String({ description: '`News`, `Sports`, `Entertainment` or `Other`.' }),
  keywords: Type.Array(Type.String(), { description: 'What its posts have in common.' }),
  post_ids: Type.Array(id('A post.'), { description: 'Its public posts, the most typical first.' }),
  started_at: time('When its first post was added.'),
  updated_at: time('When its last post was added.'),
})

const EXAMPLE: Static<typeof AdminNewsStory> = {
  id: '1900000000000000042',
  name: 'Bridge, harbor',
  summary: 'The bridge over the harbor is open.',
  category: 'News',
  keywords: ['bridge', 'harbor'],
  post_ids: ['1900000000000000001'],
  started_at: '2026-03-01T11:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
}

/** GET /admin/v1/news: news stories, in pages. */
export const listAdminNews = dataEndpoint({
  ...ADMIN,
  id: 'listNews',
  method: 'GET',
  path: '/admin/v1/news',
  summary: 'List news stories',
  description: 'Lists the stories, newest first. Those with too few public posts are omitted.',
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminNewsStory),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ query }, { store }) {
    const page = await readPage(query, {
      read: ({ after, limit }) => store.all(pageOfStories, { ...placeOfPair(after), limit }),
      keyOf: keyOfPair,
      show: (row) => row.id,
    })
    const stories = await loadStories(page.data, { store })
    const byId = new Map(stories.map((story) => [story.row.id, presentStory(story)]))
    const data = page.data.flatMap((story) => byId.get(story) ?? [])
    return json({ data, meta: { ...page.meta, result_count: data.length } })
  },
})

const presentStory = ({ row, posts, shown }: NewsSource): Static<typeof AdminNewsStory> => ({
  id: row.id,
  name: shown.name,
  summary: shown.summary,
  category: row.category,
  keywords: [...shown.keywords],
  post_ids: posts.map(({ post_id }) => post_id),
  started_at: isoTime(row.started_at),
  updated_at: isoTime(row.updated_at),
})
