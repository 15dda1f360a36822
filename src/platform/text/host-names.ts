// Names of hosts in links, also international ones. A label is valid if its form in ASCII (RFC
// 3492) is short enough.

const MAX_LABEL_LENGTH = 63
const NOT_ASCII = /[^\x20-\x7e]/
/** Full stops of Chinese and Japanese, which separate labels too. */
const OTHER_STOPS = /[\u3002\uff0e\uff61]/
const ASCII_PREFIX = 'xn--'

/** Whether no label of a domain is too long. None may be empty. */
export const hasValidLabels = (domain: string): boolean =>
  (domain.length <= MAX_LABEL_LENGTH && !NOT_ASCII.test(domain)) ||
  domain.split('.').every((label) => asciiLength(label) <= MAX_LABEL_LENGTH)

/** The length of a label in ASCII; of one that is too long, any number above the maximum. */
function asciiLength(label: string): number {
  if (!NOT_ASCII.test(label)) return label.length
  const parts = label.split(OTHER_STOPS)
  const lengthOf = (part: string) =>
    NOT_ASCII.test(part) ? ASCII_PREFIX.length + encodedLength(Array.from(part)) : part.length
  return parts.reduce((sum, part) => sum + lengthOf(part), parts.length - 1)
}

// The parameters of RFC 3492, section 5.
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_N = 128

/**
 * The length of a part in the encoding of RFC 3492, section 6.3. Every character takes at least one
 * digit.
 */
function encodedLength(characters: readonly string[]): number {
  if (characters.length > MAX_LABEL_LENGTH) return characters.length
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  const basic = codes.filter((code) => code < INITIAL_N).length
  let [handled, delta, bias, next, length] = [basic, 0, INITIAL_BIAS, INITIAL_N, basic + Number(basic > 0)]
  while (handled < codes.length) {
    const code = Math.min(...codes.filter((code) => code >= next))
    delta += (code - next) * (handled + 1)
    for (const other of codes) {
      if (other < code) delta++
      if (other !== code) continue
      length += digitsOf(delta, bias)
      bias = adapted(delta, handled + 1, handled === basic)
      delta = 0
      handled++
    }
    delta++
    next = code + 1
  }
  return length
}

/** The number of digits of a difference. */
function digitsOf(delta: number, bias: number): number {
  let digits = 1
  for (let [rest, k] = [delta, BASE]; ; k += BASE, digits++) {
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
    if (rest < threshold) return digits
    rest = Math.floor((rest - threshold) / (BASE - threshold))
  }
}

function adapted(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
