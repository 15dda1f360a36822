import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { encodeStruct } from '../../src/domain/chat/thrift.ts'

// A client of encrypted chats: makes keys, events and signatures in their form.

export interface ChatKeys {
  readonly version: string
  readonly privateKey: KeyObject
  readonly publicKey: string
}

export function chatKeys(version: string): ChatKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = publicKey.export({ format: 'der', type: 'spki' })
  return { version, privateKey, publicKey: der.toString('base64') }
}

export const keyBody = ({ version, publicKey }: ChatKeys) => ({
  version,
  public_key: { public_key: publicKey, signing_public_key: publicKey, registration_method: 'custom' },
})

const list = (structs: readonly Buffer[]): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt8(12)
  head.writeInt32BE(structs.length, 1)
  return Buffer.concat([head, ...structs])
}

/** A structure with a list of structures in field 2. */
function keyChangeStruct(version: string, keys: readonly ParticipantKey[]): Buffer {
  const items = keys.map((key) =>
    encodeStruct({
      1: { text: key.user_id },
      2: { text: key.encrypted_conversation_key },
      3: { text: key.public_key_version },
    }),
  )
  const first = encodeStruct({ 1: { text: version } }).subarray(0, -1)
  return Buffer.concat([first, Buffer.from([15, 0, 2]), list(items), Buffer.from([0])])
}

export interface ParticipantKey {
  user_id: string
  encrypted_conversation_key: string
  public_key_version: string
}

export const participantKey = (user_id: string, public_key_version = '1'): ParticipantKey => ({
  ...{ user_id, public_key_version, encrypted_conversation_key: `key for ${user_id}` },
})

/** The signature of an action whose signed text is not public. */
const action = (detail: Buffer, messageId: string = randomUUID(), version = '1') => ({
  message_id: messageId,
  encoded_message_event_detail: detail.toString('base64'),
  message_event_signature: {
    ...{ signature: Buffer.alloc(64, 1).toString('base64'), public_key_version: version },
    signature_version: '7',
  },
})

export const keyChangeAction = (version: string, keys: readonly ParticipantKey[], messageId?: string) =>
  action(encodeStruct({ 2: { struct: keyChangeStruct(version, keys) } }), messageId)

/** The body that changes the key of a conversation. */
export const keyChange = (version: string, keys: readonly ParticipantKey[], messageId?: string) => ({
  conversation_key_version: version,
  conversation_participant_keys: keys,
  action_signatures: [keyChangeAction(version, keys, messageId)],
})

const groupChange = (number: number, change: Buffer) =>
  encodeStruct({
    3: { struct: encodeStruct({ 1: { struct: encodeStruct({ [number]: { struct: change } }) } }) },
  })

interface GroupTexts {
  title?: string
  avatar?: string
}

export const groupCreateAction = (members: readonly string[], { title, avatar }: GroupTexts = {}) =>
  action(groupChange(1, encodeStruct({ 1: { texts: members }, 3: { text: title }, 4: { text: avatar } })))

export const memberAddAction = (members: readonly string[], messageId?: string) =>
  action(groupChange(5, encodeStruct({ 1: { texts: members } })), messageId)

export const deleteAction = (ids: readonly string[], forAll: boolean) =>
  action(encodeStruct({ 7: { struct: encodeStruct({ 1: { texts: ids }, 2: { i32: forAll ? 2 : 1 } }) } }))

interface Message {
  keyVersion?: string
  contents?: string
  ttlMs?: number
  messageId?: string
}

/** The body that sends a message. */
export function chatMessage({ keyVersion = '1', contents = 'ciphertext', ttlMs, messageId }: Message = {}) {
  const create = encodeStruct({
    100: { text: contents },
    101: { text: keyVersion },
    ...(ttlMs !== undefined && { 103: { i64: ttlMs } }),
  })
  return {
    message_id: messageId ?? (randomUUID() as string),
    encoded_message_create_event: create.toString('base64'),
  }
}

/** The same with a signature whose signed text is public. */
export function signedMessage(
  { contents = 'ciphertext', keyVersion = '1', ...more }: Message,
  { sender, chat, keys }: { sender: string; chat: string; keys: ChatKeys },
) {
  const body = chatMessage({ contents, keyVersion, ...more })
  const encoded = Buffer.from(contents).toString('base64').replaceAll('=', '')
  const text = ['MessageCreateEvent', body.message_id, sender, chat, keyVersion, encoded].join(',')
  const bytes = sign('sha256', Buffer.from(text), { key: keys.privateKey, dsaEncoding: 'ieee-p1363' })
  const signature = encodeStruct({
    1: { text: bytes.toString('base64').replaceAll('=', '') },
    2: { text: keys.version },
    3: { text: '3' },
    4: { text: keys.publicKey },
  })
  return { ...body, encoded_message_event_signature: signature.toString('base64') }
}
