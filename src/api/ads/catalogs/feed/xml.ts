import { SaxesParser, type SaxesTagNS } from 'saxes'
import { beginningOf } from '../../../../platform/common/cut-text.ts'
import { FeedError, type FeedItem, fieldNamed } from './item.ts'

const PRODUCTS = 'http://base.google.com/ns/1.0'
const ATOM = 'http://www.w3.org/2005/Atom'
/** More than any field may have: the rest of a longer text is dropped. */
const MAX_TEXT = 100_000
const MAX_DEPTH = 100
/** Characters of one part: a run of text, a tag, a comment. The parser holds a part in memory. */
const MAX_PART = 1024 * 1024
const MAX_ATTRIBUTES = 100
/** Maximum number of elements of a product, known or unknown. */
const MAX_ELEMENTS = 1_000
/** Characters given to the parser at a time, so that no part grows much beyond its limit. */
const STEP = 64 * 1024

/** The meaning of plain RSS and Atom elements, where there is no product element for the field. */
const PLAIN: Readonly<Record<string, string>> = {
  id: 'id',
  guid: 'id',
  title: 'title',
  link: 'link',
  description: 'description',
  summary: 'description',
  content: 'description',
}

/** The item that is being read, and its current field. */
interface XmlReaderState {
  item: FeedItem
  /** Fields for which there was a product element. */
  elementFields: Set<string>
  field: { name: string; isElement: boolean; text: string } | undefined
}

/** The products of an RSS 2.0 or Atom document. */
export async function* xmlItems(chunks: AsyncIterable<string>): AsyncGenerator<FeedItem> {
  const done: FeedItem[] = []
  const parser = new SaxesParser({ xmlns: true, position: true, additionalNamespaces: { g: PRODUCTS } })
  const tree = new ItemTree(done)
  const part = new ParserPart()
  parser.on('opentag', (tag) => {
    part.end()
    tree.open(tag, parser.line)
  })
  parser.on('text', (text) => {
    part.end()
    tree.text(text)
  })
  parser.on('cdata', (text) => {
    part.end()
    tree.text(text)
  })
  parser.on('closetag', () => {
    part.end()
    tree.close()
  })
  parser.on('attribute', () => part.attribute(parser.line))
  parser.on('comment', () => part.end())
  parser.on('processinginstruction', () => part.end())
  parser.on('doctype', (text) => {
    part.end()
    // Only the five predefined entities of XML are known: others cannot be declared, and none
    // expands much.
    if (text.includes('['))
      throw new FeedError(`line ${parser.line} declares entities or elements: leave that out`)
  })
  parser.on('error', (error) => {
    throw new FeedError(`line ${parser.line} is not well-formed: ${error.message.replace(/^\d+:\d+: /, '')}`)
  })
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += STEP) {
      const piece = chunk.slice(at, at + STEP)
      part.grow(piece.length, parser.line)
      parser.write(piece)
      yield* done.splice(0)
    }
  }
  parser.close()
  yield* done
}

/**
 * Counts what the parser holds until it is complete: text up to the next tag, a tag with its
 * attributes, a comment.
 */
class ParserPart {
  #length = 0
  #attributes = 0

  /** Counts the next chunk. It may contain the end of one part and the beginning of the next. */
  grow(length: number, line: number): void {
    if (this.#length > MAX_PART)
      throw new FeedError(`line ${line} holds text or a tag of more than ${MAX_PART} characters`)
    this.#length += length
  }

  attribute(line: number): void {
    if (++this.#attributes > MAX_ATTRIBUTES)
      throw new FeedError(`line ${line} has an element with more than ${MAX_ATTRIBUTES} attributes`)
  }

  end(): void {
    this.#length = 0
    this.#attributes = 0
  }
}

/** Where the parser is: outside of items, in one, or in one of its fields. */
class ItemTree {
  readonly #done: FeedItem[]
  #depth = 0
  #itemDepth = 0
  #elements = 0
  #reading: XmlReaderState | undefined

  constructor(done: FeedItem[]) {
    this.#done = done
  }

  open(tag: SaxesTagNS, line: number): void {
    if (++this.#depth > MAX_DEPTH) throw new FeedError(`line ${line} is deeper than ${MAX_DEPTH} elements`)
    const reading = this.#reading
    if (reading && ++this.#elements > MAX_ELEMENTS)
      throw new FeedError(`line ${line} is in a product of more than ${MAX_ELEMENTS} elements`)
    if (!reading) {
      const isItem = (tag.local === 'item' && tag.uri === '') || (tag.local === 'entry' && tag.uri === ATOM)
      if (!isItem) return
      this.#itemDepth = this.#depth
      this.#elements = 0
      this.#reading = { item: { line, fields: {} }, elementFields: new Set(), field: undefined }
    } else if (this.#depth === this.#itemDepth + 1) reading.field = fieldOf(tag)
  }

  text(text: string): void {
    const field = this.#reading?.field
    if (field) field.text += beginningOf(text, Math.max(0, MAX_TEXT - field.text.length))
  }

  close(): void {
    const reading = this.#reading
    if (reading && this.#depth === this.#itemDepth + 1) keep(reading)
    if (reading && this.#depth === this.#itemDepth) {
      this.#done.push(reading.item)
      this.#reading = undefined
    }
    this.#depth--
  }
}

function fieldOf({ uri, local, attributes }: SaxesTagNS): XmlReaderState['field'] {
  if (uri === PRODUCTS) {
    const name = fieldNamed(local)
    return name === undefined ? undefined : { name, isElement: true, text: '' }
  }
  const name = Object.hasOwn(PLAIN, local) ? PLAIN[local] : undefined
  if (name === undefined || (uri !== '' && uri !== ATOM)) return undefined
  // Atom has the address of a link in an attribute.
  return { name, isElement: false, text: beginningOf(attributes.href?.value ?? '', MAX_TEXT) }
}

/**
 * Adds the value of a field. Product elements take precedence over plain ones. URLs of several
 * images are collected.
 */
function keep({ item, elementFields, field }: XmlReaderState): void {
  if (!field) return
  const { name, isElement } = field
  const text = field.text.trim()
  const { fields } = item
  if (name === 'additional_image_link' && fields[name] !== undefined) {
    if (fields[name].length < MAX_TEXT) fields[name] += `,${text}`
  } else if (isElement || (!elementFields.has(name) && fields[name] === undefined)) fields[name] = text
  if (isElement) elementFields.add(name)
}
