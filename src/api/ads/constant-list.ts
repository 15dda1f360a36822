import { Type } from 'typebox'
import { once } from '../../platform/common/lookup.ts'
import { text } from '../../platform/http/schema.ts'
import type { AdsDependencies } from './dependencies.ts'
import { cursorOf, positionOf } from './entity/cursor.ts'

// Lists of reference data: the same for every caller, and held in memory.

/** The text filter of a list. */
export const search = Type.Optional(text(1, 255, 'Part of the name; case does not matter.'))

/** Finds entries by a part of their name without examining each one: all names are in one text. */
export class SearchableList<Entry> {
  readonly entries: readonly Entry[]
  readonly #nameOf: (entry: Entry) => string
  readonly #names = once(() => this.#joined())

  constructor(entries: readonly Entry[], nameOf: (entry: Entry) => string) {
    this.entries = entries
    this.#nameOf = nameOf
  }

  #joined() {
    const starts = new Uint32Array(this.entries.length)
    let length = 0
    const lines = this.entries.map((entry, index) => {
      const line = fold(this.#nameOf(entry))
      starts[index] = length
      length += line.length + 1
      return line
    })
    return { text: lines.join('\n'), starts }
  }

  /**
   * Up to `limit` positions of matching entries from a position on, in order; without a text, all
   * match.
   */
  from(position: number, limit: number, q: string | undefined): number[] {
    const found: number[] = []
    if (q === undefined) {
      const end = Math.min(this.entries.length, position + limit)
      for (let at = position; at < end; at++) found.push(at)
      return found
    }
    const text = fold(q)
    if (text.includes('\n') || position >= this.entries.length) return found
    const { text: names, starts } = this.#names()
    let offset = names.indexOf(text, starts[position])
    while (offset >= 0 && found.length < limit) {
      const at = lineAt(starts, offset)
      found.push(at)
      const next = starts[at + 1]
      offset = next === undefined ? -1 : names.indexOf(text, next)
    }
    return found
  }
}

const PLAIN = /^[ -~]*$/

/** Letters without case and accents: `zurich` finds `Zürich`. */
export const fold = (name: string) =>
  (PLAIN.test(name) ? name : name.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase()

/** The last line that begins at or before an offset. */
function lineAt(starts: Uint32Array, offset: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

interface ConstantListQuery {
  count: number
  cursor?: string | undefined
  q?: string | undefined
}

/**
 * One page of reference data. `list` names everything that determines the contents of the list,
 * including its filters: a cursor of another list is rejected.
 */
export function pageOf<Entry>(
  searchable: SearchableList<Entry>,
  list: readonly unknown[],
  { count, cursor, q }: ConstantListQuery,
  { sealer }: Pick<AdsDependencies, 'sealer'>,
): { page: Entry[]; next_cursor: string | null } {
  const signature = JSON.stringify([...list, q ?? null])
  const position = cursor === undefined ? 0 : Number(positionOf(sealer, signature, cursor, 1)[0])
  const found = searchable.from(position, count + 1, q)
  const next = found[count]
  return {
    page: found.slice(0, count).map((at) => searchable.entries[at] as Entry),
    next_cursor: next === undefined ? null : cursorOf(sealer, signature, [next]),
  }
}

/** Groups of entries that can be requested, each prepared at its first use. */
export function groups<Entry>(
  all: () => readonly Entry[],
  keysOf: (entry: Entry) => readonly string[],
  nameOf: (entry: Entry) => string,
): (key: string) => SearchableList<Entry> {
  const byKey = once(() => {
    const lists = new Map<string, Entry[]>()
    for (const entry of all())
      for (const key of keysOf(entry)) {
        const list = lists.get(key)
        if (list) list.push(entry)
        else lists.set(key, [entry])
      }
    return new Map([...lists].map(([key, list]) => [key, new SearchableList(list, nameOf)]))
  })
  const none = new SearchableList<Entry>([], nameOf)
  return (key) => byKey().get(key) ?? none
}
