/** `2026-03-01 12:00:00` in UTC. */
export const timeText = (time: string | number): string =>
  new Date(time).toISOString().slice(0, 19).replace('T', ' ')

/** `12:00:00.123` in UTC. */
export const timeOfDay = (time: string | number): string => new Date(time).toISOString().slice(11, 23)

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export const numberText = (value: number): string => NUMBER.format(value)
export const compactText = (value: number): string => COMPACT.format(value)

/** `0.42 ms`, `12 ms`, `1.2 s`. */
export function durationText(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return spanText(ms)
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** `2 d 3 h`: the two largest units. */
export function spanText(ms: number): string {
  const parts: string[] = []
  let rest = Math.abs(ms)
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}

/** `3 min ago`, from one time to another. */
export function agoText(time: string | number, now: number): string {
  const ms = now - new Date(time).getTime()
  if (Math.abs(ms) < 1_000) return 'now'
  return ms < 0 ? `in ${spanText(ms)}` : `${spanText(ms).split(' ').slice(0, 2).join(' ')} ago`
}

const BYTES = ['bytes', 'KB', 'MB', 'GB'] as const

export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1_000 && unit < BYTES.length - 1) {
    value /= 1_000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTES[unit]}`
}
