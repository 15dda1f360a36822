import { randomUUID } from 'node:crypto'

// The binary forms of encrypted chats, written apart from the program.

const [I32, STRING, STRUCT, LIST] = [8, 11, 12, 15]

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const field = (type: number, number: number, value: Buffer) =>
  Buffer.concat([Buffer.from([type, number >> 8, number & 255]), value])
const bytesOf = (text: string) => Buffer.concat([int32(Buffer.byteLength(text)), Buffer.from(text)])
const text = (number: number, value: string) => field(STRING, number, bytesOf(value))
const texts = (number: number, values: readonly string[]) =>
  field(LIST, number, Buffer.concat([Buffer.from([STRING]), int32(values.length), ...values.map(bytesOf)]))
const struct = (...fields: Buffer[]) => Buffer.concat([...fields, Buffer.from([0])])
const inside = (number: number, value: Buffer) => field(STRUCT, number, value)

/** The version of the public keys of all users. */
export const VERSION = '1767225600000'

/** The encrypted key of a conversation for a user. */
export const keyFor = (user_id: string) => ({
  ...{ user_id, public_key_version: VERSION, encrypted_conversation_key: 'AAAA' },
})
type Key = ReturnType<typeof keyFor>

const signed = (detail: Buffer) => ({
  message_id: randomUUID(),
  encoded_message_event_detail: detail.toString('base64'),
  message_event_signature: {
    ...{ signature: Buffer.alloc(64, 1).toString('base64'), public_key_version: VERSION },
    signature_version: '7',
  },
})

export function signedKeys(version: string, keys: readonly Key[]) {
  const items = keys.map((key) =>
    struct(text(1, key.user_id), text(2, key.encrypted_conversation_key), text(3, key.public_key_version)),
  )
  const list = Buffer.concat([Buffer.from([STRUCT]), int32(items.length), ...items])
  return signed(struct(inside(2, struct(text(1, version), field(LIST, 2, list)))))
}

const groupChange = (number: number, members: readonly string[]) =>
  signed(struct(inside(3, struct(inside(1, struct(inside(number, struct(texts(1, members)))))))))
export const signedGroup = (members: readonly string[]) => groupChange(1, members)
export const signedMembers = (members: readonly string[]) => groupChange(5, members)

/** For the user alone. */
export const signedDeletion = (ids: readonly string[]) =>
  signed(struct(inside(7, struct(texts(1, ids), field(I32, 2, int32(1))))))

/** A message that is encrypted with a version of the key. */
export const message = (keyVersion: string) => ({
  message_id: randomUUID(),
  encoded_message_create_event: struct(text(100, 'ciphertext'), text(101, keyVersion)).toString('base64'),
})
