import { lookup, once, readTable } from '../../platform/common/lookup.ts'
import { base36Id } from './ids.ts'

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

/** When an event takes place. */
interface Rule {
  /** The first days in a year of our calendar, as UTC midnights. */
  starts: (year: number) => number[]
  days: number
}

const DAY_MS = 86_400_000
/** Maximum number of years of a request. More would only repeat. */
const MAX_YEARS = 3
const SHORTEST_MONTH_DAYS = 29

/** The rules in the table, by their first words; the other words are the arguments. */
const rules: Readonly<Record<string, (words: readonly string[]) => Rule['starts']>> = {
  /** `date MONTH DAY` */
  date: ([month, day]) => onDate(Number(month), Number(day)),
  /** `easter DAYS`: days after the Easter of the western churches */
  easter: ([days]) => fromEaster(Number(days)),
  /** `weekday N WEEKDAY MONTH DAYS`: days after the n-th Monday (1) in a month; Sunday is 0 */
  weekday: ([n, weekday, month, days]) =>
    fromWeekday(Number(n), Number(weekday), Number(month), Number(days)),
  /** The Tuesday after the first Monday of November, in even years. */
  'election-day': () => (year) => (year % 2 === 0 ? fromWeekday(1, 1, 11, 1)(year) : []),
  'lunar-new-year': () => lunarNewYear(),
  /** `calendar NAME MONTH DAY` */
  calendar: ([calendar, month, day]) => inCalendar(calendar, month, Number(day)),
}

const withRules = once((): readonly { rule: Rule; event: RecurringEvent }[] =>
  readTable(new URL('events.tsv', import.meta.url)).map(
    ([type, name = '', country = '', rule = '', days]) => {
      const [kind = '', ...words] = rule.split(' ')
      const starts = rules[kind]?.(words)
      const eventType = eventTypes.find((known) => known === type)
      if (!starts || !eventType) throw new Error(`events.tsv: ${name} has an unknown type or rule`)
      return {
        rule: { starts, days: Number(days) },
        event: {
          targeting_value: base36Id(`event:${country}/${name}`),
          name,
          event_type: eventType,
          country_code: country === '' ? null : country,
        },
      }
    },
  ),
)

export const recurringEvents = once((): readonly RecurringEvent[] => withRules().map(({ event }) => event))

export const eventByValue = lookup(recurringEvents, (event) => event.targeting_value)

/**
 * The first occurrence of each event that is at least partly between two times (epoch milliseconds,
 * the end is exclusive), earliest first. Without an end: the next occurrence of each.
 */
export function eventsBetween(fromMs: number, toMs = Number.POSITIVE_INFINITY): EventOption[] {
  const first = new Date(fromMs).getUTCFullYear()
  const years = Array.from({ length: MAX_YEARS + 1 }, (_, n) => first - 1 + n)
  return withRules()
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

function utc(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day)
}

/** The same date every year. */
function onDate(month: number, day: number): Rule['starts'] {
  return (year) => [utc(year, month, day)]
}

/** Days before or after the n-th occurrence of a weekday in a month. */
function fromWeekday(n: number, weekday: number, month: number, days: number): Rule['starts'] {
  return (year) => {
    const first = utc(year, month, 1)
    const until = (weekday - new Date(first).getUTCDay() + 7) % 7
    return [first + (until + 7 * (n - 1) + days) * DAY_MS]
  }
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

function lunarNewYear(): Rule['starts'] {
  const computed = inCalendar('chinese', '1', 1)
  // New moons within minutes of midnight in Beijing, for which the calendar library is off by a
  // day.
  const corrected = new Map([
    [2027, utc(2027, 2, 6)],
    [2030, utc(2030, 2, 3)],
  ])
  return (year) => {
    const start = corrected.get(year)
    return start === undefined ? computed(year) : [start]
  }
}

/** A day of another calendar. A year may contain it twice, or not at all. */
function inCalendar(calendar = '', month = '', day = 0): Rule['starts'] {
  const remembered = new Map<number, number[]>()
  // Creating a formatter takes longer than using it for a year.
  const format = once(
    () => new Intl.DateTimeFormat('en', { calendar, month: 'numeric', day: 'numeric', timeZone: 'UTC' }),
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
