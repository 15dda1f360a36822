/** A key of a user: 32 bytes of hash, then its kind. Keys are compared byte by byte. */
export const KEY_BYTES = 33
const HASH_BYTES = 32

/** Kinds of keys. The index in this list is the last byte of a key. */
export const KINDS = [
  'email',
  'device_id',
  'handle',
  'service_id',
  'phone_number',
  'partner_user_id',
] as const

export type Kind = (typeof KINDS)[number]

/** Maximum keys of one user, because they are stored and loaded together. */
export const MAX_KEYS_OF_PERSON = 1_000

export const UPDATE = 0
export const DELETE = 1

const VERSION = 1
const HEADER_BYTES = 13
const OPERATION_BYTES = 15
const USER_BYTES = 2
const TIME_BYTES = 5
/** The last second that fits the five bytes of a time, far after the year 9999. */
const MAX_SECONDS = 2 ** 40 - 1

/**
 * Writes a batch in the form that is stored until it is merged: operations in order, each with its
 * times in seconds and its users, each user with its keys.
 */
export class BatchWriter {
  #bytes: Buffer
  #at = HEADER_BYTES
  #operations = 0
  #users = 0
  #keys = 0
  #operationAt = 0
  #userAt = 0

  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + expectedBytes)
  }

  get users(): number {
    return this.#users
  }

  get keys(): number {
    return this.#keys
  }

  /** Begins an operation. `effective` 0: without a beginning. */
  operation(type: typeof UPDATE | typeof DELETE, effective: number, expires: number): void {
    this.#operationAt = this.#room(OPERATION_BYTES)
    const at = this.#operationAt
    this.#bytes[at] = type
    putTime(this.#bytes, at + 1, Math.min(effective, MAX_SECONDS))
    putTime(this.#bytes, at + 1 + TIME_BYTES, Math.min(expires, MAX_SECONDS))
    this.#bytes.writeUInt32BE(0, at + 11)
    this.#operations++
  }

  /** Begins a user of the operation. */
  user(): void {
    this.#bytes.writeUInt32BE(this.#bytes.readUInt32BE(this.#operationAt + 11) + 1, this.#operationAt + 11)
    this.#userAt = this.#room(USER_BYTES)
    this.#bytes.writeUInt16BE(0, this.#userAt)
    this.#users++
  }

  /** Adds a key to the user. `hash` is 64 hexadecimal digits. */
  key(kind: number, hash: string): void {
    const at = this.#room(KEY_BYTES)
    this.#bytes.write(hash, at, HASH_BYTES, 'hex')
    this.#bytes[at + HASH_BYTES] = kind
    this.#bytes.writeUInt16BE(this.#bytes.readUInt16BE(this.#userAt) + 1, this.#userAt)
    this.#keys++
  }

  /** Returns the batch. Nothing may be added afterwards. */
  finish(): Buffer {
    this.#bytes[0] = VERSION
    this.#bytes.writeUInt32BE(this.#operations, 1)
    this.#bytes.writeUInt32BE(this.#users, 5)
    this.#bytes.writeUInt32BE(this.#keys, 9)
    return this.#bytes.subarray(0, this.#at)
  }

  #room(bytes: number): number {
    const at = this.#at
    this.#at += bytes
    if (this.#at > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#at, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    return at
  }
}

/** A visitor of a batch. Keys are not copied: they are passed as offsets. */
export interface BatchVisitor {
  operation(type: number, effective: number, expires: number): void
  /** A user of the operation, with the number of its keys, which are consecutive. */
  user(batch: Buffer, keysAt: number, keys: number): void
}

/**
 * The number of users and keys in a batch. Throws if it is not a batch, or damaged, because callers
 * rely on these numbers.
 */
export function sizesOf(batch: Buffer): { operations: number; users: number; keys: number } {
  if (batch[0] !== VERSION) throw new Error(`a stored batch has the unknown version ${batch[0]}`)
  const sizes = {
    operations: batch.readUInt32BE(1),
    users: batch.readUInt32BE(5),
    keys: batch.readUInt32BE(9),
  }
  const { operations, users, keys } = sizes
  if (batch.length !== HEADER_BYTES + operations * OPERATION_BYTES + users * USER_BYTES + keys * KEY_BYTES)
    throw new Error('a stored batch is not as long as it says')
  return sizes
}

/** Reads a batch from start to end. */
export function visitBatch(batch: Buffer, visitor: BatchVisitor): void {
  const { operations } = sizesOf(batch)
  let at = HEADER_BYTES
  for (let operation = 0; operation < operations; operation++) {
    visitor.operation(batch[at] as number, timeAt(batch, at + 1), timeAt(batch, at + 1 + TIME_BYTES))
    const users = batch.readUInt32BE(at + 11)
    at += OPERATION_BYTES
    for (let user = 0; user < users; user++) {
      const keys = batch.readUInt16BE(at)
      visitor.user(batch, at + USER_BYTES, keys)
      at += USER_BYTES + keys * KEY_BYTES
    }
  }
}

/** A time in seconds, or the id of a user: five bytes. */
function timeAt(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
  const low = ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 8) | (bytes[at + 4] as number)
  return high * 2 ** 24 + low
}

function putTime(bytes: Uint8Array, at: number, time: number): void {
  const high = Math.floor(time / 2 ** 24)
  const low = time % 2 ** 24
  bytes[at] = high >>> 8
  bytes[at + 1] = high
  bytes[at + 2] = low >>> 16
  bytes[at + 3] = low >>> 8
  bytes[at + 4] = low
}

/** Compares two keys: negative, zero or positive. */
export function compareKeys(one: Uint8Array, oneAt: number, other: Uint8Array, otherAt: number): number {
  for (let n = 0; n < KEY_BYTES; n++) {
    const difference = (one[oneAt + n] as number) - (other[otherAt + n] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Frees the memory of bytes immediately. They must not be used afterwards. The garbage collector is
 * slow to free buffers, which are outside of its heap, and much memory is allocated here. Views of
 * a part of a buffer are not freed.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  const isWhole = byteLength > 0 && byteLength === buffer.byteLength
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
