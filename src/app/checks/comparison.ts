import { FIRST_ID } from '../../platform/common/ids.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'

/** A stored value that differs from what its rows say. */
export interface Difference {
  /** What it belongs to: `user 123`. */
  readonly of: string
  /** The value: `followers_count`. */
  readonly name: string
  readonly stored: string | number
  readonly expected: string | number
}

/** Some compared rows, and the keys of those whose stored values seem to differ. */
export interface ComparedRows {
  readonly compared: number
  readonly suspects: readonly string[]
}

/** Compares counters, or rows of an index, with the rows that they follow from. */
export interface Comparison {
  readonly name: string
  /** Goes through all rows, a page at a time. */
  pages(store: Pick<Store, 'all'>): AsyncIterable<ComparedRows>
  /**
   * Compares one row again, and locks it before: others may have changed it between two reads. Resolves to what
   * differs.
   */
  compare(tx: Transaction, key: string): Promise<readonly Difference[]>
  /** Makes the stored values follow from the rows. Enqueues a task for it if there may be many. */
  repair(tx: Transaction, key: string): Promise<void>
}

/** The outcome of a comparison. */
export interface Compared {
  readonly name: string
  readonly compared: number
  readonly differing: number
}

interface Options {
  repair: boolean
  /** Called with each difference. */
  found(difference: Difference): void
}

/** Compares everything, one comparison after another. */
export async function* compareAll(
  store: Store,
  comparisons: readonly Comparison[],
  options: Options,
): AsyncGenerator<Compared> {
  for (const one of comparisons) yield await compareRows(store, one, options)
}

async function compareRows(
  store: Store,
  { name, pages, compare, repair }: Comparison,
  options: Options,
): Promise<Compared> {
  let compared = 0
  let differing = 0
  for await (const page of pages(store)) {
    compared += page.compared
    for (const key of page.suspects) {
      const differences = await store.write(async (tx) => {
        const still = await compare(tx, key)
        if (still.length > 0 && options.repair) await repair(tx, key)
        return still
      })
      differing += differences.length
      for (const one of differences) options.found(one)
    }
  }
  return { name, compared, differing }
}

/** Rows that are compared at once. */
const PAGE = 500

/** Goes through rows in the order of a key. `read` reads up to `limit` rows after a key. */
export async function* inPages<Row>(
  read: (page: { after: string; limit: number }) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
  start: string = FIRST_ID,
): AsyncGenerator<readonly Row[]> {
  for (let after = start; ; ) {
    const rows = await read({ after, limit: PAGE })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = keyOf(last)
  }
}

/** Goes through rows that hold both the stored and the expected values. */
export const differingRows = <Row extends { id: string }>(
  read: (store: Pick<Store, 'all'>, page: { after: string; limit: number }) => Promise<readonly Row[]>,
  differencesOf: (
    row: Row,
    store: Pick<Store, 'all'>,
  ) => readonly Difference[] | Promise<readonly Difference[]>,
  start?: string,
) =>
  async function* (store: Pick<Store, 'all'>): AsyncGenerator<ComparedRows> {
    for await (const rows of inPages(
      (page) => read(store, page),
      ({ id }) => id,
      start,
    )) {
      const suspects: string[] = []
      for (const row of rows) if ((await differencesOf(row, store)).length > 0) suspects.push(row.id)
      yield { compared: rows.length, suspects }
    }
  }

/** The members of `names` whose values differ. Counts of the database may be text. */
export const differencesIn = <Name extends string>(
  of: string,
  names: readonly Name[],
  stored: Readonly<Record<Name, string | number>>,
  expected: Readonly<Record<Name, string | number>>,
): Difference[] =>
  names.flatMap((name) =>
    String(stored[name]) === String(expected[name])
      ? []
      : [{ of, name, stored: stored[name], expected: expected[name] }],
  )
