const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** One or more amounts with units: `90s`, `1h30m`, `2d`. */
export const DURATION_PATTERN = '^(?:[0-9]{1,12}(?:ms|s|m|h|d)){1,5}$'

/** A duration in milliseconds; undefined if the text is not one. */
export function durationMs(text: string): number | undefined {
  if (!new RegExp(DURATION_PATTERN).test(text)) return undefined
  const parts = [...text.matchAll(/([0-9]+)(ms|[smhd])/g)]
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS],
    0,
  )
}
