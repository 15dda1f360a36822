import { Type } from 'typebox'
import { component, id } from '../http/schema.ts'
import { type Entities, entitiesBefore } from './entities.ts'

const closed = { additionalProperties: false }
const span = {
  start: Type.Integer({ minimum: 0, description: 'First code point.' }),
  end: Type.Integer({ minimum: 0, description: 'End in code points, exclusive.' }),
}

const Tags = Type.Array(component('TagEntity', Type.Object({ ...span, tag: Type.String() }, closed)))

const Mentions = Type.Array(
  component('MentionEntity', Type.Object({ ...span, username: Type.String(), id: id('The user.') }, closed)),
)

const Urls = Type.Array(
  component(
    'UrlEntity',
    Type.Object(
      { ...span, url: Type.String(), expanded_url: Type.String(), display_url: Type.String() },
      closed,
    ),
  ),
)

/** Entities in a text, such as links and mentions. Empty lists are omitted. */
export const TextEntities = component(
  'TextEntities',
  Type.Object(
    {
      cashtags: Type.Optional(Tags),
      hashtags: Type.Optional(Tags),
      mentions: Type.Optional(Mentions),
      urls: Type.Optional(Urls),
    },
    closed,
  ),
  'Entities in a text, such as links and mentions. Empty lists are omitted.',
)

/** The entities before a position in the text; undefined if there are none. */
export function textEntities(entities: Entities, end = Number.POSITIVE_INFINITY) {
  const { cashtags, hashtags, mentions, urls } = entitiesBefore(entities, end)
  const lists = { cashtags, hashtags, mentions, urls }
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0)
  return filled.length === 0 ? undefined : (Object.fromEntries(filled) as Partial<typeof lists>)
}
