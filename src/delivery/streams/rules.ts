import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type QueryNames, queryNames } from '../../domain/query-language/names.ts'
import { parseQuery } from '../../domain/query-language/parse.ts'
import { maxQueryLength, type QueryAccess, type QueryError } from '../../domain/query-language/query.ts'
import type { App } from '../../identity/apps/app.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { Config } from '../../platform/config/config.ts'
import { emit } from '../../platform/events/log.ts'
import { byVocabulary } from '../../platform/http/vocabulary.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { streamRulesChanged } from './events.ts'
import {
  addRule,
  lockOwner,
  removeAllRules,
  removeRules,
  rulesByIds,
  rulesByValues,
  rulesOfOwner,
} from './queries.ts'
import type { StreamRuleRow } from './tables.ts'

/** The streams that have rules of their own. */
export type RuledStream = 'filtered' | 'powerstream'

export interface RuleParts {
  readonly store: Store
  readonly ids: IdSource
  readonly config: Pick<Config, 'ruleAccess' | 'streamRulesPerApp' | 'streamRulesPerProject'>
}

export interface NewRule {
  readonly value: string
  readonly tag?: string | undefined
}

/** Why a rule was not added. */
export type RuleFault = { readonly value: string } & (
  | { readonly kind: 'duplicate'; readonly id: string }
  | { readonly kind: 'invalid' | 'too long' | 'noncompliant'; readonly errors: readonly QueryError[] }
)

export interface Added {
  readonly rules: readonly StreamRuleRow[]
  readonly faults: readonly RuleFault[]
}

export interface AddOptions {
  readonly app: Pick<App, 'id' | 'ownerUserId'>
  readonly stream: RuledStream
  /** The names of operators, as clients write them. */
  readonly names: QueryNames
  readonly dryRun?: boolean
}

/** Rules that are parsed in one turn of the event loop. */
const PARSED_AT_ONCE = 50

/** The names of operators under a vocabulary. */
export const namesOf = byVocabulary(({ spellings }) => queryNames(spellings))

/**
 * Rules of the powerstream may have the length of the larger plan, whatever the plan of the app.
 */
const accessOf = (stream: RuledStream, { ruleAccess }: RuleParts['config']): QueryAccess =>
  stream === 'powerstream' ? 'enterprise' : ruleAccess

/** What the rules of a stream are for, which decides about their operators. */
export const useOf = (stream: RuledStream) => (stream === 'powerstream' ? 'powerstream' : 'stream')

const fingerprintOf = (value: string) => createHash('sha256').update(value).digest('base64url')

/**
 * Adds the valid rules, and reports what is wrong with the others.
 * @throws ApiError `too many rules`, when there would be too many; then none was added.
 */
export async function addRules(
  given: readonly NewRule[],
  options: AddOptions,
  parts: RuleParts,
): Promise<Added> {
  const faults = new Map<NewRule, RuleFault>()
  for (const [index, rule] of given.entries()) {
    if (index % PARSED_AT_ONCE === PARSED_AT_ONCE - 1) await nextTurn()
    const fault = faultOf(rule.value, options, parts.config)
    if (fault) faults.set(rule, fault)
  }
  const right = given.filter((rule) => !faults.has(rule))
  const rules = await parts.store.write(async (tx) => {
    const duplicates = new Map<NewRule, RuleFault>()
    const rows = await newRows(right, options, { tx, ids: parts.ids, duplicates })
    if (rows.length > 0) await insert(rows, options, { tx, config: parts.config })
    return { rows, duplicates }
  })
  const all = given.flatMap((rule) => faults.get(rule) ?? rules.duplicates.get(rule) ?? [])
  return { rules: rules.rows, faults: all }
}

/**
 * The same for an app that the transaction may have created. Resolves to the faults; the caller
 * rolls back if there are any.
 * @throws ApiError `too many rules`
 */
export async function addRulesIn(
  tx: Transaction,
  given: readonly NewRule[],
  options: AddOptions,
  { ids, config }: Omit<RuleParts, 'store'>,
): Promise<ReadonlyMap<NewRule, RuleFault>> {
  const faults = new Map<NewRule, RuleFault>()
  for (const rule of given) {
    const fault = faultOf(rule.value, options, config)
    if (fault) faults.set(rule, fault)
  }
  const right = given.filter((rule) => !faults.has(rule))
  const rows = await newRows(right, options, { tx, ids, duplicates: faults })
  if (rows.length > 0) await insert(rows, options, { tx, config })
  return faults
}

/** Why the value of a rule is invalid. */
function faultOf(
  value: string,
  { names, stream }: AddOptions,
  config: RuleParts['config'],
): RuleFault | undefined {
  const access = accessOf(stream, config)
  const use = useOf(stream)
  const parsed = parseQuery(value, { for: use, access, names })
  if (parsed.ok) return undefined
  const { errors } = parsed
  if ([...value].length > maxQueryLength(use, access)) return { kind: 'too long', value, errors }
  // A rule that requires another plan is valid, but not allowed.
  const isAllowedToOthers = parseQuery(value, { for: use, access: 'enterprise', names }).ok
  return { kind: isAllowedToOthers ? 'noncompliant' : 'invalid', value, errors }
}

interface Rows {
  tx: Transaction
  ids: IdSource
  /** Removes the rules that exist already. */
  duplicates: Map<NewRule, RuleFault>
}

async function newRows(
  rules: readonly NewRule[],
  { app, stream }: AddOptions,
  { tx, ids, duplicates }: Rows,
): Promise<StreamRuleRow[]> {
  await tx.run(lockOwner, { owner: app.ownerUserId })
  const prints = rules.map(({ value }) => fingerprintOf(value))
  const at = { app: app.id, stream, fingerprints: JSON.stringify(prints) }
  const idOf = new Map((await tx.all(rulesByValues, at)).map(({ fingerprint, id }) => [fingerprint, id]))
  const rows: StreamRuleRow[] = []
  for (const [index, rule] of rules.entries()) {
    const { value, tag = null } = rule
    const fingerprint = prints[index] as string
    const existing = idOf.get(fingerprint)
    if (existing !== undefined) {
      duplicates.set(rule, { kind: 'duplicate', value, id: existing })
      continue
    }
    const id = ids.next()
    idOf.set(fingerprint, id)
    rows.push({ id, app_id: app.id, stream, value, tag, fingerprint, created_at: tx.now })
  }
  return rows
}

async function insert(
  rows: readonly StreamRuleRow[],
  { app, stream, dryRun = false }: AddOptions,
  { tx, config }: { tx: Transaction; config: RuleParts['config'] },
): Promise<void> {
  const counts = await tx.all(rulesOfOwner, { owner: app.ownerUserId, stream })
  const own = counts.find(({ app_id }) => app_id === app.id)?.rules ?? 0
  const all = counts.reduce((sum, { rules }) => sum + rules, 0)
  if (own + rows.length > config.streamRulesPerApp || all + rows.length > config.streamRulesPerProject)
    throw apiError('too many rules')
  if (dryRun) return
  for (const row of rows) await tx.run(addRule, row)
  await emit(tx, streamRulesChanged, { app_id: app.id, stream })
}

/** The rules to delete, by id and by value. */
export interface RulesToDelete {
  readonly ids: readonly string[]
  readonly values: readonly string[]
}

export interface Deleted {
  readonly deleted: number
  /** Those that do not exist. */
  readonly missing: RulesToDelete
}

/** Deletes rules of an app. */
export function deleteRules(
  { ids, values }: RulesToDelete,
  { app, stream, dryRun = false }: Omit<AddOptions, 'names'>,
  { store }: Pick<RuleParts, 'store'>,
): Promise<Deleted> {
  const owner = { app: app.id, stream }
  const printOf = new Map(values.map((value) => [value, fingerprintOf(value)]))
  return store.write(async (tx) => {
    const byId = await tx.all(rulesByIds, { ...owner, ids: JSON.stringify(ids) })
    const fingerprints = JSON.stringify([...printOf.values()])
    const byValue = await tx.all(rulesByValues, { ...owner, fingerprints })
    const found = new Set([...byId, ...byValue].map(({ id }) => id))
    const prints = new Set(byValue.map(({ fingerprint }) => fingerprint))
    if (!dryRun && found.size > 0) {
      await tx.run(removeRules, { ...owner, ids: JSON.stringify([...found]) })
      await emit(tx, streamRulesChanged, { app_id: app.id, stream })
    }
    return {
      deleted: found.size,
      missing: {
        ids: [...new Set(ids)].filter((id) => !found.has(id)),
        values: [...printOf].flatMap(([value, print]) => (prints.has(print) ? [] : [value])),
      },
    }
  })
}

/** Deletes all rules of an app. Resolves to their number. */
export const deleteAllRules = (
  app: App,
  stream: RuledStream,
  { store }: Pick<RuleParts, 'store'>,
): Promise<number> =>
  store.write(async (tx) => {
    const deleted = await tx.run(removeAllRules, { app: app.id, stream })
    if (deleted > 0) await emit(tx, streamRulesChanged, { app_id: app.id, stream })
    return deleted
  })
