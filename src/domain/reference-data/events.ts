import { base36Id } from './ids.ts'
import { lookup, once } from './lookup.ts'

export const eventTypes = [
  'CONFERENCE',
  'HOLIDAY',
  'MUSIC_AND_ENTERTAINMENT',
  'OTHER',
  'POLITICS',
  'RECURRING',
  'SPORTS',
] as const
export type EventType = (typeof eventTypes)[number]

/** One occurrence of an event, with local times written as if they were UTC. */
export interface EventOption {
  reach: { total_reach: null }
  name: string
  start_time: string
  end_time: string
  top_users: readonly string[]
  top_posts: readonly string[]
  top_hashtags: readonly string[]
  gender_breakdown_percentage: Readonly<Record<string, number>>
  device_breakdown_percentage: Readonly<Record<string, number>>
  country_breakdown_percentage: Readonly<Record<string, number>>
  country_code: string | null
  targeting_value: string
  is_global: boolean
  event_type: EventType
}

/** A recurring event, with one id for all years. */
export interface RecurringEvent {
  targeting_value: string
  name: string
  event_type: EventType
  /** ISO 3166-1 alpha-2; null if it is celebrated in many countries. */
  country_code: string | null
}

interface Rule {
  name: string
  type: EventType
  country: string | null
  /** The first days in a year of our calendar, as UTC midnights. */
  starts: (year: number) => number[]
  days: number
}

const DAY_MS = 86_400_000
/** Maximum number of years of a request. More would only repeat. */
const MAX_YEARS = 3
const SHORTEST_MONTH_DAYS = 29
const [SUNDAY, MONDAY, THURSDAY] = [0, 1, 4] as const

const rules: readonly Rule[] = [
  // In the documented sample, it begins on the eve and ends after the day.
  holiday("New Year's", null, (year) => [utc(year, 12, 31)], 2),
  holiday("Valentine's Day", null, on(2, 14)),
  holiday("St. Patrick's Day", null, on(3, 17)),
  holiday('Good Friday', null, fromEaster(-2)),
  holiday('Easter', null, fromEaster(0)),
  holiday('Labour Day', null, on(5, 1)),
  holiday('Halloween', null, on(10, 31)),
  holiday('Christmas', null, on(12, 24), 3),
  holiday('Lunar New Year', null, lunarNewYear()),
  holiday('Ramadan', null, inCalendar('islamic-umalqura', 9, 1), 29),
  holiday('Eid al-Fitr', null, inCalendar('islamic-umalqura', 10, 1)),
  holiday('Eid al-Adha', null, inCalendar('islamic-umalqura', 12, 10)),
  holiday('Rosh Hashanah', null, inHebrewCalendar('Tishri', 1), 2),
  holiday('Hanukkah', null, inHebrewCalendar('Kislev', 25), 8),
  holiday('Martin Luther King Jr. Day', 'US', nth(3, MONDAY, 1)),
  holiday('Memorial Day', 'US', lastMonday(5)),
  holiday('Juneteenth', 'US', on(6, 19)),
  holiday('Independence Day', 'US', on(7, 4)),
  holiday('Labor Day', 'US', nth(1, MONDAY, 9)),
  holiday('Veterans Day', 'US', on(11, 11)),
  holiday('Thanksgiving', 'US', nth(4, THURSDAY, 11)),
  holiday('Canada Day', 'CA', on(7, 1)),
  holiday('Thanksgiving', 'CA', nth(2, MONDAY, 10)),
  holiday('Australia Day', 'AU', on(1, 26)),
  holiday('Anzac Day', 'AU', on(4, 25)),
  holiday('Waitangi Day', 'NZ', on(2, 6)),
  holiday('Boxing Day', 'GB', on(12, 26)),
  holiday('Bonfire Night', 'GB', on(11, 5)),
  holiday('Bastille Day', 'FR', on(7, 14)),
  holiday('German Unity Day', 'DE', on(10, 3)),
  holiday('Republic Day', 'IT', on(6, 2)),
  holiday('National Day of Spain', 'ES', on(10, 12)),
  holiday("King's Day", 'NL', on(4, 27)),
  holiday('National Day of Norway', 'NO', on(5, 17)),
  holiday('National Day of Sweden', 'SE', on(6, 6)),
  holiday('Independence Day', 'PL', on(11, 11)),
  holiday('Carnival', 'BR', fromEaster(-51), 5),
  holiday('Independence Day', 'BR', on(9, 7)),
  holiday('Independence Day', 'AR', on(7, 9)),
  holiday('Independence Day', 'MX', on(9, 16)),
  holiday('Day of the Dead', 'MX', on(11, 1), 2),
  holiday('Republic Day', 'IN', on(1, 26)),
  holiday('Independence Day', 'IN', on(8, 15)),
  holiday('Independence Day', 'ID', on(8, 17)),
  holiday('Culture Day', 'JP', on(11, 3)),
  holiday('Liberation Day', 'KR', on(8, 15)),
  holiday('National Day of China', 'CN', on(10, 1), 7),
  holiday('Republic Day', 'TR', on(10, 29)),
  holiday('National Day of Saudi Arabia', 'SA', on(9, 23)),
  holiday('Freedom Day', 'ZA', on(4, 27)),
  recurring("International Women's Day", null, on(3, 8)),
  recurring('Earth Day', null, on(4, 22)),
  recurring('World Environment Day', null, on(6, 5)),
  recurring('World Music Day', null, on(6, 21)),
  recurring('Pride Month', null, on(6, 1), 30),
  recurring("Singles' Day", null, on(11, 11)),
  recurring('Black Friday', null, (year) => shift(nth(4, THURSDAY, 11)(year), 1)),
  recurring('Cyber Monday', null, (year) => shift(nth(4, THURSDAY, 11)(year), 4)),
  recurring("Mother's Day", 'US', nth(2, SUNDAY, 5)),
  recurring("Father's Day", 'US', nth(3, SUNDAY, 6)),
  recurring("Mother's Day", 'GB', fromEaster(-21)),
  {
    name: 'Federal elections',
    type: 'POLITICS',
    country: 'US',
    starts: (year) => (year % 2 === 0 ? shift(nth(1, MONDAY, 11)(year), 1) : []),
    days: 1,
  },
]

const documentedIds: Readonly<Record<string, string>> = { "New Year's": '1ex' }

const withIds = once(() =>
  rules.map((rule) => ({
    rule,
    event: {
      targeting_value: documentedIds[rule.name] ?? base36Id(`event:${rule.country ?? ''}/${rule.name}`),
      name: rule.name,
      event_type: rule.type,
      country_code: rule.country,
    } satisfies RecurringEvent,
  })),
)

export const recurringEvents = once((): readonly RecurringEvent[] => withIds().map(({ event }) => event))

export const eventByValue = lookup(recurringEvents, (event) => event.targeting_value)

/**
 * The first occurrence of each event that is at least partly between two times (epoch milliseconds, the end is
 * exclusive), earliest first. Without an end: the next occurrence of each.
 */
export function eventsBetween(fromMs: number, toMs = Number.POSITIVE_INFINITY): EventOption[] {
  const first = new Date(fromMs).getUTCFullYear()
  const years = Array.from({ length: MAX_YEARS + 1 }, (_, n) => first - 1 + n)
  return withIds()
    .flatMap(({ rule, event }) => {
      const start = years
        .flatMap(rule.starts)
        .find((startMs) => startMs + rule.days * DAY_MS > fromMs && startMs < toMs)
      return start === undefined ? [] : [{ start, option: occurrence(event, start, rule.days) }]
    })
    .sort((a, b) => a.start - b.start)
    .map(({ option }) => option)
}

function occurrence(event: RecurringEvent, startMs: number, days: number): EventOption {
  return {
    reach: { total_reach: null },
    name: event.name,
    start_time: isoSeconds(startMs),
    end_time: isoSeconds(startMs + days * DAY_MS),
    top_users: [],
    top_posts: [],
    top_hashtags: [],
    gender_breakdown_percentage: {},
    device_breakdown_percentage: {},
    country_breakdown_percentage: {},
    country_code: event.country_code,
    targeting_value: event.targeting_value,
    is_global: event.country_code === null,
    event_type: event.event_type,
  }
}

function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

function holiday(name: string, country: string | null, starts: Rule['starts'], days = 1): Rule {
  return { name, type: 'HOLIDAY', country, starts, days }
}

function recurring(name: string, country: string | null, starts: Rule['starts'], days = 1): Rule {
  return { name, type: 'RECURRING', country, starts, days }
}

function utc(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day)
}

function shift(starts: number[], days: number): number[] {
  return starts.map((start) => start + days * DAY_MS)
}

/** The same date every year. */
function on(month: number, day: number): Rule['starts'] {
  return (year) => [utc(year, month, day)]
}

/** The n-th occurrence of a weekday in a month. */
function nth(n: number, weekday: number, month: number): Rule['starts'] {
  return (year) => {
    const first = utc(year, month, 1)
    const until = (weekday - new Date(first).getUTCDay() + 7) % 7
    return [first + (until + 7 * (n - 1)) * DAY_MS]
  }
}

function lastMonday(month: number): Rule['starts'] {
  return (year) => shift(nth(1, MONDAY, month + 1)(year), -7)
}

/** Days before or after the Easter of the western churches (the anonymous Gregorian algorithm). */
function fromEaster(days: number): Rule['starts'] {
  return (year) => {
    const golden = year % 19
    const century = Math.floor(year / 100)
    const inCentury = year % 100
    const skipped = Math.floor((8 * century + 13) / 25)
    const epact = (19 * golden + century - Math.floor(century / 4) - skipped + 15) % 30
    const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7
    const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
    const sum = epact + weekday - 7 * correction + 114
    return [utc(year, Math.floor(sum / 31), (sum % 31) + 1) + days * DAY_MS]
  }
}

/** A day of a calendar with numbered months. A year may contain it twice, or not at all. */
function inCalendar(calendar: string, month: number, day: number): Rule['starts'] {
  return daysOf(calendar, 'numeric', String(month), day)
}

function lunarNewYear(): Rule['starts'] {
  const computed = inCalendar('chinese', 1, 1)
  // New moons within minutes of midnight in Beijing, for which the calendar library is off by a day.
  const corrected = new Map([
    [2027, utc(2027, 2, 6)],
    [2030, utc(2030, 2, 3)],
  ])
  return (year) => {
    const start = corrected.get(year)
    return start === undefined ? computed(year) : [start]
  }
}

function inHebrewCalendar(month: string, day: number): Rule['starts'] {
  return daysOf('hebrew', 'long', month, day)
}

function daysOf(calendar: string, form: 'numeric' | 'long', month: string, day: number): Rule['starts'] {
  const remembered = new Map<number, number[]>()
  // Creating a formatter takes longer than using it for a year.
  const format = once(
    () => new Intl.DateTimeFormat('en', { calendar, month: form, day: 'numeric', timeZone: 'UTC' }),
  )
  return (year) => {
    const found = remembered.get(year) ?? search(format(), month, day, year)
    // Callers choose the years, so the cache is bounded.
    if (remembered.size < 50) remembered.set(year, found)
    return found
  }
}

function search(format: Intl.DateTimeFormat, month: string, day: number, year: number): number[] {
  const end = utc(year + 1, 1, 1)
  const found: number[] = []
  let at = utc(year, 1, 1)
  while (at < end) {
    const parts = format.formatToParts(at)
    const today = Number(parts.find((part) => part.type === 'day')?.value)
    if (today === day && parts.find((part) => part.type === 'month')?.value === month) found.push(at)
    // A month has at least 29 days, so its wanted day cannot be earlier than this.
    const wait = today < day ? day - today : SHORTEST_MONTH_DAYS - today + day
    at += Math.max(wait, 1) * DAY_MS
  }
  return found
}
