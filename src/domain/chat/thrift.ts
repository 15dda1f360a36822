// The part of Thrift's binary protocol that events of chats use.

/** A structure: its fields by their numbers. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>
export type ThriftValue = boolean | bigint | number | Buffer | ThriftStruct | readonly ThriftValue[]

const STOP = 0
const BOOL = 2
const BYTE = 3
const DOUBLE = 4
const I16 = 6
const I32 = 8
const I64 = 10
const STRING = 11
const STRUCT = 12
const MAP = 13
const SET = 14
const LIST = 15

/** Levels of structures and lists. Events have up to six. */
const MAX_DEPTH = 12

class Malformed extends Error {}

/**
 * Decodes one structure that takes all of the bytes; undefined if they are malformed. The work is
 * linear in the number of bytes: every element of a list takes at least one.
 */
export function decodeStruct(bytes: Buffer): ThriftStruct | undefined {
  const reader = new Reader(bytes)
  try {
    const struct = reader.struct(0)
    return reader.isAtEnd ? struct : undefined
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  struct(depth: number): ThriftStruct {
    if (depth > MAX_DEPTH) throw new Malformed()
    const fields = new Map<number, ThriftValue>()
    for (;;) {
      const type = this.#take(1).readUInt8()
      if (type === STOP) return fields
      const number = this.#take(2).readInt16BE()
      if (fields.has(number)) throw new Malformed()
      fields.set(number, this.#value(type, depth + 1))
    }
  }

  #value(type: number, depth: number): ThriftValue {
    switch (type) {
      case BOOL:
        return this.#take(1).readUInt8() !== 0
      case BYTE:
        return this.#take(1).readInt8()
      case DOUBLE:
        return this.#take(8).readDoubleBE()
      case I16:
        return this.#take(2).readInt16BE()
      case I32:
        return this.#take(4).readInt32BE()
      case I64:
        return this.#take(8).readBigInt64BE()
      case STRING:
        return this.#take(this.#count())
      case STRUCT:
        return this.struct(depth)
      case SET:
      case LIST:
        return this.#list(depth)
      default:
        return this.#map(type, depth)
    }
  }

  #list(depth: number): readonly ThriftValue[] {
    if (depth > MAX_DEPTH) throw new Malformed()
    const type = this.#take(1).readUInt8()
    const count = this.#count()
    return Array.from({ length: count }, () => this.#value(type, depth + 1))
  }

  /** Keys and values in turns. */
  #map(type: number, depth: number): readonly ThriftValue[] {
    if (type !== MAP || depth > MAX_DEPTH) throw new Malformed()
    const key = this.#take(1).readUInt8()
    const value = this.#take(1).readUInt8()
    const count = this.#count()
    return Array.from({ length: count }, () => [
      this.#value(key, depth + 1),
      this.#value(value, depth + 1),
    ]).flat()
  }

  /** A number of bytes or elements, none of which can be beyond the end. */
  #count(): number {
    const count = this.#take(4).readInt32BE()
    if (count < 0 || count > this.#bytes.length - this.#at) throw new Malformed()
    return count
  }

  #take(length: number): Buffer {
    const from = this.#at
    if (length > this.#bytes.length - from) throw new Malformed()
    this.#at += length
    return this.#bytes.subarray(from, this.#at)
  }
}

/** A field of a structure to encode; undefined ones are left out. */
export type ThriftField =
  | { readonly text: string | undefined }
  | { readonly bool: boolean }
  | { readonly i32: number }
  | { readonly i64: number | bigint }
  | { readonly texts: readonly string[] }
  /** A structure that is encoded already. */
  | { readonly struct: Buffer | undefined }

/** Encodes a structure. Fields are written in the order of their numbers. */
export function encodeStruct(fields: Readonly<Record<number, ThriftField>>): Buffer {
  const parts = Object.entries(fields).flatMap(([number, field]) => {
    const written = encodeField(field)
    if (!written) return []
    const head = Buffer.alloc(3)
    head.writeUInt8(written.type)
    head.writeInt16BE(Number(number), 1)
    return [head, written.value]
  })
  return Buffer.concat([...parts, Buffer.from([STOP])])
}

function encodeField(field: ThriftField): { type: number; value: Buffer } | undefined {
  if ('text' in field)
    return field.text === undefined ? undefined : { type: STRING, value: encodeText(field.text) }
  if ('bool' in field) return { type: BOOL, value: Buffer.from([field.bool ? 1 : 0]) }
  if ('i32' in field) return { type: I32, value: int32(field.i32) }
  if ('struct' in field) return field.struct && { type: STRUCT, value: field.struct }
  if ('texts' in field) {
    const texts = field.texts.map(encodeText)
    return { type: LIST, value: Buffer.concat([Buffer.from([STRING]), int32(texts.length), ...texts]) }
  }
  const value = Buffer.alloc(8)
  value.writeBigInt64BE(BigInt(field.i64))
  return { type: I64, value }
}

function int32(value: number): Buffer {
  const written = Buffer.alloc(4)
  written.writeInt32BE(value)
  return written
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([int32(bytes.length), bytes])
}

// Fields of a decoded structure, of the expected type; undefined if they are missing or of another.

export function textAt(struct: ThriftStruct | undefined, number: number): string | undefined {
  const value = struct?.get(number)
  return Buffer.isBuffer(value) ? value.toString() : undefined
}

export function structAt(struct: ThriftStruct | undefined, number: number): ThriftStruct | undefined {
  const value = struct?.get(number)
  return value instanceof Map ? (value as ThriftStruct) : undefined
}

export function listAt(struct: ThriftStruct | undefined, number: number): readonly ThriftValue[] | undefined {
  const value = struct?.get(number)
  return Array.isArray(value) ? (value as readonly ThriftValue[]) : undefined
}

/** A list of texts; undefined if it has anything else. */
export function textsAt(struct: ThriftStruct | undefined, number: number): string[] | undefined {
  const list = listAt(struct, number)
  return list?.every((one) => Buffer.isBuffer(one)) ? list.map(String) : undefined
}
