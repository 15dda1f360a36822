import { Type } from 'typebox'
import { postsSeenBy } from '../../../domain/posts/queries.ts'
import { deleteVersions } from '../../../domain/posts/remove.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { lockAuthor } from '../../../identity/users/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { notFoundProblem, ResourceProblem } from '../../../platform/protocols/problem/resource.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { Deleted } from '../deleted.ts'
import { endpoint } from './endpoint.ts'

const closed = { additionalProperties: false }

/** DELETE /2/posts/{id}: a post with all its versions (core reference, 04 section 1.3). */
export const deletePost = endpoint({
  id: 'deletePost',
  host: 'core',
  method: 'DELETE',
  path: '/2/posts/{id}',
  summary: 'Delete a post',
  description:
    'Deletes a post of the user with all its versions. The id can be that of any version. A post that does not exist is reported in `errors` with status 200.',
  source: 'Other core endpoints named in release notes',
  auth: ['user'],
  scopes: ['post.read', 'post.write', 'users.read'],
  limits: { user: '50/15m' },
  params: { id: id('The post, or one of its versions.') },
  reply: Type.Object(
    {
      data: Type.Optional(Deleted),
      errors: Type.Optional(Type.Array(ResourceProblem, { minItems: 1 })),
    },
    closed,
  ),
  errors: ['post of another user'],
  example: { params: { id: '1900000000000000001' }, reply: { data: { deleted: true } } },
  async handle({ principal, params }, { store, naming }) {
    if (await store.write((tx) => remove(tx, params.id, principal))) return json({ data: { deleted: true } })
    const post = { type: 'post', noun: 'Post', value: params.id, parameter: 'id' } as const
    return json({ errors: [notFoundProblem(post, naming)] })
  },
})

/** Resolves to false when the post does not exist. */
async function remove(tx: Transaction, postId: string, { userId }: UserCaller): Promise<boolean> {
  await tx.first(lockAuthor, { id: userId })
  const row = await tx.first(postsSeenBy, { ids: JSON.stringify([postId]), viewer: userId })
  if (!row || row.deleted === 1) return false
  if (row.author_id !== userId) throw apiError('post of another user')
  await deleteVersions(tx, row)
  return true
}
