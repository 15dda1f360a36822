import { createHmac, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Sealer } from '../../platform/storage/seal.ts'
import { withColon } from './ids.ts'
import type { ChatSignature, MessageCreate } from './message-event.ts'

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** Decodes Base64 of either alphabet, with or without padding; undefined if it is not Base64. */
export function base64In(text: string): Buffer | undefined {
  if (!BASE64.test(text) || text.replaceAll('=', '').length % 4 === 1) return undefined
  return Buffer.from(text, 'base64')
}

/** Base64 without padding, as signed texts contain it. */
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** The versions of signatures that clients send. */
const SIGNATURE_VERSIONS = ['1', '2', '3', '4', '5', '6', '7']
/** The version whose signed text is public. */
const VERIFIED_VERSION = '3'

export const isKnownVersion = ({ signature_version }: ChatSignature): boolean =>
  SIGNATURE_VERSIONS.includes(signature_version)

interface SignedMessage {
  readonly messageId: string
  readonly senderId: string
  readonly conversationId: string
  readonly create: MessageCreate
  readonly signature: ChatSignature
  /** Base64 of the sender's key: DER, or the point alone. */
  readonly signingKey: string | null
}

/**
 * Whether the signature of a message is that of its sender. What the other versions sign is not
 * public: they count as right.
 */
export function isSignedBySender({ signature, signingKey, ...message }: SignedMessage): boolean {
  if (signature.signature_version !== VERIFIED_VERSION) return true
  const { messageId, senderId, conversationId, create } = message
  const text = [
    ...['MessageCreateEvent', messageId, senderId, withColon(conversationId), create.keyVersion],
    unpadded(create.contents),
  ].join(',')
  const bytes = base64In(signature.signature)
  const key = signingKey === null ? undefined : publicKeyIn(signingKey)
  if (!bytes || !key) return false
  return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes)
}

/** What precedes the 65 bytes of a point in the DER form of a P-256 key. */
const P256_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')
const POINT_BYTES = 65

function publicKeyIn(text: string): KeyObject | undefined {
  const bytes = base64In(text)
  if (!bytes) return undefined
  const key = bytes.length === POINT_BYTES ? Buffer.concat([P256_PREFIX, bytes]) : bytes
  try {
    const read = createPublicKey({ key, format: 'der', type: 'spki' })
    return read.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? read : undefined
  } catch {
    return undefined
  }
}

/** A short token that names a conversation, in the form of a signed JSON web token. */
export function conversationToken(id: string, sealer: Pick<Sealer, 'derive'>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ conversation_id: withColon(id) })}`
  const key = sealer.derive('chat conversation token')
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
