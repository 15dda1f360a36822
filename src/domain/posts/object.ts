import { Type } from 'typebox'
import { objectTime } from '../../platform/common/time.ts'
import { choice, component, id, storedChoice, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape, type View } from '../../platform/objects/shape.ts'
import { type Entities, lengthOf } from '../../platform/text/entities.ts'
import { TextEntities, textEntities } from '../../platform/text/entity-fields.ts'
import { metricFields } from './metric-fields.ts'
import { type ArticleInPost, articleOf } from '../articles/in-post.ts'
import { Article, shownArticle, textsOfArticles } from '../articles/object.ts'
import { withoutGonePosts } from '../link-previews/previews.ts'
import { mediaByKeys } from '../media/media.ts'
import type { Withheld } from './given.ts'
import { geoOf, PointGeo } from './place-object.ts'
import {
  appNamesByIds,
  isShownTo,
  newestVersionsSeenBy,
  postExists,
  postsSeenBy,
  postVideos,
  type SeenPostRow,
} from './queries.ts'
import {
  NoteRequestSuggestion,
  SourceLinks,
  SourceLinksWithCounts,
  sourceLinksOf,
  suggestionsOf,
} from '../notes/suggestions.ts'
import { isEditable, versionIdsOf } from './versions.ts'
import { MAX_WEIGHT, shortened } from './weight.ts'

/** The row of a post, with the values that several of its fields need. */
interface PostSource {
  row: SeenPostRow
  /** The text, or the beginning of a long one. */
  text: string
  isLong: boolean
  /** The entities of the whole text. */
  entities: Entities
  mediaKeys: readonly string[]
  article: ArticleInPost | undefined
}

function sourceOf(row: SeenPostRow): PostSource {
  const entities = JSON.parse(row.entities) as Entities
  const text = shortened(row.text, MAX_WEIGHT, entities.urls)
  return {
    row,
    text,
    isLong: text !== row.text,
    entities,
    mediaKeys: JSON.parse(row.media_keys) as string[],
    article: articleOf(row),
  }
}

/** The ellipsis at the end of a truncated text is not part of the author's text. */
const shownEnd = ({ text, isLong }: PostSource) => lengthOf(text) - Number(isLong)
const shownEntities = (source: PostSource, entities = source.entities) =>
  textEntities(entities, source.isLong ? shownEnd(source) : undefined)

/** The entities of the posts of a page, without previews of posts that are gone. */
async function currentEntities(page: readonly PostSource[], store: View['store']) {
  const current = await withoutGonePosts(
    store,
    page.map(({ entities }) => entities),
  )
  return ({ entities }: PostSource) => current(entities)
}

type PostReference = { type: 'replied_to' | 'quoted' | 'reposted'; id: string }

function referencesOf({ row }: PostSource): PostReference[] {
  const to = (type: PostReference['type'], referenced: string | null): PostReference[] =>
    referenced === null ? [] : [{ type, id: referenced }]
  return [
    ...to('replied_to', row.in_reply_to_post_id),
    ...to('quoted', row.quoted_post_id),
    ...to('reposted', row.reposted_post_id),
  ]
}

const { field, batched } = fieldsOf<PostSource>()
const closed = { additionalProperties: false }
const count = Type.Integer({ minimum: 0 })
const flag = (description: string) => Type.Boolean({ description })
const object = <Members extends Parameters<typeof Type.Object>[0]>(members: Members, description: string) =>
  Type.Object(members, { ...closed, description })

const note = (name: string, description: string) =>
  component(
    name,
    Type.Object(
      {
        id: id('Its number.'),
        name: Type.Optional(Type.String({ description: 'Its name.' })),
        description: Type.Optional(Type.String({ description: 'Its description.' })),
      },
      closed,
    ),
    description,
  )

const ContextAnnotations = Type.Array(
  component(
    'ContextAnnotation',
    object(
      {
        domain: note('ContextDomain', 'A kind of things.'),
        entity: note('ContextEntity', 'One of these things.'),
      },
      'What a post is about.',
    ),
  ),
  { description: 'What the post is about.' },
)

const fields = {
  id: field(id('The post.'), ({ row }) => row.id),
  text: field(Type.String({ description: 'The text; for a long post, its beginning.' }), ({ text }) => text),
  edit_history_post_ids: field(
    Type.Array(id('A version.'), { minItems: 1, description: 'All versions of the post, oldest first.' }),
    ({ row }) => versionIdsOf(row),
  ),
  article: batched(Article, async (page, { store }) => {
    const ids = page.flatMap(({ article }) => article?.id ?? [])
    const texts = await textsOfArticles(ids, store)
    return ({ article }) => article && shownArticle(article, texts.get(article.id))
  }),
  article_title: field(
    Type.String({ description: 'Title of its article.' }),
    ({ article }) => article?.title,
  ),
  attachments: batched(
    object(
      {
        media_keys: Type.Optional(Type.Array(Type.String())),
        media_source_post_id: Type.Optional(Type.Array(id('The post that showed the media first.'))),
        poll_ids: Type.Optional(Type.Array(id('The poll.'))),
      },
      'Attachments of the post.',
    ),
    async (page, { store }) => {
      const sources = await mediaSources(page, store)
      return ({ row, mediaKeys }) => {
        if (mediaKeys.length === 0 && row.poll_id === null) return undefined
        const others = sources(mediaKeys).filter((postId) => postId !== row.id)
        return {
          ...(mediaKeys.length > 0 && { media_keys: [...mediaKeys] }),
          ...(others.length > 0 && { media_source_post_id: others }),
          ...(row.poll_id !== null && { poll_ids: [row.poll_id] }),
        }
      }
    },
  ),
  author_id: field(id('The user who wrote it.'), ({ row }) => row.author_id),
  card_uri: field(
    Type.String({ description: 'The card that it shows.' }),
    ({ row }) => row.card_uri ?? undefined,
  ),
  community_id: field(id('The community that it was posted in.'), ({ row }) => row.community_id ?? undefined),
  context_annotations: field(ContextAnnotations, ({ row: { context_annotations: json } }) =>
    json === null ? undefined : JSON.parse(json),
  ),
  conversation_id: field(id('The post that began the conversation.'), ({ row }) => row.conversation_id),
  created_at: field(time('When it was created.'), ({ row }) => objectTime(row.created_at)),
  display_text_range: field(
    Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 2,
      maxItems: 2,
      description: 'Start and end of the text in code points; the end is exclusive.',
    }),
    ({ text }) => [0, lengthOf(text)],
  ),
  edit_controls: field(
    object(
      {
        edits_remaining: count,
        is_edit_eligible: flag('Whether a post of this kind can be edited.'),
        editable_until: time('When editing ends.'),
      },
      'Whether and how long it can be edited.',
    ),
    ({ row }) => ({
      edits_remaining: row.edits_remaining,
      is_edit_eligible: isEditable(row),
      editable_until: objectTime(row.editable_until),
    }),
  ),
  entities: batched(TextEntities, async (page, { store }) => {
    const current = await currentEntities(page, store)
    return (source) => shownEntities(source, current(source))
  }),
  geo: field(
    object(
      {
        place_id: Type.Optional(Type.String({ description: 'The place that it names.' })),
        coordinates: Type.Optional(PointGeo),
      },
      'Where it was written.',
    ),
    geoOf,
  ),
  in_reply_to_user_id: field(
    id('The author of the post that it replies to, or the user with whose name it begins.'),
    ({ row }) => row.in_reply_to_user_id ?? undefined,
  ),
  lang: field(
    Type.String({ description: 'Language of the text; `und` if it has no words.' }),
    ({ row }) => row.lang,
  ),
  media_metadata: batched(
    Type.Array(
      component(
        'PostMediaMetadata',
        Type.Object(
          {
            media_key: Type.String({ description: 'The medium.' }),
            alt_text: Type.Optional(Type.String({ description: 'Alternative text.' })),
            title: Type.Optional(Type.String({ description: 'Title of the video.' })),
            description: Type.Optional(Type.String({ description: 'Description of the video.' })),
          },
          closed,
        ),
      ),
      { description: 'Texts of the media that the post shows, if they have any.' },
    ),
    async (page, { store }) => {
      const of = await mediaTexts(page, store)
      return (source) => {
        const texts = of(source)
        return texts.length === 0 ? undefined : texts
      }
    },
  ),
  non_public_metrics: metricFields.non_public_metrics,
  note_post: batched(
    object({ text: Type.String(), entities: Type.Optional(TextEntities) }, 'The full text of a long post.'),
    async (page, { store }) => {
      const long = page.filter(({ isLong }) => isLong)
      const current = await currentEntities(long, store)
      return (source) => {
        if (!source.isLong) return undefined
        // The description has no names in whole texts.
        const { annotations: _, ...named } = current(source)
        const all = textEntities(named)
        return { text: source.row.text, ...(all && { entities: all }) }
      }
    },
  ),
  note_request_suggestions: batched(NoteRequestSuggestion, async (page, { store }) => {
    const of = await suggestionsOf(
      page.map(({ row }) => row.id),
      store,
    )
    return ({ row }) => of(row.id)
  }),
  organic_metrics: metricFields.organic_metrics,
  paid_partnership: field(flag('Labelled as paid promotion.'), ({ row }) => row.paid_partnership === 1),
  possibly_sensitive: field(
    flag('Links or media may be sensitive.'),
    ({ row }) => row.possibly_sensitive === 1,
  ),
  promoted_metrics: metricFields.promoted_metrics,
  public_metrics: metricFields.public_metrics,
  referenced_posts: field(
    Type.Array(
      component(
        'PostReference',
        Type.Object(
          {
            type: choice(['replied_to', 'quoted', 'reposted'], 'How it refers to the post.'),
            id: id('The post.'),
          },
          closed,
        ),
      ),
      { description: 'Posts that it replies to, quotes or reposts.' },
    ),
    (source) => {
      const references = referencesOf(source)
      return references.length === 0 ? undefined : references
    },
  ),
  reply_settings: field(
    storedChoice(
      ['everyone', 'following', 'mentionedUsers', 'subscribers', 'verified'],
      'Who may reply.',
      'ReplySettings',
    ),
    ({ row }) => row.reply_settings,
  ),
  scopes: field(
    object({ followers: Type.Boolean() }, 'Who sees a post of a community, in addition to its members.'),
    ({ row }) => (row.community_id === null ? undefined : { followers: row.share_with_followers === 1 }),
  ),
  suggested_source_links: batched(SourceLinks, async (page, { store }) => {
    const of = await sourceLinksOf(
      page.map(({ row }) => row.id),
      store,
    )
    return ({ row }) => of(row.id)?.map(({ url }) => url)
  }),
  suggested_source_links_with_counts: batched(SourceLinksWithCounts, async (page, { store }) => {
    const of = await sourceLinksOf(
      page.map(({ row }) => row.id),
      store,
    )
    return ({ row }) => of(row.id)?.[0]
  }),
  withheld: field(
    object(
      {
        copyright: flag('Whether for a claim of copyright.'),
        country_codes: Type.Array(Type.String(), { description: 'Countries, ISO 3166-1 alpha-2.' }),
        scope: choice(['post', 'user'], 'Whether the post or its author is withheld.', 'WithheldScope'),
      },
      'Where the post is withheld. Plaza shows it everywhere.',
    ),
    withheldOf,
  ),
  source: batched(
    Type.String({ description: 'Name of the app that it was sent with.' }),
    async (page, { store }) => {
      const ids = JSON.stringify([...new Set(page.map(({ row }) => row.app_id))])
      const names = new Map((await store.all(appNamesByIds, { ids })).map((app) => [app.id, app.name]))
      return ({ row }) => names.get(row.app_id)
    },
  ),
}

/** Where a post is withheld: by itself, or with its author. */
function withheldOf({ row }: PostSource) {
  if (row.withheld !== null) {
    const { copyright = false, country_codes, scope = 'post' } = JSON.parse(row.withheld) as Withheld
    return { copyright, country_codes, scope }
  }
  if (row.author_withheld_in === null) return undefined
  return {
    copyright: false,
    country_codes: JSON.parse(row.author_withheld_in) as string[],
    scope: 'user' as const,
  }
}

/** What is said of the media of posts: alternative texts, and what a post says of its video. */
async function mediaTexts(page: readonly PostSource[], store: View['store']) {
  const shown = page.filter(({ mediaKeys }) => mediaKeys.length > 0)
  const ids = JSON.stringify(shown.map(({ row }) => row.id))
  const media = await mediaByKeys(
    store,
    shown.flatMap(({ mediaKeys }) => mediaKeys),
  )
  const altTexts = new Map(media.flatMap((row) => (row ? [[row.media_key, row.alt_text]] : [])))
  const rows = shown.length === 0 ? [] : await store.all(postVideos, { ids })
  const videos = new Map(rows.map((row) => [row.post_id, row]))
  return ({ row, mediaKeys }: PostSource) => {
    const { title, description } = videos.get(row.id) ?? {}
    return mediaKeys.flatMap((media_key) => {
      const alt_text = altTexts.get(media_key)
      const texts = {
        ...(alt_text && { alt_text }),
        ...(title && { title }),
        ...(description && { description }),
      }
      return Object.keys(texts).length === 0 ? [] : [{ media_key, ...texts }]
    })
  }
}

/** The posts that showed media first. Without media on the page, it reads nothing. */
async function mediaSources(page: readonly PostSource[], store: View['store']) {
  const media = await mediaByKeys(
    store,
    page.flatMap(({ mediaKeys }) => mediaKeys),
  )
  const sources = new Map(
    media.flatMap((row) => (row?.source_post_id ? [[row.media_key, row.source_post_id]] : [])),
  )
  return (keys: readonly string[]) => [...new Set(keys.flatMap((key) => sources.get(key) ?? []))]
}

const mentioned = ({ mentions }: { mentions?: readonly { id: string }[] } = {}) =>
  (mentions ?? []).map((mention) => mention.id)

/** A post, or one version of an edited one (core reference, 00 sections 6.1 and 6.2). */
export const post = objectShape<PostSource>({
  name: 'post',
  plural: 'posts',
  component: 'Post',
  description: 'A post. Fields that were not requested, or are empty, are omitted.',
  fields,
  absent: ['matched_media_notes'],
  defaults: ['id', 'text', 'edit_history_post_ids'],
  required: ['id', 'text', 'edit_history_post_ids'],
  expansions: {
    'article.cover_media': {
      to: 'media',
      field: 'article',
      ids: ({ article }) => (article?.cover ? [article.cover] : []),
    },
    'article.media_entities': { to: 'media', field: 'article', ids: ({ article }) => article?.media ?? [] },
    'attachments.media_keys': { to: 'media', field: 'attachments', ids: ({ mediaKeys }) => mediaKeys },
    'attachments.media_source_post': {
      to: 'post',
      field: 'attachments',
      ids: { member: 'media_source_post_id' },
    },
    'attachments.poll_ids': {
      to: 'poll',
      field: 'attachments',
      ids: ({ row }) => (row.poll_id === null ? [] : [row.poll_id]),
    },
    author_id: { to: 'user', field: 'author_id', ids: 'value' },
    edit_history_post_ids: { to: 'post', field: 'edit_history_post_ids', ids: 'value' },
    'entities.mentions.username': {
      to: 'user',
      field: 'entities',
      ids: (source) => mentioned(shownEntities(source)),
    },
    'entities.note.mentions.username': {
      to: 'user',
      field: 'note_post',
      ids: ({ isLong, entities }) => (isLong ? mentioned(entities) : []),
    },
    'geo.place_id': {
      to: 'place',
      field: 'geo',
      ids: ({ row }) => (row.place_id === null ? [] : [row.place_id]),
    },
    in_reply_to_user_id: { to: 'user', field: 'in_reply_to_user_id', ids: 'value' },
    'referenced_posts.id': {
      to: 'post',
      field: 'referenced_posts',
      ids: (source) => referencesOf(source).map((reference) => reference.id),
    },
    'referenced_posts.id.attachments.media_keys': {
      through: 'referenced_posts.id',
      expansion: 'attachments.media_keys',
    },
    'referenced_posts.id.author_id': { through: 'referenced_posts.id', expansion: 'author_id' },
  },
  absentExpansions: ['username'],
  lookups: {
    id: {
      load: async (ids, { store, userId }) => {
        const rows = await store.all(postsSeenBy, { ids: JSON.stringify(ids), viewer: userId ?? '' })
        return rows.filter(postExists).map(sourceOf)
      },
      keyOf: ({ row }) => row.id,
    },
    // The newest versions, by the first ones.
    first_version: {
      load: async (ids, { store, userId }) => {
        const rows = await store.all(newestVersionsSeenBy, { ids: JSON.stringify(ids), viewer: userId ?? '' })
        return rows.filter(postExists).map(sourceOf)
      },
      keyOf: ({ row }) => row.first_version_id,
    },
  },
  withheld: ({ row }, { userId }) => (isShownTo(row, userId) ? undefined : 'not authorized'),
  served({ row }, { userId, views }) {
    // A view of a repost is one of its original.
    if (userId === undefined || (row.reposted_user_id ?? row.author_id) !== userId) views?.add(row.id)
  },
})
