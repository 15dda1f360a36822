import { Type } from 'typebox'
import { MAX_MEMBERS } from '../../../domain/chat/ids.ts'
import { msg } from '../../../platform/http/message.ts'
import { id, text } from '../../../platform/http/schema.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { wrong } from '../posts/wrong.ts'
import { actionSignatures, keyRotation, participantKeys, shortened, ttl, version } from './body.ts'
import { closedTo } from './endpoint.ts'

const MAX_TEXT_LENGTH = 10_000

const encrypted = (description: string) => Type.Optional(text(0, MAX_TEXT_LENGTH, description))
const users = (description: string) => Type.Array(id('A user.'), { maxItems: MAX_MEMBERS + 1, description })

/** A new group. */
export const GroupBody = Type.Object({
  conversation_id: Type.String({ pattern: '^g[0-9]{1,19}$', description: 'The id that the user was given.' }),
  group_members: users('Its members, with or without the user.'),
  group_admins: Type.Optional(users('Members who may add others; by default, the user.')),
  group_name: encrypted('Encrypted name.'),
  group_description: encrypted('Encrypted description.'),
  group_avatar_url: encrypted('Encrypted address of the picture.'),
  ttl_msec: ttl,
  conversation_key_version: version('Version of the first key.'),
  conversation_participant_keys: participantKeys,
  action_signatures: Type.Optional(actionSignatures),
  base64_encoded_key_rotation: keyRotation,
})

/** New members. */
export const MembersBody = Type.Object({
  user_ids: Type.Array(id('A user.'), {
    minItems: 1,
    maxItems: MAX_MEMBERS,
    uniqueItems: true,
    description: 'Who joins.',
  }),
  conversation_key_version: Type.Optional(version('Version of the new key. It is required.')),
  conversation_participant_keys: Type.Optional(participantKeys),
  action_signatures: Type.Optional(actionSignatures),
  encrypted_title: encrypted('The name, encrypted with the new key.'),
  encrypted_avatar_url: encrypted('The address of the picture, likewise.'),
})

interface Joining {
  name: string
  ids: readonly string[]
  /** Members there would be. */
  total: number
}

/** Rejects users whom the caller cannot add to a group. */
export async function requireAddable(
  tx: Pick<Transaction, 'all'>,
  caller: string,
  { name, ids, total }: Joining,
): Promise<void> {
  if (total > MAX_MEMBERS)
    throw wrong(
      name,
      shortened(ids.join(',')),
      msg`Too many members: adding these members would exceed the allowed group size.`,
    )
  const closed = await closedTo(tx, caller, ids)
  if (closed.length > 0)
    throw wrong(
      name,
      shortened(closed.join(',')),
      msg`Cannot add all members: one or more of the requested members cannot be added to this conversation.`,
    )
}
