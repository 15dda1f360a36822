import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MatchablePost } from '../../../domain/query-language/matchable-post.ts'
import type { QueryNames } from '../../../domain/query-language/names.ts'
import { parseQuery } from '../../../domain/query-language/parse.ts'
import { RuleIndex } from '../../../domain/query-language/rule-index.ts'
import { systemClock } from '../../../platform/common/clock.ts'
import { FIRST_ID } from '../../../platform/common/ids.ts'
import type { Slices } from '../../../platform/common/slices.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { pageOfRuleIds, rulesByIds } from '../queries.ts'
import { type RuledStream, useOf } from '../rules.ts'
import type { StreamRuleRow } from '../tables.ts'

/** A rule that a post matches, as streams show it. */
export interface MatchedRule {
  readonly id: string
  readonly tag?: string
}

/** A rule in the index. */
export interface IndexedRule {
  readonly id: string
  readonly app: string
  readonly shown: MatchedRule
}

interface RuleSetsOptions {
  store: Pick<Store, 'all'>
  stream: RuledStream
  /** The names of operators, as clients write them. */
  names: QueryNames
  /**
   * Called for a rule that can no longer be parsed, because its operators were named by another
   * vocabulary.
   */
  onUnreadable: (rule: StreamRuleRow) => void
}

interface AppRules {
  /** The same string object for all its rules: sorting rules by app then compares no characters. */
  readonly app: string
  /** The number of connections that need them. */
  holders: number
  ids: Set<string>
  /** The read in progress. */
  reading: Promise<void> | undefined
}

const IDS_AT_ONCE = 1_000
/** Rules that are read with one query. */
const ROWS_AT_ONCE = 200
/** Rules that are added in one turn of the event loop. */
const ADDED_AT_ONCE = 20
/**
 * Readers reconnect, so the rules of an app stay this long after its last connection. In real time.
 */
const KEPT_MS = 60_000

/** The rules of the apps with an open stream on this node, in one index. */
export class RuleSets {
  readonly #parts: RuleSetsOptions
  readonly #index = new RuleIndex<IndexedRule>()
  readonly #apps = new Map<string, AppRules>()

  constructor(parts: RuleSetsOptions) {
    this.#parts = parts
  }

  /** Reads the rules of an app, for one more connection. */
  async hold(app: string): Promise<void> {
    const rules = this.#apps.get(app) ?? { app, holders: 0, ids: new Set(), reading: undefined }
    rules.holders++
    this.#apps.set(app, rules)
    try {
      await this.refresh(app)
    } catch (error) {
      this.release(app)
      throw error
    }
  }

  /**
   * A connection ended. The rules are removed after the last one, unless another one opens soon.
   */
  release(app: string): void {
    const rules = this.#apps.get(app)
    if (!rules || --rules.holders > 0) return
    void systemClock.at(systemClock.now() + KEPT_MS).then(() => {
      if (rules.holders > 0 || this.#apps.get(app) !== rules) return
      this.#apps.delete(app)
      for (const id of rules.ids) this.#index.delete(id)
    })
  }

  /** Whether the rules of an app are loaded: a connection needs them, or did recently. */
  has(app: string): boolean {
    return this.#apps.has(app)
  }

  /** Updates the rules of an app, if a connection needs them. */
  async refresh(app: string): Promise<void> {
    const rules = this.#apps.get(app)
    if (!rules) return
    // A read in progress may have begun before the change.
    const reading = (rules.reading ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#read(app, rules))
    rules.reading = reading
    await reading
  }

  /** The rules that match a post, by app. */
  async match(post: MatchablePost, slices: Slices): Promise<Map<string, MatchedRule[]>> {
    return byApp(await this.#index.matchInSlices(post, slices))
  }

  /**
   * Rules are added and deleted, never changed, so ids are enough to determine what is new and what
   * is gone.
   */
  async #read(app: string, rules: AppRules): Promise<void> {
    const now = await this.#idsOf(app)
    for (const id of rules.ids) {
      if (now.has(id)) continue
      rules.ids.delete(id)
      this.#index.delete(id)
    }
    const added = [...now].filter((id) => !rules.ids.has(id))
    const { store, stream } = this.#parts
    for (let at = 0; at < added.length; at += ROWS_AT_ONCE) {
      const ids = JSON.stringify(added.slice(at, at + ROWS_AT_ONCE))
      for (const [index, row] of (await store.all(rulesByIds, { app, stream, ids })).entries()) {
        this.#add(row, rules)
        if (index % ADDED_AT_ONCE === ADDED_AT_ONCE - 1) await nextTurn()
      }
      await nextTurn()
    }
  }

  async #idsOf(app: string): Promise<Set<string>> {
    const { store, stream } = this.#parts
    const all = new Set<string>()
    for (let after = FIRST_ID; ; ) {
      const page = await store.all(pageOfRuleIds, { app, stream, after, limit: IDS_AT_ONCE })
      for (const { id } of page) all.add(id)
      const last = page.at(-1)
      if (!last || page.length < IDS_AT_ONCE) return all
      after = last.id
      await nextTurn()
    }
  }

  #add(row: StreamRuleRow, rules: AppRules): void {
    // The last connection may have ended meanwhile.
    if (this.#apps.get(row.app_id) !== rules) return
    rules.ids.add(row.id)
    // The plan of the app was checked when the rule was added.
    const { stream, names } = this.#parts
    const parsed = parseQuery(row.value, { for: useOf(stream), access: 'enterprise', names })
    if (!parsed.ok) {
      this.#parts.onUnreadable(row)
      return
    }
    const shown = { id: row.id, ...(row.tag !== null && { tag: row.tag }) }
    this.#index.add({ id: row.id, app: rules.app, shown }, parsed.query)
  }
}

/** The matching rules, as streams show them, by app. */
export function byApp(rules: readonly IndexedRule[]): Map<string, MatchedRule[]> {
  const all = new Map<string, MatchedRule[]>()
  for (const { app, shown } of rules) {
    const found = all.get(app)
    if (found) found.push(shown)
    else all.set(app, [shown])
  }
  return all
}
