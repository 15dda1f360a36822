import type { Transaction } from '../../platform/storage/store.ts'
import { BLOCK_MS, BLOCK_POSTS, BLOCKS_PER_PERIOD, BlockPosts, blockAt, placesBytes } from './block.ts'
import type { PlacedPost } from './queries.ts'
import {
  addPlaces,
  addTerms,
  blocksByKeys,
  lastBlocks,
  lockInsights,
  placesOfPosts,
  putBlocks,
} from './queries.ts'

/** A post to count. */
export interface Counted {
  readonly id: string
  readonly country: string
  readonly atMs: number
  readonly terms: ReadonlySet<string>
}

interface Block {
  readonly country: string
  readonly block: number
  readonly posts: BlockPosts
  changed: boolean
}

/**
 * Counts posts, and stops counting removed ones. A post keeps its position and has a flag whether it is visible. So the
 * operation is idempotent, and a removal writes no terms.
 */
export async function changeRollups(
  tx: Transaction,
  counted: readonly Counted[],
  removed: readonly string[],
): Promise<void> {
  await tx.first(lockInsights, {})
  const ids = [...counted.map(({ id }) => id), ...removed]
  const known = new Map(
    (await tx.all(placesOfPosts, { ids: JSON.stringify(ids) })).map((one) => [one.post_id, one]),
  )
  const added = counted.filter(({ id }) => !known.has(id))
  const blocks = await blocksOf(tx, [...known.values()], added)
  const hidden = new Set(removed)
  for (const { post_id, country, block, place } of known.values()) {
    const of = blocks.of(country, block)
    if (of.posts.show(place, !hidden.has(post_id))) of.changed = true
  }
  const places = added.flatMap((post) => blocks.place(post) ?? [])
  await blocks.write(tx)
  if (places.length > 0) await addNew(tx, places)
}

type Placed = PlacedPost & { terms: ReadonlySet<string> }

async function addNew(tx: Transaction, placed: readonly Placed[]): Promise<void> {
  const posts = placed.map(({ post_id, country, block, place }) => [post_id, country, block, place])
  await tx.run(addPlaces, { posts: JSON.stringify(posts) })
  const rows = new Map<string, { row: [string, number, string]; places: number[] }>()
  for (const { country, block, place, terms } of placed)
    for (const term of terms) {
      const key = `${country} ${block} ${term}`
      const known = rows.get(key)
      if (known) known.places.push(place)
      else rows.set(key, { row: [country, block, term], places: [place] })
    }
  const terms = [...rows.values()].map(({ row, places }) => [...row, placesBytes(places).toString('hex')])
  await tx.run(addTerms, { terms: JSON.stringify(terms) })
}

/** Reads the blocks that contain posts, and the last blocks of the periods to which posts are added. */
async function blocksOf(
  tx: Transaction,
  known: readonly PlacedPost[],
  added: readonly Counted[],
): Promise<Blocks> {
  const blocks = new Blocks()
  const times = new Map(
    added.map(({ country, atMs }) => [
      `${country} ${blockAt(atMs)}`,
      [country, blockAt(atMs), blockAt(atMs + BLOCK_MS)],
    ]),
  )
  const last = await tx.all(lastBlocks, { times: JSON.stringify([...times.values()]) })
  for (const row of last) blocks.add(row, true)
  const keys = new Map(known.map(({ country, block }) => [`${country} ${block}`, [country, block]]))
  const rest = [...keys].filter(([key]) => !blocks.has(key)).map(([, row]) => row)
  if (rest.length > 0)
    for (const row of await tx.all(blocksByKeys, { keys: JSON.stringify(rest) })) blocks.add(row, false)
  return blocks
}

/** The blocks that a transaction changes. */
class Blocks {
  readonly #blocks = new Map<string, Block>()
  /** The last block of each period and country. */
  readonly #last = new Map<string, Block>()

  has(key: string): boolean {
    return this.#blocks.has(key)
  }

  of(country: string, block: number): Block {
    const found = this.#blocks.get(`${country} ${block}`)
    if (!found) throw new Error(`a post stands in the block ${block} of ${country}, which is missing`)
    return found
  }

  add(row: { country: string; block: number; posts?: Uint8Array }, isLast: boolean): Block {
    const { country, block, posts } = row
    const added = { country, block, posts: new BlockPosts(posts), changed: false }
    this.#blocks.set(`${country} ${block}`, added)
    if (isLast) this.#last.set(`${country} ${Math.floor(block / BLOCKS_PER_PERIOD)}`, added)
    return added
  }

  /** Gives a new post its position; undefined if its period is full. */
  place({ id, country, atMs, terms }: Counted): Placed | undefined {
    const first = blockAt(atMs)
    let last = this.#last.get(`${country} ${first / BLOCKS_PER_PERIOD}`)
    if (last === undefined || last.posts.size >= BLOCK_POSTS) {
      const block = last === undefined ? first : last.block + 1
      if (block >= first + BLOCKS_PER_PERIOD) return undefined
      last = this.add({ country, block }, true)
    }
    last.changed = true
    const place = last.posts.add(Math.floor((atMs % BLOCK_MS) / 1000))
    return { post_id: id, country, block: last.block, place, terms }
  }

  async write(tx: Transaction): Promise<void> {
    const changed = [...this.#blocks.values()].filter((one) => one.changed)
    if (changed.length === 0) return
    const rows = changed.map(({ country, block, posts }) => [country, block, posts.bytes.toString('hex')])
    await tx.run(putBlocks, { blocks: JSON.stringify(rows) })
  }
}
