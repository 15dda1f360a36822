import { type Static, Type } from 'typebox'
import { messageOfMedium } from '../../../domain/direct-messages/queries.ts'
import { type NewMessage, openPair, sendMessage } from '../../../domain/direct-messages/send.ts'
import type { DmEventRow } from '../../../domain/direct-messages/tables.ts'
import { canShow, isMadeFor } from '../../../domain/media/media.ts'
import { lockMediaMany, mediaByIds } from '../../../domain/media/queries.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { accountOfUser } from '../../../domain/media/uses.ts'
import { normalised, textFault } from '../../../domain/posts/weight.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { component, id, text } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { lengthOf } from '../../../platform/text/entities.ts'
import type { ActionDependencies } from '../actions.ts'
import { wrong } from '../posts/wrong.ts'
import { actorOf, requireGroup, requireRecipients } from './endpoint.ts'

/** Maximum number of characters of a message. */
const MAX_LENGTH = 10_000

const closed = { additionalProperties: false }

/** A message as it is sent. */
export const MessageBody = component(
  'DirectMessageBody',
  Type.Object(
    {
      text: Type.Optional(text(1, MAX_LENGTH, 'Up to 10,000 characters.')),
      attachments: Type.Optional(
        Type.Array(
          Type.Object({ media_id: id('A medium that the user uploaded, not for a post.') }, closed),
          {
            minItems: 1,
            maxItems: 1,
            description: 'One media file, not used in another message.',
          },
        ),
      ),
    },
    closed,
  ),
  'Text, a media file, or both.',
)
export type MessageBody = Static<typeof MessageBody>

/** The message in a body. Throws its errors; `prefix` is its location in the body. */
export async function readMessage(
  tx: Transaction,
  { text, attachments = [] }: MessageBody,
  { userId, prefix = '' }: { userId: string; prefix?: string },
): Promise<NewMessage> {
  const name = `${prefix}text`
  const normalizedText = normalised(text ?? '')
  if (textFault(normalizedText) === 'unreadable')
    throw wrong(name, text ?? '', msg`The text contains invalid characters.`)
  if (lengthOf(normalizedText) > MAX_LENGTH)
    throw wrong(name, text ?? '', msg`The text of a message has up to ${MAX_LENGTH} characters.`)
  const [attachment] = attachments
  if (normalizedText === '' && !attachment)
    throw wrong(name, text ?? '', msg`A message needs text or an attachment.`)
  const medium = attachment && (await readMedium(tx, attachment.media_id, userId))
  if (attachment && !medium)
    throw wrong(`${prefix}attachments.media_id`, attachment.media_id, msg`Your media ID is invalid.`)
  return { text: normalizedText, medium }
}

/**
 * A medium that the user uploaded and that no other message shows, unless it is shared. A medium of
 * posts is rejected: everyone who sees the post sees it. It is locked, so that it is not deleted
 * before it is used.
 */
async function readMedium(tx: Transaction, mediaId: string, userId: string): Promise<MediaRow | undefined> {
  const ids = JSON.stringify([mediaId])
  await tx.all(lockMediaMany, { ids })
  const row = await tx.first(mediaByIds, { ids })
  if (row?.owner_id !== userId || !canShow(row, userId, tx.now)) return undefined
  if (!isMadeFor(row, 'messages') || row.posted === 1) throw apiError('medium not for messages')
  if (row.shared === 1) return row
  const used = await tx.first(messageOfMedium, { account: accountOfUser(userId), medium: mediaId })
  return used ? undefined : row
}

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
