import { isBlank } from '../common/visible.ts'
import { lengthOf } from '../text/entities.ts'
import { findLinks } from '../text/parser.ts'

/** What a post may weigh (reference: counting characters). Heavier ones are long posts. */
export const MAX_WEIGHT = 280
/** How many characters a long post may have: code points, as JSON Schema and entities count them, not weight. */
export const MAX_LENGTH = 25_000

const LINK_WEIGHT = 23
const ELLIPSIS = '…'

/** A piece of a text that is shown whole or not at all: a link, an emoji, a character. */
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
 * Characters up to here count 1, and those that begin an emoji are followed by U+FE0F in it. A run of them is weighed at
 * once: it is most of a text.
 */
const RUN_OR_PIECE = /[\0-\u10ff]+(?!\ufe0f)|\p{RGI_Emoji}|./gsv
const LAST_OF_RUN = 0x10ff

/** What a text weighs, in NFC. */
export const weightOf = (text: string): number => weigh(text.normalize('NFC'), Number.POSITIVE_INFINITY)

/** Whether a text weighs more than it may. Reads no further than it must. */
const isHeavier = (text: string, maxWeight: number): boolean => weigh(text, maxWeight) > maxWeight

/** What a text weighs, or more than `enough`. */
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

/** A text cut to a weight, with an ellipsis for what is missing. */
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

/** A text as it is kept: in NFC, without space around it. One that shows nothing is empty, if it can be read at all. */
export const normalised = (text: string) => {
  const kept = text.normalize('NFC').trim()
  return isBlank(kept) && !isUnreadable(kept) ? '' : kept
}

/** Whether a text is longer than a long post. */
export const isTooLong = (text: string): boolean => text.length > MAX_LENGTH && lengthOf(text) > MAX_LENGTH

export type TextFault = 'blank' | 'unreadable' | 'too long'

/** Non-characters and half characters cannot be stored or shown by every reader. */
const isUnreadable = (text: string) => /[\0\ufeff\ufffe\uffff]/.test(text) || !text.isWellFormed()

/** What keeps a normalised text from being a post; undefined when nothing does. */
export function textFault(text: string): TextFault | undefined {
  if (isUnreadable(text)) return 'unreadable'
  if (text === '') return 'blank'
  return isHeavier(text, MAX_WEIGHT) ? 'too long' : undefined
}
