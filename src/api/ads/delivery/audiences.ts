import { locationsReady } from '../../../domain/reference-data/locations.ts'
import { audienceStates } from '../audiences/flexible.ts'
import { doNotReachListOf } from '../audiences/queries.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { type Criterion, targetingOf } from '../targeting/estimate/matching.ts'
import { matchesIn, readSample, type UserSample } from '../targeting/estimate/sample.ts'
import type { TargetingType } from '../targeting/names.ts'
import { targetingTypes } from '../targeting/types.ts'
import { criteriaOfLineItems } from './queries.ts'

/** Who can see a line item. */
export interface Audience {
  readonly people: number
  /** The targeted ages, genders and platforms, by type. */
  readonly targeted?: Readonly<Record<string, readonly string[]>>
}

type AudienceDependencies = Pick<AdsDependencies, 'store' | 'membership'> & {
  readonly config: Pick<AdsDependencies['config'], 'adPeoplePerUser' | 'audienceMinimum'>
}

/** The targeting that figures are divided by. */
const DIVIDING: readonly TargetingType[] = ['AGE', 'GENDER', 'PLATFORM']
/** Line items whose criteria are read at once. */
const LINE_ITEMS_AT_ONCE = 200

/**
 * Reads the audiences of line items: the people that an estimate of their targeting is about, in
 * the middle between its bounds, without those that an account does not want to reach. One reader
 * serves one computation: it reads the users once.
 */
export class AudienceReader {
  readonly #parts: AudienceDependencies
  #sample: Promise<UserSample> | undefined
  readonly #sizes = new Map<string, Promise<number>>()

  constructor(parts: AudienceDependencies) {
    this.#parts = parts
  }

  /** The audiences of some line items of an account, by their ids. */
  async read(account: string, lineItems: readonly string[]): Promise<Map<string, Audience>> {
    const audiences = new Map<string, Audience>()
    if (lineItems.length === 0) return audiences
    await locationsReady()
    const excluded = await this.#excludedFrom(account)
    for (let at = 0; at < lineItems.length; at += LINE_ITEMS_AT_ONCE) {
      const part = lineItems.slice(at, at + LINE_ITEMS_AT_ONCE)
      const rows = await this.#parts.store.all(criteriaOfLineItems, { account, ids: JSON.stringify(part) })
      const byLineItem = Map.groupBy(rows, (row) => row.line_item_id)
      for (const id of part) {
        const criteria = (byLineItem.get(id) ?? []).map((row) => ({
          type: row.targeting_type as TargetingType,
          value: row.targeting_value,
          operator: row.operator_type,
          name: row.name,
        }))
        audiences.set(id, await this.#audienceOf(criteria, excluded))
      }
    }
    return audiences
  }

  async #audienceOf(criteria: readonly Criterion[], excluded: number): Promise<Audience> {
    const key = JSON.stringify(criteria.map(({ type, value, operator }) => [type, value, operator]))
    const known = this.#sizes.get(key) ?? this.#sizeOf(criteria)
    this.#sizes.set(key, known)
    const people = Math.max(0, Math.round((await known) - excluded))
    const targeted = targetedIn(criteria)
    return { people, ...(targeted && { targeted }) }
  }

  async #sizeOf(criteria: readonly Criterion[]): Promise<number> {
    const { store, config } = this.#parts
    // Advertisements are delivered in production only.
    this.#sample ??= readSample('production', this.#parts)
    const sample = await this.#sample
    const { sure, possible } = await matchesIn(sample, await targetingOf(criteria, store))
    const people = ((sure + possible) / 2 / sample.share) * config.adPeoplePerUser
    const listed = criteria.filter(({ type }) => type === 'CUSTOM_AUDIENCE')
    const sizes = await this.#membersOf(listed.map(({ value }) => value))
    const sizeOf = (operator: string) =>
      listed.reduce((sum, one) => sum + (one.operator === operator ? (sizes.get(one.value) ?? 0) : 0), 0)
    const primary = criteria.filter((one) => one.operator === 'EQ' && targetingTypes[one.type].primary)
    const isListedOnly = primary.length > 0 && primary.every(({ type }) => type === 'CUSTOM_AUDIENCE')
    return (isListedOnly ? Math.min(people, sizeOf('EQ')) : people) - sizeOf('NE')
  }

  /** The people on the do not reach list of an account. */
  async #excludedFrom(account: string): Promise<number> {
    const list = await this.#parts.store.first(doNotReachListOf, { account })
    if (!list) return 0
    const states = await this.#parts.membership.states([list.id])
    return states.get(list.id)?.size ?? 0
  }

  /** Members of audiences that are large enough to be targeted. */
  async #membersOf(audiences: readonly string[]): Promise<Map<string, number>> {
    if (audiences.length === 0) return new Map()
    const states = await audienceStates(audiences, this.#parts)
    const { audienceMinimum } = this.#parts.config
    return new Map([...states].flatMap(([id, { size }]) => (size < audienceMinimum ? [] : [[id, size]])))
  }
}

function targetedIn(criteria: readonly Criterion[]): Audience['targeted'] {
  const values = criteria.filter(({ type, operator }) => operator === 'EQ' && DIVIDING.includes(type))
  if (values.length === 0) return undefined
  return Object.fromEntries(
    [...Map.groupBy(values, ({ type }) => type)].map(([type, list]) => [
      type,
      list.map(({ value }) => value).sort(),
    ]),
  )
}
