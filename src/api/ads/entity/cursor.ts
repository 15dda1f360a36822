import { createHmac, timingSafeEqual } from 'node:crypto'
import { beginningOf } from '../../../platform/common/cut-text.ts'
import { jsonText, parseJson } from '../../../platform/common/exact-json.ts'
import type { Int64 } from '../../../platform/common/int64.ts'
import { msg } from '../../../platform/http/message.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Sealer } from '../../../platform/storage/seal.ts'

/** The position at the end of a page: the values of the sort keys, then the id. */
export type CursorPosition = readonly (string | Int64)[]

const MAC_BYTES = 12
const MAX_LENGTH = 4000
const keys = new WeakMap<Sealer, Buffer>()

/** Derived once, because the master key does not change while Plaza runs. */
function keyOf(sealer: Sealer): Buffer {
  const known = keys.get(sealer)
  if (known) return known
  const key = sealer.derive('list cursors')
  keys.set(sealer, key)
  return key
}

const mac = (sealer: Sealer, list: string, position: Buffer) =>
  createHmac('sha256', keyOf(sealer))
    .update(list)
    .update('\n')
    .update(position)
    .digest()
    .subarray(0, MAC_BYTES)

/**
 * A cursor, signed and bound to its list. `list` has everything that determines the rows of the
 * list.
 */
export function cursorOf(sealer: Sealer, list: string, position: CursorPosition): string {
  const text = Buffer.from(jsonText(position))
  return Buffer.concat([mac(sealer, list, text), text]).toString('base64url')
}

/** The position of a cursor. Rejects a forged cursor, and one of another list. */
export function positionOf(sealer: Sealer, list: string, cursor: string, length: number): CursorPosition {
  const bytes = Buffer.from(cursor.slice(0, MAX_LENGTH), 'base64url')
  const text = bytes.subarray(MAC_BYTES)
  const signed =
    bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(sealer, list, text))
  // A cursor must be canonical: the decoder ignores unknown characters.
  if (!signed || bytes.toString('base64url') !== cursor) throw invalidCursor(cursor)
  const position = parseJson(text.toString()) as CursorPosition
  if (position.length !== length) throw invalidCursor(cursor)
  return position
}

const invalidCursor = (cursor: string) =>
  rejected(
    'cursor',
    msg`Expected the next_cursor of this same list, got "${beginningOf(cursor, 100)}" for cursor`,
  )
