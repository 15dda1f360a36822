import { type TProperties, Type } from 'typebox'
import type { Reaction, ReactionUndo } from '../../../domain/posts/engagement.ts'
import { lockPost, type SeenPostRow } from '../../../domain/posts/queries.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import type { Scope } from '../../../identity/tokens/scopes.ts'
import { lockAuthor } from '../../../identity/users/queries.ts'
import type { Step } from '../../../platform/http/contract.ts'
import type { LimitText } from '../../../platform/http/limits.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../platform/http/schema.ts'
import { apiError, type Cause } from '../../../platform/protocols/catalogue.ts'
import { type ActionDependencies, actionEndpoint, actionReply, checkOwn } from '../actions.ts'
import { lockSubject, readAnySubject } from '../posts/subject.ts'

/** What an action receives. The caller sees the post: the newest version, and not a repost. */
interface SeenReaction extends Reaction {
  post: SeenPostRow
}

interface ReactionEndpointDeclaration {
  id: string
  /** The last part of the path: `likes`. */
  segment: string
  /** The parameter that names the post. */
  parameter: 'post_id' | 'source_post_id'
  summary: string
  description: string
  scopes: readonly Scope[]
  limits: Readonly<Record<string, LimitText>>
  steps?: readonly Step[]
  /** The members of `data`, and their component. */
  data: { name: string; members: TProperties; example: object }
  errors?: readonly Cause[]
}

interface ReactionDeclaration extends ReactionEndpointDeclaration {
  /** Resolves to the `data` of the reply. */
  change(reaction: SeenReaction, caller: UserCaller, dependencies: ActionDependencies): Promise<object>
}

interface UndoDeclaration extends ReactionEndpointDeclaration {
  /** Resolves to the `data` of the reply. */
  change(undo: ReactionUndo): Promise<object>
}

const USER = '1900000000000000007'
const POST = '1900000000000000001'
const SOURCE = 'Core reference, 00 section 6'

const PostBody = component(
  'PostIdBody',
  Type.Object({ post_id: id('The post.') }, { additionalProperties: false }),
)

/** Declares a POST by which the caller reacts to a post. */
export const reactEndpoint = ({ segment, data, change, parameter: _, ...declared }: ReactionDeclaration) =>
  actionEndpoint({
    ...declared,
    host: 'core',
    method: 'POST',
    path: `/2/users/{id}/${segment}`,
    source: SOURCE,
    auth: ['user'],
    params: { id: id('The user who calls.') },
    body: PostBody,
    reply: actionReply(data.name, data.members),
    example: { params: { id: USER }, body: { post_id: POST }, reply: { data: data.example } },
    async handle({ principal, params, body }, dependencies) {
      checkOwn(principal, 'id', params.id)
      const named = { id: body.post_id, parameter: 'post_id', viewer: principal.userId }
      return react(named, dependencies, (reaction) => change(reaction, principal, dependencies))
    },
  })

/** Declares a DELETE by which the caller removes a reaction. */
export const undoEndpoint = ({ segment, parameter, data, change, ...declared }: UndoDeclaration) =>
  actionEndpoint({
    ...declared,
    host: 'core',
    method: 'DELETE',
    path: `/2/users/{id}/${segment}/{${parameter}}`,
    source: SOURCE,
    auth: ['user'],
    params: { id: id('The user who calls.'), [parameter]: id('The post.') },
    reply: actionReply(data.name, data.members),
    example: { params: { id: USER, [parameter]: POST }, reply: { data: data.example } },
    async handle({ principal, params }, dependencies) {
      const { id: user = '', [parameter]: post = '' } = params as Record<string, string>
      checkOwn(principal, 'id', user)
      return undoReaction({ id: post, parameter, viewer: principal.userId }, dependencies, change)
    },
  })

type ReactionRequest = Parameters<typeof lockSubject>[0] & { viewer: string }

/**
 * A post that the caller does not see is reported in `errors`. A repost stands for its original.
 */
async function react(
  request: ReactionRequest,
  { store, naming }: ActionDependencies,
  change: (reaction: SeenReaction) => Promise<object>,
) {
  const userId = request.viewer
  const result = await store.write(async (tx) => {
    if (!(await tx.first(lockAuthor, { id: userId }))) throw apiError('invalid token', 'the user is gone')
    const found = await lockSubject(request, { store: tx, naming })
    if ('problem' in found) return { errors: [found.problem] }
    return { data: await change({ tx, userId, post: found.post }) }
  })
  return json(result)
}

/**
 * Undoes a reaction of the caller, even if the caller no longer sees the post. Only a post that
 * never existed is reported in `errors`.
 */
async function undoReaction(
  request: ReactionRequest,
  { store, naming }: ActionDependencies,
  change: (undo: ReactionUndo) => Promise<object>,
) {
  const userId = request.viewer
  const result = await store.write(async (tx) => {
    await tx.first(lockAuthor, { id: userId })
    const found = await readAnySubject(request, { store: tx, naming })
    if ('problem' in found) return { errors: [found.problem] }
    const id = found.post.reposted_post_id ?? found.post.id
    await tx.first(lockPost, { id })
    // Read once it is locked, because it may have a new version.
    const original = await readAnySubject({ ...request, id }, { store: tx, naming })
    if ('problem' in original) return { errors: [original.problem] }
    return { data: await change({ tx, userId, post: original.post }) }
  })
  return json(result)
}
