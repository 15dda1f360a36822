import { type TProperties, Type } from 'typebox'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { type LockedPair, lockPair } from '../../../identity/relations/relations.ts'
import type { Scope } from '../../../identity/tokens/scopes.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../platform/http/schema.ts'
import type { Cause } from '../../../platform/protocols/catalogue.ts'
import { notFoundProblem, suspendedProblem } from '../../../platform/protocols/problem/resource.ts'
import { type ActionDependencies, actionEndpoint, actionReply, checkOwn } from '../actions.ts'
import { namedUser } from './subject.ts'

interface RelationDeclaration {
  id: string
  /** The last part of the path: `following`. */
  segment: string
  summary: string
  description: string
  scopes: readonly Scope[]
  /** The members of `data`, and their component. */
  data: { name: string; members: TProperties; example: object }
  errors?: readonly Cause[]
  /**
   * Changes the relation of the caller, the source, to the target. Resolves to the `data` of the
   * reply.
   */
  change(pair: LockedPair): Promise<object>
}

const USER = '1900000000000000007'
const OTHER = '1900000000000000008'
const SOURCE = 'Core reference, 00 section 6'
const LIMITS = { user: '50/15m' } as const

const TargetBody = component(
  'TargetUserBody',
  Type.Object({ target_user_id: id('The other user.') }, { additionalProperties: false }),
)

/** Declares a POST that begins a relation of the caller to another user. */
export const beginEndpoint = ({ segment, data, change, ...declared }: RelationDeclaration) =>
  actionEndpoint({
    ...declared,
    host: 'core',
    method: 'POST',
    path: `/2/users/{id}/${segment}`,
    source: SOURCE,
    auth: ['user'],
    limits: LIMITS,
    params: { id: id('The user who calls.') },
    body: TargetBody,
    reply: actionReply(data.name, data.members),
    example: { params: { id: USER }, body: { target_user_id: OTHER }, reply: { data: data.example } },
    handle({ principal, params, body }, dependencies) {
      checkOwn(principal, 'id', params.id)
      const named = { place: 'body', target: body.target_user_id } as const
      return relate(principal, named, change, dependencies)
    },
  })

/** Declares a DELETE that ends a relation of the caller to another user. */
export const endEndpoint = ({ segment, data, change, ...declared }: RelationDeclaration) =>
  actionEndpoint({
    ...declared,
    host: 'core',
    method: 'DELETE',
    path: `/2/users/{source_user_id}/${segment}/{target_user_id}`,
    source: SOURCE,
    auth: ['user'],
    limits: LIMITS,
    params: { source_user_id: id('The user who calls.'), target_user_id: id('The other user.') },
    reply: actionReply(data.name, data.members),
    example: {
      params: { source_user_id: USER, target_user_id: OTHER },
      reply: { data: data.example },
    },
    handle({ principal, params }, dependencies) {
      checkOwn(principal, 'source_user_id', params.source_user_id)
      const named = { place: 'path', target: params.target_user_id, isUndo: true } as const
      return relate(principal, named, change, dependencies)
    },
  })

interface RelationRequest {
  place: 'body' | 'path'
  /** The parameter that names the target; `target_user_id` by default. */
  name?: string
  target: string
  /** Ends a relation of the caller, even if the target was suspended. */
  isUndo?: true
}

/**
 * A target who does not exist, or is suspended and the relation would begin, is reported in
 * `errors`.
 */
export async function relate(
  { userId }: UserCaller,
  { place, name = 'target_user_id', target, isUndo }: RelationRequest,
  change: RelationDeclaration['change'],
  { store, naming }: ActionDependencies,
) {
  if (target === userId) {
    const explanation = msg`You cannot do this to yourself.`
    throw invalid({ place, name, value: target, fault: { kind: 'rule', explanation } })
  }
  const named = namedUser(name, target)
  const result = await store.write(async (tx) => {
    const pair = await lockPair(tx, { source: userId, target })
    if (!pair) return { errors: [notFoundProblem(named, naming)] }
    if (pair.targetUser.suspended === 1 && !isUndo) return { errors: [suspendedProblem(named, naming)] }
    return { data: await change(pair) }
  })
  return json(result)
}
