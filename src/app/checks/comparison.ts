import { FIRST_ID } from '../../platform/common/ids.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'

/** A stored value that differs from the expected one. */
export interface Difference {
  /** What it belongs to: `user 123`. */
  readonly of: string
  /** The value: `followers_count`. */
  readonly name: string
  readonly stored: string | number
  readonly expected: string | number
}

/** A page of compared rows, with the keys of those whose stored values seem to differ. */
export interface ComparisonPage {
  readonly compared: number
  readonly suspects: readonly string[]
}

/** Compares counters, or rows of an index, with the rows from which they are derived. */
export interface Comparison {
  readonly name: string
  /** Goes through all rows, a page at a time. */
  pages(store: Pick<Store, 'all'>): AsyncIterable<ComparisonPage>
  /**
   * Compares one row again, and locks it before: others may have changed it between two reads.
   * Resolves to what differs.
   */
  compare(tx: Transaction, key: string): Promise<readonly Difference[]>
  /** Corrects the stored values. Enqueues a task if there may be many rows. */
  repair(tx: Transaction, key: string): Promise<void>
}

/** The outcome of a comparison. */
export interface ComparisonResult {
  readonly name: string
  readonly compared: number
  readonly differing: number
}

interface CompareOptions {
  repair: boolean
  /** Called with each difference. */
  found(difference: Difference): unknown
  /** Called after each page, with how many rows of a comparison were compared so far. */
  progress?(name: string, compared: number): Promise<void> | void
}

/** Compares everything, one comparison after another. */
export async function* compareAll(
  store: Store,
  comparisons: readonly Comparison[],
  options: CompareOptions,
): AsyncGenerator<ComparisonResult> {
  for (const comparison of comparisons) yield await compareRows(store, comparison, options)
}

async function compareRows(
  store: Store,
  { name, pages, compare, repair }: Comparison,
  options: CompareOptions,
): Promise<ComparisonResult> {
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
      for (const difference of differences) await options.found(difference)
    }
    await options.progress?.(name, compared)
  }
  return { name, compared, differing }
}

/** Rows that are compared at once. Requests to a running Plaza wait for one page at most. */
const PAGE = 200

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
  async function* (store: Pick<Store, 'all'>): AsyncGenerator<ComparisonPage> {
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
