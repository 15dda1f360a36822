import {
  type ChatSignature,
  type MessageCreate,
  messageCreateIn,
  signatureIn,
} from '../../../domain/chat/message-event.ts'
import { base64In, isKnownVersion, isSignedBySender } from '../../../domain/chat/signatures.ts'
import { decodeStruct } from '../../../domain/chat/thrift.ts'
import { msg } from '../../../platform/http/message.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { wrong } from '../posts/wrong.ts'
import { shortened } from './body.ts'
import { keyOf } from './endpoint.ts'

/** Bytes of encrypted contents. Files are sent separately. */
const MAX_CONTENTS_BYTES = 64 * 1024
/** Characters of the encoded message around it. */
export const MAX_EVENT_LENGTH = 100_000
export const MAX_MESSAGE_BODY_BYTES = 512 * 1024
/** More than any client asks for: 100 years. */
const MAX_TTL_MS = 100 * 365 * 86_400_000
const VERSION = /^[0-9]{1,19}$/

const CREATE = 'encoded_message_create_event'
const SIGNATURE = 'encoded_message_event_signature'

/** What the server reads of a message. */
export interface NewMessage {
  readonly create: Omit<MessageCreate, 'ttlMs'> & { readonly ttlMs: number | undefined }
  /** The event as the client encoded it. */
  readonly bytes: Buffer
  readonly signature: ChatSignature | undefined
}

interface MessageBody {
  readonly message_id: string
  readonly encoded_message_create_event: string
  readonly encoded_message_event_signature?: string
}

/** Reads a message, and checks its form and its signature. */
export async function readMessage(
  tx: Pick<Transaction, 'all'>,
  body: MessageBody,
  { userId, chatId }: { userId: string; chatId: string },
): Promise<NewMessage> {
  const encoded = body.encoded_message_create_event
  const bytes = base64In(encoded)
  const create = bytes && messageCreateIn(decodeStruct(bytes))
  if (!bytes || !create || create.contents.length === 0 || !VERSION.test(create.keyVersion))
    throw wrong(CREATE, shortened(encoded), msg`This is not a message create event.`)
  if (create.contents.length > MAX_CONTENTS_BYTES)
    throw wrong(CREATE, shortened(encoded), msg`A message has up to ${MAX_CONTENTS_BYTES} bytes of contents.`)
  const ttl = Number(create.ttlMs ?? 0n)
  if (ttl < 0 || ttl > MAX_TTL_MS) throw wrong(CREATE, String(ttl), msg`The time to live is out of range.`)
  const signature = await readSignature(tx, body.encoded_message_event_signature, userId)
  const message = { messageId: body.message_id, senderId: userId, conversationId: chatId, create }
  if (signature && !isSignedBySender({ ...message, ...signature }))
    throw wrong(
      SIGNATURE,
      shortened(signature.signature.signature),
      msg`The signature is not that of the sender.`,
    )
  return { create: { ...create, ttlMs: ttl === 0 ? undefined : ttl }, bytes, signature: signature?.signature }
}

/** The signature, with the key of the sender that it names. */
async function readSignature(tx: Pick<Transaction, 'all'>, encoded: string | undefined, userId: string) {
  if (encoded === undefined || encoded === '') return undefined
  const bytes = base64In(encoded)
  const signature = bytes && signatureIn(decodeStruct(bytes))
  if (!signature || !isKnownVersion(signature) || !base64In(signature.signature))
    throw wrong(SIGNATURE, shortened(encoded), msg`The signature is malformed.`)
  const named = signature.public_key_version
  const key = await keyOf(tx, userId, named)
  if (!key) throw wrong(SIGNATURE, named, msg`You have no public key with the version ${shortened(named)}.`)
  return { signature, signingKey: key.signing_public_key }
}
