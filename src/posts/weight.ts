import { isBlank } from '../common/visible.ts'
import { lengthOf } from '../text/entities.ts'
import { findLinks } from '../text/find-links.ts'

/** Maximum weight of a post (reference: counting characters). Heavier posts are long posts. */
export const MAX_WEIGHT = 280
/** Maximum number of characters of a long post: code points, as JSON Schema and entities count them, not weight. */
export const MAX_LENGTH = 25_000

const LINK_WEIGHT = 23
const ELLIPSIS = '…'

/** A part of a text that is never split: a link, an emoji, a character. */
interface Piece {
  text: string
  weight: number
}

const EMOJI_OR_CHARACTER = /\p{RGI_Emoji}|./gsv

function* piecesOf(text: string): Generator<Piece> {
  let at = 0
  for (const { start, end } of findLinks(text)) {
    yield* charactersOf(text.slice(at, start))
    yield { text: text.slice(start, end), weight: LINK_WEIGHT }
    at = end
  }
  yield* charactersOf(text.slice(at))
}

function* charactersOf(text: string): Generator<Piece> {
  for (const [piece] of text.matchAll(EMOJI_OR_CHARACTER)) yield { text: piece, weight: weightOfPiece(piece) }
}

/** Letters of alphabets and common punctuation count 1; everything else, and an emoji of any length, counts 2. */
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
 * Characters up to this one count 1, and those that begin an emoji are followed by U+FE0F in it. Runs of them are
 * weighed at once, because they are most of a text.
 */
const RUN_OR_PIECE = /[\0-\u10ff]+(?!\ufe0f)|\p{RGI_Emoji}|./gsv
const LAST_OF_RUN = 0x10ff

/** The weight of a text in NFC. */
export const weightOf = (text: string): number => weigh(text.normalize('NFC'), Number.POSITIVE_INFINITY)

/** Whether a text exceeds the maximum weight. Reads no further than necessary. */
const isHeavier = (text: string, maxWeight: number): boolean => weigh(text, maxWeight) > maxWeight

/** The weight of a text, or any number above `enough`. */
function weigh(text: string, enough: number): number {
  let weight = 0
  let at = 0
  for (const { start, end } of findLinks(text)) {
    weight += weighWithoutLinks(text.slice(at, start), enough - weight) + LINK_WEIGHT
    if (weight > enough) return weight
    at = end
  }
  return weight + weighWithoutLinks(text.slice(at), enough - weight)
}

function weighWithoutLinks(text: string, enough: number): number {
  let weight = 0
  for (const [piece] of text.matchAll(RUN_OR_PIECE)) {
    const isRun = piece.charCodeAt(0) <= LAST_OF_RUN && !piece.includes('\ufe0f')
    weight += isRun ? piece.length : weightOfPiece(piece)
    if (weight > enough) break
  }
  return weight
}

/** A text truncated to a weight, with an ellipsis for the rest. */
export function shortened(text: string, maxWeight: number): string {
  if (!isHeavier(text, maxWeight)) return text
  let weight = weightOf(ELLIPSIS)
  let kept = ''
  for (const piece of piecesOf(text)) {
    weight += piece.weight
    if (weight > maxWeight) break
    kept += piece.text
  }
  return `${kept.trimEnd()}${ELLIPSIS}`
}

/**
 * A text as it is stored: in NFC, without surrounding white space. A text that shows nothing becomes empty, unless it
 * contains invalid characters.
 */
export const normalised = (text: string) => {
  const kept = text.normalize('NFC').trim()
  return isBlank(kept) && !isUnreadable(kept) ? '' : kept
}

/** Whether a text is longer than a long post. */
export const isTooLong = (text: string): boolean => text.length > MAX_LENGTH && lengthOf(text) > MAX_LENGTH

export type TextFault = 'blank' | 'unreadable' | 'too long'

/** Some readers cannot store or show non-characters and lone surrogates. */
const isUnreadable = (text: string) => /[\0\ufeff\ufffe\uffff]/.test(text) || !text.isWellFormed()

/** Why a normalised text cannot be a post; undefined if it can. */
export function textFault(text: string): TextFault | undefined {
  if (isUnreadable(text)) return 'unreadable'
  if (text === '') return 'blank'
  return isHeavier(text, MAX_WEIGHT) ? 'too long' : undefined
}
