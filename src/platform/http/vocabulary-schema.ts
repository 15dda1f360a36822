import { ENTRY_FORMS, MAX_ALTERNATIVES, PARTS, type VocabularyPart } from './vocabulary.ts'

const DESCRIPTIONS: Readonly<Record<VocabularyPart, string>> = {
  words:
    'Words inside identifiers and messages: `{"post": "note"}` turns `post_id` into `note_id`. Plurals are words, too. Of a list, the first is written, and requests may have any.',
  identifiers:
    'Whole identifiers, where renaming a word is not enough: one spelling, or a list as for words.',
  paths: 'Whole paths: the path, or a list of the path and its aliases.',
  headers: 'Whole names of headers.',
  versions: 'Versions, the first part of paths: `{"12": ["12", "11"]}` answers under `/11/`, too.',
  events: 'Words inside types of events, instead of `words`: `{"post": "post"}` keeps `post.create`.',
}

/** The JSON Schema of vocabulary files. Which names the interface has, only a start checks. */
export function vocabularySchema(): object {
  const parts = PARTS.map((part) => {
    const { from, to, isListed } = ENTRY_FORMS[part]
    const value = { type: 'string', pattern: to.source }
    const list = { type: 'array', items: value, minItems: 1, maxItems: MAX_ALTERNATIVES }
    const entries = {
      type: 'object',
      description: DESCRIPTIONS[part],
      ...(from && { propertyNames: { pattern: from.source } }),
      additionalProperties: isListed ? { anyOf: [value, list] } : value,
    }
    return [part, entries] as const
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vocabulary of Plaza',
    description: 'What `plaza start --vocabulary FILE` renames. Every member is optional.',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(parts) },
    additionalProperties: false,
  }
}
