import { compose } from '../../platform/objects/compose.ts'
import type { ObjectGraph } from '../../platform/objects/graph.ts'
import type { ObjectMembers, ObjectShape, View } from '../../platform/objects/shape.ts'
import type { Naming } from '../../platform/protocols/protocols.ts'
import type { Store } from '../../platform/storage/store.ts'

/** Fields of posts that activities show (core reference, 02 section 6.4). */
const POST_FIELDS = [
  'attachments',
  'author_id',
  'conversation_id',
  'created_at',
  'display_text_range',
  'edit_controls',
  'entities',
  'in_reply_to_user_id',
  'lang',
  'note_post',
  'paid_partnership',
  'possibly_sensitive',
  'public_metrics',
  'referenced_posts',
  'reply_settings',
]
/** Fields of users that do not depend on the caller. */
const HIDDEN_USER_FIELDS: readonly string[] = ['connection_status', 'receives_your_dm', 'confirmed_email']
const EXPANSIONS = [
  'author_id',
  'in_reply_to_user_id',
  'entities.mentions.username',
  'entities.note.mentions.username',
  'referenced_posts.id',
  'referenced_posts.id.author_id',
]

export interface ReaderParts {
  readonly store: Pick<Store, 'all'>
  readonly graph: ObjectGraph
  readonly naming: Naming
  readonly mediaOrigin: string
}

/** A post with the objects that it refers to, as everyone sees it. */
export interface ShownPost {
  readonly post: ObjectMembers
  readonly posts: readonly ObjectMembers[]
  readonly users: readonly ObjectMembers[]
}

/** Reads objects for activities as everyone sees them, many at once. */
export class ActivityReader {
  readonly store: Pick<Store, 'all'>
  readonly mediaOrigin: string
  readonly #parts: ReaderParts
  readonly #view: View

  constructor(parts: ReaderParts, now: number) {
    this.store = parts.store
    this.mediaOrigin = parts.mediaOrigin
    this.#parts = parts
    this.#view = { userId: undefined, now, store: parts.store, mediaOrigin: parts.mediaOrigin }
  }

  /** Posts by id; protected, deleted and withheld posts are missing. */
  async posts(ids: readonly string[]): Promise<(id: string) => ShownPost | undefined> {
    const { graph } = this.#parts
    const selection = graph.select('post', {
      'post.fields': POST_FIELDS,
      'user.fields': this.#userFields(),
      expansions: EXPANSIONS,
    })
    const keys = [...new Set(ids)]
    const loaded = await graph.shape('post').load(keys, this.#view)
    const composed = await compose({ loaded, keys }, { ...this.#parts, selection, view: this.#view })
    const posts = byId(composed.data)
    const referenced = byId(composed.includes?.posts)
    const users = byId(composed.includes?.users)
    return (id) => {
      const post = posts.get(id)
      return post && withReferences(post, { referenced, users })
    }
  }

  /** Users by id, with all public fields. */
  users(ids: readonly string[]): Promise<(id: string) => ObjectMembers | undefined> {
    return this.objects(this.#parts.graph.shape('user'), ids, this.#userFields())
  }

  /** Objects of a kind by id; those that are not public are missing. */
  async objects(
    shape: ObjectShape,
    ids: readonly string[],
    fields: readonly string[],
  ): Promise<(id: string) => ObjectMembers | undefined> {
    const keys = [...new Set(ids)]
    const loaded = await shape.load(keys, this.#view)
    const visible = keys.filter((id) => loaded.has(id) && loaded.withheld(id) === undefined)
    const { objects } = await loaded.show(visible, fields)
    return (id) => objects.get(id)
  }

  #userFields(): string[] {
    return this.#parts.graph.shape('user').fieldNames.filter((name) => !HIDDEN_USER_FIELDS.includes(name))
  }
}

const byId = (all: readonly ObjectMembers[] = []) =>
  new Map(all.map((one): [string, ObjectMembers] => [String(one.id), one]))

/** The references of one post, selected from those of many posts. */
function withReferences(
  post: ObjectMembers,
  { referenced, users }: Record<'referenced' | 'users', ReadonlyMap<string, ObjectMembers>>,
): ShownPost {
  const references = (post.referenced_posts ?? []) as readonly { type: string; id: string }[]
  const replied = references.find(({ type }) => type === 'replied_to')
  const found = (objects: ReadonlyMap<string, ObjectMembers>, ids: readonly unknown[]): ObjectMembers[] =>
    [...new Set(ids)].map((id) => objects.get(String(id))).filter((one) => one !== undefined)
  const posts = found(
    referenced,
    references.map(({ id }) => id),
  )
  const { entities } = (post.note_post ?? post) as { entities?: { mentions?: readonly { id?: string }[] } }
  const mentioned = (entities?.mentions ?? []).map(({ id }) => id)
  const userIds = [post.author_id, post.in_reply_to_user_id, ...mentioned]
  const all = [...userIds, ...posts.map(({ author_id }) => author_id)]
  return {
    post: { ...post, ...(replied && { in_reply_to_post_id: replied.id }) },
    posts,
    users: found(users, all),
  }
}
