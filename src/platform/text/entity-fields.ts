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

const side = Type.Optional(Type.Integer({ minimum: 0, description: 'In pixels.' }))

/** A link in a text, with what is known of its page. */
export const Link = component(
  'UrlEntity',
  Type.Object(
    {
      ...{ ...span, url: Type.String(), expanded_url: Type.String(), display_url: Type.String() },
      unwound_url: Type.Optional(Type.String({ description: 'Where the link leads in the end.' })),
      title: Type.Optional(Type.String({ description: 'Title of the page.' })),
      description: Type.Optional(Type.String({ description: 'Description of the page.' })),
      status: Type.Optional(
        Type.Integer({ minimum: 100, maximum: 599, description: 'Status with which the page answers.' }),
      ),
      images: Type.Optional(
        Type.Array(
          component(
            'UrlImage',
            Type.Object({ url: Type.String(), width: side, height: side }, closed),
            'An image of a page.',
          ),
        ),
      ),
      media_key: Type.Optional(Type.String({ description: 'The first medium of the linked post.' })),
    },
    closed,
  ),
)

const Urls = Type.Array(Link)

const Annotations = Type.Array(
  component(
    'TextAnnotation',
    Type.Object(
      {
        start: span.start,
        end: Type.Integer({ minimum: 0, description: 'Last code point.' }),
        probability: Type.Optional(
          Type.Number({ minimum: 0, maximum: 1, description: 'How certain it is.' }),
        ),
        type: Type.Optional(Type.String({ description: 'Such as Person, Place, Product or Organization.' })),
        normalized_text: Type.Optional(Type.String({ description: 'Usual form of the name.' })),
      },
      closed,
    ),
    'A name in a text.',
  ),
)

/** Entities in a text, such as links and mentions. Empty lists are omitted. */
export const TextEntities = component(
  'TextEntities',
  Type.Object(
    {
      annotations: Type.Optional(Annotations),
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
  const { annotations = [], cashtags, hashtags, mentions, urls } = entitiesBefore(entities, end)
  const lists = { annotations, cashtags, hashtags, mentions, urls }
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0)
  return filled.length === 0 ? undefined : (Object.fromEntries(filled) as Partial<typeof lists>)
}
