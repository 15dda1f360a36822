import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Entries that a page passes over, at most, because the caller may not see them. After so many, the
 * page ends, and may be short or empty. It then has a token for the next one.
 */
export const MAX_PASSED_OVER = 1_000
/** Entries that are read at once after the first ones. */
const MAX_AT_ONCE = 200

/** Consecutive entries of a list. */
export interface ListPart<Row, Place> {
  readonly rows: readonly Row[]
  /** Where the list continues; undefined at its end. */
  readonly next: Place | undefined
  /**
   * The page ends here even if it is not full, because the list has done as much work as it may.
   */
  readonly isLimited?: boolean
}

/** A list whose pages omit what the caller may not see. */
export interface ReadableList<Row, Place> {
  /** Reads up to `count` entries from a place on. */
  read(from: Place, count: number): Promise<ListPart<Row, Place>>
  /** The place after an entry. */
  after(row: Row): Place
  /** The entries that the caller sees, in the same order. */
  shown(rows: readonly Row[]): Promise<readonly Row[]>
}

/**
 * Reads on until a page is full or the list ends, up to `MAX_PASSED_OVER` entries. Resolves to the
 * entries of the page, and to the place of the next page; undefined if the caller sees nothing
 * after this page.
 */
export async function fullPage<Row, Place>(
  { read, after, shown }: ReadableList<Row, Place>,
  { from, limit }: { from: Place; limit: number },
): Promise<{ rows: Row[]; next: Place | undefined }> {
  const page: Row[] = []
  let place = from
  // One more entry shows whether there is another page.
  let size = limit + 1
  for (let left = size + MAX_PASSED_OVER; ; await nextTurn()) {
    const part = await read(place, Math.min(size, left))
    page.push(...(await shown(part.rows)))
    const last = page[limit - 1]
    if (page.length > limit && last !== undefined) return { rows: page.slice(0, limit), next: after(last) }
    left -= size
    if (part.next === undefined || part.isLimited || left <= 0) return { rows: page, next: part.next }
    place = part.next
    size = Math.min(size * 2, MAX_AT_ONCE)
  }
}
