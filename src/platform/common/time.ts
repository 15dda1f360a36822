import { instantText } from './instant.ts'

/**
 * A time of an object of the core API: RFC 3339 in UTC. Only whole seconds are shown, with the
 * fraction `.000`, because clients parse this one format. The text of a day is cached, because
 * lists contain many times of few days.
 */
export const objectTime = (ms: number) => `${instantText(ms).slice(0, -1)}.000Z`

/** An exact time: RFC 3339 in UTC, with milliseconds. */
export const isoTime = (ms: number) =>
  `${instantText(ms).slice(0, -1)}.${String(ms % 1000).padStart(3, '0')}Z`

/** A time in the classic form of posts and users: `Wed Jan 20 22:00:00 +0000 2017`. */
export function classicTime(ms: number): string {
  const [day = '', date, month, year, time] = new Date(ms).toUTCString().split(' ')
  return `${day.replace(',', '')} ${month} ${date} ${time} +0000 ${year}`
}
