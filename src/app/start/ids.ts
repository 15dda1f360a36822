import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../../platform/common/clock.ts'
import {
  compareIds,
  FIRST_ID,
  firstIdAt,
  greatestId,
  type ResumableIds,
  timeOfId,
  timeOrderedIds,
} from '../../platform/common/ids.ts'
import { newestEventAfter } from '../../platform/events/queries.ts'
import { putSetting, settingByName, settingsBetween } from '../../platform/storage/settings.ts'
import { type Store, UniqueViolation } from '../../platform/storage/store.ts'
import { AdjustableClock } from '../../workbench/clock/adjustable-clock.ts'
import { LAST_ID_SETTING } from '../../workbench/snapshots/manifest.ts'

/** How far ahead of a frozen clock ids are reserved: a node makes 409,600 ids in this time. */
const RESERVED_MS = 100

interface IdOptions {
  readonly store: Store
  readonly clock: Clock
  readonly node: number
}

interface LastIds {
  /** What is stored for the node: its last id, or one that is greater than all of its ids. */
  readonly stored: string
  /** What new ids begin after. */
  readonly after: string
}

/**
 * The ids of a node: greater than those of former processes with its number, also after the clock
 * was frozen or set back. A process stores its last id when it ends. While the clock is frozen, it
 * stores a greater one in advance, because it may be killed.
 */
export class StoredIds implements ResumableIds {
  readonly #options: IdOptions
  readonly #source: ResumableIds
  readonly #after: string
  readonly #atStart: string
  #stored: string
  #storing: Promise<void> | undefined
  /** Runs a function outside of the transaction in which an id is made. */
  readonly #outside = AsyncLocalStorage.snapshot()

  private constructor(options: IdOptions, { stored, after }: LastIds) {
    this.#options = options
    this.#source = timeOrderedIds(options.clock, options.node, after === FIRST_ID ? undefined : after)
    this.#after = after
    this.#atStart = stored
    this.#stored = stored
  }

  static async open(options: IdOptions): Promise<StoredIds> {
    return new StoredIds(options, await lastIdsOf(options))
  }

  get last(): string | undefined {
    return this.#source.last
  }

  /** What other sources of this node begin after. */
  get after(): string | undefined {
    return this.#after === FIRST_ID ? undefined : this.#after
  }

  next(): string {
    const id = this.#source.next()
    if (isFrozen(this.#options.clock) && !this.#storing && this.#isNearEnd(id)) {
      this.#storing = this.#outside(() => this.reserve())
        .catch(() => undefined)
        .finally(() => {
          this.#storing = undefined
        })
    }
    return id
  }

  #isNearEnd(id: string): boolean {
    return compareIds(firstIdAt(timeOfId(id) + RESERVED_MS / 2), this.#stored) > 0
  }

  /** While the clock is frozen, stores an id that is greater than the next ones. */
  async reserve(): Promise<void> {
    const { clock } = this.#options
    if (!isFrozen(clock)) return
    const fromMs = Math.max(timeOfId(this.#source.last ?? FIRST_ID), clock.now())
    await this.#put(firstIdAt(fromMs + RESERVED_MS))
  }

  async #put(id: string): Promise<void> {
    const { store, node } = this.#options
    const former = this.#stored
    this.#stored = id
    const write = () =>
      store.write(async (tx) => {
        const known = (await tx.first(settingByName, { name: nameOf(node) }))?.value ?? FIRST_ID
        // Another process with this number may have stored a greater one.
        if (known === former || compareIds(known, id) < 0) await putSetting(tx, nameOf(node), id)
      })
    await write().catch((error: unknown) => {
      // Another process has stored the first one at the same time.
      if (error instanceof UniqueViolation) return write()
      throw error
    })
  }

  /** Stores the last id. Without it, the next process begins after what was reserved. */
  async close(): Promise<void> {
    await this.#storing
    const { last = this.#after } = this.#source
    if (last === this.#after && this.#stored === this.#atStart) return
    await this.#put(greatestId(last, firstIdAt(this.#options.clock.now()))).catch(() => undefined)
  }
}

/** After the names of all these settings, whatever the database thinks of `_`. */
const AFTER_SETTINGS = 'last_ie'
const nameOf = (node: number) => `${LAST_ID_SETTING}_of_node_${node}`

const isFrozen = (clock: Clock) => clock instanceof AdjustableClock && clock.state.frozenAtMs !== undefined

async function lastIdsOf({ store, clock, node }: IdOptions): Promise<LastIds> {
  const now = clock.now()
  const [known, late] = await Promise.all([
    store.all(settingsBetween, { from: LAST_ID_SETTING, to: AFTER_SETTINGS }),
    store.first(newestEventAfter, { after: now }),
  ])
  const stored = known.find(({ name }) => name === nameOf(node))?.value ?? FIRST_ID
  const restored = known.find(({ name }) => name === LAST_ID_SETTING)?.value ?? FIRST_ID
  const ofAll = known.map(({ value }) => value)
  // The clock was set back.
  if (late) return { stored, after: greatestId(...ofAll, firstIdAt(late.at + 1)) }
  // A process that was killed may have made ids while the clock was frozen.
  const isUnknown = isFrozen(clock) && compareIds(greatestId(stored, restored), firstIdAt(now)) < 0
  return { stored, after: greatestId(...ofAll, isUnknown ? firstIdAt(now + RESERVED_MS) : FIRST_ID) }
}
