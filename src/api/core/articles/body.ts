import { type Static, Type } from 'typebox'
import { choice, closedComponent, text } from '../../../platform/http/schema.ts'

const closed = { additionalProperties: false }
const MAX_BLOCKS = 1_000
const MAX_ENTITIES = 1_000
const MAX_RANGES = 1_000
const MAX_MEDIA = 4
const MAX_TEXT = 100_000
const MAX_TITLE = 100

const position = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_TEXT, description })

const Medium = closedComponent('ArticleMedium', {
  media_id: Type.String({ pattern: '^[0-9]{1,19}$', description: 'A medium of the author.' }),
  media_category: text(1, 64, 'The category of its upload, such as `post_image`.'),
})

const Found = closedComponent('ArticleMatch', {
  from_index: position('Start in the text.'),
  to_index: position('End in the text, exclusive.'),
  text: text(0, MAX_TEXT, 'What is there.'),
})
const found = (description: string) => Type.Optional(Type.Array(Found, { maxItems: MAX_RANGES, description }))

const Block = Type.Object(
  {
    text: text(0, MAX_TEXT, 'The text of the block.'),
    type: choice(
      [
        'unstyled',
        'header-one',
        'header-two',
        'header-three',
        'unordered-list-item',
        'ordered-list-item',
        'blockquote',
        'atomic',
      ],
      'Kind of block.',
      'ArticleBlockType',
    ),
    key: Type.Optional(text(0, 64, 'Name of the block.')),
    inline_style_ranges: Type.Optional(
      Type.Array(
        Type.Object(
          {
            offset: position('Start in the text.'),
            length: position('Length.'),
            style: choice(['bold', 'italic', 'strikethrough'], 'Style.', 'ArticleStyle'),
          },
          closed,
        ),
        { maxItems: MAX_RANGES, description: 'Styles of parts of the text.' },
      ),
    ),
    entity_ranges: Type.Optional(
      Type.Array(
        Type.Object(
          {
            key: Type.Integer({ minimum: 0, description: 'The entity with this key.' }),
            offset: position('Start in the text.'),
            length: position('Length.'),
          },
          closed,
        ),
        { maxItems: MAX_RANGES, description: 'Where entities are in the text.' },
      ),
    ),
    data: Type.Optional(
      Type.Object(
        {
          cashtags: found('Cashtags in the text.'),
          hashtags: found('Hashtags in the text.'),
          mentions: found('Mentions in the text.'),
          urls: found('Links in the text.'),
        },
        closed,
      ),
    ),
  },
  closed,
)

const Entity = Type.Object(
  {
    key: text(1, 64, 'Name of the entity, to which ranges refer.'),
    value: Type.Object(
      {
        type: choice(
          ['post', 'link', 'image', 'emoji', 'markdown', 'divider', 'latex'],
          'Kind of entity.',
          'ArticleEntityType',
        ),
        mutability: choice(['immutable', 'mutable', 'segmented'], 'How editors treat it.', 'Mutability'),
        data: Type.Object(
          {
            caption: Type.Optional(text(0, 1_000, 'Text below an image.')),
            entity_key: Type.Optional(text(0, 64, 'Another entity.')),
            markdown: Type.Optional(text(0, MAX_TEXT, 'Text in Markdown.')),
            media_items: Type.Optional(
              Type.Array(Medium, { maxItems: MAX_MEDIA, description: 'The media of an image.' }),
            ),
            post_id: Type.Optional(Type.String({ pattern: '^[0-9]{1,19}$', description: 'A post.' })),
            url: Type.Optional(text(1, 2_048, 'Where a link leads.')),
          },
          closed,
        ),
      },
      closed,
    ),
  },
  closed,
)

/** The body of `POST /2/articles/draft` (core reference, 09 part B). */
export const DraftBody = closedComponent('ArticleDraftBody', {
  title: text(1, MAX_TITLE, 'Title of the article.'),
  content_state: Type.Object(
    {
      blocks: Type.Array(Block, { maxItems: MAX_BLOCKS, description: 'The blocks of the text.' }),
      entities: Type.Array(Entity, {
        maxItems: MAX_ENTITIES,
        description: 'What ranges of the text refer to.',
      }),
    },
    closed,
  ),
  cover_media: Type.Optional(Medium),
})
export type DraftBody = Static<typeof DraftBody>
export type Medium = Static<typeof Medium>

/** Of all blocks together, in code units. */
export const MAX_PLAIN_TEXT = MAX_TEXT
