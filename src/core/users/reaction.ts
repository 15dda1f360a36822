import type { TProperties } from 'typebox'
import { Type } from 'typebox'
import type { UserCaller } from '../../auth/principal.ts'
import type { Step } from '../../http/contract.ts'
import type { LimitText } from '../../http/limits.ts'
import { json } from '../../http/reply-kinds.ts'
import { component, id } from '../../http/schema.ts'
import type { Scope } from '../../identity/scopes.ts'
import type { SeenPostRow } from '../../posts/queries.ts'
import type { Reaction } from '../../posts/engagement.ts'
import type { Cause } from '../../protocols/catalogue.ts'
import type { Transaction } from '../../storage/store.ts'
import { lockAuthor } from '../../users/queries.ts'
import type { ActionDependencies } from '../actions.ts'
import { actionEndpoint, actionReply, checkOwn } from '../actions.ts'
import { readSubject } from '../posts/subject.ts'

/** What an action receives. The caller sees the post, which is not a repost. */
interface Seen extends Reaction {
  post: SeenPostRow
}

interface Declared {
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
  /** Resolves to the `data` of the reply. */
  change(reaction: Seen, caller: UserCaller, dependencies: ActionDependencies): Promise<object>
}

const USER = '1900000000000000007'
const POST = '1900000000000000001'
const SOURCE = 'Core reference, 00 section 6'

const PostBody = component(
  'PostIdBody',
  Type.Object({ post_id: id('The post.') }, { additionalProperties: false }),
)

/** Declares a POST by which the caller reacts to a post. */
export const reactEndpoint = ({ segment, data, change, parameter: _, ...declared }: Declared) =>
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
export const takeBackEndpoint = ({ segment, parameter, data, change, ...declared }: Declared) =>
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
      const named = { id: post, parameter, viewer: principal.userId }
      return react(named, dependencies, (reaction) => change(reaction, principal, dependencies))
    },
  })

type Named = Parameters<typeof readSubject>[0] & { viewer: string }

/** A post that the caller does not see is reported in `errors`. A repost stands for its original. */
async function react(
  named: Named,
  { store, naming }: ActionDependencies,
  change: (reaction: Seen) => Promise<object>,
) {
  const userId = named.viewer
  const result = await store.write(async (tx) => {
    await tx.first(lockAuthor, { id: userId })
    const found = await readOriginal(named, tx, naming)
    if ('problem' in found) return { errors: [found.problem] }
    return { data: await change({ tx, userId, post: found.post }) }
  })
  return json(result)
}

async function readOriginal(named: Named, tx: Transaction, naming: ActionDependencies['naming']) {
  const found = await readSubject(named, { store: tx, naming })
  if ('problem' in found || found.post.reposted_post_id === null) return found
  return readSubject({ ...named, id: found.post.reposted_post_id }, { store: tx, naming })
}
