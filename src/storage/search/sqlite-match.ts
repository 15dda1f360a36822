import type { Lookup } from './branches.ts'

/** A term that every document has. */
export const EVERY_DOCUMENT = 'every_document'
/** ASCII characters that do not separate terms. Characters beyond ASCII never do. */
export const TERM_CHARACTERS = '_:.%-'
/** A word between two links, so that no phrase continues from one to the next. */
export const BETWEEN_LINKS = '_:_'
/** Replaces a word where it is not indexed. */
export const OMITTED = '_'

/** A term as one token: other ASCII characters become percent codes. */
export const encoded = (term: string): string =>
  term.replace(/[^\p{L}\p{M}\p{N}_:.-]/gu, (character) =>
    character.charCodeAt(0) > 0x7f ? character : `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const EVERYTHING_MATCH = `terms : "${EVERY_DOCUMENT}"`

/** A lookup in the language of FTS5, which supports NOT only between two operands. */
export function matchOf(lookup: Lookup): string {
  switch (lookup.kind) {
    case 'term':
      return `terms : ${quoted(encoded(lookup.term))}`
    case 'words':
      return `${lookup.of} : ${quoted(lookup.words.join(' '))}`
    case 'any':
      if (lookup.of.length === 0) return `(${EVERYTHING_MATCH} NOT ${EVERYTHING_MATCH})`
      return `(${lookup.of.map(matchOf).join(' OR ')})`
    case 'not':
      return `(${EVERYTHING_MATCH} NOT ${matchOf(lookup.not)})`
    case 'all': {
      const wanted = lookup.of.filter(({ kind }) => kind !== 'not').map(matchOf)
      const positive = wanted.length === 0 ? EVERYTHING_MATCH : wanted.join(' AND ')
      const unwanted = lookup.of.flatMap((one) => (one.kind === 'not' ? [matchOf(one.not)] : []))
      return unwanted.length === 0 ? `(${positive})` : `((${positive}) NOT (${unwanted.join(' OR ')}))`
    }
  }
}
