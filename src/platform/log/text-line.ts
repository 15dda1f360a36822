import pino from 'pino'

/** A line of the log, as JSON. */
interface Line {
  level: number
  time: string
  msg?: string
  method?: string
  path?: string
  status?: number
  ms?: number
  err?: { message?: string; stack?: string }
  [member: string]: unknown
}

/** A line of the log as text, with the local time: `12:00:01.123 INFO  401 GET /2/users/me …`. */
export function textOf(json: string): string {
  const { level, time, msg, method, path, status, ms, err, ...members } = JSON.parse(json) as Line
  const name = (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5)
  const what = method === undefined ? msg : `${status} ${method} ${path} ${ms} ms`
  const more = Object.entries(members).map(
    ([member, value]) => `${member}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const line = [localTime(time), name, what ?? '', ...more].join(' ')
  const stack = err ? `\n${err.stack ?? err.message}` : ''
  return line.replace(CONTROLS, escaped) + stack.replace(CONTROLS_BUT_NEW_LINES, escaped)
}

/** Texts of clients could move the cursor of a terminal, or look like other lines. */
const CONTROLS = /\p{Cc}/gu
const CONTROLS_BUT_NEW_LINES = /(?!\n)\p{Cc}/gu
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

function localTime(time: string): string {
  const at = new Date(time)
  return `${[at.getHours(), at.getMinutes(), at.getSeconds()].map((one) => pad(one)).join(':')}.${pad(at.getMilliseconds(), 3)}`
}
