/** A link in a text: where it stands in UTF-16 code units, and the address that it leads to. */
export interface Link {
  start: number
  end: number
  url: string
}

/** Domains that are links without `https://` in front. Two-letter ones are, when a path follows. */
const BARE_DOMAINS =
  'com|net|org|edu|gov|mil|int|info|biz|name|io|dev|app|ai|co|me|tv|xyz|site|online|store|shop|tech|blog|news|live|club|world|cloud|page'

const LABEL = '[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?'
const WIDE_LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]{0,61}[\\p{L}\\p{N}])?'
const ENDS = '(?![a-z0-9_@-])'
// Writing systems without spaces run on after an address, so an address has Latin and Cyrillic letters only.
const REST = "[\\p{Script=Latin}\\p{Script=Cyrillic}0-9\\-._~:/?#\\[\\]@!$&'()*+,;=%|]"

const LINK = new RegExp(
  [
    '(?<![\\p{L}\\p{N}@#$._/-])',
    '(?:',
    `https?://(?:${WIDE_LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})${ENDS}(?::[0-9]{1,5})?(?:[/?#]${REST}*)?`,
    `|(?:${LABEL}\\.)+(?:${BARE_DOMAINS})${ENDS}(?:[/?#]${REST}*)?`,
    `|(?:${LABEL}\\.)+[a-z]{2}${ENDS}/${REST}*`,
    ')',
  ].join(''),
  'giu',
)

/** The links of a text, in their order. A sentence's punctuation behind an address is no part of it. */
export function linksOf(text: string): Link[] {
  return [...text.matchAll(LINK)].map(({ index, 0: found }) => {
    const written = withoutPunctuation(found)
    const url = /^https?:/i.test(written) ? written : `http://${written}`
    return { start: index, end: index + written.length, url }
  })
}

function withoutPunctuation(found: string): string {
  // How many brackets are open at the end: one that closes another in the address belongs to it.
  const open: Record<string, number> = { ')': count(found, '('), ']': count(found, '[') }
  const close: Record<string, number> = { ')': count(found, ')'), ']': count(found, ']') }
  let end = found.length
  for (; end > 0; end--) {
    const last = found.charAt(end - 1)
    if (!/[.,:;!?'"*()[\]|~@&$-]/.test(last)) break
    const closing = close[last]
    if (closing !== undefined && closing <= (open[last] ?? 0)) break
    if (closing !== undefined) close[last] = closing - 1
    const opens = { '(': ')', '[': ']' }[last]
    if (opens !== undefined) open[opens] = (open[opens] ?? 1) - 1
  }
  return found.slice(0, end)
}

const count = (text: string, character: string) => text.split(character).length - 1

const MAX_SHOWN = 27

/** An address as people see it: without scheme and `www.`, cut where it gets long. */
export function shownLink(url: string): string {
  const shown = url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown
}
