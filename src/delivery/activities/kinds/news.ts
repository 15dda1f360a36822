import { Type } from 'typebox'
import { newsAppeared } from '../../../domain/news/events.ts'
import { news } from '../../../domain/news/object.ts'
import { plain } from '../../../platform/http/schema.ts'
import { activityKind, sourceOf } from '../kind.ts'
import { closed } from '../payloads.ts'

const FIELDS = [
  'id',
  'name',
  'category',
  'hook',
  'summary',
  'contexts',
  'cluster_posts_results',
  'updated_at',
  'disclaimer',
]
const { properties = {} } = plain(news.schema)
const shown = FIELDS.map((name) => [name, Type.Optional(Type.Unsafe({ ...properties[name] }))] as const)

export const newsNew = activityKind<{ story_id: string }>({
  name: 'news.new',
  formerNames: ['TrendsNew'],
  description: 'A news story appears whose name or keywords contain the words of the filter in sequence.',
  filter: 'keyword',
  payload: Type.Object(Object.fromEntries(shown), closed),
  async prepare(facts, reader) {
    const stories = await reader.objects(
      news,
      facts.map(({ story_id }) => story_id),
      FIELDS,
    )
    return ({ story_id }) => {
      const story = stories(story_id)
      return story && { payload: story }
    }
  },
})

export const newsKinds = [newsNew]

export const newsSources = [
  sourceOf(newsAppeared, ({ story_id, name, keywords }, event) => [
    newsNew.of({ event, facts: { story_id }, subject: { texts: [name, keywords] } }),
  ]),
]
