import { type Clock, systemClock } from '../../platform/common/clock.ts'
import { Loop, POLL_MS } from '../../platform/common/loop.ts'
import { putSetting, settingByName } from '../../platform/storage/settings.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { checkFault, FaultInvalid } from './check.ts'
import type { Faults } from './faults.ts'
import type { FaultReading, FaultRule, FaultyEndpoint } from './rule.ts'
import type { FaultSettings } from './settings.ts'

const SETTING = 'faults'
/** Its row is locked by each change, so that changes on several nodes follow one another. */
const LOCK = 'faults_lock'
const CHANNEL = 'faults'
export const MAX_FAULTS = 1_000

interface StoredFaults {
  /** The number of the next id. Ids are never used again. */
  readonly next: number
  readonly rules: readonly FaultRule[]
}

interface FaultControlOptions {
  readonly faults: Faults
  readonly store: Store
  readonly endpoints: readonly FaultyEndpoint[]
  /** The clock that users see. */
  readonly clock: Clock
  onError(error: unknown): void
}

/**
 * Changes the fault rules, on all nodes. They are stored, as the adjusted clock is, so they are in
 * force again after a restart. Each node counts its own hits.
 */
export class FaultControl {
  readonly #options: FaultControlOptions
  readonly #watch: Loop

  constructor(options: FaultControlOptions) {
    this.#options = options
    const { store, onError } = options
    this.#watch = new Loop({
      wakeUps: (wake) => store.listen(CHANNEL, wake),
      round: async () => {
        await this.load()
        return systemClock.now() + POLL_MS.announced
      },
      onError,
    })
  }

  /** Puts the stored rules in force. */
  async load(): Promise<void> {
    const { faults, store } = this.#options
    const { rules } = await stored(store)
    const known = faults.readings().map(({ rule }) => rule)
    if (JSON.stringify(known) !== JSON.stringify(rules)) faults.set(rules)
  }

  /** Follows changes that other nodes make. */
  start(): void {
    this.#watch.start()
  }

  stop(): Promise<void> {
    this.#options.faults.close()
    return this.#watch.stop()
  }

  /** In their order. */
  list(): readonly FaultReading[] {
    return this.#options.faults.readings()
  }

  find(id: string): FaultReading | undefined {
    return this.list().find(({ rule }) => rule.id === id)
  }

  /**
   * Adds a rule, by default after all others. `position`: from 1.
   * @throws FaultInvalid
   */
  async add(settings: FaultSettings, position?: number): Promise<FaultReading> {
    const checked = this.#checked(settings)
    const id = await this.#change(({ next, rules }) => {
      if (rules.length >= MAX_FAULTS)
        throw new FaultInvalid(
          'kind',
          settings.kind,
          `there are ${MAX_FAULTS} fault rules already: remove some`,
        )
      const rule = { id: `f${next}`, ...checked }
      return { next: next + 1, rules: inserted(rules, rule, position ?? rules.length + 1), result: rule.id }
    })
    return this.find(id) as FaultReading
  }

  /**
   * Replaces a rule, whose counts begin again. Undefined if there is none.
   * @throws FaultInvalid
   */
  async replace(id: string, settings: FaultSettings, position?: number): Promise<FaultReading | undefined> {
    const checked = this.#checked(settings)
    await this.#change(({ next, rules }) => {
      const index = rules.findIndex((rule) => rule.id === id)
      if (index === -1) return { next, rules, result: undefined }
      const others = rules.toSpliced(index, 1)
      return { next, rules: inserted(others, { id, ...checked }, position ?? index + 1), result: undefined }
    })
    return this.find(id)
  }

  /** Resolves to whether there was such a rule. */
  remove(id: string): Promise<boolean> {
    return this.#change(({ next, rules }) => {
      const left = rules.filter((rule) => rule.id !== id)
      return { next, rules: left, result: left.length < rules.length }
    })
  }

  /** Resolves to how many rules there were. */
  clear(): Promise<number> {
    return this.#change(({ next, rules }) => ({ next, rules: [], result: rules.length }))
  }

  #checked(settings: FaultSettings): FaultSettings {
    const { endpoints, clock } = this.#options
    return checkFault(settings, { endpoints, nowMs: clock.now() })
  }

  async #change<T>(change: (before: StoredFaults) => StoredFaults & { result: T }): Promise<T> {
    const { store } = this.#options
    const result = await store.write(async (tx) => {
      await putSetting(tx, LOCK, '')
      const { result, ...after } = change(await stored(tx))
      await putSetting(tx, SETTING, JSON.stringify(after))
      tx.notify(CHANNEL)
      return result
    })
    await this.load()
    return result
  }
}

async function stored(reader: Pick<Transaction, 'first'>): Promise<StoredFaults> {
  const row = await reader.first(settingByName, { name: SETTING })
  return row ? (JSON.parse(row.value) as StoredFaults) : { next: 1, rules: [] }
}

const inserted = (rules: readonly FaultRule[], rule: FaultRule, position: number) =>
  rules.toSpliced(Math.min(position, rules.length + 1) - 1, 0, rule)
