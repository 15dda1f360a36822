import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../theme.ts'

export interface Series {
  readonly label: string
  /** A custom property of the style sheet, such as `--strong`. */
  readonly color: string
  readonly values: readonly (number | null)[]
}

interface ChartProps {
  readonly title: string
  /** In epoch seconds. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** The scale goes at least up to here, so that noise does not look like a mountain. */
  readonly least: number
}

const HEIGHT = 190
const AXIS_FONT = '11px system-ui, sans-serif'

/** The color that a custom property has in the theme that is shown. */
function colorOf(name: string, alpha = 1): string {
  const probe = document.createElement('span')
  probe.style.color =
    alpha === 1 ? `var(${name})` : `color-mix(in srgb, var(${name}) ${alpha * 100}%, transparent)`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Lines over time. Its caption has the values at the cursor, or the last ones. */
export function Chart({ title, times, series, format, least }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const [at, setAt] = useState<number | undefined>(undefined)
  const data: uPlot.AlignedData = [[...times], ...series.map(({ values }) => [...values])]
  useEffect(() => {
    const parent = place.current
    if (!parent) return undefined
    const made = new uPlot(optionsOf({ series, format, least }, parent.clientWidth, setAt), data, parent)
    plot.current = made
    const sizes = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: HEIGHT }))
    sizes.observe(parent)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => made.redraw()
    dark.addEventListener('change', redraw)
    return () => {
      dark.removeEventListener('change', redraw)
      sizes.disconnect()
      made.destroy()
    }
  }, [])
  const shown = theme.value
  useEffect(() => plot.current?.setData(data), [times, shown])
  const index = at ?? times.length - 1
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        <ul class="legend">
          {series.map(({ label, color, values }) => {
            const value = values[index]
            return (
              <li key={label}>
                <span class="key" style={{ background: `var(${color})` }} />
                {label} <strong>{value === null || value === undefined ? '–' : format(value)}</strong>
              </li>
            )
          })}
        </ul>
      </figcaption>
      <div class="plot" ref={place} role="img" aria-label={summaryOf(title, series, format)} />
    </figure>
  )
}

/** `12:00:05`, in the zone of the reader: charts have the time of the browser. */
const secondText = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleTimeString('en', { hour12: false })

/** What a screen reader says instead of the lines. */
function summaryOf(title: string, series: readonly Series[], format: (value: number) => string): string {
  const each = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return `${label}: none`
    return `${label}: now ${format(known.at(-1) as number)}, highest ${format(Math.max(...known))}`
  })
  return `${title} in the last ten minutes. ${each.join('; ')}.`
}

function optionsOf(
  { series, format, least }: Pick<ChartProps, 'series' | 'format' | 'least'>,
  width: number,
  setAt: (index: number | undefined) => void,
): uPlot.Options {
  const axis = {
    stroke: () => colorOf('--quiet'),
    grid: { stroke: () => colorOf('--line'), width: 1 },
    ticks: { show: false },
    font: AXIS_FONT,
  }
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [10, 12, 0, 0],
    cursor: { y: false, drag: { setScale: false } },
    scales: {
      y: { range: (_plot, _min, max) => [0, Math.max(least, (max ?? 0) * 1.15)] },
    },
    axes: [
      { ...axis, space: 80, size: 28, values: (_plot, values) => values.map(secondText) },
      { ...axis, size: 58, values: (_plot, values) => values.map(format) },
    ],
    series: [
      {},
      ...series.map(({ label, color }) => ({
        label,
        stroke: () => colorOf(color),
        fill: () => colorOf(color, 0.1),
        width: 1.75,
        points: { show: false },
        spanGaps: true,
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => setAt(idx ?? undefined)] },
  }
}
