import { type Static, Type } from 'typebox'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import { text } from '../../platform/http/schema.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { decimalId } from '../reference-data/ids.ts'
import { putTopic, topicsByIds } from './queries.ts'
import type { TopicRow } from './tables.ts'

const MAX_TOPICS = 10

const GivenTopic = Type.Object(
  {
    name: text(1, 100, 'Name. Topics with the same name are the same.'),
    description: Type.Optional(text(1, 500, 'Description; the last one that was given counts.')),
  },
  { additionalProperties: false },
)

/** What seeds and the admin API can give a space besides what it is made of. */
export const SPACE_EXTRAS = {
  topics: Type.Optional(Type.Array(GivenTopic, { maxItems: MAX_TOPICS, description: 'What it is about.' })),
  subscriber_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Users who want to be told of its start; 0 by default.',
    }),
  ),
}
export type GivenTopic = Static<typeof GivenTopic>

/** Stores topics. Resolves to their ids, each once. */
export async function topicIdsOf(tx: Transaction, topics: readonly GivenTopic[] = []): Promise<string[]> {
  const byId = new Map(topics.map((topic) => [decimalId(`topic:${topic.name}`), topic]))
  // In one order, so that two transactions cannot deadlock.
  for (const [id, { name, description = null }] of [...byId].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await tx.run(putTopic, { id, name, description })
  return [...byId.keys()]
}

const { field } = fieldsOf<TopicRow>()

/** What a space is about. */
export const topic = objectShape<TopicRow>({
  name: 'topic',
  plural: 'topics',
  component: 'Topic',
  description: 'What spaces are about.',
  fields: {
    id: field(Type.String({ description: 'The topic.' }), (row) => row.id),
    name: field(Type.String({ description: 'Name.' }), (row) => row.name),
    description: field(Type.String({ description: 'Description.' }), (row) => row.description ?? undefined),
  },
  defaults: ['id', 'name', 'description'],
  required: ['id', 'name'],
  lookups: {
    id: {
      load: (ids, { store }) => store.all(topicsByIds, { ids: JSON.stringify(ids) }),
      keyOf: (row) => row.id,
    },
  },
})
