/**
 * An integer of up to 64 bits: a number where that is exact, up to 2^53 - 1, and a bigint beyond.
 */
export type Int64 = number | bigint

export const MAX_INT64 = 2n ** 63n - 1n

/** The integer with these decimal digits, with or without a minus sign. */
export function int64Of(digits: string): Int64 {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : BigInt(digits)
}

/** An amount without what was taken from it, at least 0. */
export function leftOf(amount: Int64, taken: number): Int64 {
  if (typeof amount === 'number') return Math.max(0, amount - taken)
  const left = amount - BigInt(taken)
  return left < 0n ? 0 : int64Of(String(left))
}
