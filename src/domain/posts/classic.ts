import { type Static, Type } from 'typebox'
import type { AppRow } from '../../identity/apps/tables.ts'
import { ClassicUser, classicUser } from '../../identity/users/classic-user.ts'
import { profilesByIds } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import { html } from '../../platform/common/html.ts'
import { classicTime } from '../../platform/common/time.ts'
import { component, id, longNumber, nullable } from '../../platform/http/schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import { ClassicLink, classicLink, Indices } from '../../platform/text/classic-links.ts'
import { type Entities, lengthOf } from '../../platform/text/entities.ts'
import { ClassicMedium, classicMedia, mediaOfPosts } from './classic-media.ts'
import { pointOf } from './place-object.ts'
import { appNamesByIds } from './queries.ts'
import type { PostRow } from './tables.ts'
import { shortened } from './weight.ts'

// Posts and users in the classic form, which is older than `/2/`: ids as numbers and as text, times
// like `Wed Jan 20 22:00:00 +0000 2017`, nulls included. The advertising API uses it (reference:
// creatives, posts).

const closed = { additionalProperties: false }
const ClassicTag = component('PostTag', Type.Object({ text: Type.String(), indices: Indices }, closed))

export const ClassicEntities = component(
  'PostEntities',
  Type.Object(
    {
      hashtags: Type.Array(ClassicTag),
      symbols: Type.Array(ClassicTag),
      user_mentions: Type.Array(
        Type.Object(
          {
            screen_name: Type.String(),
            name: Type.String(),
            id: longNumber('The user.'),
            id_str: id('The user.'),
            indices: Indices,
          },
          closed,
        ),
      ),
      urls: Type.Array(ClassicLink),
      media: Type.Optional(Type.Array(ClassicMedium, { description: 'The first medium of the post.' })),
    },
    closed,
  ),
)

const classicPoint = (description: string) =>
  component(
    'ClassicPoint',
    Type.Object(
      { type: Type.Literal('Point'), coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }) },
      { ...closed, description },
    ),
  )

const nothing = nullable(Type.Object({}, closed))

/** The members of a post: `text` in mode `compat`, `full_text` and its range in mode `extended`. */
export const classicPostMembers = {
  created_at: Type.String({ description: 'When it was created, like `Wed Jan 20 22:00:00 +0000 2017`.' }),
  id: longNumber('The post.'),
  id_str: id('The id of the post as a string, for clients without 64-bit integers.'),
  text: Type.Optional(
    Type.String({ description: 'With `compat`: the text, truncated after 140 characters.' }),
  ),
  full_text: Type.Optional(Type.String({ description: 'With `extended`: the full text.' })),
  display_text_range: Type.Optional(Indices),
  truncated: Type.Boolean({ description: 'Whether `text` was truncated.' }),
  entities: ClassicEntities,
  extended_entities: Type.Optional(
    component(
      'ExtendedEntities',
      Type.Object({ media: Type.Array(ClassicMedium) }, { ...closed, description: 'All media of the post.' }),
    ),
  ),
  source: Type.String({ description: 'HTML link to the app that created the post.' }),
  in_reply_to_status_id: nullable(longNumber('Post that it replies to.')),
  in_reply_to_status_id_str: nullable(id('Post that it replies to.')),
  in_reply_to_user_id: nullable(
    longNumber('Author of the post that it replies to, or the user with whose name it begins.'),
  ),
  in_reply_to_user_id_str: nullable(
    id('Author of the post that it replies to, or the user with whose name it begins.'),
  ),
  in_reply_to_screen_name: nullable(Type.String()),
  user: ClassicUser,
  geo: nullable(classicPoint('Where exactly it was written: latitude, then longitude.')),
  coordinates: nullable(classicPoint('Where exactly it was written: longitude, then latitude.')),
  place: nothing,
  contributors: nullable(Type.Array(longNumber('Users who wrote the post on behalf of its author.'))),
  repost_count: Type.Integer({ minimum: 0 }),
  favorite_count: Type.Integer({ minimum: 0 }),
  favorited: Type.Boolean(),
  reposted: Type.Boolean(),
  scopes: component('PostScopes', Type.Object({ followers: Type.Boolean() }, closed)),
  lang: Type.String({ description: 'Language, detected from the text; `und` if it has no words.' }),
  card_uri: Type.Optional(Type.String({ description: 'The card that it shows.' })),
}

export const ClassicPost = Type.Object(classicPostMembers, closed)
export type ClassicPost = Static<typeof ClassicPost>

/** The form in which a post is shown. */
export interface ClassicForm {
  mode: 'compat' | 'extended'
  trimUser: boolean
}

const COMPAT_WEIGHT = 140

/**
 * Posts in classic form, in the same order. Reads their users, apps and media with one query each.
 */
export async function classicPosts(
  rows: readonly PostRow[],
  form: ClassicForm,
  { store, mediaOrigin }: { readonly store: Pick<Store, 'all'>; readonly mediaOrigin: string },
): Promise<ClassicPost[]> {
  const posts = rows.map((row) => ({ row, entities: JSON.parse(row.entities) as Entities }))
  const userIds = posts.flatMap(({ row, entities }) => [
    ...(form.trimUser ? [] : [row.author_id]),
    ...(row.in_reply_to_user_id === null ? [] : [row.in_reply_to_user_id]),
    ...entities.mentions.map((mention) => mention.id),
  ])
  const users = userIds.length === 0 ? [] : await store.all(profilesByIds, { ids: listOf(userIds) })
  const apps =
    rows.length === 0 ? [] : await store.all(appNamesByIds, { ids: listOf(rows.map((row) => row.app_id)) })
  const references: ClassicReferences = {
    users: new Map(users.map((user) => [user.id, user])),
    apps: new Map(apps.map((app) => [app.id, app])),
    media: classicMedia(await mediaOfPosts(rows, store), mediaOrigin),
    mediaOrigin,
  }
  return posts.map((post) => classicPost(post, form, references))
}

const listOf = (ids: readonly string[]) => JSON.stringify([...new Set(ids)])

interface ClassicReferences {
  users: ReadonlyMap<string, ProfileRow>
  apps: ReadonlyMap<string, Pick<AppRow, 'name' | 'website'>>
  media(row: PostRow, end: number): ClassicMedium[]
  readonly mediaOrigin: string
}

function classicPost(
  { row, entities }: { row: PostRow; entities: Entities },
  { mode, trimUser }: ClassicForm,
  references: ClassicReferences,
): ClassicPost {
  const shown = mode === 'extended' ? row.text : shortened(row.text, COMPAT_WEIGHT, entities.urls)
  const length = lengthOf(shown)
  const truncated = shown !== row.text
  const media = references.media(row, length)
  const repliedTo = references.users.get(row.in_reply_to_user_id ?? '')
  const point = pointOf(row)
  return {
    created_at: classicTime(row.created_at),
    id: row.id,
    id_str: row.id,
    ...(mode === 'extended' ? { full_text: shown, display_text_range: [0, length] } : { text: shown }),
    truncated,
    // The last character of a truncated text is the ellipsis.
    entities: {
      ...classicEntities(entities, truncated ? length - 1 : length, references.users),
      ...(media.length > 0 && { media: media.slice(0, 1) }),
    },
    ...(media.length > 0 && { extended_entities: { media } }),
    source: sourceOf(references.apps.get(row.app_id)),
    in_reply_to_status_id: row.in_reply_to_post_id,
    in_reply_to_status_id_str: row.in_reply_to_post_id,
    in_reply_to_user_id: row.in_reply_to_user_id,
    in_reply_to_user_id_str: row.in_reply_to_user_id,
    in_reply_to_screen_name: repliedTo?.screen_name ?? null,
    user: classicUser(row.author_id, trimUser ? undefined : references.users.get(row.author_id), references),
    geo: point ? { type: 'Point', coordinates: [point[1], point[0]] } : null,
    coordinates: point ? { type: 'Point', coordinates: [...point] } : null,
    place: null,
    contributors: row.contributor_id === null ? null : [row.contributor_id],
    repost_count: row.repost_count,
    favorite_count: row.like_count,
    favorited: false,
    reposted: false,
    scopes: { followers: false },
    lang: row.lang,
    ...(row.card_uri !== null && { card_uri: row.card_uri }),
  }
}

const sourceOf = (app: Pick<AppRow, 'name' | 'website'> | undefined) =>
  app ? html`<a href="${app.website}" rel="nofollow">${app.name}</a>`.text : ''

/** The entities before `end`. */
export function classicEntities(
  { hashtags, cashtags, mentions, urls }: Entities,
  end: number,
  users: ReadonlyMap<string, Pick<ProfileRow, 'name' | 'screen_name'>>,
) {
  const withIndices = <Entity extends { start: number; end: number }>(all: readonly Entity[]) =>
    all
      .filter((entity) => entity.end <= end)
      .map((entity) => ({ ...entity, indices: [entity.start, entity.end] }))
  return {
    hashtags: withIndices(hashtags).map(({ tag, indices }) => ({ text: tag, indices })),
    symbols: withIndices(cashtags).map(({ tag, indices }) => ({ text: tag, indices })),
    user_mentions: withIndices(mentions).map(({ id: userId, username, indices }) => ({
      screen_name: users.get(userId)?.screen_name ?? username,
      name: users.get(userId)?.name ?? username,
      id: userId,
      id_str: userId,
      indices,
    })),
    urls: withIndices(urls).map(classicLink),
  }
}
