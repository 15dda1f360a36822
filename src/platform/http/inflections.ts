import { type Lexicon, type VocabularyFile, wordsOf } from './vocabulary.ts'

/** A word that a vocabulary does not rename although it renames a related one. */
export interface UnrenamedWord {
  readonly word: string
  /** The word that is renamed. */
  readonly renamed: string
  /**
   * An inflection, such as a plural or a participle; otherwise a compound, which contains the
   * renamed word.
   */
  readonly isInflection: boolean
  /** The names of the interface that contain the word and stay as they are. */
  readonly names: readonly string[]
}

/** Shorter words are part of many unrelated ones. */
const MIN_COMPOUNDED = 4

/**
 * The inflections and compounds of renamed words that keep their names, those in most names first.
 */
export function unrenamedWords(parts: VocabularyFile, lexicon: Lexicon): UnrenamedWord[] {
  const names = unrenamedNames(parts, lexicon)
  const found = [...parts.words].flatMap(([renamed, spellings]) => {
    if (spellings.every((spelling) => spelling === renamed)) return []
    const stems = stemsOf(renamed)
    return [...names].flatMap(([word, of]): UnrenamedWord[] => {
      const isInflection = stemsOf(word).some((stem) => stems.includes(stem))
      const isCompound = renamed.length >= MIN_COMPOUNDED && word.includes(renamed)
      return isInflection || isCompound ? [{ word, renamed, isInflection, names: of }] : []
    })
  })
  return bestOf(found).sort(
    (a, b) => Number(b.isInflection) - Number(a.isInflection) || b.names.length - a.names.length,
  )
}

/** The names of the interface by the words that the vocabulary leaves in them. */
function unrenamedNames(
  parts: VocabularyFile,
  { identifiers, paths, headers, eventTypes }: Lexicon,
): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const name of new Set([...identifiers, ...paths, ...headers])) {
    if (parts.identifiers.has(name) || parts.paths.has(name) || parts.headers.has(name)) continue
    for (const word of new Set(wordsOf(name))) {
      if (parts.words.has(word) || (eventTypes.has(name) && parts.events.has(word))) continue
      const known = names.get(word)
      if (known) known.push(name)
      else names.set(word, [name])
    }
  }
  return names
}

/** Each word once: as an inflection if it is one, of the longest word that it is related to. */
function bestOf(found: readonly UnrenamedWord[]): UnrenamedWord[] {
  const best = new Map<string, UnrenamedWord>()
  for (const word of found) {
    const known = best.get(word.word)
    const isBetter =
      !known ||
      Number(word.isInflection) - Number(known.isInflection) > 0 ||
      (word.isInflection === known.isInflection && word.renamed.length > known.renamed.length)
    if (isBetter) best.set(word.word, word)
  }
  return [...best.values()]
}

const MIN_STEM = 3

/**
 * The words that an English word may be an inflection of, with itself. Two inflections of one word
 * share it.
 */
export function stemsOf(word: string): string[] {
  const cut = (ending: string, added = '') =>
    word.endsWith(ending) && word.length - ending.length >= MIN_STEM
      ? [word.slice(0, -ending.length) + added]
      : []
  const verbs = [...cut('ed'), ...cut('ing')]
  return [
    word,
    ...(word.endsWith('ss') ? [] : cut('s')),
    ...cut('es').filter((stem) => /(?:s|x|z|ch|sh)$/.test(stem)),
    ...cut('ies', 'y'),
    ...cut('ied', 'y'),
    ...verbs.flatMap((stem) => [stem, `${stem}e`]),
    // As in tagged.
    ...verbs.filter((stem) => stem.at(-1) === stem.at(-2)).map((stem) => stem.slice(0, -1)),
  ]
}
