import { type Static, Type } from 'typebox'
import { MAX_MEMBERS } from '../../../domain/chat/ids.ts'
import { type KeyChange, keyChangeIn, sameSet } from '../../../domain/chat/message-event.ts'
import { publicKeysOfMany } from '../../../domain/chat/queries.ts'
import { base64In, isKnownVersion } from '../../../domain/chat/signatures.ts'
import { decodeStruct, type ThriftStruct } from '../../../domain/chat/thrift.ts'
import { compareIds, LAST_ID } from '../../../platform/common/ids.ts'
import { type Message, msg } from '../../../platform/http/message.ts'
import { component, id, text } from '../../../platform/http/schema.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { wrong } from '../posts/wrong.ts'
import { keyOf } from './endpoint.ts'

const BASE64_PATTERN = '^[A-Za-z0-9+/=_-]+$'
const MAX_KEY_LENGTH = 1_000
const MAX_SIGNATURE_LENGTH = 1_000
/** A description of a key change has an encrypted key for each member. */
const MAX_DETAIL_LENGTH = 2_000_000
const MAX_SIGNATURES = 4
/** A body with the keys of a large group, and the signed description of it. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024

const base64 = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: BASE64_PATTERN, description })

/** Up to 19 digits that are compared as a number. */
export const version = (description: string) => Type.String({ pattern: '^[0-9]{1,19}$', description })

export const messageId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9_:.-]+$',
  description: 'An id that the client chooses, such as a UUID. Sending it again creates nothing.',
})

const SigningKey = component(
  'ChatMessageSigningKeyInfo',
  Type.Object({
    member_id: Type.Optional(id('The member.')),
    public_key_version: Type.Optional(version('Version of the key.')),
    signing_public_key: Type.Optional(text(1, MAX_KEY_LENGTH, 'The key.')),
  }),
)

const ActionSignature = component(
  'ChatActionSignature',
  Type.Object({
    message_id: messageId,
    encoded_message_event_detail: base64(
      MAX_DETAIL_LENGTH,
      'The signed description of the action, in the binary protocol.',
    ),
    message_event_signature: component(
      'ChatActionMessageEventSignature',
      Type.Object({
        signature: base64(MAX_SIGNATURE_LENGTH, 'The signature.'),
        public_key_version: version('Version of the public key of the caller.'),
        signature_version: version('What is signed, and how.'),
        signing_public_key: Type.Optional(text(0, MAX_KEY_LENGTH, 'The key that verifies it.')),
        message_signing_key_info_list: Type.Optional(
          Type.Array(SigningKey, { maxItems: MAX_MEMBERS, description: 'Keys of other members.' }),
        ),
      }),
    ),
    signature_payload: Type.Optional(text(0, MAX_DETAIL_LENGTH, 'What was signed. Not read.')),
  }),
)

export const actionSignatures = Type.Array(ActionSignature, {
  maxItems: MAX_SIGNATURES,
  description: 'A signature for each thing that the call does: without them, it is rejected.',
})

export const participantKeys = Type.Array(
  component(
    'ChatConversationParticipantKey',
    Type.Object({
      user_id: Type.Optional(id('The member.')),
      encrypted_conversation_key: Type.Optional(
        text(1, MAX_KEY_LENGTH, 'The key of the conversation, encrypted for the member.'),
      ),
      public_key_version: Type.Optional(version('Version of the public key of the member.')),
    }),
  ),
  { maxItems: MAX_MEMBERS, description: 'One for each member.' },
)

export const keyRotation = Type.Optional(
  text(0, MAX_DETAIL_LENGTH, 'Base64. It is not read: the signed description has the same keys.'),
)

export type ActionSignature = Static<typeof ActionSignature>
type ParticipantKeys = Static<typeof participantKeys>

/** A signed action: its description as it came, and decoded. */
export interface SignedAction {
  readonly signed: ActionSignature
  readonly bytes: Buffer
  readonly detail: ThriftStruct
}

const SIGNATURES = 'action_signatures'

export const wrongSignature = (value: string, why: Message) => wrong(SIGNATURES, value, why)

/** Checks the form of the signatures of a call, and that the caller has their keys. */
export async function readSignatures(
  tx: Pick<Transaction, 'all'>,
  caller: string,
  list: readonly ActionSignature[] | undefined,
): Promise<SignedAction[]> {
  const actions: SignedAction[] = []
  for (const signed of list ?? []) {
    const { encoded_message_event_detail: encoded, message_event_signature: signature } = signed
    const bytes = base64In(encoded)
    const detail = bytes && decodeStruct(bytes)
    if (!bytes || !detail)
      throw wrongSignature(shortened(encoded), msg`The signed description is not a message event detail.`)
    if (!base64In(signature.signature) || !isKnownVersion(signature))
      throw wrongSignature(shortened(signature.signature), msg`The signature is malformed.`)
    if (!(await keyOf(tx, caller, signature.public_key_version)))
      throw wrongSignature(
        signature.public_key_version,
        msg`You have no public key with the version ${signature.public_key_version}.`,
      )
    actions.push({ signed, bytes, detail })
  }
  return actions
}

const MAX_SHOWN = 40
export const shortened = (value: string) =>
  value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value

/** Rejects a number that no id can be. */
export function requireNumber(name: string, value: string): string {
  if (compareIds(value, LAST_ID) > 0) throw wrong(name, value, msg`The number ${value} is too large.`)
  return String(BigInt(value))
}

/** The action, of those signed, whose description is of a kind. Rejects if none is. */
export function actionOf<Found>(
  actions: readonly SignedAction[],
  find: (detail: ThriftStruct) => Found | undefined,
  what: string,
): SignedAction & { found: Found } {
  for (const action of actions) {
    const found = find(action.detail)
    if (found !== undefined) return { ...action, found }
  }
  throw wrongSignature('', msg`The signature of the ${what} is missing.`)
}

const KEYS = 'conversation_participant_keys'

/**
 * Checks a new key of a conversation: one encrypted key for each member, for a public key that the
 * member has, as the signed description says.
 */
export async function readKeyChange(
  tx: Pick<Transaction, 'all'>,
  { version: named, keys }: { version: string; keys: ParticipantKeys },
  { members, actions }: { members: readonly string[]; actions: readonly SignedAction[] },
): Promise<SignedAction> {
  const ids = keys.map((key) => key.user_id ?? '')
  if (!sameSet(ids, members))
    throw wrong(KEYS, shortened(ids.join(',')), msg`There must be one key for each member.`)
  const rows = await tx.all(publicKeysOfMany, { users: JSON.stringify(members) })
  const known = new Set(rows.map((row) => `${row.user_id}:${row.version}`))
  for (const { user_id = '', public_key_version = '', encrypted_conversation_key: key } of keys) {
    if (!known.has(`${user_id}:${public_key_version}`))
      throw wrong(KEYS, public_key_version, msg`The user ${user_id} has no public key with this version.`)
    if (key === undefined) throw wrong(KEYS, user_id, msg`The encrypted key of the user is missing.`)
  }
  const action = actionOf(actions, keyChangeIn, 'key change')
  if (!describes(action.found, { version: named, keys }))
    throw wrongSignature(named, msg`The signed description is of another key change.`)
  return action
}

const lineOf = (key: ParticipantKeys[number]) =>
  [key.user_id, key.public_key_version, key.encrypted_conversation_key].join(' ')

const describes = (change: KeyChange, { version: named, keys }: { version: string; keys: ParticipantKeys }) =>
  change.version === named && sameSet(change.keys.map(lineOf), keys.map(lineOf))

/** How long messages of a group are kept, in milliseconds. */
export const ttl = Type.Optional(
  Type.String({ pattern: '^[0-9]{1,13}$', description: 'How long it is kept, in milliseconds.' }),
)

/** Undefined for `0`, which means that it is kept. */
export const ttlIn = (value: string | undefined): number | undefined =>
  value === undefined || Number(value) === 0 ? undefined : Number(value)
