import fc from 'fast-check'

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800
const CODE_POINTS = 0x110000 - SURROGATES

/** Every code point alike, but surrogates, which stand for none. */
const codePoint = fc.nat(CODE_POINTS - 1).map(
  (n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('not one code point')
    return point < FIRST_SURROGATE ? point : point - SURROGATES
  },
)

/**
 * Texts of any code points. `unit: 'binary'` generates the same, but makes a table of all code
 * points first, which takes each process most of a second.
 */
export const unicodeText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}) =>
  fc.string({ ...constraints, unit: codePoint })
