import { channel } from 'node:diagnostics_channel'
import parser from 'twitter-text'
import { hasValidLabels } from './host-names.ts'

// Finds the links that the published parser finds, in linear time. The parser matches a domain with
// one expression, which takes time that grows with the square of the length of a text. So domains
// are read label by label here. Which characters a domain has, the top-level domains, and what
// follows a domain, are those of the parser.

const { regexen } = parser

/**
 * Receives the length of each text that is searched for entities. Tests count that texts are read
 * once, when they are written.
 */
export const parses = channel('plaza.text.parses')

/** The position of a link: UTF-16 code units, the end exclusive. */
export interface LinkSpan {
  start: number
  end: number
}

/** Everything that a domain consists of. */
const HOST = new RegExp(`(?:[._-]|${regexen.validDomainChars.source})+`, 'g')
const TOP_LEVEL_DOMAIN = new RegExp(
  `(?:${regexen.validGTLD.source}|${regexen.validCCTLD.source}|${regexen.validPunycode.source})`,
  'iy',
)
/** Port, path and query; the group is the path. */
const AFTER_DOMAIN = new RegExp(
  `(?::${regexen.validPortNumber.source})?(\\/${regexen.validUrlPath.source}*)?` +
    `(?:\\?${regexen.validUrlQueryChars.source}*[-a-z0-9_&=#/])?`,
  'iy',
)
const STARTS_REST = /[:/?]/
/** A character that may precede a link. */
const BEFORE_LINK = new RegExp(regexen.validUrlPrecedingChars.source.replace('|^)', ')'))
const BEFORE_NO_LINK = /[-_./]/
const LATIN = new RegExp(`[-a-z0-9${regexen.latinAccentChars.source}]`, 'i')
const ASCII_DOMAIN = /^[-a-z0-9.]+$/i
const PROTOCOL = /https?:\/\/$/i
const DEFAULT_PROTOCOL = 'https://'
const MAX_LINK_LENGTH = 4096
/** Links to the host of `validTcoUrl` have a short path. */
const MAX_SHORT_PATH_LENGTH = 40

/** The links of a text, in order. */
export function* findLinks(text: string): Generator<LinkSpan> {
  if (parses.hasSubscribers) parses.publish(text.length)
  if (!text.includes('.')) return
  const reader = new Reader(text)
  for (const { 0: host, index } of text.matchAll(HOST))
    if (host.includes('.')) yield* reader.linksIn(host, index)
}

/** A label before a full stop. */
interface DomainLabel {
  start: number
  /** The position of the full stop. */
  end: number
  /** The first position in it at which a domain may begin. */
  from: number
  /** The end of the longest domain that begins in it, if there is one. */
  domainEnd: number | undefined
}

/** What the parser considers as a link, before it checks it. */
interface DomainCandidate {
  protocol: string
  /** The start and end of the domain. */
  start: number
  end: number
}

class Reader {
  readonly #text: string
  /** The end of the last candidate: the first character that may precede another one. */
  #done = 0

  constructor(text: string) {
    this.#text = text
  }

  linksIn(host: string, at: number): LinkSpan[] {
    const protocol = this.#protocolBefore(at)
    const found: LinkSpan[] = []
    for (const label of this.#labelsOf(host, at)) {
      const candidate = this.#candidateIn(label, label.start === at ? protocol : '')
      if (!candidate) continue
      const hasPath = this.#readRest(candidate.end)
      for (const link of this.#accepted(candidate, this.#done, hasPath)) found.push(link)
    }
    return found
  }

  /** Reads port, path and query. Whether there is a path. */
  #readRest(at: number): boolean {
    this.#done = at
    if (!STARTS_REST.test(this.#text.charAt(at))) return false
    AFTER_DOMAIN.lastIndex = at
    const hasPath = AFTER_DOMAIN.exec(this.#text)?.[1] !== undefined
    this.#done = AFTER_DOMAIN.lastIndex
    return hasPath
  }

  /**
   * The labels of a host. Those at its end are read first, because they determine how long a domain
   * is.
   */
  #labelsOf(host: string, at: number): DomainLabel[] {
    const labels: DomainLabel[] = []
    let next: DomainLabel | undefined
    for (let stop = host.lastIndexOf('.'); stop >= 0; ) {
      const stopBefore = stop === 0 ? -1 : host.lastIndexOf('.', stop - 1)
      next = this.#label(at + stopBefore + 1, at + stop, next)
      labels.push(next)
      stop = stopBefore
    }
    return labels.reverse()
  }

  #label(start: number, end: number, next: DomainLabel | undefined): DomainLabel {
    if (start === end || !this.#isEdge(end - 1)) return { start, end, from: start, domainEnd: undefined }
    if (next?.domainEnd !== undefined && next.from === next.start && this.#isEdge(next.start))
      return { start, end, from: start, domainEnd: next.domainEnd }
    // Only labels before the last two may contain an underscore.
    const underscore = this.#text.slice(start, end).lastIndexOf('_')
    TOP_LEVEL_DOMAIN.lastIndex = end + 1
    const domainEnd = TOP_LEVEL_DOMAIN.test(this.#text) ? TOP_LEVEL_DOMAIN.lastIndex : undefined
    return { start, end, from: start + underscore + 1, domainEnd }
  }

  /** Whether a character of a host may begin and end a label. */
  #isEdge(at: number): boolean {
    const character = this.#text[at]
    return character !== '.' && character !== '-' && character !== '_'
  }

  /** The protocol before a host, if a link may begin with it. */
  #protocolBefore(at: number): string {
    if (this.#text[at - 1] !== '/') return ''
    const before = this.#text.slice(Math.max(0, at - DEFAULT_PROTOCOL.length), at)
    const protocol = PROTOCOL.exec(before)?.[0] ?? ''
    return protocol !== '' && this.#mayBegin(at - protocol.length) ? protocol : ''
  }

  /** Whether a link may begin, according to what precedes it. */
  #mayBegin(at: number): boolean {
    return at === 0 || (at > this.#done && BEFORE_LINK.test(this.#text.charAt(at - 1)))
  }

  /** The first candidate that begins in a label; `protocol` precedes the label. */
  #candidateIn(
    { start, end: stop, from, domainEnd: end }: DomainLabel,
    protocol: string,
  ): DomainCandidate | undefined {
    if (end === undefined) return undefined
    if (protocol !== '' && from === start && this.#isEdge(start)) return { protocol, start, end }
    for (let at = Math.max(from, this.#done); at < stop; at++) {
      if (!this.#isEdge(at) || !this.#mayBegin(at)) continue
      // The parser prefers a link that something precedes to one at the start of the text.
      const isSecond = at === 0 && stop > 1 && this.#isEdge(1) && this.#mayBegin(1)
      return { protocol: '', start: isSecond ? 1 : at, end }
    }
    return undefined
  }

  /** The links of a candidate. Without a protocol, only its ASCII domains are links. */
  #accepted({ protocol, start, end: domainEnd }: DomainCandidate, end: number, hasPath: boolean): LinkSpan[] {
    const domain = this.#text.slice(start, domainEnd)
    // The parser counts a protocol twice, and an omitted one once.
    const length = end - start + (protocol === '' ? DEFAULT_PROTOCOL.length : 2 * protocol.length)
    if (length > MAX_LINK_LENGTH || !hasValidLabels(domain)) return []
    const ascii = asciiDomainsIn(domain, start)
    const last = ascii.at(-1)
    if (!last && domain.startsWith('xn--')) return []
    if (protocol !== '') return this.#shortened({ start: start - protocol.length, end })
    if (start > 0 && BEFORE_NO_LINK.test(this.#text.charAt(start - 1))) return []
    if (last && hasPath) last.end = end
    return ascii
  }

  /** A link to the host with short paths ends where such a path ends. */
  #shortened({ start, end }: LinkSpan): LinkSpan[] {
    const [short, path] = regexen.validTcoUrl.exec(this.#text.slice(start, end)) ?? []
    if (short === undefined || path === undefined) return [{ start, end }]
    return path.length <= MAX_SHORT_PATH_LENGTH ? [{ start, end: start + short.length }] : []
  }
}

/**
 * The parts of a domain that are domains of Latin letters, digits and hyphens. The domain begins at
 * `offset`.
 */
function asciiDomainsIn(domain: string, offset: number): LinkSpan[] {
  if (ASCII_DOMAIN.test(domain)) return [{ start: offset, end: offset + domain.length }]
  const isLatin = (at: number) => LATIN.test(domain.charAt(at))
  const found: LinkSpan[] = []
  let start: number | undefined
  let end: number | undefined
  for (let at = 0; at <= domain.length; at++) {
    if (at < domain.length && isLatin(at)) start ??= at
    else if (start !== undefined && domain[at] === '.' && isLatin(at - 1)) {
      TOP_LEVEL_DOMAIN.lastIndex = at + 1
      if (TOP_LEVEL_DOMAIN.test(domain)) end = TOP_LEVEL_DOMAIN.lastIndex
    } else {
      if (start !== undefined && end !== undefined) found.push({ start: offset + start, end: offset + end })
      start = end = undefined
    }
  }
  return found
}
