import { setTimeout as sleep } from 'node:timers/promises'
import { POLL_MS } from '../../platform/common/loop.ts'
import type { MarkedResource } from '../../platform/common/marked.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import type { ClusterState, SharedIds } from '../../platform/storage/nodes.ts'
import type { NodeRow } from '../../platform/storage/tables.ts'

/** A running node puts back a mark that was lost, and renews its claim, within this time. */
const RETURN_MS = 4_000
const ID_BYTES = 16

/** Something that nodes share besides the database: the keys in Redis, or the media store. */
export interface SharedPlace {
  readonly marked: MarkedResource
  /** Its name for the operator, with the setting that chose it. */
  readonly name: string
  /** What the operator can do about the mark of another database. */
  readonly ifForeign: string
  /** What the operator can do about a place that is not the one of the running nodes. */
  readonly ifOther: string
  /**
   * No node runs, and this is not the place that the last ones shared.
   * @param hasMark Whether nodes of this database shared it earlier.
   * @throws Error It must not be replaced.
   */
  replace(hasMark: boolean): Promise<void>
  /** Takes care that the mark stays. */
  keep?(mark: string): void
}

export interface SharedPlaces {
  redis?: SharedPlace
  media: SharedPlace
}

/**
 * The place does not belong to this database, or not to its running nodes. The message says what to
 * do.
 */
export class PlaceConflict extends Error {
  override readonly name = 'PlaceConflict'
}

export const placeConflict = ({ name, ifOther }: SharedPlace, { node, pid, host }: NodeRow): PlaceConflict =>
  new PlaceConflict(`${name} is not what node ${node} (process ${pid} on ${host}) uses. ${ifOther}`)

/**
 * The ids of the places, from their marks. A place without a mark gets one, unless running nodes
 * share another one.
 * @throws PlaceConflict
 */
export async function idsOf(
  { redis, media }: SharedPlaces,
  look: () => Promise<ClusterState>,
  random: RandomSource,
): Promise<SharedIds> {
  const newId = random.bytes(ID_BYTES).toString('hex')
  return {
    ...(redis && {
      redis: await idOf(redis, newId, async () => {
        const { database, shared, others } = await look()
        // A node without Redis is a conflict of its own, which the claim reports.
        return { database, known: shared.redis, others: others.filter((node) => node.redis === 1) }
      }),
    }),
    media: await idOf(media, newId, async () => {
      const { database, shared, others } = await look()
      return { database, known: shared.media, others }
    }),
  }
}

interface PlaceState {
  database: string
  /** The id of the place that the running nodes share, or the last ones did. */
  known: string | undefined
  others: NodeRow[]
}

async function idOf(place: SharedPlace, newId: string, look: () => Promise<PlaceState>): Promise<string> {
  const began = performance.now()
  let first: NodeRow[] | undefined
  for (;;) {
    const { database, known, others } = await look()
    const mark = await place.marked.mark()
    const id = mark === undefined ? undefined : idIn(mark, database, place)
    const isKnown = id !== undefined && id === known
    if (isKnown || known === undefined || others.length === 0) {
      if (known !== undefined && !isKnown) await place.replace(id !== undefined)
      return marked(place, database, id ?? newId)
    }
    first ??= others
    // A node that was killed keeps its claim for a while, but does not renew it.
    const alive = others.find((node) => !first?.some((known) => isSame(known, node)))
    if (alive && performance.now() - began > RETURN_MS) throw placeConflict(place, alive)
    await sleep(POLL_MS.watched)
  }
}

const isSame = (a: NodeRow, b: NodeRow) => a.holder === b.holder && a.renewed_at === b.renewed_at

/** Marks the place, unless it is marked. Returns the id in its mark. */
async function marked(place: SharedPlace, database: string, newId: string): Promise<string> {
  const mark = await place.marked.putMark(`${database} ${newId}`)
  const id = idIn(mark, database, place)
  place.keep?.(mark)
  return id
}

function idIn(mark: string, database: string, { name, ifForeign }: SharedPlace): string {
  const [owner, id] = mark.split(' ')
  if (owner === database && id !== undefined && id !== '') return id
  throw new PlaceConflict(`${name} belongs to another database. ${ifForeign}`)
}
