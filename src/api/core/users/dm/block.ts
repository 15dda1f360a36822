import { Type } from 'typebox'
import { blockMessages, type LockedPair, unblockMessages } from '../../../../identity/relations/relations.ts'
import { id } from '../../../../platform/http/schema.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { actionEndpoint, actionReply } from '../../actions.ts'
import { relate } from '../relation.ts'
import { USER } from '../subject.ts'

/** Declares a POST that changes whether two users may send each other messages. */
const dmEndpoint = <const Id extends string>(declared: {
  id: Id
  segment: 'block' | 'unblock'
  summary: string
  description: string
  change(pair: LockedPair): Promise<void>
}) => {
  const { segment, change, ...rest } = declared
  const blocked = segment === 'block'
  return actionEndpoint({
    ...rest,
    host: 'core',
    method: 'POST',
    path: `/2/users/{id}/dm/${segment}`,
    source: 'Core reference, 06 section 8',
    auth: ['user'],
    scopes: ['dm.write', 'post.read', 'users.read'],
    steps: [countForDay],
    limits: { user: '10/15m', 'user-24hour': '400/24h', 'app-24hour': '1000/24h' },
    params: { id: id('The other user.') },
    reply: actionReply(blocked ? 'BlockedMessages' : 'UnblockedMessages', { blocked: Type.Boolean() }),
    example: { params: { id: USER.id }, reply: { data: { blocked } } },
    handle: ({ principal, params }, dependencies) =>
      relate(
        principal,
        { place: 'path', name: 'id', target: params.id, ...(!blocked && { isUndo: true }) },
        async (pair) => {
          await change(pair)
          return { blocked }
        },
        dependencies,
      ),
  })
}

/** POST /2/users/{id}/dm/block: `{id}` is the other user. */
export const blockDirectMessages = dmEndpoint({
  id: 'blockDirectMessages',
  segment: 'block',
  summary: 'Block direct messages',
  description:
    'Stops direct messages between the user who calls and another user, in both directions. Conversations stay readable. Repeating the call changes nothing.',
  change: blockMessages,
})

/** POST /2/users/{id}/dm/unblock. */
export const unblockDirectMessages = dmEndpoint({
  id: 'unblockDirectMessages',
  segment: 'unblock',
  summary: 'Unblock direct messages',
  description: 'Ends the block of direct messages. Repeating the call changes nothing.',
  change: unblockMessages,
})
