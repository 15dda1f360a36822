import { durationMs } from '../clock/duration.ts'

/** The longest time that a fault may delay something. */
export const MAX_LATENCY_MS = 300_000

/** Draws a latency in milliseconds. `random`: numbers from 0 up to 1. */
export type Latency = (random: () => number) => number

/** How a latency is written, for descriptions and errors. */
export const LATENCY_FORMS =
  '`2s`, `uniform 100ms 2s`, `normal 200ms 50ms` (mean and deviation), `lognormal 200ms 0.5` (median and sigma) or `percentiles 50=100ms 99=2s`'

/** The latency that a text describes; undefined if it describes none of up to five minutes. */
export function latencyOf(text: string): Latency | undefined {
  const [first = '', ...rest] = text.trim().split(/ +/)
  const drawn = DISTRIBUTIONS.get(first)?.(rest) ?? fixed([first, ...rest])
  return drawn && ((random) => Math.min(MAX_LATENCY_MS, Math.max(0, drawn(random))))
}

const DISTRIBUTIONS = new Map<string, (values: readonly string[]) => Latency | undefined>([
  ['fixed', fixed],
  ['uniform', uniform],
  ['normal', normal],
  ['lognormal', logNormal],
  ['percentiles', percentiles],
])

function fixed(values: readonly string[]): Latency | undefined {
  const [ms] = durations(values, 1) ?? []
  return ms === undefined ? undefined : () => ms
}

function uniform(values: readonly string[]): Latency | undefined {
  const [min, max] = durations(values, 2) ?? []
  if (min === undefined || max === undefined || min > max) return undefined
  return (random) => min + (max - min) * random()
}

function normal(values: readonly string[]): Latency | undefined {
  const [mean, deviation] = durations(values, 2) ?? []
  if (mean === undefined || deviation === undefined) return undefined
  return (random) => mean + deviation * standardNormal(random)
}

function logNormal([text, sigmaText = '', ...more]: readonly string[]): Latency | undefined {
  const [median] = durations([text ?? ''], 1) ?? []
  const sigma = /^[0-9]{1,2}(\.[0-9]{1,6})?$/.test(sigmaText) ? Number(sigmaText) : Number.NaN
  if (median === undefined || !(sigma <= 10) || more.length > 0) return undefined
  return (random) => median * Math.exp(sigma * standardNormal(random))
}

/** Between two percentiles, and from 0 to the first one, values are equally likely. */
function percentiles(values: readonly string[]): Latency | undefined {
  const points = values.map((value) => {
    const [percent = '', text = ''] = value.split('=')
    const [ms] = durations([text], 1) ?? []
    return { share: /^[0-9]{1,3}(\.[0-9]{1,4})?$/.test(percent) ? Number(percent) / 100 : 2, ms }
  })
  const known = points.flatMap(({ share, ms }) => (ms === undefined || share > 1 ? [] : [{ share, ms }]))
  if (known.length === 0 || known.length > 20 || known.length < points.length) return undefined
  const rises = known.every(
    ({ share, ms }, at) => at === 0 || (share > before(known, at).share && ms >= before(known, at).ms),
  )
  return rises ? (random) => interpolated(known, random()) : undefined
}

interface Point {
  share: number
  ms: number
}

/** The point before an index; the origin before the first one. */
const before = (points: readonly Point[], at: number): Point => points[at - 1] ?? { share: 0, ms: 0 }

function interpolated(points: readonly Point[], share: number): number {
  const at = points.findIndex((point) => share < point.share)
  // Beyond the last percentile there is no larger value.
  if (at === -1) return before(points, points.length).ms
  const [low, high] = [before(points, at), points[at] as Point]
  return low.ms + ((high.ms - low.ms) * (share - low.share)) / (high.share - low.share)
}

function durations(texts: readonly string[], count: number): number[] | undefined {
  const all = texts.map(durationMs)
  const known = all.filter((ms) => ms !== undefined && ms <= MAX_LATENCY_MS) as number[]
  return texts.length === count && known.length === count ? known : undefined
}

/** Box and Muller, 1958. */
const standardNormal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
