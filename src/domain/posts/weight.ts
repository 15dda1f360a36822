import { hasTooManyMarks } from '../../platform/common/marks.ts'
import { isBlank } from '../../platform/common/visible.ts'
import { lengthOf } from '../../platform/text/entities.ts'
import { findLinks } from '../../platform/text/find-links.ts'

/** Maximum weight of a post (reference: counting characters). Heavier posts are long posts. */
export const MAX_WEIGHT = 280
/**
 * Maximum number of characters of a long post: code points, as JSON Schema and entities count them,
 * not weight.
 */
export const MAX_LENGTH = 25_000

/** The weight of a link of any length. */
export const LINK_WEIGHT = 23
const ELLIPSIS = '…'
const ELLIPSIS_WEIGHT = 2

/** A range of a text; the end is exclusive. */
interface TextSpan {
  readonly start: number
  readonly end: number
}

/** A part of a text that is never split: a link, an emoji, a character. */
interface TextPiece {
  text: string
  weight: number
}

/** An emoji or a character, with the marks that belong to it. */
const EMOJI_OR_CHARACTER = /(?:\p{RGI_Emoji}|.)\p{M}*/gsv

function* piecesOf(text: string, links: Iterable<TextSpan>): Generator<TextPiece> {
  let at = 0
  for (const { start, end } of links) {
    yield* charactersOf(text.slice(at, start))
    yield { text: text.slice(start, end), weight: LINK_WEIGHT }
    at = end
  }
  yield* charactersOf(text.slice(at))
}

function* charactersOf(text: string): Generator<TextPiece> {
  for (const [piece] of text.matchAll(EMOJI_OR_CHARACTER))
    yield { text: piece, weight: weighWithoutLinks(piece, Number.POSITIVE_INFINITY) }
}

/**
 * Letters of alphabets and common punctuation count 1; everything else, and an emoji of any length,
 * counts 2.
 */
function weightOfPiece(piece: string): number {
  const code = piece.codePointAt(0) ?? 0
  if (piece.length > (code > 0xffff ? 2 : 1)) return 2
  const isLight =
    code <= 0x10ff ||
    (code >= 0x2000 && code <= 0x200d) ||
    (code >= 0x2010 && code <= 0x201f) ||
    (code >= 0x2032 && code <= 0x2037)
  return isLight ? 1 : 2
}

/**
 * Characters up to U+10FF count 1. One that begins an emoji is followed by U+FE0F in it, or by
 * U+20E3 in a keycap without that selector. Runs of such characters are weighed at once: they are
 * most of a text.
 */
const RUN_OR_PIECE = /[\0-\u10ff]+(?![\ufe0f\u20e3])|[#*0-9]\u20e3|\p{RGI_Emoji}|./gsv
const LAST_OF_RUN = 0x10ff

/** The weight of a text in NFC. */
export function weightOf(text: string): number {
  const composed = text.normalize('NFC')
  return weigh(composed, findLinks(composed), Number.POSITIVE_INFINITY)
}

/**
 * The weight of a text, or any number above `enough`. Reads no further than necessary. `links`: in
 * code units.
 */
function weigh(text: string, links: Iterable<TextSpan>, enough: number): number {
  let weight = 0
  let at = 0
  for (const { start, end } of links) {
    weight += weighWithoutLinks(text.slice(at, start), enough - weight) + LINK_WEIGHT
    if (weight > enough) return weight
    at = end
  }
  return weight + weighWithoutLinks(text.slice(at), enough - weight)
}

function weighWithoutLinks(text: string, enough: number): number {
  let weight = 0
  for (const [piece] of text.matchAll(RUN_OR_PIECE)) {
    const isRun = piece.charCodeAt(0) <= LAST_OF_RUN && !/[\ufe0f\u20e3]/.test(piece)
    weight += isRun ? piece.length : weightOfPiece(piece)
    if (weight > enough) break
  }
  return weight
}

/**
 * A text truncated to a weight, with an ellipsis for the rest. `links`: in code points, as entities
 * have them, so that the text is not searched for links whenever it is shown.
 */
export function shortened(text: string, maxWeight: number, links: readonly TextSpan[]): string {
  if (weigh(text, unitsOf(text, links), maxWeight) <= maxWeight) return text
  let weight = ELLIPSIS_WEIGHT
  let beginning = ''
  for (const piece of piecesOf(text, unitsOf(text, links))) {
    weight += piece.weight
    if (weight > maxWeight) break
    beginning += piece.text
  }
  return `${beginning.trimEnd()}${ELLIPSIS}`
}

/** Converts code points to UTF-16 code units, as far as they are read. */
function* unitsOf(text: string, spans: readonly TextSpan[]): Generator<TextSpan> {
  let point = 0
  let unit = 0
  const unitAt = (target: number) => {
    for (; point < target; point++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
    return unit
  }
  for (const { start, end } of spans) yield { start: unitAt(start), end: unitAt(end) }
}

/** Normalization never shortens a text to less than this part. */
const MAX_SHRINKING = 3
/**
 * Longer texts are not normalized: they are too long for every use, however they are normalized.
 */
const MAX_UNITS = 2 * MAX_SHRINKING * MAX_LENGTH

/**
 * A text as it is stored: in NFC, without surrounding white space. A text that shows nothing
 * becomes empty. A text that cannot be stored stays as it is, so that `textFault` finds its error.
 */
export function normalised(text: string): string {
  if (text.length > MAX_UNITS || isUnreadable(text)) return text
  const normal = text.normalize('NFC').trim()
  return isBlank(normal) ? '' : normal
}

/** Whether a text is longer than a long post. */
export const isTooLong = (text: string): boolean => text.length > MAX_LENGTH && lengthOf(text) > MAX_LENGTH

export type TextFault = 'blank' | 'unreadable' | 'too long'

/**
 * Some readers cannot store or show non-characters and lone surrogates, and letters with very many
 * marks take long to normalize and to show.
 */
const isUnreadable = (text: string) =>
  /[\0\ufeff\ufffe\uffff]/.test(text) || !text.isWellFormed() || hasTooManyMarks(text)

/** Why a normalised text cannot be a post; undefined if it can. */
export function textFault(text: string): TextFault | undefined {
  if (text.length > MAX_UNITS) return 'too long'
  if (isUnreadable(text)) return 'unreadable'
  if (text === '') return 'blank'
  return weigh(text, findLinks(text), MAX_WEIGHT) > MAX_WEIGHT ? 'too long' : undefined
}
