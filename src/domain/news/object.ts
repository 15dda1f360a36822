import { type Static, Type } from 'typebox'
import { objectTime } from '../../platform/common/time.ts'
import { component, id, storedChoice, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape, type View } from '../../platform/objects/shape.ts'
import { CATEGORIES, type StoryContexts } from './describe.ts'
import { postsOfStories, storiesByIds } from './queries.ts'
import { isStory, type ShownStory, type StoryPost, shownStory } from './show.ts'
import type { NewsStoryRow } from './tables.ts'

const closed = { additionalProperties: false }
const names = (description: string) => Type.Array(Type.String(), { description })

const NewsContexts = component(
  'NewsContexts',
  Type.Object(
    {
      topics: names('Hashtags, and names that belong to no other kind.'),
      entities: Type.Object(
        {
          events: names('Events.'),
          organizations: names('Organizations.'),
          people: names('People.'),
          places: names('Places.'),
          products: names('Products.'),
        },
        closed,
      ),
      finance: Type.Object({ tickers: names('Symbols of companies, without their sign.') }, closed),
      sports: Type.Object({ teams: names('Teams.') }, closed),
    },
    closed,
  ),
  'What a story is about, by kind, as spelled in its posts.',
)

const contextsOf = ({ topics, tickers, teams, ...entities }: StoryContexts): Static<typeof NewsContexts> => ({
  topics,
  entities: {
    events: entities.events,
    organizations: entities.organizations,
    people: entities.people,
    places: entities.places,
    products: entities.products,
  },
  finance: { tickers },
  sports: { teams },
})

const DISCLAIMER =
  'This story is a summary that was made from posts automatically. It changes as posts are added, and it may be wrong.'

/** A story with its posts that are currently public. */
export interface NewsSource {
  row: NewsStoryRow
  posts: readonly StoryPost[]
  shown: ShownStory
}

/** Stories without deleted or hidden posts. Stories with too few posts left are omitted. */
export async function loadStories(
  ids: readonly string[],
  { store }: Pick<View, 'store'>,
): Promise<NewsSource[]> {
  const args = { ids: JSON.stringify(ids) }
  const [rows, all] = await Promise.all([store.all(storiesByIds, args), store.all(postsOfStories, args)])
  const posts = Map.groupBy(all, ({ story_id }) => story_id)
  return rows.flatMap((row) => {
    const left = posts.get(row.id) ?? []
    if (!isStory(left)) return []
    const keywords = JSON.parse(row.keywords) as string[]
    const contexts = JSON.parse(row.contexts) as StoryContexts
    return [{ row, posts: left, shown: shownStory({ keywords, contexts }, left) }]
  })
}

const { field } = fieldsOf<NewsSource>()

/** A story that several users write about (core reference, 04 section 2). */
export const news = objectShape<NewsSource>({
  name: 'news',
  plural: 'news',
  component: 'News',
  description: 'A story built from posts. Fields that were not requested are omitted.',
  fields: {
    id: field(id('The story.'), ({ row }) => row.id),
    rest_id: field(id('The same id. Clients use either.'), ({ row }) => row.id),
    name: field(Type.String({ description: 'What the story is about.' }), ({ shown }) => shown.name),
    category: field(
      storedChoice([...CATEGORIES], 'The category of the story.', 'NewsCategory'),
      ({ row }) => row.category,
    ),
    cluster_posts_results: field(
      Type.Array(Type.Object({ post_id: id('A post of the story.') }, closed), {
        description: 'Up to 20 posts of the story, most representative first.',
      }),
      ({ posts }) => posts.map(({ post_id }) => ({ post_id })),
    ),
    contexts: field(NewsContexts, ({ shown }) => contextsOf(shown.contexts)),
    disclaimer: field(
      Type.String({ description: 'Notice about the reliability of the story.' }),
      () => DISCLAIMER,
    ),
    hook: field(
      Type.String({ description: 'The first sentence of the most typical post.' }),
      ({ shown }) => shown.hook,
    ),
    keywords: field(names('What its posts have in common, most important first.'), ({ shown }) => [
      ...shown.keywords,
    ]),
    last_updated_at_ms: field(time('When its last post was added, as a string.'), ({ row }) =>
      objectTime(row.updated_at),
    ),
    summary: field(
      Type.String({ description: 'Sentences of up to three posts of different authors.' }),
      ({ shown }) => shown.summary,
    ),
    updated_at: field(time('When its last post was added.'), ({ row }) => objectTime(row.updated_at)),
  },
  defaults: ['id', 'rest_id', 'name'],
  required: ['id', 'rest_id', 'name'],
  lookups: { id: { load: loadStories, keyOf: ({ row }) => row.id } },
})
