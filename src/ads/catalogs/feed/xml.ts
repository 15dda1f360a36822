import type { SaxesTagNS } from 'saxes'
import { SaxesParser } from 'saxes'
import type { FeedItem } from './feed.ts'
import { FeedError, fieldNamed } from './feed.ts'

const PRODUCTS = 'http://base.google.com/ns/1.0'
const ATOM = 'http://www.w3.org/2005/Atom'
/** More than any field may have; the rest only makes it longer. */
const MAX_TEXT = 100_000
const MAX_DEPTH = 100

/** What plain elements of RSS and Atom mean, where no product element says it. */
const PLAIN: Readonly<Record<string, string>> = {
  id: 'id',
  guid: 'id',
  title: 'title',
  link: 'link',
  description: 'description',
  summary: 'description',
  content: 'description',
}

/** An item that is being read, and the field that is. */
interface Reading {
  item: FeedItem
  /** Fields that a product element has said. */
  said: Set<string>
  field: { name: string; isSaid: boolean; text: string } | undefined
}

/** The products of an RSS 2.0 or Atom document. */
export async function* xmlItems(chunks: AsyncIterable<string>): AsyncGenerator<FeedItem> {
  const done: FeedItem[] = []
  const parser = new SaxesParser({ xmlns: true, position: true, additionalNamespaces: { g: PRODUCTS } })
  const tree = new Tree(done)
  parser.on('opentag', (tag) => tree.open(tag, parser.line))
  parser.on('text', (text) => tree.text(text))
  parser.on('cdata', (text) => tree.text(text))
  parser.on('closetag', () => tree.close())
  parser.on('error', (error) => {
    throw new FeedError(`line ${parser.line} is not well-formed: ${error.message.replace(/^\d+:\d+: /, '')}`)
  })
  for await (const chunk of chunks) {
    parser.write(chunk)
    yield* done.splice(0)
  }
  parser.close()
  yield* done
}

/** Where the parser is: outside of items, in one, or in one of its fields. */
class Tree {
  readonly #done: FeedItem[]
  #depth = 0
  #itemDepth = 0
  #reading: Reading | undefined

  constructor(done: FeedItem[]) {
    this.#done = done
  }

  open(tag: SaxesTagNS, line: number): void {
    if (++this.#depth > MAX_DEPTH) throw new FeedError(`line ${line} is deeper than ${MAX_DEPTH} elements`)
    const reading = this.#reading
    if (!reading) {
      const isItem = (tag.local === 'item' && tag.uri === '') || (tag.local === 'entry' && tag.uri === ATOM)
      if (!isItem) return
      this.#itemDepth = this.#depth
      this.#reading = { item: { line, fields: {} }, said: new Set(), field: undefined }
    } else if (this.#depth === this.#itemDepth + 1) reading.field = fieldOf(tag)
  }

  text(text: string): void {
    const field = this.#reading?.field
    if (field && field.text.length < MAX_TEXT) field.text += text.slice(0, MAX_TEXT)
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

function fieldOf({ uri, local, attributes }: SaxesTagNS): Reading['field'] {
  if (uri === PRODUCTS) {
    const name = fieldNamed(local)
    return name === undefined ? undefined : { name, isSaid: true, text: '' }
  }
  const name = Object.hasOwn(PLAIN, local) ? PLAIN[local] : undefined
  if (name === undefined || (uri !== '' && uri !== ATOM)) return undefined
  // Atom has the address of a link in an attribute.
  return { name, isSaid: false, text: attributes.href?.value ?? '' }
}

/** Takes what a field says over what a plain element said. Addresses of more images are gathered. */
function keep({ item, said, field }: Reading): void {
  if (!field) return
  const { name, isSaid } = field
  const text = field.text.trim()
  const { fields } = item
  if (name === 'additional_image_link' && fields[name] !== undefined) fields[name] += `,${text}`
  else if (isSaid || (!said.has(name) && fields[name] === undefined)) fields[name] = text
  if (isSaid) said.add(name)
}
