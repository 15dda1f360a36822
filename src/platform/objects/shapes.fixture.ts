import { Type } from 'typebox'
import { fieldsOf, objectShape } from './shape.ts'

// Three kinds of objects that refer to each other, on rows in memory.

interface User {
  id: string
  name: string
  pinned?: string
  suspended?: boolean
  email?: string
}
interface Post {
  id: string
  author: string
  text: string
  quoted?: string
  replied?: string
  media?: string[]
  hidden?: boolean
}
interface Medium {
  key: string
  owner: string
}

const USERS: User[] = [
  { id: '1', name: 'ann', pinned: '13', email: 'ann@example.com' },
  { id: '2', name: 'bob', email: 'bob@example.com' },
  { id: '3', name: 'cat', suspended: true },
]
const POSTS: Post[] = [
  { id: '11', author: '1', text: 'one', media: ['3_1', '3_2'] },
  { id: '12', author: '2', text: 'two', quoted: '11', replied: '15' },
  { id: '13', author: '1', text: 'three', quoted: '14', replied: '14' },
  { id: '14', author: '2', text: 'hidden', hidden: true },
  { id: '15', author: '404', text: 'orphan', quoted: '12' },
  { id: '16', author: '3', text: 'of cat', quoted: '404' },
]
const MEDIA: Medium[] = [{ key: '3_1', owner: '2' }]

/** Each reading: its kind, and what was read. */
export const reads: string[] = []
const found = <Row>(kind: string, rows: readonly Row[], keyOf: (row: Row) => string) => ({
  keyOf,
  load: async (keys: readonly string[]) => {
    reads.push(`${kind} ${keys.join(' ')}`)
    return rows.filter((row) => keys.includes(keyOf(row)))
  },
})

const ofUser = fieldsOf<User>()
export const user = objectShape<User>({
  ...{ name: 'user', plural: 'users', component: 'TestUser', description: 'A user.' },
  fields: {
    id: ofUser.field(Type.String(), (row) => row.id),
    name: ofUser.field(Type.String(), (row) => row.name),
    pinned_post_id: ofUser.field(Type.String(), (row) => row.pinned),
    private_metrics: ofUser.restricted(
      Type.Object({ email: Type.Optional(Type.String()), logins: Type.Integer() }),
      ({ id }, { userId }) => id === userId,
      async () =>
        ({ email }) => ({ ...(email !== undefined && { email }), logins: 7 }),
    ),
  },
  defaults: ['id', 'name'],
  required: ['id'],
  expansions: { pinned_post_id: { to: 'post', field: 'pinned_post_id', ids: 'value' } },
  lookups: {
    id: found('user', USERS, ({ id }) => id),
    name: { ...found('user by name', USERS, ({ name }) => name), normalised: (key) => key.toLowerCase() },
  },
  withheld: (row) => (row.suspended ? 'suspended' : undefined),
})

const ofPost = fieldsOf<Post>()
export const post = objectShape<Post>({
  ...{ name: 'post', plural: 'posts', component: 'TestPost', description: 'A post.' },
  fields: {
    id: ofPost.field(Type.String(), (row) => row.id),
    text: ofPost.field(Type.String(), (row) => row.text),
    author_id: ofPost.field(Type.String(), (row) => row.author),
    attachments: ofPost.field(Type.Object({ media_keys: Type.Array(Type.String()) }), ({ media }) =>
      media ? { media_keys: media } : undefined,
    ),
    quoted_id: ofPost.field(Type.String(), (row) => row.quoted),
    replied_id: ofPost.field(Type.String(), (row) => row.replied),
    metrics: ofPost.batched(Type.Integer(), async (page) => {
      reads.push(`metrics of ${page.map(({ id }) => id).join(' ')}`)
      return ({ id }) => Number(id) * 10
    }),
  },
  absent: ['geo'],
  defaults: ['id', 'text'],
  required: ['id', 'text'],
  expansions: {
    author_id: { to: 'user', field: 'author_id', ids: 'value' },
    'attachments.media_keys': { to: 'media', field: 'attachments', ids: { member: 'media_keys' } },
    quoted_id: { to: 'post', field: 'quoted_id', ids: ({ quoted }) => (quoted ? [quoted] : []) },
    replied_id: { to: 'post', field: 'replied_id', ids: 'value' },
    'quoted_id.author_id': { through: 'quoted_id', expansion: 'author_id' },
  },
  absentExpansions: ['geo.place_id'],
  absentObjects: { place: ['id', 'name'] },
  lookups: { id: found('post', POSTS, ({ id }) => id) },
  withheld: (row) => (row.hidden ? 'not authorized' : undefined),
})

const ofMedium = fieldsOf<Medium>()
export const media = objectShape<Medium>({
  ...{ name: 'media', plural: 'media', component: 'TestMedia', description: 'A medium.' },
  fields: { media_key: ofMedium.field(Type.String(), (row) => row.key) },
  ...{ defaults: ['media_key'], required: ['media_key'] },
  lookups: { id: found('media', MEDIA, ({ key }) => key) },
})
