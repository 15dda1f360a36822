import { afterError } from '../../../platform/common/after-error.ts'
import { SHORT_PAUSES } from '../../../platform/common/loop.ts'
import type { LoggedEvent } from '../../../platform/events/event.ts'
import { LogReader } from '../../../platform/events/reader.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { RuleSets } from './rule-sets.ts'

interface AppsBehindOptions {
  readonly store: Store
  readonly rules: RuleSets
  /** Sends the posts of some events to one app. */
  send(events: readonly LoggedEvent[], app: string): Promise<void>
  /** Called when rules or events could not be read. They are read again. */
  onError: (error: unknown) => void
}

/** An app that waits for its rules. */
interface Behind {
  /** At the position in the log up to which it has received its posts. */
  readonly reader: LogReader
  /** The position up to which only this catch-up sends its posts. It advances with the log. */
  through: number
  /** Whether its rules changed since they were last read. */
  isStale: boolean
  ended: Promise<void>
}

const EVENTS_AT_ONCE = 500

/**
 * Apps whose rules changed. Each catches up with the event log by itself once its rules have been
 * read again, so that no other app waits for them. Only positions are stored of what an app misses
 * meanwhile, however long reading its rules takes.
 */
export class AppsBehind {
  readonly #parts: AppsBehindOptions
  readonly #behind = new Map<string, Behind>()
  readonly #closing = new AbortController()

  constructor(parts: AppsBehindOptions) {
    this.#parts = parts
  }

  /**
   * Records the next events of the log, and whose rules they change. Returns the apps that receive
   * the posts of these events from here, after their new rules; no one else may send them.
   */
  note(events: readonly LoggedEvent[], changed: ReadonlySet<string>): ReadonlySet<string> {
    const [first, last] = [events.at(0), events.at(-1)]
    if (!first || !last) return new Set()
    for (const behind of this.#behind.values()) behind.through = Math.max(behind.through, last.position)
    for (const app of changed) {
      const behind = this.#behind.get(app)
      if (behind) behind.isStale = true
      else if (this.#parts.rules.has(app)) this.#add(app, first.position - 1, last.position)
    }
    return new Set(this.#behind.keys())
  }

  /** Stops between two steps, and waits for those in progress. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#behind.values()].map(({ ended }) => ended))
  }

  #add(app: string, after: number, through: number): void {
    if (this.#closing.signal.aborted) return
    const reader = new LogReader(this.#parts.store, after)
    const behind = { reader, through, isStale: true, ended: Promise.resolve() }
    this.#behind.set(app, behind)
    behind.ended = this.#catchUp(app, behind)
  }

  async #catchUp(app: string, behind: Behind): Promise<void> {
    const { signal } = this.#closing
    let failures = 0
    while (!signal.aborted && (behind.isStale || behind.reader.position < behind.through)) {
      try {
        await this.#step(app, behind)
        failures = 0
      } catch (error) {
        if (signal.aborted) break
        this.#parts.onError(error)
        await afterError(failures++, signal, SHORT_PAUSES)
      }
    }
    this.#behind.delete(app)
  }

  /** Reads the rules if they changed, and sends the next posts. */
  async #step(app: string, behind: Behind): Promise<void> {
    const { rules, send } = this.#parts
    const { reader } = behind
    // Rules that are read from now on include every event up to here, and possibly later ones.
    const { through } = behind
    if (!rules.has(app)) {
      // No reader is left. A new one reads the rules again.
      behind.isStale = false
      reader.position = through
      return
    }
    if (behind.isStale) await this.#refresh(app, behind)
    if (this.#closing.signal.aborted) return
    const events = await reader.next(EVENTS_AT_ONCE)
    const own = events.filter(({ position }) => position <= through)
    await send(own, app)
    reader.position = own.length < EVENTS_AT_ONCE ? through : (own.at(-1)?.position ?? through)
  }

  async #refresh(app: string, behind: Behind): Promise<void> {
    behind.isStale = false
    try {
      await this.#parts.rules.refresh(app)
    } catch (error) {
      behind.isStale = true
      throw error
    }
  }
}
