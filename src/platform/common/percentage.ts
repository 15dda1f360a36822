const FORM = /^([1-9][0-9]?)(?:\.([0-9]{1,2}))?$/
const MOST = 9_900

/** Hundredths of a percent in the whole. */
export const WHOLE = 10_000

/**
 * Parses a share from 1.00 to 99.00 percent with up to two decimals. Returns hundredths of a
 * percent; undefined for any other text.
 */
export function parsePercentage(text: string): number | undefined {
  const [, units, decimals = ''] = FORM.exec(text) ?? []
  const value = Number(units) * 100 + Number(decimals.padEnd(2, '0'))
  return value <= MOST ? value : undefined
}

/** Hundredths of a percent as text with at least one decimal: `50.0`, `33.33`. */
export function percentageText(value: number): string {
  const percent = value / 100
  return Number.isInteger(percent) ? `${percent}.0` : String(percent)
}
