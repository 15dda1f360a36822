import { openPair, sendMessage } from '../../../domain/direct-messages/send.ts'
import type { DmEventRow } from '../../../domain/direct-messages/tables.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { invalid } from '../../../platform/http/errors.ts'
import type { ActionDependencies } from '../actions.ts'
import { actorOf } from './endpoint.ts'
import type { MessageBody } from './message.ts'
import { readMessage } from './message.ts'
import { requireGroup, requireRecipients } from './rights.ts'

/** Sends a message to one other user. `name` is the path parameter that named this user. */
export const sendToUser = (
  body: MessageBody,
  { caller, other, name }: { caller: UserCaller; other: string; name: string },
  dependencies: ActionDependencies,
): Promise<DmEventRow> =>
  dependencies.store.write(async (tx) => {
    await requireRecipients(tx, caller.userId, {
      ids: [other],
      wrong: (value, explanation) =>
        invalid({ place: 'path', name, value, fault: { kind: 'rule', explanation } }),
    })
    const actor = actorOf(caller)
    const conversation = await openPair(tx, actor, other)
    const message = await readMessage(tx, body, caller)
    return sendMessage(tx, { conversation, actor, message }, dependencies)
  })

/** Sends a message to one of the caller's groups. */
export const sendToGroup = (
  body: MessageBody,
  { caller, group }: { caller: UserCaller; group: string },
  dependencies: ActionDependencies,
): Promise<DmEventRow> =>
  dependencies.store.write(async (tx) => {
    await requireGroup(tx, group, caller.userId)
    const message = await readMessage(tx, body, caller)
    return sendMessage(tx, { conversation: group, actor: actorOf(caller), message }, dependencies)
  })
