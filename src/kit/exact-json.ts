const LONG_DIGITS = /[0-9]{16}/
const WHOLE = /^-?[0-9]+$/

/**
 * Reads JSON. Whole numbers that are too large for a number, as ids of 64 bits are, become texts of all their digits.
 * Throws SyntaxError.
 */
export function exactJson(text: string): unknown {
  if (!LONG_DIGITS.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_name, value, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && WHOLE.test(context?.source ?? '')
      ? context?.source
      : value,
  )
}
