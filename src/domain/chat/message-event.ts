import { encodeStruct, listAt, structAt, type ThriftStruct, textAt, textsAt } from './thrift.ts'

// The structures of events (core reference, 09 section 6). Clients make and read them; the server
// wraps what they send and never reads what is encrypted.

/** A signature of a message or an action, as it is stored and returned. */
export interface ChatSignature {
  readonly signature: string
  readonly public_key_version: string
  readonly signature_version: string
  readonly signing_public_key?: string | undefined
}

export const encodeSignature = (one: ChatSignature): Buffer =>
  encodeStruct({
    1: { text: one.signature },
    2: { text: one.public_key_version },
    3: { text: one.signature_version },
    4: { text: one.signing_public_key },
  })

/** Undefined if a member is missing. */
export function signatureIn(struct: ThriftStruct | undefined): ChatSignature | undefined {
  const [signature, public_key_version, signature_version, signing_public_key] = [1, 2, 3, 4].map((number) =>
    textAt(struct, number),
  )
  if (signature === undefined || public_key_version === undefined || signature_version === undefined)
    return undefined
  return {
    ...{ signature, public_key_version, signature_version },
    ...(signing_public_key !== undefined && { signing_public_key }),
  }
}

interface MessageEvent {
  readonly sequenceId: string
  readonly messageId: string
  readonly senderId: string
  /** With a colon. */
  readonly conversationId: string
  readonly token: string
  readonly createdAt: number
  /** The encoded description of what happened. */
  readonly detail: Buffer
  readonly signature: Buffer | undefined
  readonly previousId: string | undefined
}

export const encodeMessageEvent = (event: MessageEvent): Buffer =>
  encodeStruct({
    1: { text: event.sequenceId },
    2: { text: event.messageId },
    3: { text: event.senderId },
    4: { text: event.conversationId },
    5: { text: event.token },
    6: { text: String(event.createdAt) },
    7: { struct: event.detail },
    9: { struct: event.signature },
    10: { text: event.previousId },
    11: { bool: true },
  })

/** The description of a message: the event that the client created, unchanged. */
export const messageDetail = (createEvent: Buffer): Buffer => encodeStruct({ 1: { struct: createEvent } })

/** The description of a reading, which the server makes. */
export const readDetail = (until: string, now: number): Buffer =>
  encodeStruct({ 12: { struct: encodeStruct({ 1: { text: until }, 2: { i64: now } }) } })

export interface MessageCreate {
  readonly contents: Buffer
  readonly keyVersion: string
  readonly ttlMs: bigint | undefined
}

/** What the server reads of a message. Undefined if it is not one. */
export function messageCreateIn(struct: ThriftStruct | undefined): MessageCreate | undefined {
  const [contents, keyVersion, ttlMs] = [struct?.get(100), textAt(struct, 101), struct?.get(103)]
  if (!Buffer.isBuffer(contents) || keyVersion === undefined) return undefined
  if (ttlMs !== undefined && typeof ttlMs !== 'bigint') return undefined
  return { contents, keyVersion, ttlMs }
}

/** The key of a conversation, encrypted for one member. */
export interface ParticipantKey {
  readonly user_id: string
  readonly encrypted_conversation_key: string
  readonly public_key_version: string
}

export interface KeyChange {
  readonly version: string
  readonly keys: readonly ParticipantKey[]
}

/** The key change that a description contains. */
export function keyChangeIn(detail: ThriftStruct): KeyChange | undefined {
  const change = structAt(detail, 2)
  const version = textAt(change, 1)
  const list = listAt(change, 2)
  if (version === undefined || !list) return undefined
  const keys = list.map((one) => {
    const struct = one instanceof Map ? (one as ThriftStruct) : undefined
    const [user_id = '', encrypted_conversation_key = '', public_key_version = ''] = [1, 2, 3].map((number) =>
      textAt(struct, number),
    )
    return { user_id, encrypted_conversation_key, public_key_version }
  })
  return { version, keys }
}

export interface GroupChange {
  readonly memberIds: readonly string[]
  readonly adminIds: readonly string[] | undefined
  readonly title: string | undefined
  readonly avatarUrl: string | undefined
  readonly keyVersion: string | undefined
}

const groupChange = (detail: ThriftStruct): ThriftStruct | undefined => structAt(structAt(detail, 3), 1)

/** The creation of a group that a description contains. */
export function groupCreateIn(detail: ThriftStruct): GroupChange | undefined {
  const create = structAt(groupChange(detail), 1)
  const memberIds = textsAt(create, 1)
  if (!memberIds) return undefined
  const [adminIds, title, avatarUrl] = [textsAt(create, 2), textAt(create, 3), textAt(create, 4)]
  return { memberIds, adminIds, title, avatarUrl, keyVersion: textAt(create, 5) }
}

/** The addition of members that a description contains. */
export function memberAddIn(detail: ThriftStruct): GroupChange | undefined {
  const add = structAt(groupChange(detail), 5)
  const memberIds = textsAt(add, 1)
  if (!memberIds) return undefined
  const [title, avatarUrl] = [textAt(add, 4), textAt(add, 5)]
  return { memberIds, adminIds: undefined, title, avatarUrl, keyVersion: textAt(add, 6) }
}

/** The numbers of actions in descriptions. */
const DELETE_ACTIONS = { delete_for_self: 1, delete_for_all: 2 } as const
export type DeleteAction = keyof typeof DELETE_ACTIONS

/** Whether a description is that of a deletion. */
export function describesDeletion(
  detail: ThriftStruct,
  { ids, action }: { ids: readonly string[]; action: DeleteAction },
): boolean {
  const deletion = structAt(detail, 7)
  const named = textsAt(deletion, 1)
  return named !== undefined && sameSet(named, ids) && deletion?.get(2) === DELETE_ACTIONS[action]
}

/** Whether two lists have the same values, each once. */
export function sameSet(some: readonly string[], others: readonly string[]): boolean {
  const set = new Set(some)
  return set.size === some.length && some.length === others.length && others.every((one) => set.has(one))
}
