import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { plain, type Schema } from '../../platform/http/schema.ts'
import { type Lexicon, wordsOf } from '../../platform/http/vocabulary.ts'
import { adsCodes } from '../../platform/protocols/ads/codes.ts'
import { catalogueTexts } from '../../platform/protocols/catalogue.ts'
import { problemTypes } from '../../platform/protocols/problem/types.ts'
import { HEADERS } from './headers.ts'

/**
 * Names that no endpoint declares: those that Plaza adds, and those that handlers read themselves.
 */
export interface OtherNames {
  identifiers: readonly string[]
  headers: readonly string[]
  /** The types of events. */
  eventTypes: readonly string[]
}

/** The lexicon of some endpoints. */
export function lexiconOf(endpoints: readonly Endpoint[], others: OtherNames): Lexicon {
  const templates = endpoints.flatMap(({ path, aliases }) => [path, ...aliases])
  const segments = templates.flatMap((path) => path.split('/').filter((one) => one !== ''))
  const identifiers = new Set<string>([
    ...others.identifiers,
    ...others.eventTypes,
    ...Object.keys(adsCodes),
    ...catalogueTexts.codes,
    ...segments.map((one) => one.replace(/^\{(.*)\}$/, '$1')),
    ...problemTypes.flatMap(({ slug, fields }) => [slug ?? '', ...Object.keys(fields)]),
    ...problemTypes.flatMap(({ fields }) => Object.values(fields).flatMap((one) => namesIn(plain(one)))),
    ...endpoints.flatMap(namesOf),
  ])
  const headers = new Set([...HEADERS.map(([name]) => name), ...others.headers])
  const prose = [
    ...catalogueTexts.sentences,
    ...endpoints.flatMap(({ summary, description }) => [summary, description]),
  ]
  return {
    identifiers,
    headers,
    paths: new Set(templates),
    versions: new Set(segments.filter((one) => /^[0-9]/.test(one))),
    words: new Set([...identifiers, ...headers, ...prose].flatMap(wordsOf)),
    events: new Set(others.eventTypes.flatMap(wordsOf)),
    eventTypes: new Set(others.eventTypes),
  }
}

const namesOf = ({ pathParams, query, form, body, reply, notSettable, reasons }: Endpoint) => [
  ...[pathParams, query, form, reply, ...(body ? [body] : [])].flatMap((one) => namesIn(plain(one))),
  ...notSettable,
  ...reasons,
]

/** The members and enumeration values of a schema, including nested ones. */
function namesIn({
  properties = {},
  enum: choices = [],
  standard = false,
  items,
  anyOf = [],
  additionalProperties,
}: Schema): string[] {
  const inner = [
    ...Object.values(properties),
    ...anyOf,
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  return [
    ...Object.keys(properties),
    ...(standard ? [] : choices.filter((one) => typeof one === 'string')),
    ...inner.flatMap(namesIn),
  ]
}
