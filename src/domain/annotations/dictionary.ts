import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { once, readTable } from '../../platform/common/lookup.ts'
import type { Annotation, ReadEntities } from '../../platform/text/entities.ts'
import { foldAccents, foldCase } from '../query-language/tokenize.ts'
import { decimalId } from '../reference-data/ids.ts'

/** What a post is about (core reference, 00 section 6.2). */
export interface ContextAnnotation {
  readonly domain: ContextPart
  readonly entity: ContextPart
}

interface ContextPart {
  readonly id: string
  readonly name?: string
  readonly description?: string
}

/** What a dictionary finds in a text. */
export interface TextNotes {
  /** The names in the text, in their order, none of which overlap. */
  readonly annotations: readonly Annotation[]
  readonly contexts: readonly ContextAnnotation[]
}

interface Entry {
  readonly context: ContextAnnotation
  /** The type of its annotations: `Person`. Undefined for topics, which are no names. */
  readonly type: string | undefined
  readonly name: string
}

/** A word of a form, with the words that may follow it. */
interface Branch {
  readonly next: Map<string, Branch>
  /** The entry whose form ends here. */
  entry?: Entry
}

interface Word {
  readonly text: string
  readonly key: string
  /** In code units. */
  readonly start: number
  readonly end: number
}

/** Annotations and contexts of a post, at most. */
const MAX_NOTES = 50
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
const CAPITAL = /^(?:\p{Lu}|\p{Lt})/u
/** Between the words of a name. */
const GAP = /^[\p{Zs}\p{Pd}.'’]{1,3}$/u
const NO_NOTES: TextNotes = { annotations: [], contexts: [] }

const keyOf = (word: string) => foldAccents(foldCase(word))

/**
 * Names and topics, and what texts that contain them are about. A text is compared with all forms
 * at once, word by word: the time does not depend on their number.
 */
export class Dictionary {
  readonly #root: Branch = { next: new Map() }

  /** `rows`: those of `annotations.tsv`. */
  constructor(rows: readonly (readonly string[])[]) {
    for (const [index, [id = '', domain = '', type = '', ...names]] of rows.entries()) {
      if (!/^[0-9]{1,19}$/.test(id) || domain === '' || type === '')
        throw new Error(
          `entry ${index + 1} must begin with the number of a domain, its name, and a type or -`,
        )
      for (const name of names) this.#add({ id, name: domain }, type === '-' ? undefined : type, name)
    }
  }

  #add(domain: ContextPart, type: string | undefined, given: string): void {
    const [, ownId, forms = ''] = /^(?:([0-9]{1,19}):)?(.*)$/s.exec(given) ?? []
    const [name = '', ...others] = forms.split('|')
    const id = ownId ?? decimalId(`annotation:${domain.id}/${name}`)
    const entry: Entry = { context: { domain, entity: { id, name } }, type, name }
    for (const form of [name, ...others]) {
      const words = [...wordsIn(form)]
      if (words.length === 0) throw new Error(`"${given}" has a form without a word`)
      let branch = this.#root
      for (const { key } of words) {
        const next = branch.next.get(key) ?? { next: new Map() }
        branch.next.set(key, next)
        branch = next
      }
      branch.entry ??= entry
    }
  }

  /** What a text with these entities contains. Links and mentions contain nothing. */
  read(text: string, { urls, mentions }: Pick<ReadEntities, 'urls' | 'mentions'>): TextNotes {
    if (this.#root.next.size === 0) return NO_NOTES
    const words = [...wordsIn(text)]
    const found: { entry: Entry; first: Word; last: Word }[] = []
    for (let at = 0; at < words.length && found.length < MAX_NOTES; ) {
      const match = this.#longest(text, words, at)
      if (match) found.push(match)
      at += match?.length ?? 1
    }
    if (found.length === 0) return NO_NOTES
    const place = codePointsAt(text)
    const spans = [...urls, ...mentions]
    const placed = found
      .map(({ entry, first, last }) => ({ entry, start: place(first.start), end: place(last.end) }))
      .filter(({ start, end }) => !spans.some((span) => start < span.end && end > span.start))
    return {
      annotations: placed.flatMap(({ entry: { type, name }, start, end }) =>
        // The end of an annotation is inclusive.
        type === undefined ? [] : [{ start, end: end - 1, probability: 1, type, normalized_text: name }],
      ),
      contexts: [...new Set(placed.map(({ entry }) => entry.context))],
    }
  }

  /** The longest form that begins with a word, with the number of its words. */
  #longest(text: string, words: readonly Word[], at: number) {
    const [first] = words.slice(at, at + 1)
    let branch = first && this.#root.next.get(first.key)
    let found: { entry: Entry; first: Word; last: Word; length: number } | undefined
    for (let length = 1; first && branch; length++) {
      const last = words[at + length - 1] as Word
      const { entry } = branch
      // A name is not recognized in lower case: most words are no names.
      if (entry && (entry.type === undefined || isWritten(entry.name, first.text)))
        found = { entry, first, last, length }
      const next = words[at + length]
      if (!next || !GAP.test(text.slice(last.end, next.start))) break
      branch = branch.next.get(next.key)
    }
    return found
  }
}

const isWritten = (name: string, written: string) => !CAPITAL.test(name) || CAPITAL.test(written)

function* wordsIn(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD))
    yield { text: word, key: keyOf(word), start: index, end: index + word.length }
}

/** Converts increasing positions in code units to code points. */
function codePointsAt(text: string): (unit: number) => number {
  let [units, points] = [0, 0]
  return (unit) => {
    for (; units < unit; points++) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
    return points
  }
}

/** Contains nothing. */
export const NO_DICTIONARY = new Dictionary([])

/** The one of the package. */
const shipped = once(() => new Dictionary(readTable(new URL('annotations.tsv', import.meta.url))))

/**
 * The dictionary of the setting: `default`, `off`, or the path of a file with rows like those of
 * `annotations.tsv`.
 * @throws Error for a file that cannot be read
 */
export function openDictionary({ annotations }: { readonly annotations: string }): Dictionary {
  if (annotations === 'off') return NO_DICTIONARY
  if (annotations === 'default') return shipped()
  try {
    return new Dictionary(readTable(pathToFileURL(resolve(annotations))))
  } catch (error) {
    throw new Error(`--annotations: ${annotations}: ${(error as Error).message}`, { cause: error })
  }
}
