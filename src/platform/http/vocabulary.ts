import { STATUS_CODES } from 'node:http'
import { type JsonFile, parseJsonFile, pointerOf } from '../common/json-file.ts'
import { nearest } from '../common/nearest.ts'
import { oncePer } from '../common/once-per.ts'
import type { Schema } from './schema.ts'

/**
 * The public names. Endpoints are declared with neutral names; when routes are
 * compiled, each name is looked up here once, so that a vocabulary adds no cost per request.
 */
export interface Vocabulary {
  /** True when nothing is renamed. */
  readonly neutral: boolean
  /** A parameter, a member of a body or reply, an enum value. */
  name(identifier: string): string
  /** Every spelling of an identifier that requests may have: that of `name` first. */
  spellings(identifier: string): readonly string[]
  /** An error code. Codes that only name an HTTP status are not renamed. */
  code(code: string): string
  /** Fixed text of errors and documents. */
  text(prose: string): string
  /** The path in documents and links. */
  path(template: string): string
  /** Every path of an endpoint: the one of `path` first, then aliases and other versions. */
  paths(template: string): readonly string[]
  /** Every prefix of a version: `['/12/', '/11/']` of `12`. */
  prefixes(version: string): readonly string[]
  header(name: string): string
}

/** Everything that a vocabulary can rename, by section of its file. */
export type Lexicon = Readonly<Record<VocabularyPart, ReadonlySet<string>>> & {
  /** The types of events, such as `post.create`: their words are renamed by `events`. */
  readonly eventTypes: ReadonlySet<string>
}

const IDENTIFIER = /^[A-Za-z0-9_.:/{}-]{1,200}$/
const WORD = /^[a-z]{1,50}$/
const VERSION = /^[0-9]{1,3}(\.[0-9]{1,3})?$/
export const MAX_ALTERNATIVES = 10
/** Maximum number of paths of an endpoint, before versions. */
const MAX_PATHS = 100

/** The vocabulary of the interface itself: nothing is renamed. */
export const neutralVocabulary: Vocabulary = {
  neutral: true,
  name: (identifier) => identifier,
  spellings: (identifier) => [identifier],
  code: (code) => code,
  text: (prose) => prose,
  path: (template) => template,
  paths: (template) => [template],
  prefixes: (version) => [`/${version}/`],
  header: (name) => name,
}

/** The vocabulary for the values of an enumeration. */
export const valueNames = ({ standard }: Schema, vocabulary: Vocabulary): Vocabulary =>
  standard ? neutralVocabulary : vocabulary

export const PARTS = ['words', 'identifiers', 'paths', 'headers', 'versions', 'events'] as const
export type VocabularyPart = (typeof PARTS)[number]

/** What the entries of a part are called and renamed to, and whether they may be lists. */
interface EntryForm {
  from?: RegExp
  to: RegExp
  isListed: boolean
}

const PATH = /^\/[A-Za-z0-9_.:/{}-]{0,199}$/

export const ENTRY_FORMS: Readonly<Record<VocabularyPart, EntryForm>> = {
  words: { from: WORD, to: IDENTIFIER, isListed: true },
  identifiers: { to: IDENTIFIER, isListed: true },
  paths: { to: PATH, isListed: true },
  headers: { to: IDENTIFIER, isListed: false },
  versions: { from: VERSION, to: VERSION, isListed: true },
  events: { from: WORD, to: IDENTIFIER, isListed: true },
}

/** The contents of a vocabulary file. Every member is optional. */
export interface VocabularyFile {
  /**
   * Words inside identifiers and messages: `{"post": "note"}` turns `post_id` into `note_id`.
   * Plurals are words too. Of a list, the first is written, and requests may have any.
   */
  words: Map<string, readonly string[]>
  /**
   * Whole identifiers, where renaming a word is not enough: one spelling, or a list as for words.
   */
  identifiers: Map<string, readonly string[]>
  /** Whole path templates: the path, or a list of the path and its aliases. */
  paths: Map<string, readonly string[]>
  /** Whole header names. */
  headers: Map<string, string>
  /** Versions, the first part of paths: `{"12": ["12", "11"]}` answers under `/11/` too. */
  versions: Map<string, readonly string[]>
  /** Words inside types of events, instead of `words`: `{"post": "post"}` keeps `post.create`. */
  events: Map<string, readonly string[]>
}

/**
 * Reads a vocabulary. Throws an error that names the file, the line and the wrong entry; with a
 * `lexicon` an entry that matches nothing in it is an error. Name collisions are found when routes
 * are compiled (see `renamed`, `rejectSharedRoutes`).
 */
export function readVocabulary(text: string, file = 'vocabulary', lexicon?: Lexicon): Vocabulary {
  const json = parseJsonFile(text, file)
  const parts = partsOf(json)
  if (lexicon) rejectUnknown(parts, lexicon, json)
  const made = vocabulary(parts, lexicon?.eventTypes)
  rejectOtherParameters(parts, made, json)
  return made
}

/** Reads the entries of a vocabulary. Throws as `readVocabulary` does. */
export const readEntries = (text: string, file: string): VocabularyFile => partsOf(parseJsonFile(text, file))

function partsOf(json: JsonFile): VocabularyFile {
  const { value } = json
  if (!isObject(value)) throw json.error('', 'a vocabulary must be a JSON object')
  for (const key of Object.keys(value)) {
    // Editors complete and check a file that names its schema.
    if (key !== '$schema' && !(PARTS as readonly string[]).includes(key))
      throw json.error(pointerOf(key), `unknown member "${key}"; known are ${PARTS.join(', ')}`)
  }
  return {
    words: new Map(entriesOf(json, 'words')),
    identifiers: new Map(entriesOf(json, 'identifiers')),
    headers: new Map(entriesOf(json, 'headers').map(([from, [to = '']]) => [from, to])),
    paths: new Map(entriesOf(json, 'paths')),
    versions: new Map(entriesOf(json, 'versions')),
    events: new Map(entriesOf(json, 'events')),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function entriesOf(json: JsonFile, part: VocabularyPart): [string, readonly string[]][] {
  const { from: name, to: target, isListed } = ENTRY_FORMS[part]
  const entries = (json.value as Partial<Record<VocabularyPart, unknown>>)[part]
  if (entries === undefined) return []
  if (!isObject(entries)) throw json.error(pointerOf(part), `"${part}" must be an object`)
  return Object.entries(entries).map(([from, to]) => {
    const at = pointerOf(part, from)
    if (name && !name.test(from))
      throw json.error(
        at,
        part === 'versions' ? `"${from}" is not a version` : `"${from}" is not a word in small letters`,
      )
    const values = isListed && Array.isArray(to) ? to : [to]
    if (values.length === 0 || values.length > MAX_ALTERNATIVES)
      throw json.error(at, `"${from}" needs 1 to ${MAX_ALTERNATIVES} names`)
    for (const value of values) {
      if (part === 'paths' && IDENTIFIER.test(String(value)) && !String(value).startsWith('/'))
        throw json.error(at, `"${value}" is not a path`)
      if (typeof value !== 'string' || !target.test(value))
        throw json.error(
          at,
          `${JSON.stringify(value)} is not ${part === 'versions' ? 'a version' : 'an identifier'}`,
        )
    }
    return [from, values as string[]]
  })
}

/** The names of the parameters of a template, sorted. */
const parametersOf = (template: string) =>
  [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name).sort()

/** Throws unless a path has the parameters of the endpoint. */
function rejectOtherParameters({ paths }: VocabularyFile, { name }: Vocabulary, json: JsonFile): void {
  for (const [from, templates] of paths) {
    const expected = parametersOf(from).map(name).sort()
    for (const template of templates) {
      if (parametersOf(template).join() === expected.join()) continue
      const list = expected.map((parameter) => `{${parameter}}`).join(', ') || 'none'
      throw json.error(pointerOf('paths', from), `the parameters of "${template}" must be ${list}`)
    }
  }
}

/** Throws for an entry that matches nothing in the interface. */
function rejectUnknown(parts: VocabularyFile, lexicon: Lexicon, json: JsonFile): void {
  for (const part of PARTS) {
    const known = lexicon[part]
    for (const entry of parts[part].keys()) {
      if (known.has(entry)) continue
      const hint = nearest(entry, known)
      throw json.error(
        pointerOf(part, entry),
        `the interface has no ${SINGULAR[part]} "${entry}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`,
      )
    }
  }
}

const SINGULAR: Readonly<Record<VocabularyPart, string>> = {
  words: 'word',
  identifiers: 'identifier',
  paths: 'path',
  headers: 'header',
  versions: 'version',
  events: 'word of event types',
}

/** HTTP statuses as codes and titles: `SERVICE_UNAVAILABLE`, `Service Unavailable`. */
const STATUS_PHRASES = new Set(
  Object.values(STATUS_CODES).flatMap((phrase = '') => [
    phrase,
    phrase.charAt(0) + phrase.slice(1).toLowerCase(),
    phrase.toUpperCase().replace(/[^A-Z]+/g, '_'),
  ]),
)

/** HTTP methods, when they occur in text. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * The words of an identifier end at a separator or where a capital follows a small letter:
 * `postId`, `post.fields`.
 */
const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
/** A word of a sentence, or an identifier in it. */
const TOKENS = /[A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9]+)*/g
/** An identifier rather than a plain word: it has a separator, or a capital inside. */
const COMPOUND = /[_.]|[a-z0-9][A-Z]/

/** The words of an identifier in lower case. */
export const wordsOf = (identifier: string): string[] =>
  (identifier.match(WORDS) ?? []).map((word) => word.toLowerCase())

/** A spelling from a list; the first one where the list is shorter. */
const spelledAs = (listed: readonly string[], spelling: number) => listed[spelling] ?? (listed[0] as string)

/** The indexes of the spellings in lists. */
const spellingsIn = (...parts: ReadonlyMap<string, readonly string[]>[]) => [
  ...Array(Math.max(1, ...parts.flatMap((part) => [...part.values()].map(({ length }) => length)))).keys(),
]

function vocabulary(
  { words, identifiers, paths, headers, versions, events }: VocabularyFile,
  eventTypes: ReadonlySet<string> = new Set(),
): Vocabulary {
  const inEvents = new Map([...words, ...events])
  /** One word, in its original case. */
  const oneWord = (text: string, spelling = 0, known = words) => {
    const listed = known.get(text.toLowerCase())
    return listed === undefined ? text : inCaseOf(text, spelledAs(listed, spelling))
  }
  const byWord = (text: string, spelling = 0, known = words) =>
    text.replace(WORDS, (word) => oneWord(word, spelling, known))
  const name = (identifier: string, spelling = 0) => {
    const listed = identifiers.get(identifier)
    if (listed !== undefined) return spelledAs(listed, spelling)
    return byWord(identifier, spelling, eventTypes.has(identifier) ? inEvents : words)
  }
  const ofNames = spellingsIn(words, identifiers, events)
  const spellings = (identifier: string) => [...new Set(ofNames.map((index) => name(identifier, index)))]
  /**
   * Every combination of the spellings of the segments. Names of parameters are not visible, so
   * they have one.
   */
  function bySegments(template: string): string[] {
    const segments = template
      .split('/')
      .map((segment) => (segment.startsWith('{') ? [`{${name(segment.slice(1, -1))}}`] : spellings(segment)))
    if (segments.reduce((many, { length }) => many * length, 1) > MAX_PATHS)
      throw new Error(`the vocabulary gives ${template} more than ${MAX_PATHS} paths`)
    return segments.reduce((before, all) =>
      before.flatMap((path) => all.map((spelling) => `${path}/${spelling}`)),
    )
  }
  const versionsOf = (version: string) => versions.get(version) ?? [version]

  /** A path in each of its versions. */
  function underVersions(template: string): string[] {
    const [, first = '', ...rest] = template.split('/')
    return versionsOf(first).map((version) => ['', version, ...rest].join('/'))
  }
  const all = (template: string) => [
    ...new Set((paths.get(template) ?? bySegments(template)).flatMap(underVersions)),
  ]
  return {
    neutral: false,
    name: (identifier) => name(identifier),
    spellings,
    code: (code) => (STATUS_PHRASES.has(code) ? code : name(code)),
    text: (prose) =>
      STATUS_PHRASES.has(prose)
        ? prose
        : prose.replace(TOKENS, (token) =>
            COMPOUND.test(token) ? name(token) : METHODS.has(token) ? token : oneWord(token),
          ),
    path: (template) => all(template)[0] as string,
    paths: all,
    prefixes: (version) => versionsOf(version).map((spelling) => `/${spelling}/`),
    header: (text) => headers.get(text) ?? byWord(text),
  }
}

function inCaseOf(model: string, text: string): string {
  if (model === model.toUpperCase() && model.length > 1) return text.toUpperCase()
  if (model[0] !== model[0]?.toLowerCase()) return text.charAt(0).toUpperCase() + text.slice(1)
  return text
}

/**
 * The names of one place (the parameters of an endpoint, the members of an object) under a
 * vocabulary: `[neutral, publicName]` pairs. Throws when two public names are equal, because they
 * would be ambiguous.
 */
export function renamed(vocabulary: Vocabulary, names: readonly string[], where: string): [string, string][] {
  const pairs = names.map((neutral): [string, string] => [neutral, vocabulary.name(neutral)])
  unambiguous(pairs, where)
  return pairs
}

/**
 * The neutral names of one place by every spelling that requests may have. Throws as `renamed`
 * does.
 */
export function spelled(
  vocabulary: Vocabulary,
  names: readonly string[],
  where: string,
): ReadonlyMap<string, string> {
  const pairs = names.flatMap((neutral) =>
    vocabulary.spellings(neutral).map((spelling): [string, string] => [neutral, spelling]),
  )
  return unambiguous(pairs, where)
}

function unambiguous(pairs: readonly [string, string][], where: string): Map<string, string> {
  const taken = new Map<string, string>()
  for (const [neutral, publicName] of pairs) {
    const other = taken.get(publicName)
    if (other !== undefined)
      throw new Error(`the vocabulary calls both "${other}" and "${neutral}" "${publicName}" in ${where}`)
    taken.set(publicName, neutral)
  }
  return taken
}

/** The member of an object in a request, in any spelling. */
export function memberOf(
  object: Readonly<Record<string, unknown>>,
  neutral: string,
  { spellings }: Vocabulary,
): unknown {
  const found = spellings(neutral).find((spelling) => Object.hasOwn(object, spelling))
  return found === undefined ? undefined : object[found]
}

/** Compiled once per vocabulary: a program has one, a test several. */
export const byVocabulary = <Result>(make: (vocabulary: Vocabulary) => Result) => oncePer(make)
