/**
 * The words in which the interface is spoken. Endpoints are declared in neutral words; when routes are
 * compiled, each name is looked up here once, so that another vocabulary costs nothing per request.
 */
export interface Vocabulary {
  /** True when every name stays as it is declared. */
  readonly neutral: boolean
  /** A parameter, a member of a body or reply, an enum value. */
  name(identifier: string): string
  path(template: string): string
  header(name: string): string
}

const IDENTIFIER = /^[A-Za-z0-9_.:/{}-]{1,200}$/

/** The words of the interface itself. */
export const neutralVocabulary: Vocabulary = {
  neutral: true,
  name: (identifier) => identifier,
  path: (template) => template,
  header: (name) => name,
}

/**
 * Reads a vocabulary. Throws an error that names the wrong entry.
 * Two names that fall together are found when routes are compiled (see `renamed`).
 */
export function readVocabulary(text: string): Vocabulary {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (error) {
    throw new Error(`the vocabulary is not JSON: ${(error as Error).message}`)
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw new Error('the vocabulary must be a JSON object')
  const known = ['words', 'identifiers', 'paths', 'headers'] as const
  for (const key of Object.keys(file)) {
    if (!(known as readonly string[]).includes(key))
      throw new Error(`the vocabulary has an unknown member "${key}"; known are ${known.join(', ')}`)
  }
  const part = (key: (typeof known)[number]) => entries(key, (file as Record<string, unknown>)[key])
  return vocabulary({
    words: part('words'),
    identifiers: part('identifiers'),
    paths: part('paths'),
    headers: part('headers'),
  })
}

function entries(part: string, value: unknown): Map<string, string> {
  if (value === undefined) return new Map()
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`"${part}" of the vocabulary must be an object`)
  return new Map(
    Object.entries(value).map(([from, to]) => {
      if (typeof to !== 'string' || !IDENTIFIER.test(to))
        throw new Error(`"${part}.${from}" of the vocabulary is not an identifier`)
      return [from, to]
    }),
  )
}

/** What a vocabulary file may hold. Every member is optional there. */
interface Parts {
  /** Words inside identifiers: `{"post": "note"}` turns `post_id` into `note_id` and `posts` into `notes`. */
  words: Map<string, string>
  /** Whole identifiers, where a word is not enough. */
  identifiers: Map<string, string>
  /** Whole path templates. */
  paths: Map<string, string>
  /** Whole header names. */
  headers: Map<string, string>
}

function vocabulary({ words, identifiers, paths, headers }: Parts): Vocabulary {
  /** One word in the case it was written in; a plural follows its singular. */
  function word(text: string): string {
    const key = text.toLowerCase()
    const exact = words.get(key)
    if (exact !== undefined) return inCaseOf(text, exact)
    if (key.endsWith('s')) {
      const singular = words.get(key.slice(0, -1))
      if (singular !== undefined) return inCaseOf(text, `${singular}s`)
    }
    return text
  }
  // A word ends at a separator or where a capital follows a small letter: `postId`, `post_id`, `post.fields`.
  const byWord = (text: string) => text.replace(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g, word)
  const name = (identifier: string) => identifiers.get(identifier) ?? byWord(identifier)
  return {
    neutral: false,
    name,
    path(template) {
      const exact = paths.get(template)
      if (exact !== undefined) return exact
      return template
        .split('/')
        .map((segment) => (segment.startsWith('{') ? `{${name(segment.slice(1, -1))}}` : name(segment)))
        .join('/')
    },
    header: (text) => headers.get(text) ?? byWord(text),
  }
}

function inCaseOf(model: string, text: string): string {
  if (model === model.toUpperCase() && model.length > 1) return text.toUpperCase()
  if (model[0] !== model[0]?.toLowerCase()) return text.charAt(0).toUpperCase() + text.slice(1)
  return text
}

/**
 * The names of one place (the parameters of an endpoint, the members of an object) under a vocabulary:
 * `[neutral, spoken]` pairs. Throws when two of them fall together, because one could not be told from the other.
 */
export function renamed(vocabulary: Vocabulary, names: readonly string[], where: string): [string, string][] {
  const taken = new Map<string, string>()
  return names.map((neutral) => {
    const spoken = vocabulary.name(neutral)
    const other = taken.get(spoken)
    if (other !== undefined)
      throw new Error(`the vocabulary calls both "${other}" and "${neutral}" "${spoken}" in ${where}`)
    taken.set(spoken, neutral)
    return [neutral, spoken]
  })
}
