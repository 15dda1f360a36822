import { profilesByIds } from '../../../identity/users/queries.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { type Message, msg } from '../../../platform/http/message.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { requireRecipients } from '../dm-conversations/endpoint.ts'

/** The error of a form parameter that names something invalid. */
export const wrongIn = (name: string) => (value: string, explanation: Message) =>
  invalid({ place: 'form', name, value, fault: { kind: 'rule', explanation } })

/**
 * Rejects a user to whom the caller cannot send messages. Unlike `/2/`, these paths have codes for
 * a user who does not exist (50) and for one who is suspended (63).
 */
export async function requireOtherUser(
  tx: Transaction,
  caller: string,
  id: string,
  name: string,
): Promise<void> {
  const [other] = await tx.all(profilesByIds, { ids: JSON.stringify([id]) })
  if (!other) throw apiError('user unknown', `there is no user ${id}`)
  if (other.suspended === 1) throw apiError('other user suspended', `user ${id} is suspended`)
  const wrong = wrongIn(name)
  await requireRecipients(tx, caller, {
    ids: [id],
    wrong: (value) => wrong(value, msg`You cannot message yourself.`),
  })
}
