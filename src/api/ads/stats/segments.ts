import type { DeliveryAbout } from '../../../domain/ad-delivery/ledger.ts'
import type { LedgerRow } from '../../../domain/ad-delivery/queries.ts'
import { hashText, mixed } from '../../../domain/ad-delivery/random.ts'
import {
  ageSegments,
  genderSegments,
  platformSegments,
  type Segment,
  segmentOf,
} from '../../../domain/ad-delivery/segments.ts'
import { type Location, locationById, locations } from '../../../domain/reference-data/locations.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { TargetingType } from '../targeting/names.ts'
import type { MetricGroup } from './metrics.ts'
import { dividingCriteria } from './queries.ts'

interface SegmentationRow {
  /** The types of criteria whose values are segments; absent for types that need none. */
  criteria?: readonly TargetingType[]
  /** Of these, only places of this type. */
  places?: string
  needs?: 'country' | 'platform'
  groups?: readonly MetricGroup[]
}

const KEYWORDS = ['BROAD_KEYWORD', 'EXACT_KEYWORD', 'PHRASE_KEYWORD', 'UNORDERED_KEYWORD'] as const
const USUAL: readonly MetricGroup[] = ['BILLING', 'ENGAGEMENT', 'MEDIA', 'MOBILE_CONVERSION', 'VIDEO']

const inCountry = (places: string): SegmentationRow => ({ criteria: ['LOCATION'], places, needs: 'country' })

/** Every type of segmentation (reference: analytics, segmentation). */
const SEGMENTATIONS = {
  AGE: {},
  APP_STORE_CATEGORY: { criteria: ['APP_STORE_CATEGORY'] },
  AUDIENCES: { criteria: ['CUSTOM_AUDIENCE'] },
  CITIES: inCountry('CITIES'),
  CONVERSATIONS: { criteria: ['CONVERSATION'] },
  CONVERSION_TAGS: { groups: ['WEB_CONVERSION'] },
  DEVICES: { criteria: ['DEVICE'], needs: 'platform' },
  EVENTS: { criteria: ['EVENT'] },
  GENDER: {},
  INTERESTS: { criteria: ['INTEREST'] },
  KEYWORDS: { criteria: KEYWORDS },
  LANGUAGES: { criteria: ['LANGUAGE'] },
  LOCATIONS: { criteria: ['LOCATION'] },
  METROS: { needs: 'country' },
  PLATFORM_VERSIONS: { criteria: ['PLATFORM_VERSION'], needs: 'platform' },
  PLATFORMS: { groups: [...USUAL, 'WEB_CONVERSION'] },
  POSTAL_CODES: inCountry('POSTAL_CODES'),
  REGIONS: inCountry('REGIONS'),
  SIMILAR_TO_FOLLOWERS_OF_USER: { criteria: ['SIMILAR_TO_FOLLOWERS_OF_USER'] },
  SLIDES: {},
  TV_SHOWS: { criteria: ['TV_SHOW'] },
} as const satisfies Record<string, SegmentationRow>

export type Segmentation = keyof typeof SEGMENTATIONS

export const SEGMENTATION_TYPES = Object.keys(SEGMENTATIONS) as [Segmentation, ...Segmentation[]]

const rowOf = (type: Segmentation): SegmentationRow => SEGMENTATIONS[type]

/** The parameter that a type of segmentation needs. */
export const neededBy = (type: Segmentation) => rowOf(type).needs

/** The groups that can be divided this way. */
export const groupsOf = (type: Segmentation): readonly MetricGroup[] => rowOf(type).groups ?? USUAL

interface SegmentationArgs {
  readonly account: string
  readonly type: Segmentation
  /** Targeting value. */
  readonly country: string | null
}

/** What is divided: what was delivered, or a conversion. */
type DivisibleRow = Pick<LedgerRow, 'line_item_id' | 'about'>

type SegmentsOf = (row: DivisibleRow) => readonly Segment[]

/**
 * How what was delivered is divided. Types of targeting that a line item does not use divide
 * nothing.
 */
export async function segmentsFor(
  rows: readonly DivisibleRow[],
  args: SegmentationArgs,
  store: Pick<Store, 'all'>,
): Promise<SegmentsOf> {
  const { criteria } = rowOf(args.type)
  return criteria ? targetedSegments(rows, { ...args, criteria }, store) : constantSegments(args)
}

/** The segment of a person. Each person is in one. */
export const segmentOfPerson = (
  segments: readonly Segment[],
  person: number,
  type: Segmentation,
): Segment | undefined => segmentOf(segments, mixed(person, hashText(type)))

function constantSegments({ type, country }: SegmentationArgs): SegmentsOf {
  const byAbout = new Map<string, readonly Segment[]>()
  const metros = type === 'METROS' ? metrosOf(country) : []
  return ({ about }) => {
    const known = byAbout.get(about)
    if (known) return known
    const { targeted = {} } = JSON.parse(about) as DeliveryAbout
    const made =
      type === 'AGE'
        ? ageSegments(targeted.AGE)
        : type === 'GENDER'
          ? genderSegments(targeted.GENDER)
          : type === 'PLATFORMS'
            ? platformSegments(targeted.PLATFORM)
            : metros
    byAbout.set(about, made)
    return made
  }
}

/** The markets of a country, of different sizes. */
const metrosOf = (country: string | null): readonly Segment[] => {
  const code = country === null ? undefined : locationById(country)?.countryCode
  return locations()
    .filter((place) => place.type === 'METROS' && place.countryCode === code)
    .map(({ id, name }) => ({ value: id, name, weight: 1 + (hashText(id) % 20) }))
}

async function targetedSegments(
  rows: readonly DivisibleRow[],
  { account, type, criteria, country }: SegmentationArgs & { criteria: readonly TargetingType[] },
  store: Pick<Store, 'all'>,
): Promise<SegmentsOf> {
  const lineItems = [...new Set(rows.map((row) => row.line_item_id))]
  const found = await store.all(dividingCriteria, {
    account,
    ids: JSON.stringify(lineItems),
    types: JSON.stringify(criteria),
  })
  const { places } = rowOf(type)
  const isInside = isInsideOf(country)

  const wanted = found.filter(
    ({ targeting_value: value, location_type }) =>
      places === undefined || (location_type === places && isInside(value)),
  )
  const byLineItem = new Map(
    [...Map.groupBy(wanted, (row) => row.line_item_id)].map(([id, list]) => [
      id,
      list.map(({ targeting_value: value, name }) => ({ value, name, weight: 1 })),
    ]),
  )
  return (row) => byLineItem.get(row.line_item_id) ?? []
}

const isInsideOf = (country: string | null) => {
  const code = country === null ? undefined : locationById(country)?.countryCode
  return (place: string) => locationById(place)?.countryCode === code
}

/** Whether a value is the targeting value of a country. */
export const isCountry = (value: string): boolean => {
  const place: Location | undefined = locationById(value)
  return place?.type === 'COUNTRIES'
}
