import { contentCategories } from '../../../domain/reference-data/content-categories.ts'
import {
  type CuratedCategory,
  curatedCategoryById,
} from '../../../domain/reference-data/curated-categories.ts'
import { deviceByValue } from '../../../domain/reference-data/devices.ts'
import { countryOfLocation } from '../../../domain/reference-data/locations.ts'
import { platformByValue } from '../../../domain/reference-data/platforms.ts'
import { tvShowByValue } from '../../../domain/reference-data/tv-shows.ts'
import { msg, word, words } from '../../../platform/http/message.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { WriteContext } from '../entity/types.ts'
import type { TargetingType } from './names.ts'
import { countCriteria, curatedCategoryOfLineItem, targetedLineItem, valuesOfType } from './queries.ts'
import { type TargetingTypeRow, targetingTypes } from './types.ts'

/** A criterion, as the rules see it. */
interface Criterion {
  line_item_id: string
  targeting_type: TargetingType
  targeting_value: string
  operator_type: string
  deleted: boolean
}

/** The targeting of a line item at the end of a request. Read once, when a rule needs it. */
class Targeting {
  readonly batch: boolean
  readonly #work: WriteContext
  readonly #at: { account: string; lineItem: string }
  readonly #values = new Map<string, Promise<Set<string>>>()
  #counts: Promise<Map<string, number>> | undefined
  #curated: Promise<boolean> | undefined
  #objective: Promise<string | undefined> | undefined

  constructor(work: WriteContext & { batch: boolean }, lineItem: string) {
    this.#work = work
    this.batch = work.batch
    this.#at = { account: work.scope.accountId, lineItem }
  }

  async count(types: readonly string[]): Promise<number> {
    this.#counts ??= this.#work.tx
      .all(countCriteria, this.#at)
      .then((rows) => new Map(rows.map(({ targeting_type, total }) => [targeting_type, total])))
    const counts = await this.#counts
    return types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0)
  }

  /** The targeted values of a type, without excluded ones. */
  values(type: TargetingType): Promise<Set<string>> {
    const known = this.#values.get(type)
    if (known) return known
    const read = this.#work.tx
      .all(valuesOfType, { ...this.#at, type })
      .then(
        (rows) => new Set(rows.flatMap((row) => (row.operator_type === 'NE' ? [] : [row.targeting_value]))),
      )
    this.#values.set(type, read)
    return read
  }

  curated(): Promise<boolean> {
    this.#curated ??= this.#work.tx
      .first(curatedCategoryOfLineItem, this.#at)
      .then((found) => found !== undefined)
    return this.#curated
  }

  objective(): Promise<string | undefined> {
    this.#objective ??= this.#work.tx
      .first(targetedLineItem, { account: this.#at.account, id: this.#at.lineItem })
      .then((found) => found?.objective)
    return this.#objective
  }
}

/** The error of a new criterion among the others of its line item; undefined if it is valid. */
type CriterionRule = (criterion: Criterion, targeting: Targeting) => Promise<AdsError | undefined>

const onlyInBatch: CriterionRule = async ({ targeting_type }, { batch }) =>
  !batch && targetingTypes[targeting_type].batchOnly
    ? wrongParameter('targeting_type', msg`${word(targeting_type)} is accepted by the batch endpoint only`)
    : undefined

const objective: CriterionRule = async ({ targeting_type }, targeting) => {
  const { objective: needed } = targetingTypes[targeting_type]
  if (needed === undefined || (await targeting.objective()) === needed) return undefined
  return wrongParameter(
    'line_item_id',
    msg`${word(targeting_type)} needs a line item with the objective ${word(needed)}`,
    'INCOMPATIBLE_LINE_ITEM',
  )
}

const together: CriterionRule = async ({ targeting_type }, targeting) => {
  const { needs } = targetingTypes[targeting_type]
  if (!needs || (await targeting.count(needs)) > 0) return undefined
  return wrongParameter(
    'targeting_type',
    msg`${word(targeting_type)} needs one of ${words(needs)} on the line item: send them in one batch`,
    'INCLUSIVE_PARAMETERS',
  )
}

/** A platform that includes a targeted device would make targeting the device pointless. */
const platformAndDevice: CriterionRule = async ({ targeting_type, targeting_value }, targeting) => {
  if (targeting_type === 'DEVICE') {
    const device = deviceByValue(targeting_value)
    const platforms = await targeting.values('PLATFORM')
    return device && [...platforms].some((platform) => covers(platform, device.os_type))
      ? broader(device.name)
      : undefined
  }
  if (targeting_type !== 'PLATFORM') return undefined
  const devices = [...(await targeting.values('DEVICE'))].map(deviceByValue)
  const covered = devices.find((device) => device && covers(targeting_value, device.os_type))
  return covered && broader(covered.name)
}

/** Names of platforms begin with the system: `BlackBerry phones and tablets`. */
const covers = (platform: string, system: string) =>
  platformByValue(platform)?.name.startsWith(system) ?? false

const broader = (device: string) =>
  wrongAttribute(
    'targeting_value',
    msg`A platform cannot be targeted together with ${device}, which belongs to it`,
  )

/**
 * A show is watched in the countries of its locales: there must be locations, all within these
 * countries.
 */
const showInMarket: CriterionRule = async ({ targeting_type, targeting_value, operator_type }, targeting) => {
  if (targeting_type === 'TV_SHOW') {
    const places = await targeting.values('LOCATION')
    if (places.size === 0)
      return wrongParameter(
        'targeting_value',
        msg`A TV_SHOW needs a LOCATION on the line item first`,
        'INVALID_TV_SHOW_LOCATIONS',
      )
    return [...places].every((place) => inMarket(targeting_value, place))
      ? undefined
      : outside(targeting_value)
  }
  if (targeting_type !== 'LOCATION' || operator_type === 'NE') return undefined
  const shows = await targeting.values('TV_SHOW')
  const wrong = [...shows].find((show) => !inMarket(show, targeting_value))
  return wrong === undefined ? undefined : outside(wrong)
}

function inMarket(show: string, place: string): boolean {
  const country = countryOfLocation(place)
  return tvShowByValue(show)?.locales.some((locale) => locale.country === country) ?? false
}

const outside = (show: string) =>
  wrongParameter(
    'targeting_value',
    msg`Every LOCATION must be in the market of the TV_SHOW ${tvShowByValue(show)?.name ?? show}`,
    'TV_SHOW_OUTSIDE_MARKET',
  )

const TWINS: Readonly<Record<string, TargetingType>> = {
  CUSTOM_AUDIENCE: 'CUSTOM_AUDIENCE_EXPANDED',
  CUSTOM_AUDIENCE_EXPANDED: 'CUSTOM_AUDIENCE',
}

const audienceTwins: CriterionRule = async ({ targeting_type, targeting_value }, targeting) => {
  const twin = TWINS[targeting_type]
  if (twin === undefined || !(await targeting.values(twin)).has(targeting_value)) return undefined
  return wrongAttribute(
    'targeting_value',
    msg`${word(targeting_type)} and ${word(twin)} of one audience are mutually exclusive`,
  )
}

/**
 * IAB categories are targeted as complete content categories, and not together with a curated
 * category.
 */
const wholeContentCategory: CriterionRule = async ({ targeting_type, targeting_value }, targeting) => {
  if (targeting_type !== 'IAB_CATEGORY') return undefined
  if (await targeting.curated())
    return wrongAttribute('targeting_type', msg`IAB_CATEGORY cannot be combined with a curated category`)
  const present = await targeting.values('IAB_CATEGORY')
  const holding = contentCategories().filter((category) => category.iab_categories.includes(targeting_value))
  if (holding.some((category) => category.iab_categories.every((iab) => present.has(iab)))) return undefined
  return wrongAttribute(
    'targeting_value',
    holding.length === 0
      ? msg`${targeting_value} belongs to no content category`
      : msg`The IAB categories of a content category must be targeted together: ${holding.map(({ name }) => name).join(' or ')}`,
  )
}

const rules: readonly CriterionRule[] = [
  onlyInBatch,
  objective,
  together,
  platformAndDevice,
  showInMarket,
  audienceTwins,
  wholeContentCategory,
]

/**
 * Maximum number of publishers that a line item may exclude: with a curated category, and
 * otherwise.
 */
export const MAX_PUBLISHERS = { curated: 5, other: 50 } as const

const mostOf = async (type: TargetingType, targeting: Targeting): Promise<number | undefined> => {
  if (type !== 'CONTENT_PUBLISHER_USER') return targetingTypes[type].most
  return (await targeting.curated()) ? MAX_PUBLISHERS.curated : MAX_PUBLISHERS.other
}

const typesCountedWith = (type: TargetingType): TargetingType[] => {
  const { counted } = targetingTypes[type]
  if (counted === undefined) return [type]
  const all = Object.entries(targetingTypes) as [TargetingType, TargetingTypeRow][]
  return all.flatMap(([other, row]) => (row.counted === counted ? [other] : []))
}

/** If there are too many, the last new criteria of a line item are in excess. */
async function tooMany(
  created: readonly Criterion[],
  targeting: Targeting,
): Promise<Map<Criterion, AdsError>> {
  const wrong = new Map<Criterion, AdsError>()
  for (const type of new Set(created.map((criterion) => criterion.targeting_type))) {
    const most = await mostOf(type, targeting)
    if (most === undefined) continue
    const counted = typesCountedWith(type)
    const over = (await targeting.count(counted)) - most
    if (over <= 0) continue
    const message = msg`A line item takes at most ${most} of ${words(counted)}`
    for (const excess of created
      .filter(({ targeting_type }) => counted.includes(targeting_type))
      .slice(-over))
      wrong.set(excess, wrongAttribute('targeting_type', message))
  }
  return wrong
}

/**
 * The errors of the criteria of a request, checked against all criteria of their line items after
 * everything was written, so that the order in a batch does not matter. Only new criteria break
 * rules, not those that existed already. Every criterion can be deleted, except the last place that
 * a curated category requires.
 */
export async function wrongAfter(
  items: readonly Criterion[],
  work: WriteContext & { batch: boolean },
): Promise<AdsError[][]> {
  const created = items.filter((criterion) => !criterion.deleted && !work.existing?.has(criterion))
  const errors = new Map<Criterion, AdsError[]>()
  for (const [lineItem, ofLineItem] of Map.groupBy(created, (criterion) => criterion.line_item_id)) {
    const targeting = new Targeting(work, lineItem)
    const over = await tooMany(ofLineItem, targeting)
    for (const criterion of ofLineItem) {
      const found = [over.get(criterion), ...(await brokenBy(criterion, targeting))]
      errors.set(
        criterion,
        found.filter((error) => error !== undefined),
      )
    }
  }
  const gone = items.filter((criterion) => criterion.deleted && criterion.targeting_type === 'LOCATION')
  for (const [lineItem, ofLineItem] of Map.groupBy(gone, (criterion) => criterion.line_item_id)) {
    const category = await categoryWithoutPlace(lineItem, work)
    // The last of the deleted places that were in its countries.
    const last = ofLineItem.findLast((criterion) => isInCountries([criterion], category?.country_codes ?? []))
    if (category && last) errors.set(last, [needsPlace(category, lineItem)])
  }
  return items.map((criterion) => errors.get(criterion) ?? [])
}

/** The curated category of a line item, if no targeted place is in one of its countries. */
async function categoryWithoutPlace(
  lineItem: string,
  { tx, scope }: WriteContext,
): Promise<CuratedCategory | undefined> {
  const at = { account: scope.accountId, lineItem }
  const held = await tx.first(curatedCategoryOfLineItem, at)
  const category = held && curatedCategoryById(held.curated_category_id)
  if (!category) return undefined
  const places = await tx.all(valuesOfType, { ...at, type: 'LOCATION' })
  return isInCountries(places, category.country_codes) ? undefined : category
}

const needsPlace = ({ name, country_codes }: CuratedCategory, lineItem: string) =>
  wrongAttribute(
    'targeting_value',
    msg`The curated category ${name} of Line Item ${lineItem} needs a LOCATION in ${country_codes.join(', ')}`,
  )

/** Whether one of the targeted places is in one of the countries. */
export const isInCountries = (
  places: readonly { targeting_value: string; operator_type: string }[],
  countries: readonly string[],
): boolean =>
  places.some(
    ({ targeting_value, operator_type }) =>
      operator_type === 'EQ' && countries.includes(countryOfLocation(targeting_value) ?? ''),
  )

async function brokenBy(criterion: Criterion, targeting: Targeting): Promise<AdsError[]> {
  const found: AdsError[] = []
  for (const rule of rules) {
    const error = await rule(criterion, targeting)
    if (error) found.push(error)
  }
  return found
}
