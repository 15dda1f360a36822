import { currencies } from '../../../domain/reference-data/currencies.ts'
import { once } from '../../../platform/common/lookup.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Conversion } from './body.ts'
import type { Attribution } from './attribution.ts'
import type { TagOfConversions } from './queries.ts'
import type { ConversionRow } from './tables.ts'

const HASH = /^[0-9a-fA-F]{64}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})$/
const DAY_MS = 86_400_000
const MICROS = 1_000_000
/** Of a sum of money: 15 digits are exact. */
export const MAX_VALUE = 1e9
export const MAX_ITEMS = 1_000_000

const knownCurrencies = once(() => new Set(currencies().map(({ code }) => code)))

/** What is checked with. */
export interface Checking {
  readonly source: { readonly id: string; readonly account_id: string }
  /** The web event tags of the account that are not deleted, by their ids. */
  readonly tags: ReadonlyMap<string, TagOfConversions>
  readonly nowMs: number
}

/** A conversion as it is stored, without what led to it and what the store adds. */
export interface CheckedConversion
  extends Omit<
    ConversionRow,
    ('id' | 'account_id' | 'received_at' | 'kind' | 'app_id' | 'hashed_device_id') | keyof Attribution
  > {
  readonly tag: TagOfConversions
}

/** Checks one conversion; returns its errors, or its row. */
export function checkConversion(sent: Conversion, at: Checking): AdsError[] | CheckedConversion {
  const { identifiers, number_items = 1, price_currency = 'USD' } = sent
  const keys = keysOf(identifiers)
  const time = timeOf(sent.conversion_time)
  const value = amountOf(sent.value)
  const tagId = tagOf(sent.event_id, at.source.id)
  const tag = at.tags.get(tagId ?? '')
  const errors = [
    ...wrongTag(sent.event_id, tagId, at),
    ...wrongKeys(keys, identifiers),
    ...wrongTime('conversion_time', sent.conversion_time),
    ...wrongFuture(sent.conversion_time, at.nowMs),
    ...(number_items >= 1 && number_items <= MAX_ITEMS
      ? []
      : [expected(`a number from 1 to ${MAX_ITEMS}`, number_items, 'number_items')]),
    ...(Math.abs(value) <= MAX_VALUE ? [] : [expected('an amount', sent.value, 'value')]),
    ...wrongCurrency(price_currency),
  ]
  if (errors.length > 0 || !tag) return errors
  return {
    tag,
    web_event_tag_id: tag.id,
    type: tag.type,
    conversion_id: sent.conversion_id || null,
    converted_at: time,
    value_micro: Math.round(value * MICROS),
    price_currency,
    number_items,
    ...keys,
  }
}

/** An amount as a number or as a text; NaN for anything else. */
function amountOf(sent: unknown): number {
  if (sent === undefined || sent === null || sent === '') return 0
  return typeof sent === 'number' || typeof sent === 'string' ? Number(sent) : Number.NaN
}

/** A time with a zone as epoch milliseconds; NaN for anything else. */
export const timeOf = (sent: string): number =>
  TIME.test(sent) && isDay(sent.slice(0, 10)) ? Date.parse(sent) : Number.NaN

/** Whether a date exists: `Date.parse` reads 30 February as 2 March. */
const isDay = (date: string): boolean => new Date(date).getUTCDate() === Number(date.slice(-2))

export const wrongCurrency = (code: string): AdsError[] =>
  knownCurrencies().has(code) ? [] : [expected('an ISO 4217 currency', code, 'price_currency')]

const expected = (what: string, got: unknown, parameter: string) =>
  wrongParameter(
    parameter,
    msg`Expected ${what}, got "${typeof got === 'object' ? JSON.stringify(got) : String(got)}" for ${parameter}`,
  )

/** The id of a tag in either form, in lower case; undefined without one. */
function tagOf(event: string | undefined, source: string): string | undefined {
  const id = event?.toLowerCase()
  const prefix = `svc-${source}-`
  return id?.startsWith(prefix) ? id.slice(prefix.length) : id || undefined
}

function wrongTag(
  event: string | undefined,
  tag: string | undefined,
  { source, tags }: Checking,
): AdsError[] {
  if (tag === undefined) return [missingParameter('event_id')]
  const notSingle = wrongParameter('event_id', msg`event_id (${event ?? ''}) is not a single event tag (SET)`)
  if (tag === source.id) return [notSingle]
  if (tags.has(tag)) return []
  const foreign = msg`event_id (${event ?? ''}) does not belong to provided account`
  return [wrongParameter('event_id', foreign, 'NOT_FOUND'), notSingle]
}

type Keys = Pick<ConversionRow, 'click_id' | 'hashed_email' | 'hashed_phone_number'>

/** The first of each key; empty texts count as absent. */
function keysOf(identifiers: Conversion['identifiers']): Keys {
  const first = (name: keyof Keys) => identifiers.find((one) => one[name])?.[name] ?? null
  return {
    click_id: first('click_id'),
    hashed_email: first('hashed_email')?.toLowerCase() ?? null,
    hashed_phone_number: first('hashed_phone_number')?.toLowerCase() ?? null,
  }
}

function wrongKeys(keys: Keys, identifiers: Conversion['identifiers']): AdsError[] {
  const hasPair = (['ip_address', 'user_agent'] as const).every((name) =>
    identifiers.some((one) => one[name]),
  )
  if (!hasPair && Object.values(keys).every((key) => key === null))
    return [wrongParameter('', msg`At least one user identifier must be provided`)]
  return (['hashed_email', 'hashed_phone_number'] as const).flatMap((name) =>
    identifiers.flatMap(({ [name]: hash }) =>
      !hash || HASH.test(hash)
        ? []
        : [wrongParameter(name, msg`${name} (${hash}) is not a valid SHA-256 hash`)],
    ),
  )
}

export const wrongTime = (parameter: string, sent: string): AdsError[] =>
  Number.isNaN(timeOf(sent))
    ? [
        wrongParameter(
          parameter,
          msg`Expected Time in yyyy-MM-ddTHH:mm:ss.SSSZ, got "${sent}" for ${word(parameter)}`,
        ),
      ]
    : []

/** A conversion cannot happen later than a day ahead: clocks differ. */
export const wrongFuture = (sent: string, nowMs: number): AdsError[] =>
  timeOf(sent) > nowMs + DAY_MS ? [expected('a time at most a day ahead', sent, 'conversion_time')] : []
