/** Characters that people write between the digits. */
const SEPARATORS = /[ -]/g
const ISBN_10 = /^\d{9}[\dX]$/
/** EAN-8 and UPC-E, UPC-A, EAN-13 with JAN and ISBN-13, and the numbers of whole cases. */
const GTIN = /^(?:\d{8}|\d{12,14})$/

const plain = (text: string) => text.replace(SEPARATORS, '').toUpperCase()

/** The format error of a trade number (UPC, EAN, JAN or ISBN), as the rest of a sentence. */
export function gtinFault(text: string): string | undefined {
  const digits = plain(text)
  if (ISBN_10.test(digits) || GTIN.test(digits)) return undefined
  return 'must be a UPC, EAN, JAN or ISBN: 8, 10, 12, 13 or 14 digits'
}

/** The warning about a well-formed number whose check digit is wrong. */
export function gtinDoubt(text: string): string | undefined {
  const digits = plain(text)
  if (ISBN_10.test(digits)) return isbnSum(digits) % 11 === 0 ? undefined : WRONG_DIGIT
  if (gtinSum(digits) % 10 === 0) return undefined
  const isCompressed = digits.length === 8 && /^[01]/.test(digits)
  return isCompressed && gtinSum(expanded(digits)) % 10 === 0 ? undefined : WRONG_DIGIT
}

const WRONG_DIGIT = 'should end with the check digit of its other digits'

/** From the right, every second digit has a weight of three. */
function gtinSum(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * ((digits.length - i) % 2 === 0 ? 3 : 1)
  return sum
}

/** The first digit has a weight of ten, the last of one; X stands for ten. */
function isbnSum(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += (digits[i] === 'X' ? 10 : Number(digits[i])) * (10 - i)
  return sum
}

/** UPC-E omits zeros; its check digit is that of the full UPC-A. */
function expanded(digits: string): string {
  const [system = '', a = '', b = '', c = '', d = '', e = '', last = '', check = ''] = digits
  const body =
    last <= '2'
      ? `${a}${b}${last}0000${c}${d}${e}`
      : last === '3'
        ? `${a}${b}${c}00000${d}${e}`
        : last === '4'
          ? `${a}${b}${c}${d}00000${e}`
          : `${a}${b}${c}${d}${e}0000${last}`
  return system + body + check
}
